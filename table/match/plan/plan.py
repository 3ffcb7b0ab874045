"""The plan of a match: everything that decides its results, and nothing else."""

import hashlib
import math
from collections.abc import Iterator, Sequence
from importlib.metadata import version

import msgspec

from table.errors import BadInput
from table.judge.judge import OnFault
from table.judge.timing import LIMIT, Clock
from table.judge.turn.way import Mode
from table.match.plan.fingerprint import fingerprint
from table.match.plan.formats import PAIRS, Format, Seating, Seatings, check_pool, lineups, seatings_of, set_size
from table.match.plan.matchfile import Match, MatchFile, Needs, Stop
from table.play import seeds
from table.play.roster import Entrant, enlist, terms_in
from table.riichi import ruleset
from table.riichi.pieces.seat_wall import School
from table.riichi.rules import Rules
from table.seating.spec import Terms, confined
from table.settings import layers as settings

MOST_SETS = 100_000
"""Most sets where only a stopping rule is given."""
DEFAULT_SETS = 25


class Job(msgspec.Struct, frozen=True):
    """One hanchan of the plan: its number, its wall set and its seating. `must_start`: it is not played if a player
    does not become ready."""

    game: int
    set: int
    seating: Seating
    must_start: bool = False


class MatchPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The plan. Equal plans give equal results, on however many machines."""

    version: str
    format: Format
    seatings: Seatings
    walls: School
    players: tuple[str | Terms, ...]
    names: tuple[str, ...]
    fingerprints: tuple[str, ...]
    """Fingerprint of each player's code, so that a changed bot cannot continue another's match."""
    seed: int | str
    sets: int
    rules: Rules
    rules_digest: str
    threads: Mode
    on_fault: OnFault
    clock: Clock
    stop: Stop

    @property
    def bots(self) -> tuple[str, ...]:
        """The players as they were specified."""
        return _written(self.players)

    @property
    def sides(self) -> str:
        """Who is the challenger and who the champion, in formats that have them; else empty."""
        if self.format not in PAIRS:
            return ""
        new, old = (f"{name} ({one.described})" for name, one in zip(self.names, terms_in(self.players), strict=True))
        return f"challenger {new} against champion {old}"

    @property
    def set_size(self) -> int:
        """Games of one set."""
        return set_size(self.format, len(self.players), self.seatings)

    @property
    def games(self) -> int:
        """Games of the whole plan."""
        return self.sets * self.set_size

    def jobs(self) -> Iterator[Job]:
        """Every hanchan in the order of the plan."""
        size = self.set_size
        for number in range(self.sets):
            seatings = seatings_of(self.format, len(self.players), self.seatings, self.seed, number)
            for index, seating in enumerate(seatings):
                yield Job(number * size + index, number, seating)

    def encoded(self) -> bytes:
        """The content of `match.json`."""
        return msgspec.json.format(self._json(), indent=1) + b"\n"

    @property
    def digest(self) -> str:
        """Sixteen hex digits, equal for equal plans."""
        return hashlib.sha256(self._json()).hexdigest()[:16]

    def _json(self) -> bytes:
        """`counts` of a clock and `args` of a player are younger than the first matches: the value of their absence is
        not written."""
        told = msgspec.to_builtins(self)
        for player in told["players"]:
            if isinstance(player, dict) and not player["args"]:
                del player["args"]
        if self.clock.counts == "wall":
            del told["clock"]["counts"]
        return msgspec.json.encode(told)


def file_of(plan: MatchPlan) -> MatchFile:
    """A match file that asks for this plan."""
    match = Match(
        format=plan.format,
        players=tuple(player for player in plan.players if isinstance(player, str)),
        seatings=plan.seatings,
        walls=plan.walls,
        sets=plan.sets,
        seed=plan.seed,
        threads=plan.threads,
        on_fault=plan.on_fault,
    )
    terms = tuple(player for player in plan.players if isinstance(player, Terms))
    return MatchFile(match, plan.clock, plan.stop, plan.rules, terms)


def plan_of(file: MatchFile) -> MatchPlan:
    """The plan of a match file. BadInput for what cannot be played; every player is looked up."""
    match, stop, clock = file.match, file.stop, file.clock
    check_pool(match.format, _written(file.players))
    players = confined(file.players) if match.sandbox else file.players
    entrants = enlist(players)
    _seat_needs(file, [entrant.name for entrant in entrants])  # a wrong name is reported on any machine
    if stop.sprt and stop.rank0 == stop.rank1:
        raise BadInput(f"stop: rank0 and rank1 are both {stop.rank0}; a test needs two hypotheses")
    if match.threads == "inline" and clock.runs:
        raise BadInput("threads = inline cannot keep a clock: leave the limit away, or use resident or per-turn")
    _refuse_own_clocks(match, clock, entrants)
    if match.threads != "inline" and not clock.runs:
        clock = msgspec.structs.replace(clock, turn=LIMIT, reaction=LIMIT)
    return MatchPlan(
        version=version("jantaku"),
        format=match.format,
        seatings=match.seatings,
        walls=match.walls,
        players=players,
        names=tuple(entrant.name for entrant in entrants),
        fingerprints=tuple(fingerprint(player) for player in players),
        seed=seeds.fresh() if match.seed is None else seeds.read(match.seed, "match.seed"),
        sets=_sets(match, stop, len(entrants)),
        rules=file.rules,
        rules_digest=ruleset.digest(file.rules),
        threads=match.threads,
        on_fault=match.on_fault,
        clock=clock,
        stop=stop,
    )


def _sets(match: Match, stop: Stop, players: int) -> int:
    if match.sets is not None and match.games is not None:
        raise BadInput(f"give either sets or games, not both (sets = {match.sets}, games = {match.games})")
    if match.games is None:
        return match.sets or (MOST_SETS if stop.runs else DEFAULT_SETS)
    size = set_size(match.format, players, match.seatings)
    sets, rest = divmod(match.games, size)
    if rest:
        near = f"{sets * size} or {(sets + 1) * size}" if sets else f"{size}"
        raise BadInput(f"games = {match.games} is not a number of whole sets of {size}; the nearest is {near}")
    return sets


def _refuse_own_clocks(match: Match, clock: Clock, entrants: Sequence[Entrant]) -> None:
    clocked = [entrant.name for entrant in entrants if entrant.clock(clock).runs]
    if match.threads == "inline" and clocked:
        raise BadInput(f"player {clocked[0]}: threads = inline cannot keep the clock that it has of its own")


def _seat_needs(file: MatchFile, names: Sequence[str]) -> list[Needs]:
    """Resources of a seat on a Ray cluster, by player. BadInput for one that does not play."""
    bots = _written(file.players)
    for player in file.needs:
        if player not in (*names, *bots):
            raise BadInput(f"[resources]: {player} is not a player of this match; these are {', '.join(names)}")
    return [file.needs.get(name, file.needs.get(bot, Needs())) for name, bot in zip(names, bots, strict=True)]


def table_needs(file: MatchFile, plan: MatchPlan) -> Needs:
    """Resources of one table of the match on a Ray cluster: the sum of the four largest seats."""
    seats = _seat_needs(file, plan.names)
    tables = [[seats[player] for player in lineup] for lineup in lineups(plan.format, len(seats))]
    return Needs(
        cpus=max(sum(need.cpus for need in four) for four in tables),
        gpus=_whole_beyond_one(max(sum(need.gpus for need in four) for four in tables)),
    )


def _whole_beyond_one(gpus: float) -> float:
    """Ray assigns a fraction of one GPU, or several whole ones."""
    return math.ceil(gpus) if gpus > 1 else gpus


def _written(players: Sequence[str | Terms]) -> tuple[str, ...]:
    return tuple(player if isinstance(player, str) else player.bot for player in players)


def differences(old: MatchPlan, new: MatchPlan) -> list[str]:
    """What differs between two plans, one line each."""
    lines = []
    for field in MatchPlan.__struct_fields__:
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
            lines.append(f"players: {_shown(_written(a))} there, {_shown(_written(b))} here")
        elif field == "fingerprints":
            lines += [f"the code of player {name} has changed" for name in _changed(old, new)]
        else:
            lines.append(f"{field}: {_shown(a)} there, {_shown(b)} here")
    return lines


def _are_terms(*pools: Sequence[str | Terms]) -> bool:
    return len({len(pool) for pool in pools}) == 1 and all(isinstance(one, Terms) for pool in pools for one in pool)


def _changed(old: MatchPlan, new: MatchPlan) -> Sequence[str]:
    both = zip(old.names, old.fingerprints, new.fingerprints, strict=False)
    return [name for name, a, b in both if a != b]


def _shown(value: object) -> str:
    return settings.toml(value)
