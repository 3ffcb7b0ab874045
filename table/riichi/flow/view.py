"""What one seat may do, derived only from what that seat has heard.

A remote player that gets only messages keeps a `View`: fed with masked events, it derives the same options as the
table. The table still decides whether an action is legal.
"""

from jantaku.table.ground.port import Choice
from jantaku.table.riichi import events
from jantaku.table.riichi.law import draws, legal
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.law.wins import Robbed
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.tiles import KIND, NORTH
from jantaku.table.riichi.rules import Rules


class WaitsView:
    """Waits and furiten of every seat whose tiles are known, kept up to date on a board."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = Board(rules)
        self.ready = Readiness(self.board)
        self._open: events.TileDiscard | events.OwnKan | events.NorthAside | None = None
        """The discard, kan or north on which a seat may still win; None if there is none."""

    def follow(self, event: events.Event) -> None:
        self.close(self._open)
        self._open = None
        in_riichi = isinstance(event, events.TileDiscard) and bool(self.board.riichi[event.seat])
        event.apply(self.board)
        match event:
            case events.KyokuStart():
                self.ready = Readiness(self.board)
            case events.TileDiscard(seat, _, tsumogiri):
                self._open = event
                self.ready.discarded(seat, tsumogiri, in_riichi)
            case events.OwnKan(seat) | events.NorthAside(seat):
                self._open = event
                self.ready.hand_changed(seat)
            case events.MeldCall(seat, meld) if meld.kind == MeldKind.DAIMINKAN:
                self.ready.hand_changed(seat)

    def close(self, opened: events.Event | None) -> None:
        """Note that no seat won on this discard, kan or north: seats that passed up a win are furiten (S-77)."""
        match opened:
            case events.TileDiscard(seat, tile):
                self.ready.passed(KIND[tile], seat)
            case events.OwnKan(seat, meld) if meld.kind == MeldKind.KAKAN:
                self.ready.passed(meld.tile_kind, seat)
            case events.OwnKan(seat, meld) if self.rules.call.kokushi_ankan:
                self.ready.passed(meld.tile_kind, seat, kokushi_only=True)
            case events.NorthAside(seat):
                self.ready.passed(NORTH, seat)


class View(WaitsView):
    """The kyoku as one seat sees it, by `rules`: its board and its options."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.seat = 0
        """The seat in the kyoku whose tiles are known: the player's own."""
        self._discarder: int | None = None
        """The seat of the last discard; it survives the acceptance of that seat's riichi, and is None after any other
        event."""

    def hear(self, event: events.Event) -> Choice | None:
        """Update with `event`, and return what this seat may do about it; None if nothing. After the last discard there
        may be a second question: see `declaration`."""
        self.follow(event)
        if isinstance(event, events.KyokuStart):
            self.seat = next(seat for seat, hand in enumerate(event.hands) if hand is not None)
        return self.offer(event)

    def offer(self, event: events.Event) -> Choice | None:
        """What this seat may do about `event`, after which the board stands already; None if nothing."""
        if not isinstance(event, events.Riichi):
            self._discarder = None
        match event:
            case events.Draw(seat) if seat == self.seat:
                return legal.after_draw(self.board, self.rules, self.ready, seat)
            case events.TileDiscard(seat):
                self._discarder = seat
                return None if seat == self.seat else self._reaction(event)
            case events.OwnKan(seat, meld) if seat != self.seat:
                robbed: Robbed = "ankan" if meld.kind == MeldKind.ANKAN else "kakan"
                return legal.reaction(self.board, self.rules, self.ready, self.seat, meld.tiles[-1], robbed)
            case events.NorthAside(seat) if seat != self.seat:
                return legal.reaction(self.board, self.rules, self.ready, self.seat, NORTH, "north")
            case events.MeldCall(seat, meld) if seat == self.seat and meld.kind != MeldKind.DAIMINKAN:
                return legal.after_call(self.board.hands[seat], self.rules)
        return None

    def declaration(self) -> Choice | None:
        """Return the choice to declare tenpai, which this seat has if no seat wins on the last discard; None if it has
        none."""
        discarder, board = self._discarder, self.board
        if not self.rules.draw.declare_tenpai or discarder is None or board.live:
            return None
        if board.riichi[self.seat] or self._aborts(discarder):
            return None
        return legal.DECLARE_TENPAI if draws.is_tenpai(board, self.ready, self.rules, self.seat) else None

    def _reaction(self, discard: events.TileDiscard) -> Choice | None:
        may_call = not self._aborts(discard.seat)
        return legal.reaction(self.board, self.rules, self.ready, self.seat, discard.tile, None, may_call=may_call)

    def _aborts(self, seat: int) -> bool:
        return draws.abort_after_discard(self.board, self.rules, seat) is not None
