"""What one seat may do, derived from what it has heard; and a bot that knows a game from messages alone."""

from collections.abc import Callable
from typing import Protocol

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice, Player, Question, warmed_up
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import PASS
from jantaku.table.riichi.events import Event, HanchanStart, KyokuStart
from jantaku.table.riichi.law import legal
from jantaku.table.riichi.law import readiness as draws
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.law.ruling import Robbed
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.tiles import KIND, NORTH
from jantaku.table.riichi.rules import Rules

# What one seat may do, derived only from what that seat has heard.
#
# A remote player that gets only messages keeps a `View`: fed with masked events, it derives the same options as the
# table. The table still decides whether an action is legal.


class WaitsView:
    """Waits and furiten of every seat whose tiles are known, kept up to date on a board."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = Board(rules)
        self.ready = Readiness(self.board)
        self._open: events.TileDiscard | events.OwnKan | events.NorthAside | None = None
        """The discard, kan or north on which a seat may still win; None if there is none."""

    def follow(self, event: events.Event) -> None:
        """Update board and waits with `event`."""
        self._close()
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

    def _close(self) -> None:
        """Note that no seat won on the open discard, kan or north: seats that passed up a win are furiten (S-77)."""
        match self._open:
            case events.TileDiscard(seat, tile):
                self.ready.passed(KIND[tile], seat)
            case events.OwnKan(seat, meld) if meld.kind == MeldKind.KAKAN:
                self.ready.passed(meld.tile_kind, seat)
            case events.OwnKan(seat, meld) if self.rules.call.kokushi_ankan:
                self.ready.passed(meld.tile_kind, seat, kokushi_only=True)
            case events.NorthAside(seat):
                self.ready.passed(NORTH, seat)
        self._open = None


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
        """Update with `event`, and return what this seat may do about it; None if nothing.

        After the last discard there may be a second question: see `declaration`.
        """
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


# A bot that knows a game from messages; its questions follow from what it has heard.


class Look(Protocol):
    """Watches what a client receives."""

    def line(self, line: bytes) -> None:
        """Receive a message, as it arrived."""

    def event(self, event: Event) -> None:
        """Receive an event just before the bot hears it."""


class Mind:
    """A bot, its board, and the questions that follow from the board. `again(seed)` makes the bot of each further game;
    without it the same bot plays on. `look` sees every event before the bot does."""

    def __init__(
        self,
        bot: Player,
        again: Callable[[int], Player] | None = None,
        look: Look | None = None,
    ) -> None:
        self._bot = bot
        self._again, self.look = again, look
        self.port = warmed_up(bot)
        """The bot's own attributes and optional methods."""
        self.has_answered = False
        """Whether the bot made the last decision and had more than one option."""
        self._view: View | None = None
        self._player = 0
        self._asked = 0

    @property
    def board(self) -> Board:
        """The kyoku as the bot's seat sees it."""
        return Board() if self._view is None else self._view.board

    def hear(self, event: Event, seed: int = 0) -> Choice | None:
        """Process an event and return what the seat may do about it. `seed` belongs to the game that begins."""
        if isinstance(event, HanchanStart):
            if self._view is not None and self._again is not None:
                self._bot = self._again(seed)
                self.port = warmed_up(self._bot)
            self._view = View(event.rules)
        if self._view is None:
            raise BadInput(f"a game begins with its start, not with {type(event).__name__}")
        if self.look is not None:
            self.look.event(event)
        if self.port.listens:
            self._bot.hear(event)
        choice = self._view.hear(event)
        if isinstance(event, KyokuStart):
            self._player = (event.dealer + self._view.seat) % 4
        return choice

    def decide(self, choice: Choice | None) -> Action | None:
        """Return the bot's action; None for nothing. If it passes on the last discard, it may still declare tenpai."""
        self.has_answered = False
        action = None if choice is None else self._ask(choice)
        if action in (None, PASS) and self._view is not None:
            declaration = self._view.declaration()
            return action if declaration is None else self._ask(declaration)
        return action

    def _ask(self, choice: Choice) -> Action:
        if not choice.asks:
            return choice.default
        self._asked += 1
        self.has_answered = True
        return self._bot.answer(Question(self._asked, self._player, choice))
