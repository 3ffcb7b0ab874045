"""The base of a 大富豪 bot: it hears events, keeps the board as its own seat sees it, and answers questions.

A complete bot in a few lines:

    class Hoarder(DaifugoPlayer):
        \"""Passes whenever it may.\"""

        def answer(self, question: Question) -> Action:
            return PASS if PASS in question.options else question.default

It plays as `jantaku play --game daifugo --players your_module:Hoarder,…`. Cards are 0..52 in ascending order,
see `jantaku.table.daifugo.cards`; every option is a `Put` of cards in that order; without cards it is the pass.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Protocol

from jantaku.players.seeded import Seeded
from jantaku.table.daifugo.cards import Put, strength
from jantaku.table.daifugo.events import Board
from jantaku.table.ground.port import Action, Question


class DaifugoPlayer(Seeded, ABC):
    """Base of all 大富豪 bots; a subclass only has to define `answer`.

    `seed` is for bots that use randomness; equal seeds should give equal play. A bot's own `__init__` need not call
    this one, unless the bot reads `self.seed`.
    """

    game = "daifugo"
    listens = True
    remark: Callable[[], object] | None = None
    """A bot may define a method `remark()`: what it says beside its last answer, for readers of the record. None:
    nothing."""

    @cached_property
    def board(self) -> Board:
        """The table as this seat sees it: the other hands contain only HIDDEN cards."""
        return Board()

    @abstractmethod
    def answer(self, question: Question) -> Action:
        """Return one of `question.options`."""

    def hear(self, event: "Happening") -> None:
        """Receive an event, and update the board."""
        event.apply(self.board)

    def hand(self, question: Question) -> list[int]:
        """The own cards, weakest first in the current order."""
        return sorted(self.board.hands[question.seat], key=lambda card: (self.strength(card), card))

    def strength(self, card: int) -> int:
        """The strength of a card in the current order."""
        return strength(card, self.board.revolution)

    @staticmethod
    def plays(question: Question) -> list[Put]:
        """The options that play cards, without the pass."""
        return [option for option in question.options if isinstance(option, Put) and option.cards]


class Happening(Protocol):
    """The part of an event that a player needs: how the board changes."""

    def apply(self, board: Board) -> None:
        """Apply the event to `board`."""
