"""Finds pairs of players in which one pays the other more than in all other pairs, and tells by how much.

Two numbers are judged for each pair:

- how often the giver paid the taker by ron, against the fit log(mean) = a[giver] + b[taker] to all other pairs by
  weighted least squares;
- how often it paid *again* in the same hanchan, n (n - 1) / 2 for n rons, counted in hanchan in which the giver won
  nothing. It is compared with what chance makes of as many rons, and with the same giver's other pairs. A hanchan that
  is given away makes this number large; two styles that meet badly do not.

Honest pairs differ because styles do: a player that folds to riichi pays those that do not declare it. So each number
has, beside its sampling variance, a variance of styles (`_STYLES`, on the log scale), the larger one for the first
number. The pair that stands out most is removed before the others are judged; otherwise its neighbours would seem to
stand out, too. One bound serves all pairs and both numbers: in a pool of honest players the chance that any pair
exceeds it is at most 1 % (Bonferroni; `python -m scripts.fairplay` measures it).
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from statistics import NormalDist
from typing import Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from jantaku.table.arena.match.records import journals
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign import bytes_of
from jantaku.table.records.journal.items import JournalHead, JournalItem, ReadAnswer, read_items
from jantaku.table.records.journal.lines import LARGEST
from jantaku.table.riichi.pieces.seats import player_of

# Reads from journals what players did to one another: who paid whom by ron, who won, who answered, and how long a
# discard took that another player could call.

_STAGE: Final = 12
"""Turns of one stage of a kyoku (three of each player). Times are compared only within a stage."""
_HONOUR: Final = "z"
_REPLY: Final = msgspec.json.Decoder(dict[str, str])


class TimedReaction(msgspec.Struct, frozen=True, gc=False):
    """The player at place `asked` could call a discard: how many seconds the discarder took for it, and whether it was
    called. Only reactions of the same `kind` are compared: stage of the kyoku, number of the tile ("z" for honours),
    riichi declared so far."""

    discarder: int
    asked: int
    kind: tuple[int, str, int]
    seconds: float
    called: bool


class Conduct(msgspec.Struct):
    """What one player did. `unplayed` counts the answers that the default replaced."""

    hanchan: int = 0
    kyoku: int = 0
    wins: int = 0
    answers: int = 0
    unplayed: int = 0

    def add(self, other: "Conduct") -> None:
        """Add the counts of `other`."""
        for field in self.__struct_fields__:
            setattr(self, field, getattr(self, field) + getattr(other, field))


class Dealings(msgspec.Struct, frozen=True):
    """One hanchan. `players` and `conduct` are by place; `paid[a][b]` counts how often place `a` paid place `b` by
    ron."""

    path: Path
    players: tuple[str, ...]
    paid: tuple[tuple[int, ...], ...]
    conduct: tuple[Conduct, ...]
    reactions: tuple[TimedReaction, ...]


def read_dealings(folders: Sequence[Path]) -> Iterator[Dealings]:
    """Yield every hanchan that has a result and whose journal is in one of these folders. BadInput if a journal cannot
    be read."""
    for folder in folders:
        for path in journals(folder).values():
            if (found := dealings_of(path, bytes_of(path, LARGEST))) is not None:
                yield found


def dealings_of(path: Path, content: bytes) -> Dealings | None:
    """Read the journal of one hanchan; None if the hanchan has no result."""
    header, items = read_items(content, str(path))
    reader = _DealingsReader(header)
    try:
        for item in items:
            reader.take(item)
    except msgspec.ValidationError as error:
        raise BadInput(f"{path}: a reply: {error}") from None
    if not reader.ended:
        return None
    paid = tuple(map(tuple, reader.paid))
    return Dealings(path, header.player, paid, tuple(reader.conduct), tuple(reader.reactions))


def conduct_of(played: Iterable[Dealings]) -> dict[str, Conduct]:
    """Sum up what each player did in all of these hanchan. Players stand in the order of their first hanchan."""
    found: dict[str, Conduct] = {}
    for one in played:
        for name, conduct in zip(one.players, one.conduct, strict=True):
            found.setdefault(name, Conduct()).add(conduct)
    return found


class _DealingsReader:
    """Collects the dealings from the items of one journal. Players are places at the table."""

    def __init__(self, header: JournalHead) -> None:
        self._seats = seats = len(header.player)
        self.paid = [[0] * seats for _ in range(seats)]
        self.conduct = [Conduct(hanchan=1) for _ in range(seats)]
        self.reactions: list[TimedReaction] = []
        self.ended = False
        self._first_dealer = header.qijia
        self._dealer = self._turns = self._riichi = 0

    def take(self, item: JournalItem) -> None:
        """Take the next item of the journal."""
        if item.answers:
            self._take_answers(item.answers)
        if item.qipai is not None:
            self._dealer, self._turns, self._riichi = player_of(item.qipai.jushu, self._first_dealer, self._seats), 0, 0
            for conduct in self.conduct:
                conduct.kyoku += 1
        if item.lizhi is not None:
            self._riichi += 1
        if item.hule is not None:
            winner = player_of(item.hule.l, self._dealer, self._seats)
            self.conduct[winner].wins += 1
            if item.hule.baojia is not None:
                self.paid[player_of(item.hule.baojia, self._dealer, self._seats)][winner] += 1
        self.ended |= item.jieju is not None

    def _take_answers(self, answers: Sequence[ReadAnswer]) -> None:
        self._turns += 1
        for answer in answers:
            conduct = self.conduct[answer.seat]
            conduct.answers += 1
            conduct.unplayed += not answer.verdict.good
        discard, *others = answers
        if not others or (tile := _REPLY.decode(discard.reply).get("dapai")) is None:
            return
        kind = (self._turns // _STAGE, tile[0] if tile[0] == _HONOUR else tile[1], self._riichi)
        for answer in others:
            called = "fulou" in _REPLY.decode(answer.reply)
            self.reactions.append(TimedReaction(discard.seat, answer.seat, kind, discard.used, called))


ERROR: Final = 0.01
"""The chance that the report on an honest pool names any player."""
FEWEST_PLAYERS: Final = 4
_FEWEST_HANCHAN: Final = 100
"""A pair is judged only if it played at least this many hanchan together."""
_STYLES: Final = (0.35, 0.15)
"""Standard deviation, on the log scale, by which styles make honest pairs differ: in rons, in repeated rons."""
_LEAST: Final = 1.25
"""A count below this multiple of the expected one never makes a pair stand out."""
Numbers = npt.NDArray[np.float64]


class GivingPair(msgspec.Struct, frozen=True):
    """What `giver` paid `taker` by ron in the `hanchan` that both sat in. `repeats` counts further rons in the same
    hanchan, only in hanchan in which the giver won nothing. The `_expected` values follow from the other pairs.
    `beyond` is the larger excess of the two numbers in standard deviations; above `bound` the pair is `named`."""

    giver: str
    taker: str
    hanchan: int
    rons: int
    rons_expected: float
    repeats: int
    repeats_expected: float
    beyond: float
    bound: float
    named: bool
    worst: tuple[str, ...]
    """Paths of the records of the three hanchan with the most repeats."""


class _Cell(NamedTuple):
    """One number of one pair: its logarithm and the sampling variance of that logarithm."""

    log: float
    variance: float


class _Met(NamedTuple):
    """The hanchan in which a pair met, in parallel lists."""

    paths: list[Path]
    counts: list[int]
    """How often the giver paid the taker in each hanchan."""
    won: list[bool]
    """Whether the giver won a kyoku in each hanchan."""


def giving_pairs(played: Iterable[Dealings]) -> list[GivingPair]:
    """Judge every ordered pair that met often enough, the largest excess first. Empty if these are fewer than four
    players."""
    met = {pair: one for pair, one in _paid_by_pair(played).items() if len(one.counts) >= _FEWEST_HANCHAN}
    if len({name for pair in met for name in pair}) < FEWEST_PLAYERS:
        return []
    bound = -NormalDist().inv_cdf(ERROR / (len(met) * len(_STYLES)))
    paid = _judged_in_turn({pair: _rons(one) for pair, one in met.items()}, _two_sided, bound)
    again = _judged_in_turn({pair: _repeats(one) for pair, one in met.items()}, _by_giver, bound)
    found = [_pair(pair, one, (paid[pair], again[pair]), bound) for pair, one in met.items()]
    return sorted(found, key=lambda one: -one.beyond)


def _pair(pair: tuple[str, str], met: _Met, judged: Sequence["_Judged"], bound: float) -> GivingPair:
    counts = np.array(met.counts)
    totals = int(counts.sum()), int(_again(met).sum())
    expected = len(counts) * math.exp(judged[0].expected), _by_chance(met) * math.exp(judged[1].expected)
    large = [one.beyond for one, total, usual in zip(judged, totals, expected, strict=True) if total > _LEAST * usual]
    beyond = max(large, default=min(one.beyond for one in judged))
    worst = [str(met.paths[number]) for number in np.lexsort((-counts, -_again(met)))[:3]]
    (rons, repeats), (rons_usual, repeats_usual) = totals, expected
    named = bool(large) and beyond > bound
    return GivingPair(*pair, len(counts), rons, rons_usual, repeats, repeats_usual, beyond, bound, named, tuple(worst))


def _paid_by_pair(played: Iterable[Dealings]) -> dict[tuple[str, str], _Met]:
    """Collect the hanchan of each pair (giver, taker)."""
    found: dict[tuple[str, str], _Met] = {}
    for one in played:
        sums, won = Counter[tuple[str, str]](), Counter[str]()
        for name, conduct in zip(one.players, one.conduct, strict=True):
            won[name] += conduct.wins
        for a, b in permutations(range(len(one.players)), 2):
            if one.players[a] != one.players[b]:
                sums[one.players[a], one.players[b]] += one.paid[a][b]
        for pair, number in sums.items():
            met = found.setdefault(pair, _Met([], [], []))
            met.paths.append(one.path)
            met.counts.append(number)
            met.won.append(won[pair[0]] > 0)
    return found


def _rons(met: _Met) -> _Cell:
    """Return the rons per hanchan."""
    counts = np.array(met.counts, float)
    events = float(counts.sum()) + 0.5
    return _Cell(math.log(events / len(counts)), (float((counts**2).sum()) + 0.5) / events**2)


def _by_chance(met: _Met) -> float:
    """Return how many repeats the rons of a pair make if they fall into the hanchan at random."""
    return (sum(met.counts) ** 2 + 1) / (2 * len(met.counts))


def _again(met: _Met) -> Numbers:
    """Return the repeats of each hanchan; 0 if the giver won a kyoku in it."""
    counts = np.array(met.counts, float)
    return np.where(met.won, 0.0, counts * (counts - 1) / 2)


def _repeats(met: _Met) -> _Cell:
    """Return the ratio of the repeats to the number that chance makes."""
    again = _again(met)
    events = float(again.sum()) + 0.5
    return _Cell(math.log(events / (_by_chance(met) + 0.5)), (float((again**2).sum()) + 0.5) / events**2)


class _Judged(NamedTuple):
    """The log of a pair's number that the other pairs predict, and by how many standard deviations the real one is
    larger."""

    expected: float
    beyond: float


_Pairs = Sequence[tuple[str, str]]


def _two_sided(pairs: _Pairs) -> tuple[Numbers, float]:
    """The design matrix with one column per giver and one per taker, and the standard deviation of styles."""
    place = {name: number for number, name in enumerate(sorted({name for pair in pairs for name in pair}))}
    design = np.zeros((len(pairs), 2 * len(place)))
    for row, (giver, taker) in enumerate(pairs):
        design[row, place[giver]] = design[row, len(place) + place[taker]] = 1.0
    return design, _STYLES[0]


def _by_giver(pairs: _Pairs) -> tuple[Numbers, float]:
    """The design matrix with one column per giver, and the standard deviation of styles."""
    place = {name: number for number, name in enumerate(sorted({giver for giver, _ in pairs}))}
    design = np.zeros((len(pairs), len(place)))
    for row, (giver, _) in enumerate(pairs):
        design[row, place[giver]] = 1.0
    return design, _STYLES[1]


def _judged_in_turn(
    cells: Mapping[tuple[str, str], _Cell], model: Callable[[_Pairs], tuple[Numbers, float]], bound: float
) -> dict[tuple[str, str], _Judged]:
    """Judge all pairs; while the largest excess is above `bound`, remove its pair and judge the others again."""
    left, found = dict(cells), dict[tuple[str, str], _Judged]()
    while True:
        judged = _judged(left, *model(list(left)))
        highest = max(judged, key=lambda pair: judged[pair].beyond)
        if judged[highest].beyond <= bound or len(found) >= len(cells) // 4:
            return judged | found
        found[highest] = judged[highest]
        del left[highest]


def _judged(cells: Mapping[tuple[str, str], _Cell], design: Numbers, style: float) -> dict[tuple[str, str], _Judged]:
    """Judge every pair by the fit to all others."""
    logs = np.array([cell.log for cell in cells.values()])
    roots = np.sqrt(np.array([cell.variance for cell in cells.values()]) + style**2)
    scaled, wanted = design / roots[:, None], logs / roots
    hat = scaled @ np.linalg.pinv(scaled)
    rest = np.maximum(1 - np.diag(hat), 1e-9)
    away = (wanted - hat @ wanted) / rest  # leave-one-out residual, in standard deviations
    beyond = np.where(rest > 1e-6, away * np.sqrt(rest), 0.0)  # with leverage 1 no other pair predicts it
    expected = logs - away * roots
    return {pair: _Judged(float(e), float(b)) for pair, e, b in zip(cells, expected, beyond, strict=True)}
