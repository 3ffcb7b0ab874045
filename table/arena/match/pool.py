"""The plan of games between the players of a pool: everything that decides their results, for matches and
tournaments."""

import hashlib
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from jantaku.table.arena.match.fingerprint import fingerprint
from jantaku.table.arena.match.formats import Seating
from jantaku.table.arena.match.poolfile import PoolFile
from jantaku.table.arena.match.ranklists import check_length
from jantaku.table.ground import settings
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import version
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import LIMIT, Clock, Flag
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import Entrant, enlist
from jantaku.table.play.seating.spec import Terms, confined
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.pieces.schools import School
from jantaku.table.riichi.rules import Rules, unit_of


class Job(msgspec.Struct, frozen=True):
    """One hanchan of the plan: its number, wall set and seating. `must_start`: if a player does not become ready, the
    run ends instead of playing on with defaults."""

    game: int
    set: int
    seating: Seating
    must_start: bool = False


class PoolPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a plan that matches and tournaments share. Equal plans give equal results, on any number of
    machines."""

    KIND: ClassVar[str]
    """The kind of plan in one word, which is also the name of its command and its file."""
    ORDER: ClassVar[str] = ""
    """The keys that come first in the file, in this order."""

    version: str
    walls: School
    players: tuple[str | Terms, ...]
    names: tuple[str, ...]
    fingerprints: tuple[str, ...]
    """Fingerprint of each player's code, so that a changed bot cannot continue a match."""
    seed: int | str
    rules: Rules
    rules_digest: str
    threads: Mode
    on_fault: OnFault
    clock: Clock
    pt: str = ""
    """The list of rank points that results are told in, besides ranks and points; empty for none."""
    luck: bool = False
    """Whether results are told without luck, too, and are judged by that."""

    @property
    def bots(self) -> tuple[str, ...]:
        """The players as the file or the flags specify them."""
        return written(self.players)

    @property
    def seats(self) -> int:
        return self.rules.game.players

    @property
    def unit(self) -> str:
        """The name of a game, by its length."""
        return unit_of(self.rules.game.length)

    @property
    def set_size(self) -> int:
        raise NotImplementedError

    @property
    def games(self) -> int:
        raise NotImplementedError

    def encoded(self) -> bytes:
        return _indented(self._told())

    def sealed(self) -> bytes:
        """The plan file for a folder in which the match still runs: without the seed, and with the digest of the whole
        plan."""
        return _indented({**self._told(), "seed": "", "sealed": self.digest})

    @property
    def digest(self) -> str:
        """Sixteen hex digits, equal for equal plans."""
        return hashlib.sha256(msgspec.json.encode(self._told())).hexdigest()[:16]

    def _told(self) -> dict[str, Any]:
        """Return the fields as they are written. `counts` and `flag` of a clock, `args` and `lots` of a player, `pt`
        and `luck` are left out at their defaults."""
        told = msgspec.to_builtins(self)
        for player in told["players"]:
            if isinstance(player, dict) and not player["args"]:
                del player["args"]
            if isinstance(player, dict) and player["lots"] == "game":
                del player["lots"]
        if self.clock.counts == "wall":
            del told["clock"]["counts"]
        if self.clock.flag is Flag.DEFAULT:
            del told["clock"]["flag"]
        for name in ("pt", "luck"):
            if not told[name]:
                del told[name]
        return {name: told[name] for name in dict.fromkeys((*self.ORDER.split(), *told))}


def _indented(told: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"


def pooled(file: PoolFile, kind: str) -> dict[str, Any]:
    """Return the fields of a `PoolPlan` that a file asks for; looks up every player. BadInput if it cannot be
    played."""
    playing, clock = file.playing, file.clock
    players = confined(file.players) if playing.sandbox else file.players
    entrants = enlist(players)
    if playing.threads == "inline" and clock.runs:
        raise BadInput("threads = inline cannot keep a clock: leave the limit away, or use resident or per-turn")
    _refuse_own_clocks(playing.threads, clock, entrants)
    if playing.pt:
        check_length(playing.pt, file.rules.game.players)
    if playing.threads != "inline" and not clock.runs:
        clock = msgspec.structs.replace(clock, turn=LIMIT, reaction=LIMIT)
    return {
        "version": version(),
        "walls": playing.walls,
        "players": players,
        "names": tuple(entrant.name for entrant in entrants),
        "fingerprints": tuple(fingerprint(player) for player in players),
        "seed": seeds.fresh() if playing.seed is None else seeds.read(playing.seed, f"{kind}.seed"),
        "rules": file.rules,
        "rules_digest": ruleset.digest(file.rules),
        "threads": playing.threads,
        "on_fault": playing.on_fault,
        "clock": clock,
        "pt": playing.pt,
        "luck": playing.luck,
    }


def asked_by(plan: PoolPlan) -> dict[str, Any]:
    players = tuple(player for player in plan.players if isinstance(player, str))
    return {
        "players": players,
        **{name: getattr(plan, name) for name in ("walls", "seed", "threads", "on_fault", "pt", "luck")},
    }


def terms_by(plan: PoolPlan) -> tuple[Terms, ...]:
    return tuple(player for player in plan.players if isinstance(player, Terms))


def _refuse_own_clocks(threads: Mode, clock: Clock, entrants: Sequence[Entrant]) -> None:
    clocked = [entrant.name for entrant in entrants if entrant.clock(clock).runs]
    if threads == "inline" and clocked:
        raise BadInput(f"player {clocked[0]}: threads = inline cannot keep this player's own clock")


def written(players: Sequence[str | Terms]) -> tuple[str, ...]:
    """Return the players as the file or the flags specify them."""
    return tuple(player if isinstance(player, str) else player.bot for player in players)


def differences(old: PoolPlan, new: PoolPlan) -> list[str]:
    """List the differences between two plans, one line each."""
    lines = []
    for field in old.__struct_fields__:
        a, b = getattr(old, field), getattr(new, field)
        if a == b or field == "rules_digest":
            continue
        if isinstance(a, msgspec.Struct):
            lines += [f"{field}.{key}: {_shown(x)} there, {_shown(y)} here" for key, x, y in settings.difference(a, b)]
        elif field == "players" and _are_terms(a, b):
            lines += [
                f"player {number}: {key}: {_shown(x)} there, {_shown(y)} here"
                for number, (old_terms, new_terms) in enumerate(zip(a, b, strict=True), 1)
                for key, x, y in settings.difference(old_terms, new_terms)
            ]
        elif field == "players":
            lines.append(f"players: {_shown(written(a))} there, {_shown(written(b))} here")
        elif field == "fingerprints":
            lines += [f"the code of player {name} has changed" for name in _changed(old, new)]
        else:
            lines.append(f"{field}: {_shown(a)} there, {_shown(b)} here")
    return lines


def _are_terms(*pools: Sequence[str | Terms]) -> bool:
    return len({len(pool) for pool in pools}) == 1 and all(isinstance(one, Terms) for pool in pools for one in pool)


def _changed(old: PoolPlan, new: PoolPlan) -> Sequence[str]:
    both = zip(old.names, old.fingerprints, new.fingerprints, strict=False)
    return [name for name, a, b in both if a != b]


def _shown(value: object) -> str:
    return settings.toml(value)
