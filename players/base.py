"""The base of a riichi bot: it hears events, keeps the board as its own seat sees it, and answers questions.

A complete bot in ten lines:

    class Follower(RiichiPlayer):
        \"""Takes wins, never calls, and discards the tile of which it sees most copies.\"""

        def answer(self, question: Question) -> Action:
            if win := self.find(question, Tsumo, Ron):
                return win
            discards = self.find_all(question, Discard)
            if not discards:
                return question.default
            seen = self.visible
            return max(discards, key=lambda discard: seen[KIND[discard.tile]])

`jantaku play --players your_module:Follower,…` seats this bot. A seat is a number of the kyoku, from 0 (東, the dealer)
to 3 (北). A kind of tile is 0..33, and a set of kinds is a bit mask (bit k for kind k); see
`jantaku.table.riichi.pieces.tiles`.
"""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Protocol, TypeVar

from jantaku.players.options import all_of, first_of
from jantaku.players.seeded import Seeded
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import RiichiAction
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tehai import Tehai

A = TypeVar("A", bound=RiichiAction)


class RiichiPlayer(Seeded, ABC):
    """Base of all riichi bots; a subclass only has to define `answer`.

    Everything here is what this seat knows: hidden tiles are not on its board. `seed` is for bots that use randomness;
    equal seeds should give equal play. A bot's own `__init__` need not call this one, unless the bot reads
    `self.seed`.
    """

    game = "riichi"
    """The only game that the bot plays; empty for a bot that takes any option of any game."""
    listens = True
    """False: no event is delivered, and there is no board; for bots that look only at the question."""
    remembers = True
    """False, set in the bot's own class: the bot keeps nothing from earlier kyoku. Then `jantaku compare` need not
    replay them to it, and is faster."""

    @cached_property
    def _board(self) -> Board:
        return Board()  # not in `__init__`, which an author's own may not call

    @abstractmethod
    def answer(self, question: Question) -> Action:
        """Return one of `question.options`."""

    def hear(self, event: "Happening") -> None:
        """Receive an event, and update the board. For a bot that does not override this, the table updates the board
        before it asks, instead of calling this for every event."""
        self._board.apply(event)

    @property
    def shown_board(self) -> Board | None:
        """For the table: the board that it may update instead of calling `hear`. None for a bot that overrides
        `hear`."""
        as_it_is = type(self).hear is RiichiPlayer.hear and "hear" not in vars(self)
        return self._board if as_it_is else None

    @property
    def board(self) -> Board:
        """The kyoku as this seat sees it, after all events heard. Read only."""
        return self._board

    @property
    def seat(self) -> int:
        """This player's seat in the kyoku: the one whose tiles it knows. Raises LookupError before the first deal."""
        seat = self.board.seat_known()
        if seat is not None:
            return seat
        heard = "the player has not heard a deal yet" if self.listens else f"{type(self).__name__}.listens is False"
        raise LookupError(f"the player does not know its seat: {heard}")

    @property
    def hand(self) -> Tehai:
        """The own tiles and melds."""
        return self._board.hand_known() or self._board.hands[self.seat]

    @property
    def dora(self) -> list[int]:
        """The dora kinds; a kind that two indicators show is listed twice."""
        return self.board.dora()

    @property
    def visible(self) -> list[int]:
        """By kind, the copies that this seat sees: own tiles, rivers, melds and indicators."""
        return self.board.visible_to(self.seat)

    @property
    def threats(self) -> list[int]:
        """The other seats that are in riichi."""
        riichi = self.board.riichi
        if not any(riichi):
            return []
        own = self.seat
        return [seat for seat in range(len(riichi)) if riichi[seat] and seat != own]

    def safe_against(self, seat: int) -> int:
        """The kinds that `seat` cannot ron now, as a bit mask; see `Board.safe_against`."""
        return self.board.safe_against(seat)

    @staticmethod
    def find(question: Question, *kinds: type[A]) -> A | None:
        """Return the first option of one of these kinds of action; None if there is none."""
        return first_of(question.options, kinds)

    @staticmethod
    def find_all(question: Question, *kinds: type[A]) -> list[A]:
        """Return all options of these kinds of action, in the question's order."""
        return all_of(question.options, kinds)


class Happening(Protocol):
    """The part of an event that a player needs: how the board changes."""

    @property
    def change(self) -> int:
        """The kind of change, see `jantaku.table.riichi.pieces.board`."""

    def apply(self, board: Board) -> None:
        """Apply the event to `board`."""
