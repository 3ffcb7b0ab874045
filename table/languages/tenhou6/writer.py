"""Writes one kyoku as the array of 17 elements of tenhou.net/6.

Players count from the first dealer. The format does not order the seats' actions: readers restore the order from calls
and discards.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from jantaku.table.languages.facts import DrawFact, Fact, WinFact
from jantaku.table.languages.tenhou6.order import (
    ALL_TENPAI,
    CIRCLE,
    CODE_ORDER,
    CODES,
    DRAWS,
    LIMITS,
    MANGAN,
    MANGAN_TSUMO,
    NO_DISCARD,
    NOBODY_TENPAI,
    NORTH_ASIDE,
    TSUMOGIRI,
    WIN,
    YAKU,
    call_text,
)
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import at_side, by_player, player_of
from jantaku.table.riichi.points.payments import DORA, NORTH_DORA, RANK

T = TypeVar("T")


class HandWriter:
    """Takes the facts of one kyoku in the order of play, beginning with its deal, and builds the array."""

    def __init__(self, deal: events.KyokuStart) -> None:
        self._dealer, self._seats = deal.kyoku, len(deal.hands)
        self._head = [deal.round_wind * CIRCLE + deal.kyoku, deal.honba, deal.sticks]
        self._scores = self._points(deal.scores)
        self._hands = [[CODES[tile] for tile in sorted(hand or (), key=CODE_ORDER.__getitem__)] for hand in deal.hands]
        self._takes: list[list[int | str]] = [[] for _ in deal.hands]
        self._discards: list[list[int | str]] = [[] for _ in deal.hands]
        self._dora = [CODES[deal.indicator]]
        self._ura: list[int] = []
        self._result: list[Any] = []

    def array(self) -> list[Any]:
        """Return the 17 elements."""
        parts = self._by_player(list(zip(self._hands, self._takes, self._discards, strict=True)))
        seats = [part for player in parts for part in player]
        seats += [[]] * (3 * (CIRCLE - self._seats))
        return [self._head, self._scores, self._dora, self._ura, *seats, self._result or [""]]

    def take(self, fact: Fact) -> None:
        """Add one fact."""
        match fact:
            case events.Draw(seat, tile):
                self._takes[seat].append(NO_DISCARD if tile is None else CODES[tile])
            case events.TileDiscard(seat, tile, tsumogiri, riichi):
                code = TSUMOGIRI if tsumogiri else CODES[tile]
                self._discards[seat].append(f"r{code}" if riichi else code)
            case events.MeldCall(seat, meld):
                self._takes[seat].append(self._call(seat, meld))
                if meld.kind == MeldKind.DAIMINKAN:
                    self._discards[seat].append(NO_DISCARD)
            case events.OwnKan(seat, meld):
                self._discards[seat].append(self._call(seat, meld))
            case events.NorthAside(seat):
                self._discards[seat].append(NORTH_ASIDE)
            case events.Dora(indicator):
                self._dora.append(CODES[indicator])
            case WinFact():
                self._take_win(fact)
            case DrawFact():
                self._take_draw(fact)

    def _call(self, seat: int, meld: Meld) -> str:
        """The text of a meld; its source is counted on Tenhou's circle of four players."""
        if meld.source and self._seats < CIRCLE:
            source = (self._id(at_side(seat, meld.source, self._seats)) - self._id(seat)) % CIRCLE
            meld = msgspec.structs.replace(meld, source=source)
        return call_text(meld)

    def _points(self, by_seat: Sequence[int]) -> list[int]:
        """Points by player; in a three-player game with a 0 at the fourth place."""
        return self._by_player(by_seat) + [0] * (CIRCLE - self._seats)

    def _take_win(self, win: WinFact) -> None:
        if win.ura:
            self._ura = [CODES[tile] for tile in win.ura]
        winner = self._id(win.seat)
        source = winner if win.source is None else self._id(win.source)
        liable = self._id(win.liable[0].seat) if win.liable else winner
        yaku = [_yaku_text(name, worth, yakuman=bool(win.yakuman)) for name, worth in _norths_among_dora(win)]
        detail = [winner, source, liable, _score_text(win, self._seats), *yaku]
        self._result += [*([] if self._result else [WIN]), self._points(win.deltas or (0,) * self._seats), detail]

    def _take_draw(self, draw: DrawFact) -> None:
        reason, deltas = draw.reason, draw.deltas or (0,) * self._seats
        paid = any(deltas)
        shown = [hand is not None for hand in draw.hands or (None,) * self._seats]
        self._result = [DRAWS[reason] if isinstance(reason, DrawReason) else reason]
        if reason == DrawReason.EXHAUSTIVE and not paid and all(shown):
            self._result = [ALL_TENPAI]
        elif reason == DrawReason.EXHAUSTIVE and not paid and not any(shown):
            self._result = [NOBODY_TENPAI]
        elif paid or reason in (DrawReason.EXHAUSTIVE, DrawReason.CHOMBO):
            self._result.append(self._points(deltas))
        if draw.offender is not None:
            self._result.append([self._id(draw.offender)])

    def _id(self, seat: int) -> int:
        return player_of(seat, self._dealer, self._seats)

    def _by_player(self, by_seat: Sequence[T]) -> list[T]:
        return list(by_player(by_seat, self._dealer))


def _yaku_text(name: str, worth: int, *, yakuman: bool) -> str:
    return f"{YAKU.get(name, name)}({'役満' if yakuman else f'{worth}飜'})"


def _norths_among_dora(win: WinFact) -> list[tuple[str, int]]:
    """The yaku as Tenhou names them: norths set aside count as dora, which stand before red fives and ura dora."""
    yaku = dict(win.yaku or ())
    norths = yaku.pop(NORTH_DORA, 0)
    if not norths:
        return list(win.yaku or ())
    dora = yaku.pop(DORA, 0) + norths
    return sorted([*yaku.items(), (DORA, dora)], key=lambda one: RANK.get(one[0], len(RANK)))


def _score_text(win: WinFact, seats: int) -> str:
    """The value of a hand, as in `30符2飜2000点`, `満貫2000-4000点` or `役満16000点∀`."""
    if win.points is None:
        return ""
    mangan = MANGAN_TSUMO[seats] if win.source is None else MANGAN
    fu, han, ratio = win.fu or 0, win.han or 0, win.points / mangan[win.seat]
    # Rounding the shares up cannot lift a value below mangan to one.
    limit = "役満" if win.yakuman else next((name for least, name in LIMITS if ratio >= least), "")
    head = limit or f"{fu}符{han}飜"
    if win.source is not None:
        return f"{head}{win.points}点"
    base = 2000 * ratio if limit else fu * 2 ** (2 + han)
    small, large = _hundreds(base), _hundreds(2 * base)
    return f"{head}{large}点∀" if win.seat == 0 else f"{head}{small}-{large}点"


def _hundreds(points: float) -> int:
    return int(-(-points // 100) * 100)
