"""Parses JSON of tenhou.net/6: validated against its shape, then put into the order of play.

The format does not say when an indicator is opened, whether a riichi is accepted, which hands are opened at most draws,
and the fu from mangan up. The first two follow from the order; the others stay unknown (None).

Exporters of Mahjong Soul write some things otherwise than tenhou.net/6: the width of three players, words, sticks.

The common ones agree on the form and differ in details: hands and lists of three have three entries or an empty fourth
place; the title's second line is a date or seconds; yaku and draws are named in the words of the game, in some of them
in English.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.languages.facts import (
    OUR_YAKU,
    DrawFact,
    Fact,
    Tiles,
    WinFact,
    in_order,
    liable_for,
    norths_apart,
    sorted_hands,
)
from jantaku.table.languages.tenhou6 import words
from jantaku.table.languages.tenhou6.writer import Code, Step, order_of_play
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.pieces.board import STICK
from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.seats import SEATS, THREE, WINDS, by_seat, seat_of
from jantaku.table.riichi.pieces.tiles import IN_PLAY, KIND
from jantaku.table.riichi.points.yaku import NORTH_DORA, RANK

MAHJONG_SOUL = re.compile(r"\d{6}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The id of a game of Mahjong Soul, which its exporters write as `ref`."""
ELEMENTS = 17
"""Elements of a hand."""
_SHORT = ELEMENTS - 3
"""Elements of a hand of three without the empty fourth place."""
_NAMES = OUR_YAKU | {"国士無双十三面待ち": "国士無双十三面"}
_OWN_WIND, _ROUND_WIND = "役牌:自風牌", "役牌:場風牌"


def is_short(hand: object) -> bool:
    """Whether this is a hand of three without the fourth place."""
    return isinstance(hand, list) and len(hand) == _SHORT


def widened(hand: list[Any]) -> list[Any]:
    """Return a hand of three as tenhou.net/6 has it, with an empty fourth place."""
    if is_short(hand):
        hand = [*hand[:-1], [], [], [], hand[-1]]
    head, scores, *rest, result = hand
    if isinstance(result, list):
        result = [result[0], *map(_padded, result[1:])] if result else result
    return [head, _padded(scores), *rest, result]


def _padded(values: Any) -> Any:
    """Points of three with a 0 at the fourth place; anything else as it is."""
    if isinstance(values, list) and len(values) == THREE and all(isinstance(value, int | float) for value in values):
        return [*values, *[0] * (words.CIRCLE - THREE)]
    return values


def yaku_name(name: str, seat: int, round_wind: int) -> str | None:
    """Our name of a yaku of the winner `seat`; None for a name that is not known. A yaku of the own wind is named after
    the seat: an exporter of Mahjong Soul writes another wind."""
    if name == _ROUND_WIND:
        return f"場風 {WINDS[round_wind]}"
    if name == _OWN_WIND or name.startswith("自風 "):
        return f"自風 {WINDS[seat]}"
    name = _NAMES.get(name, name)
    return name if name in RANK else None


def without_refused_stick(deltas: Sequence[int], seat: int, sticks: int) -> tuple[int, ...]:
    """The payments of a win by `seat` on a riichi's discard, when `sticks` lie on the table: an exporter counts the
    stick of that riichi, which is never paid."""
    too_many = sum(deltas) == (sticks + 1) * STICK
    return tuple(delta - STICK * (too_many and at == seat) for at, delta in enumerate(deltas))


Count = Annotated[int, Meta(ge=0, le=10**4)]
Points = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Player = Annotated[int, Meta(ge=0, le=3)]
Four = tuple[Points, Points, Points, Points]
Yaku = tuple[tuple[str, int], ...]

_SCORE = re.compile(r"(?:(\d+)(?:符|Fu)(\d+)(?:飜|Han)\D*?|\D+?)(\d+)(?:-(\d+))?点(∀)?")
_YAKU = re.compile(r"(.+?)\((?:(\d+)飜|(.*役満.*))\)")
_DROPPED = (DrawReason.SANCHAHOU, DrawReason.CHOMBO)
"""Draws right after a declaring discard by which the riichi is not accepted."""
_DOUBLES = ("国士無双十三面", "四暗刻単騎", "大四喜", "純正九蓮宝燈")


class _Rule(Struct):
    disp: str = ""
    aka: int | None = None
    aka51: int | None = None
    aka52: int | None = None
    aka53: int | None = None


class Log(Struct):
    """A whole log; each hand is validated later, one by one. `jantaku` has what the format cannot express."""

    log: list[Any]
    name: list[str] | None = None
    title: list[Any] | None = None
    rule: _Rule | None = None
    sc: list[float] | None = None
    ref: str | None = None
    jantaku: object = None

    @property
    def players(self) -> int:
        """The number of players: three if the fourth place of the first hand is empty, else four."""
        first = self.log[0] if self.log else None
        three = isinstance(first, list) and len(first) == ELEMENTS and not any(first[13:16])
        return THREE if three or is_short(first) else SEATS

    @property
    def is_mahjong_soul(self) -> bool:
        """Whether it was exported from Mahjong Soul."""
        return MAHJONG_SOUL.fullmatch(self.ref or "") is not None

    @property
    def reds(self) -> bool:
        """Whether there are red fives; true if the log does not say."""
        rule = self.rule or _Rule()
        told = [count for count in (rule.aka, rule.aka51, rule.aka52, rule.aka53) if count is not None]
        return sum(told) > 0 if told else True

    @property
    def red_fives(self) -> dict[str, str]:
        """How many red fives there are, as rules, where it is told for every suit; else empty."""
        rule = self.rule or _Rule()
        if rule.aka51 is None or rule.aka52 is None or rule.aka53 is None:
            return {}
        red_m = 0 if self.players == THREE else rule.aka51
        return {"tiles.red_m": str(red_m), "tiles.red_p": str(rule.aka52), "tiles.red_s": str(rule.aka53)}

    @property
    def tonpu(self) -> bool:
        """Whether the game is a tonpu, judged by the display name of its rules."""
        disp = self.rule.disp if self.rule is not None else ""
        return "東" in disp or "East" in disp


class _Head(Struct, array_like=True):
    number: Annotated[int, Meta(ge=0, le=15)]
    honba: Count
    sticks: Count


class _Detail(Struct, array_like=True):
    winner: Player
    source: Player
    liable: Player
    score: str


class _Hand(Struct, array_like=True):
    head: _Head
    scores: Four
    dora: Annotated[list[int], Meta(min_length=1)]
    ura: list[int]
    hand0: list[int]
    takes0: list[Code]
    outs0: list[Code]
    hand1: list[int]
    takes1: list[Code]
    outs1: list[Code]
    hand2: list[int]
    takes2: list[Code]
    outs2: list[Code]
    hand3: list[int]
    takes3: list[Code]
    outs3: list[Code]
    result: list[Any]


def kyoku_of(hand: object, players: int = SEATS) -> list[Fact]:
    """Read the facts of one hand, in a game of `players`, in the order of play. Raises BadInput for an invalid hand."""
    if isinstance(hand, list) and players == THREE and (is_short(hand) or len(hand) == ELEMENTS):
        hand = widened(hand)
    if not isinstance(hand, list) or len(hand) != ELEMENTS:
        found = len(hand) if isinstance(hand, list) else type(hand).__name__
        raise BadInput(f"a hand has {ELEMENTS} elements, this has {found}")
    return list(_Reader(shaped(hand, _Hand), players).facts())


class _Reader:
    def __init__(self, hand: _Hand, players: int) -> None:
        self._hand, self._players = hand, players
        self._dealer = hand.head.number % words.CIRCLE
        if self._dealer >= players:
            raise BadInput(f"round {hand.head.number}: with three players, 3, 7, 11 and 15 are left out")
        self._dora = [words.tile_of(code) for code in hand.dora]
        self._pending = 0
        """Number of open kans whose indicator is not opened yet."""
        self._riichi: set[int] = set()
        self._refused = False
        """Whether the last discard declares a riichi and is won."""

    def facts(self) -> Iterator[Fact]:
        """Yield the deal, the steps of play with indicators and riichi inserted, and the result."""
        hand = self._hand
        hands = self._played("hand", [hand.hand0, hand.hand1, hand.hand2, hand.hand3])
        takes = self._played("take", [hand.takes0, hand.takes1, hand.takes2, hand.takes3])
        outs = self._played("discard", [hand.outs0, hand.outs1, hand.outs2, hand.outs3])
        for code in [code for part in (*hands, *takes) for code in part if code in words.TILE_OF]:
            if not IN_PLAY[self._players] >> KIND[words.tile_of(code)] & 1:
                raise BadInput(f"tile {code}; with three players there are no 12 to 18")
        yield self._deal(hands)
        steps = order_of_play(self._dealer, hands, takes, outs)
        for place, step in enumerate(steps):
            yield from self._step(step, last=place == len(steps) - 1)
        if self._told == words.WIN:
            # Some rules open the indicator of an open kan at once: then it counts if its rinshan tile wins.
            yield from self._open_pending()
            yield from self._wins()
        elif self._told:
            yield self._draw()

    def _played(self, what: str, parts: Sequence[list[Any]]) -> Sequence[list[Any]]:
        """The parts of the real players. Raises BadInput if a fourth part in a three-player game is not empty."""
        if any(parts[self._players :]):
            raise BadInput(f"player {self._players} has a {what}; three play in this log")
        return parts[: self._players]

    def _points(self, told: object) -> events.PerSeat:
        """Points by seat, without the 0 at the fourth place in a three-player game."""
        points: Four = shaped(told, Four)
        if any(points[self._players :]):
            raise BadInput(f"points {list(points)}: player {self._players} has some; three play in this log")
        return tuple(by_seat(points[: self._players], self._dealer))

    def _seat(self, player: int) -> int:
        if player >= self._players:
            raise BadInput(f"player {player} in the result; three play in this log")
        return seat_of(player, self._dealer, self._players)

    @property
    def _told(self) -> str:
        """The word for the end of the hand; empty if it did not end."""
        return str(self._hand.result[0]) if self._hand.result else ""

    def _deal(self, hands: Sequence[Sequence[int]]) -> events.KyokuStart:
        for codes in hands:
            if len(codes) != 13:
                raise BadInput(f"a starting hand of {len(codes)} tiles; 13 are expected")
        head = self._hand.head
        return events.KyokuStart(
            dealer=self._dealer,
            round_wind=head.number // words.CIRCLE,
            kyoku=self._dealer,
            honba=head.honba,
            sticks=head.sticks,
            scores=self._points(self._hand.scores),
            indicator=self._dora.pop(0),
            hands=sorted_hands(
                by_seat([tuple(words.tile_of(code) for code in codes) for codes in hands], self._dealer)
            ),
        )

    def _step(self, step: Step, *, last: bool) -> Iterator[Fact]:
        if isinstance(step, events.Draw | events.MeldCall):
            yield step
            self._pending += isinstance(step, events.MeldCall) and step.meld.is_kan
            return
        yield from self._open_pending()
        yield step
        if isinstance(step, events.OwnKan):
            if step.meld.kind != MeldKind.ANKAN:
                self._pending += 1
            elif not last:
                yield from self._open(1)
        elif isinstance(step, events.TileDiscard) and step.riichi:
            self._riichi.add(step.seat)
            if last and (self._told == words.WIN or words.REASONS.get(self._told) in _DROPPED):
                self._refused = True
            else:
                yield events.Riichi(step.seat)

    def _open_pending(self) -> Iterator[Fact]:
        count, self._pending = self._pending, 0
        yield from self._open(count)

    def _open(self, count: int) -> Iterator[Fact]:
        """Open `count` indicators, or as many as the log still has."""
        for _ in range(min(count, len(self._dora))):
            yield events.Dora(self._dora.pop(0))

    def _wins(self) -> Iterator[WinFact]:
        result = self._hand.result
        for at in range(1, len(result) - 1, 2):
            if result[at] == words.WIN:
                raise BadInput(f"result: “{words.WIN}” stands once, before the first winner")
            yield self._win(self._points(result[at]), result[at + 1])

    def _win(self, deltas: events.PerSeat, told: object) -> WinFact:
        detail: _Detail = shaped(told, _Detail)
        names: list[str] = shaped(told[4:] if isinstance(told, list) else [], list[str])
        seat, tsumo = self._seat(detail.winner), detail.winner == detail.source
        told_yaku = [one for text in names if (one := _yaku(text)) is not None]
        named = [(yaku_name(name, seat, self._hand.head.number // words.CIRCLE), han) for name, han in told_yaku]
        known = tuple((name, han) for name, han in named if name is not None)
        yaku, yakuman, fu, han, points = _worth(detail.score, known, tuple(told_yaku), seat, tsumo, self._players)
        aside = 0 if NORTH_DORA in dict(known) else self._aside(detail.winner)
        yaku = norths_apart(yaku, aside, yakuman=bool(yakuman))
        liable = self._seat(detail.liable)
        if self._refused and not tsumo:
            deltas = without_refused_stick(deltas, seat, self._hand.head.sticks + len(self._riichi) - 1)
        return WinFact(
            seat=seat,
            source=None if tsumo else self._seat(detail.source),
            deltas=deltas,
            ura=tuple(words.tile_of(code) for code in self._hand.ura if seat in self._riichi),
            fu=fu,
            han=han,
            yakuman=yakuman,
            yaku=yaku if len(known) == len(named) else None,
            points=points,
            liable=() if liable == seat else liable_for(liable, yaku),
        )

    def _aside(self, player: int) -> int:
        """How many norths a player set aside."""
        hand = self._hand
        return (hand.outs0, hand.outs1, hand.outs2, hand.outs3)[player].count(words.NORTH_ASIDE)

    def _draw(self) -> DrawFact:
        """The log says which hands are opened only if none or all are: then there is no payment."""
        told, result = self._told, self._hand.result
        deltas = self._points(result[1]) if len(result) > 1 else (0,) * self._players
        if told == words.NOBODY_TENPAI:
            return DrawFact(reason=DrawReason.EXHAUSTIVE, deltas=deltas, hands=(None,) * self._players)
        if told == words.ALL_TENPAI:
            return DrawFact(reason=DrawReason.EXHAUSTIVE, deltas=deltas, hands=ALL[: self._players])
        offender = None
        if len(result) > 2 and words.REASONS.get(told) is DrawReason.CHOMBO:
            (player,) = shaped(result[2], tuple[Annotated[int, Meta(ge=0, le=3)]])
            offender = self._seat(player)
        return DrawFact(reason=words.REASONS.get(told), deltas=deltas, offender=offender)


ALL: tuple[Tiles, ...] = ((), (), (), ())
"""All hands are opened; their tiles are those on the board."""


def _yaku(text: str) -> tuple[str, int] | None:
    """Read a yaku with its han, 0 for a yakuman; None for dora that do not count."""
    match = _YAKU.fullmatch(text)
    if match is None:
        raise BadInput(f"“{text}” is not a yaku: they look like 立直(1飜) or 大三元(役満)")
    return None if match[2] == "0" else (match[1], int(match[2] or 0))


def _worth(
    text: str, yaku: Yaku, told: Yaku, seat: int, tsumo: bool, players: int
) -> tuple[Yaku, int, int | None, int | None, int]:
    """Return yaku, units, fu, han and points of a score text. From mangan up a log has no fu, for a yakuman no
    units. `yaku` are those of `told` whose names are known."""
    match = _SCORE.fullmatch(text)
    if match is None:
        raise BadInput(f"“{text}” is not a score: they look like 30符2飜2000点, 満貫2000-4000点, 役満16000点∀")
    points, second = int(match[3]), int(match[4] or 0)
    if tsumo:
        points = (players - 1) * points if match[5] else (players - 2) * points + second
    if any(not han for _, han in told):
        units = max(points // (words.LIMITS[0][0] * (words.MANGAN_TSUMO[players] if tsumo else words.MANGAN)[seat]), 1)
        return in_order(_spread(units, [name for name, han in yaku if not han])), units, 0, 0, points
    fu = int(match[1]) if match[1] else None
    return in_order(yaku), 0, fu, int(match[2]) if match[2] else sum(han for _, han in told), points


def _spread(units: int, names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """If a hand pays more units than it has yakuman, let the yakuman that may count double do so."""
    for name in names:
        twice = units > len(names) and name in _DOUBLES
        yield name, 1 + twice
        units -= twice
