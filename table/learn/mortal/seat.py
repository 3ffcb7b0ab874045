"""One seat's encoder: it hears the events of its seat, and writes what the seat sees into the caller's arrays."""

from collections.abc import Callable
from struct import Struct
from typing import Any, Final, cast

import numpy as np

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Choice
from jantaku.table.learn.encoding import Mask, check_array
from jantaku.table.learn.mortal.layout import LEFT, MOST, NUMBERS, QUARTER, Floats, amounts, starts
from jantaku.table.learn.mortal.numbers import OWN_TILES, Offers, OwnHand, doras_seen, moment
from jantaku.table.learn.mortal.table import TablePlanes
from jantaku.table.riichi import events
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.pieces.board import CALL, DEAL, DISCARD, DRAW, GAME, INDICATOR, KAN, RIICHI, Board
from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.seats import SEATS, seat_of
from jantaku.table.riichi.pieces.tiles import KIND, KINDS
from jantaku.table.riichi.rules import Rules

_BITS: Final = 64


class MortalSeat:
    """Writes the planes and the mask of `mortal-1`, `mortal-2` or `mortal-3` for one seat of a four-player game. It
    hears every event that its seat hears, from `HanchanStart` on, and may be asked at every choice of the seat."""

    def __init__(self, version: int) -> None:
        """Raises BadInput for a version that there is not."""
        self._at = starts(version)
        self.name: Final = f"mortal-{version}"
        """The encoder's name."""
        self.shape: Final = (self._at["end"], KINDS)
        """Shape of the planes: 938, 942 or 934 planes of 34 kinds."""
        self.board: Final = Board()
        """The table as the seat sees it."""
        self._table = TablePlanes(version, self.board)
        self._hand = OwnHand()
        self._ours = amounts(version, 12, 3, ratio=True)
        self._unseen = amounts(version, 23, 4, ratio=True)
        self._version, self._last = version, self._at["waits"]
        self._packed = Struct(f"<{OWN_TILES + self._at['end'] - self._last + 1}Q")
        """Bit masks of the planes of the moment, and last the mask."""
        self._rules: Rules | None = None
        self._you: int | None = None
        self._me: int | None = None
        """The own seat of the kyoku; None before the first deal."""

    def hear(self, event: Event) -> None:
        """Bring the planes up to date. Raises BadInput for a game of three players."""
        self._hand.missed()
        heard = _HEARD.get(event.change)
        if heard is None:
            event.apply(self.board)
        else:
            heard(self, event)

    def _begin(self, event: events.HanchanStart) -> None:
        if len(event.names) != SEATS:
            raise BadInput(f"{self.name} encodes games of {SEATS} players; {len(event.names)} play here")
        self._rules, self._you = event.rules, event.you
        event.apply(self.board)

    def _deal(self, event: events.KyokuStart) -> None:
        if len(event.hands) != SEATS:
            raise BadInput(f"{self.name} encodes games of {SEATS} players; {len(event.hands)} play here")
        event.apply(self.board)
        seat = self.board.seat_known() if self._you is None else seat_of(self._you, event.dealer)
        if seat is None or not self.board.hands[seat].known:
            raise BadInput(f"{self.name} got a deal in which its own hand is hidden; give it its own seat's")
        self._me = seat
        self._table.start(seat)
        self._hand.start(self.board, seat)

    def _draw(self, event: events.Draw) -> None:
        event.apply(self.board)
        if event.seat == self._me:
            self._hand.drew()

    def _discard(self, event: events.TileDiscard) -> None:
        board, seat = self.board, event.seat
        if seat == self._me:
            was_riichi = bool(board.riichi[seat])
            keep = self._hand.flags(board.hands[seat]) if event.riichi or was_riichi else None
            event.apply(board)
            self._table.discarded(seat, event.tile, event.tsumogiri, event.riichi)
            self._hand.discarded(board, seat, was_riichi, keep)
        else:
            event.apply(board)
            self._table.discarded(seat, event.tile, event.tsumogiri, event.riichi)
            self._hand.offered(KIND[event.tile])

    def _accept(self, event: events.Riichi) -> None:
        event.apply(self.board)
        self._table.accepted(event.seat)

    def _call(self, event: events.MeldCall) -> None:
        source = self.board.last_seat
        event.apply(self.board)
        self._table.called(event.seat, event.meld, source)
        if event.seat == self._me:
            kan = event.meld.kind == MeldKind.DAIMINKAN
            (self._hand.melded if kan else self._hand.called)(self.board, event.seat)

    def _kan(self, event: events.OwnKan) -> None:
        event.apply(self.board)
        self._table.kan(event.seat, event.meld)
        if event.seat == self._me:
            self._hand.melded(self.board, event.seat)
        elif event.meld.kind == MeldKind.KAKAN:
            self._hand.offered(event.meld.tile_kind)

    def _indicate(self, event: events.Dora) -> None:
        event.apply(self.board)
        self._table.indicated(event.indicator)

    def observe(self, choice: Choice, obs: Floats, mask: Mask, first: int | None = None) -> None:
        """Write the planes into `obs`, float32 of `shape`, and the allowed numbers into `mask`, bool of shape (46,),
        both C-contiguous. `choice` is the seat's, made by the game after the events heard so far. With `first`, 37 or
        42, the second question is asked: which discard declares riichi, which kan it is. Raises BadInput, before
        anything is written, for other arrays, and for a choice that has no numbers or not the second question."""
        check_array("obs", obs, self.shape, np.float32)
        check_array("mask", mask, (NUMBERS,), np.bool_)
        seat = self._me
        if seat is None:
            raise BadInput(f"{self.name} is asked before a deal; give it every event of its seat first")
        offers = Offers(choice)
        allowed = offers.numbers(first)
        if first is not None and not allowed:
            raise BadInput(f"the second question after {first} needs a choice that offers it; allowed are 37 and 42")
        rules = self._rules
        assert rules is not None, "a game begins with its rules"
        told = moment(self._version, self.board, self._hand, offers, rules, seat, first)
        bits = np.frombuffer(self._packed.pack(*told, allowed), np.uint8)
        rows = np.unpackbits(bits, bitorder="little").reshape(-1, _BITS)
        obs[:OWN_TILES] = rows[:OWN_TILES, :KINDS]
        obs[self._last :] = rows[OWN_TILES:-1, :KINDS]
        mask[:] = rows[-1, :NUMBERS]
        self._table.rivers.write(obs, OWN_TILES, self._last)
        self._write_amounts(obs, seat)

    def _write_amounts(self, obs: Floats, seat: int) -> None:
        """Write the numbers that change with every tile."""
        at, table = self._at, self._table
        own, unseen, seen = doras_seen(self.board, seat, table.factor, table.melded[0], table.reds)
        obs[at["left"]] = LEFT[self.board.live]
        _fill(obs, at["doras"], self._ours, own)
        _fill(obs, at["unseen"], self._unseen, unseen)
        if "seen" in at:
            np.multiply(np.frombuffer(seen, np.uint8), QUARTER, out=obs[at["seen"]])


def _fill(obs: Floats, row: int, values: Floats, number: int) -> None:
    """Fill the planes of a number."""
    rows = values[min(max(number, 0), MOST)]
    obs[row : row + len(rows)] = rows


_HEARD: Final[dict[int, Callable[[MortalSeat, Any], None]]] = cast(
    dict[int, Callable[[MortalSeat, Any], None]],
    {
        GAME: MortalSeat._begin,
        DEAL: MortalSeat._deal,
        DRAW: MortalSeat._draw,
        DISCARD: MortalSeat._discard,
        RIICHI: MortalSeat._accept,
        CALL: MortalSeat._call,
        KAN: MortalSeat._kan,
        INDICATOR: MortalSeat._indicate,
    },
)
