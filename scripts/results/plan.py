"""The plan of the ladder, and what was played of it."""

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from jantaku.table.arena.match.figures.statistics import Interval, interval
from jantaku.table.arena.match.figures.units import rank_pt, stable_dan
from jantaku.table.arena.match.ranklists import check_length, rank_points
from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.seats import SEATS
from scripts.anchors.known import ANCHORS

OWN = ("allround", "caller", "dice", "shanten", "student", "tsumogiri")
"""The bots that come along."""
EVEN = 2.5
"""The mean rank of a bot beside three of itself."""
FEWEST, MOST = 2, 100_000
"""Bounds of the wall sets of a row."""


class LadderPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan: `beside` has the wall sets of each bot under the bot of which three sit beside it."""

    seed: str
    rules: str
    pt: str
    watch: tuple[str, ...]
    beside: dict[str, dict[str, int]]

    @property
    def ground(self) -> str:
        """The bot of which three sit beside every bot of the ladder."""
        return next(iter(self.beside))

    def rows(self) -> Iterator[tuple[str, str, int]]:
        """Yield each row: the bot, those beside it, and its wall sets."""
        for beside, bots in self.beside.items():
            for name, sets in bots.items():
                yield name, beside, sets


class Row(msgspec.Struct, frozen=True):
    """What was played of a row. `ranks` has a digit for every hanchan, by wall set and seat. `rates` are those of
    `PlayerFigures`, `faults` the bot's verdicts by word. `times` are median and 99 % of its decisions in ms. `origin`
    says which version of an anchor it was, and `games` is a digest of all that happened."""

    name: str
    beside: str
    sets: int
    ranks: str
    rates: dict[str, float | None]
    faults: dict[str, int]
    times: tuple[float, float]
    origin: str
    rules: str
    games: str

    @property
    def title(self) -> str:
        return titled(self.name, self.beside)

    @property
    def hanchan(self) -> int:
        return len(self.ranks)

    def _by_set(self) -> Sequence[Sequence[int]]:
        return [[*map(int, self.ranks[at : at + SEATS])] for at in range(0, len(self.ranks), SEATS)]

    def _counts(self) -> Sequence[Sequence[float]]:
        return [[one.count(rank) for rank in range(1, SEATS + 1)] for one in self._by_set()]

    @property
    def rank(self) -> Interval:
        return _mean([sum(one) for one in self._by_set()])

    def rank_pt(self, points: str) -> Interval:
        return rank_pt(self._counts(), rank_points(points))

    def stable_dan(self) -> Interval | None:
        return stable_dan(self._counts())

    def ahead_of(self, other: "Row | None") -> Interval:
        """By how many ranks it is ahead of another row on the walls that both played, or of an even bot."""
        mine = [sum(one) for one in self._by_set()]
        theirs = [sum(one) for one in other._by_set()] if other else [EVEN * SEATS] * len(mine)
        return _mean([b - a for a, b in zip(mine, theirs, strict=False)])


class Played(msgspec.Struct, frozen=True):
    """The file of figures: what was played, with which seed and by which list of rank points."""

    seed: str
    rows: tuple[Row, ...]

    def named(self, title: str) -> Row:
        return next(row for row in self.rows if row.title == title)


def _mean(sums: Sequence[float]) -> Interval:
    return interval(sums, [SEATS] * len(sums))


def titled(name: str, beside: str) -> str:
    return f"{name} beside {beside}"


def origin_of(name: str) -> str:
    """Which version of a bot this is: empty for a bot that comes along."""
    if name in OWN:
        return ""
    anchor = ANCHORS[name]
    return f"{anchor.packages[0].name}@{anchor.packages[0].version}" if anchor.packed else anchor.origin.commit[:12]


def read_plan(path: Path) -> LadderPlan:
    """Read a plan. BadInput, with the key, if something in it is not known."""
    try:
        plan = msgspec.convert(tomllib.loads(path.read_text("utf-8")), LadderPlan)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise BadInput(f"{path}: {error}") from error
    try:
        check_length(plan.pt, SEATS)
    except BadInput as error:
        raise BadInput(f"{path}: pt: {error}") from error
    for name, beside, sets in plan.rows():
        _check_names(path, name, beside)
        if not FEWEST <= sets <= MOST:
            raise BadInput(f"{path}: beside.{beside}.{name}: {sets}; allowed are {FEWEST} to {MOST:,} wall sets")
    titles = {titled(name, beside) for name, beside, _ in plan.rows()}
    if unknown := [one for one in plan.watch if one not in titles]:
        raise BadInput(f"{path}: watch: there is no row “{unknown[0]}”; a row is written “allround beside shanten”")
    return plan


def _check_names(path: Path, name: str, ground: str) -> None:
    for one in (name, ground):
        if one not in OWN and one not in ANCHORS:
            raise BadInput(f"{path}: beside.{ground}: there is no bot {one}; see `python -m scripts.anchors`")
    if ground not in OWN or name == ground:
        raise BadInput(f"{path}: beside.{ground}.{name}: beside a bot sit three of another one that comes along")
