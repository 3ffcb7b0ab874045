"""What one seat may do, worked out from what that seat has heard and from nothing else.

A player that is told of a game in messages alone keeps one of these: fed with masked events it comes to the
same options as the table. Calling an option legal stays the table's business.
"""

from table.port import Choice
from table.riichi import events
from table.riichi.law import draws, legal
from table.riichi.law.readiness import Readiness
from table.riichi.pieces.board import Board
from table.riichi.pieces.melds import MeldKind
from table.riichi.pieces.tiles import KIND
from table.riichi.rules import Rules


class View:
    """The kyoku as one seat sees it, by `rules`."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = Board()
        self.seat = 0
        """The own seat in the kyoku: the one whose tiles are known."""
        self._ready = Readiness(self.board)
        self._open: events.Discard | events.Kan | None = None
        """The discard or kan that may still be won on."""
        self._discarder: int | None = None
        """Who has made the discard just heard, also once its riichi stands; None after anything else."""

    def hear(self, event: events.Event) -> Choice | None:
        """Take `event` in. What this seat may do about it, None if nothing.

        At an empty wall it may be two things one after the other: see `declaration`.
        """
        self._close(event)
        in_riichi = isinstance(event, events.Discard) and bool(self.board.riichi[event.seat])
        event.apply(self.board)
        match event:
            case events.KyokuStart():
                self.seat = next(seat for seat, hand in enumerate(event.hands) if hand is not None)
                self._ready = Readiness(self.board)
            case events.Draw(seat):
                return legal.after_draw(self.board, self.rules, self._ready, seat) if seat == self.seat else None
            case events.Discard(seat, _, tsumogiri):
                self._open, self._discarder = event, seat
                self._ready.discarded(seat, tsumogiri, in_riichi)
                return None if seat == self.seat else self._reaction(event)
            case events.Kan(seat, meld):
                self._open = event
                self._ready.hand_changed(seat)
                if seat != self.seat:
                    return legal.reaction(self.board, self.rules, self._ready, self.seat, meld)
            case events.Call(seat, meld) if seat == self.seat and meld.kind == MeldKind.DAIMINKAN:
                self._ready.hand_changed(seat)
            case events.Call(seat) if seat == self.seat:
                return legal.after_call(self.board.hands[seat], self.rules)
        return None

    def declaration(self) -> Choice | None:
        """Whether this seat may declare tenpai if nobody wins on the discard just heard (the last one)."""
        discarder, board = self._discarder, self.board
        if not self.rules.draw.declare_tenpai or discarder is None or board.live:
            return None
        if board.riichi[self.seat] or self._aborts(discarder):
            return None
        return legal.DECLARE_TENPAI if draws.is_tenpai(board, self._ready, self.rules, self.seat) else None

    def _reaction(self, discard: events.Discard) -> Choice | None:
        may_call = not self._aborts(discard.seat)
        return legal.reaction(self.board, self.rules, self._ready, self.seat, None, may_call=may_call)

    def _aborts(self, seat: int) -> bool:
        return draws.abort_after_discard(self.board, self.rules, seat) is not None

    def _close(self, event: events.Event) -> None:
        """The game goes on without a win on the open discard or kan: who let it go is furiten (S-77)."""
        match self._open:
            case events.Discard(seat, tile):
                self._ready.passed(KIND[tile], seat)
            case events.Kan(seat, meld) if meld.kind == MeldKind.KAKAN:
                self._ready.passed(meld.tile_kind, seat)
            case events.Kan(seat, meld) if self.rules.call.kokushi_ankan:
                self._ready.passed(meld.tile_kind, seat, kokushi_only=True)
        self._open = None
        if not isinstance(event, events.Riichi):
            self._discarder = None
