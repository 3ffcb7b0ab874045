"""The summary of one hanchan, read from its journal: during a match, and later from the record alone."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Verdict
from jantaku.table.languages.majiang.items import LINES
from jantaku.table.play.outcome import CHOMBO
from jantaku.table.records.journal.items import GameEnd, JournalHead, JournalItem, ReadAnswer, Won, read_items
from jantaku.table.riichi.pieces.seats import player_of

DEFECT = "a defect of jantaku: "
"""Prefix of the reason of a hanchan that a defect of jantaku stopped."""


def is_bad(word: str) -> bool:
    """Return whether this key of `HanchanSummary.faults` counts answers that the default replaced."""
    return word != CHOMBO and not Verdict(word).good


class Counts(msgspec.Struct):
    """What one player did in one hanchan. `called` counts kyoku with an open meld, `deal_ins` kyoku in which it paid a
    ron."""

    kyoku: int = 0
    wins: int = 0
    tsumo: int = 0
    win_points: int = 0
    deal_ins: int = 0
    deal_in_points: int = 0
    riichi: int = 0
    called: int = 0


class Luck(NamedTuple):
    """What chance gave one player in a hanchan: what explains its rank, and what explains its points. Either is one
    number, in ranks and in points, or several rough ones."""

    rank: tuple[float, ...]
    points: tuple[float, ...]


class HanchanSummary(msgspec.Struct, frozen=True):
    """One hanchan: a line of the match's journal. Tuples are by place. Nothing in it depends on the clock.

    `seed` and `set` identify its walls. `faults` counts verdicts by word, and under `chombo` the kyoku that ended with
    one. A hanchan without a result has no ranks; `reason` says why. `print` is a digest of everything that happened.
    `asked` counts questions that came up, also those that were not put to a seat; it is empty in summaries of older
    versions. `luck` is there if the match takes it out.
    """

    game: int
    set: int
    seed: str
    rules: str
    players: tuple[str, ...]
    ended: bool
    reason: str
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[float, ...]
    faults: tuple[dict[str, int], ...]
    counts: tuple[Counts, ...]
    print: str
    asked: tuple[int, ...] = ()
    luck: tuple[Luck, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def learned(self) -> Sequence[float]:
        """The luck of the ranks by place, if it is learned; else empty."""
        return [one.rank[0] for one in self.luck or () if len(one.rank) == 1]


class Times(msgspec.Struct):
    """Decision times of one seat: number of questions that were put to it by time in seconds, rounded to two digits
    (`1.2e-03`)."""

    total: float = 0.0
    counts: dict[str, int] = {}


def times_of(used: Sequence[float]) -> Times:
    """Count questions by the seconds that they took."""
    total, counts = 0.0, dict[str, int]()
    for one in used:  # Python 3.12 and later round a `sum` in another way
        total += one
    for one, count in Counter(used).items():
        key = f"{one:.1e}"
        counts[key] = counts.get(key, 0) + count
    return Times(total, counts)


class TimeLine(msgspec.Struct, frozen=True):
    """The decision times of one hanchan, by place. They are stored apart from `HanchanSummary` because they differ from
    run to run."""

    game: int
    players: tuple[str, ...]
    times: tuple[Times, ...]


def summary(content: bytes, game: int, where: str) -> tuple[HanchanSummary, TimeLine]:
    """Summarise the journal `content` of hanchan number `game`. `where` names the source in errors. BadInput if it
    cannot be read."""
    header, items, happened = _read(content, where)
    reader = _SummaryReader(header.qijia, len(header.player))
    for item in items:
        reader.take(item)
    final = reader.final
    return HanchanSummary(
        game=game,
        set=header.number,
        seed=header.seed,
        rules=hashlib.sha256(msgspec.json.encode(header.rules)).hexdigest()[:12],
        players=header.player,
        ended=final is not None,
        reason="" if final else reader.reason,
        scores=final.defen if final else (),
        ranks=final.rank if final else (),
        points=reader.points,
        faults=tuple(reader.faults),
        counts=tuple(reader.counts),
        print=_print(happened),
        asked=tuple(reader.asked),
    ), TimeLine(game, header.player, tuple(map(times_of, reader.used)))


def _read(content: bytes, where: str) -> tuple[JournalHead, list[JournalItem], list[bytes]]:
    """Read a journal: its header, the items from which something is counted, and the lines that tell what happened.
    Draws and discards, most of the lines, are known as they stand, so that they need no reading."""
    head, *lines = content[: content.rfind(b"\n") + 1].split(b"\n")
    counted, happened = [head], []
    for line in lines:
        if line in _PLAIN:
            happened.append(line)
            continue
        counted.append(line)
        if not line.startswith(_NOT_PRINTED):
            happened.append(line)
    try:
        return *read_items(b"\n".join(counted), where), happened
    except BadInput:
        read_items(content, where)  # names the line by its number in the whole journal
        raise


def result_of(content: bytes, game: int, where: str) -> HanchanSummary:
    """Summarise only the first line of a journal and its end, which is fast: seats and result. Counts and digest are
    incomplete."""
    header, *lines = content.split(b"\n")
    return summary(b"\n".join([header, *(line for line in lines if line.startswith(_END)), b""]), game, where)[0]


def print_of(content: bytes) -> str:
    """Return the digest of everything that happened in the journal `content`."""
    _header, *lines = content.split(b"\n")[:-1] or [b""]
    return _print([line for line in lines if not line.startswith(_NOT_PRINTED)])


def _print(happened: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(happened)).hexdigest()[:16]


_NOT_PRINTED = (b'{"turn"', b'{"wall"', b'{"dice"', b'{"digest"')
"""Prefixes of the lines that the digest leaves out: times, and what players do not see."""
_END = b'{"jieju"'
_PLAIN = frozenset(line[:-1] for line in LINES.values())
"""Lines from which nothing is counted, as the engine writes them."""


class _SummaryReader:
    """Counts the items of one journal. Players are ids; items name seats of the kyoku."""

    def __init__(self, first_dealer: int, seats: int) -> None:
        self.counts = [Counts() for _ in range(seats)]
        self.faults: list[dict[str, int]] = [{} for _ in range(seats)]
        self.asked = [0] * seats
        self.used: list[list[float]] = [[] for _ in range(seats)]
        self.final: GameEnd | None = None
        self.points: tuple[float, ...] = ()
        self.reason = "the record ends before the game does"
        self._first_dealer, self._seats = first_dealer, seats
        self._dealer = 0
        self._called: set[int] = set()
        self._dealt_in: set[int] = set()

    def take(self, item: JournalItem) -> None:
        """Count the next item."""
        if item.answers:
            for answer in item.answers:
                self.asked[answer.seat] += 1
                if answer.verdict is Verdict.OK:
                    self.used[answer.seat].append(answer.used)
                else:
                    self._take_fault(answer)
            return
        if item.qipai is not None:
            self._dealer = player_of(item.qipai.jushu, self._first_dealer, self._seats)
            self._called, self._dealt_in = set(), set()
            for count in self.counts:
                count.kyoku += 1
        if item.lizhi is not None:
            self.counts[self._player(item.lizhi.l)].riichi += 1
        if item.fulou is not None:
            self._take_call(self._player(item.fulou.l))
        if item.hule is not None:
            self._take_win(item.hule)
        if item.pingju is not None and item.pingju.l is not None:
            self._count(self._player(item.pingju.l), CHOMBO)
        if item.jieju is not None:
            self.final = item.jieju
            self.points = tuple(float(text) for text in item.jieju.point)

    def _player(self, seat: int) -> int:
        return player_of(seat, self._dealer, self._seats)

    def _take_call(self, player: int) -> None:
        if player not in self._called:
            self._called.add(player)
            self.counts[player].called += 1

    def _take_win(self, win: Won) -> None:
        winner = self.counts[self._player(win.l)]
        winner.wins += 1
        winner.win_points += win.defen
        if win.baojia is None:
            winner.tsumo += 1
            return
        player = self._player(win.baojia)
        self.counts[player].deal_in_points += win.defen
        if player not in self._dealt_in:
            self._dealt_in.add(player)
            self.counts[player].deal_ins += 1

    def _count(self, player: int, word: str) -> None:
        faults = self.faults[player]
        faults[word] = faults.get(word, 0) + 1

    def _take_fault(self, answer: ReadAnswer) -> None:
        if answer.asked:
            self.used[answer.seat].append(answer.used)
        self._count(answer.seat, str(answer.verdict))
        if answer.verdict is not Verdict.OK_MARGIN:
            self.reason = f"player {answer.seat}: {answer.verdict}: {answer.reason}"
