"""The plan of a match: everything that decides its results, and nothing else.

A tournament has a `PoolPlan`, which a `MatchPlan` extends, with the fingerprint of each player's code.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from jantaku.table.arena.match.matchfile import (
    PAIRS,
    Format,
    Match,
    MatchFile,
    PoolFile,
    Seating,
    Seatings,
    Stop,
    check_pool,
    even,
    seatings_of,
    set_size,
)
from jantaku.table.ground import installation, settings
from jantaku.table.ground.errors import BadInput, all_told
from jantaku.table.ground.foreign.files import DEEPEST, MOST_FILES
from jantaku.table.ground.installation import version
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import LIMIT, Clock, Flag
from jantaku.table.play import seeds
from jantaku.table.play.loader import source_of
from jantaku.table.play.roster import Entrant, enlist, terms_in
from jantaku.table.play.spec import FOLDER, Terms, confined, terms_of
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.pieces.schools import School
from jantaku.table.riichi.rules import Rules, unit_of

# A fingerprint of a player's code, to notice if a bot has changed between two runs.

_NOT_THEIRS = {"__pycache__", ".git", ".venv", ".akagi"}
_CHUNK = 1 << 20  # read in parts: a model file may be larger than the memory


def fingerprint(player: str | Terms) -> str:
    """Return twelve hex digits; empty if no file is found. Hashed are the file that defines a bot and the files its
    arguments name, or the files that a program's command names, or all files in a bot's folder."""
    terms = terms_of(player) if isinstance(player, str) else player
    if terms.scheme in ("", "process"):
        home = installation.here(Path(terms.cwd or ""))
        files: Sequence[Path | None] = [source_of(terms), *(home / text for text in terms.texts)]
    elif terms.scheme == FOLDER:
        files = _inside(installation.here(Path(terms.bot.partition(":")[2])))
    else:
        files = [Path(word) for word in terms.bot.partition(":")[2].split()]
    digest, found = hashlib.sha256(), False
    for file in files:
        if file is not None and os.path.isfile(file):
            found = True
            with open(file, "rb") as content:
                while chunk := content.read(_CHUNK):
                    digest.update(chunk)
    return digest.hexdigest()[:12] if found else ""


def _inside(path: Path) -> Sequence[Path]:
    """List the files of a bot's folder, except caches, virtual environments and what links to other folders lead to; a
    zip is one file. BadInput for more than a zip may have."""
    if not path.is_dir():
        return [path]
    found: list[Path] = []
    for place, folders, files in os.walk(path):
        folders[:] = sorted(set(folders) - _NOT_THEIRS)
        if len(Path(place).relative_to(path).parts) >= DEEPEST:
            raise BadInput(f"folder {path}: is nested more than {DEEPEST} deep; leave in it what the bot needs")
        found += (Path(place, name) for name in files if name not in _NOT_THEIRS)
        if len(found) > MOST_FILES:
            raise BadInput(f"folder {path}: has more than {MOST_FILES} files; leave in it what the bot needs")
    return sorted(found)


# The plan of games between the players of a pool: everything that decides their results, for matches and tournaments.


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

    @property
    def bots(self) -> tuple[str, ...]:
        """The players as the file or the flags specify them."""
        return written(self.players)

    @property
    def seats(self) -> int:
        """Number of players at a table, by its rules."""
        return self.rules.game.players

    @property
    def unit(self) -> str:
        """The name of a game, by its length."""
        return unit_of(self.rules.game.length)

    @property
    def set_size(self) -> int:
        """Number of games in a set."""
        raise NotImplementedError

    @property
    def games(self) -> int:
        """Number of games in the whole plan."""
        raise NotImplementedError

    def encoded(self) -> bytes:
        """The content of the plan's file."""
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
        """Return the fields as they are written. `counts` and `flag` of a clock, `args` and `lots` of a player are left
        out at their defaults."""
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
    }


def asked_by(plan: PoolPlan) -> dict[str, Any]:
    """Return the fields of `PoolSettings` that ask for this plan."""
    players = tuple(player for player in plan.players if isinstance(player, str))
    return {"players": players, **{name: getattr(plan, name) for name in ("walls", "seed", "threads", "on_fault")}}


def terms_by(plan: PoolPlan) -> tuple[Terms, ...]:
    """Return the `[[player]]` tables that ask for this plan."""
    return tuple(player for player in plan.players if isinstance(player, Terms))


def _refuse_own_clocks(threads: Mode, clock: Clock, entrants: Sequence[Entrant]) -> None:
    clocked = [entrant.name for entrant in entrants if entrant.clock(clock).runs]
    if threads == "inline" and clocked:
        raise BadInput(f"player {clocked[0]}: threads = inline cannot keep the clock that it has of its own")


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


MOST_SETS = 100_000
"""The number of sets if only a stopping rule is given."""
DEFAULT_SETS = 25


class MatchPlan(PoolPlan, frozen=True, kw_only=True):
    """The plan of a match."""

    KIND = "match"
    ORDER = (
        "version format seatings walls players names fingerprints seed sets rules rules_digest threads on_fault clock "
        "stop"
    )

    format: Format
    seatings: Seatings
    sets: int
    stop: Stop

    @property
    def sides(self) -> str:
        """Which player is the challenger and which the champion, in formats that have them; else empty."""
        if self.format not in PAIRS:
            return ""
        new, old = (f"{name} ({one.described})" for name, one in zip(self.names, terms_in(self.players), strict=True))
        return f"challenger {new} against champion {old}"

    @property
    def set_size(self) -> int:
        """Number of games in a set."""
        return set_size(self.format, len(self.players), self.seatings, self.seats)

    @property
    def games(self) -> int:
        """Number of games in the whole plan."""
        return self.sets * self.set_size

    def jobs(self, sets: int | None = None) -> Iterator[Job]:
        """Yield every hanchan in the order of the plan, of the first `sets` sets or of all."""
        size = self.set_size
        for number in range(self.sets if sets is None else min(sets, self.sets)):
            seatings = seatings_of(self.format, len(self.players), self.seatings, self.seed, number, self.seats)
            for index, seating in enumerate(seatings):
                yield Job(number * size + index, number, seating)

    def _told(self) -> dict[str, Any]:
        """Leave out `faults` of the stopping rule at its default as well."""
        told = super()._told()
        if not self.stop.faults:
            del told["stop"]["faults"]
        return told


def file_of(plan: MatchPlan) -> MatchFile:
    """Make a match file that asks for this plan."""
    match = Match(**asked_by(plan), format=plan.format, seatings=plan.seatings, sets=plan.sets)
    return MatchFile(match=match, clock=plan.clock, stop=plan.stop, rules=plan.rules, player=terms_by(plan))


def plan_of(file: MatchFile) -> MatchPlan:
    """Make the plan of a match file; looks up every player. BadInput if it cannot be played."""
    sets, stop = amounts_of(file)
    given = pooled(file, MatchPlan.KIND)
    return MatchPlan(**given, format=file.match.format, seatings=file.match.seatings, sets=sets, stop=stop)


def amounts_of(file: MatchFile) -> tuple[int, Stop]:
    """Return the number of wall sets of a match file, and its stopping rule. BadInput if it cannot be played, as far as
    that is known without the players."""
    match, seats = file.match, file.rules.game.players
    stop = _even(file.stop, seats)
    with all_told() as part:
        with part():
            check_pool(match.format, written(file.players), seats)
            sets = _sets(match, stop, len(file.players), seats)
        with part():
            if stop.sprt and stop.rank0 == stop.rank1:
                raise BadInput(f"stop: rank0 and rank1 are both {stop.rank0}; a test needs two hypotheses")
    return sets, stop


def _even(stop: Stop, seats: int) -> Stop:
    """Return the stopping rule with default hypotheses that fit a table of `seats` seats: around the mean rank of an
    even player."""
    usual, middle = Stop(), even(seats)
    if (stop.rank0, stop.rank1) != (usual.rank0, usual.rank1) or usual.rank0 == middle:
        return stop
    return msgspec.structs.replace(stop, rank0=middle, rank1=middle - (usual.rank0 - usual.rank1))


def _sets(match: Match, stop: Stop, players: int, seats: int) -> int:
    if match.sets is not None and match.games is not None:
        raise BadInput(f"give either sets or games, not both (sets = {match.sets}, games = {match.games})")
    if match.games is None:
        return match.sets or (MOST_SETS if stop.runs else DEFAULT_SETS)
    size = set_size(match.format, players, match.seatings, seats)
    sets, rest = divmod(match.games, size)
    if rest:
        near = f"{sets * size} or {(sets + 1) * size}" if sets else f"{size}"
        raise BadInput(f"games = {match.games} is not a number of whole sets of {size}; the nearest is {near}")
    return sets
