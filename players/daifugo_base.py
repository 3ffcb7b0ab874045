"""What a 大富豪 bot starts from: it hears, keeps the board as its own seat sees it, and is asked.

A complete bot in a few lines:

    class Hoarder(DaifugoPlayer):
        \"""Passes whenever it may.\"""

        def answer(self, question: Question) -> Action:
            return PASS if PASS in question.options else question.default

It plays as `jantaku play --game daifugo --players your_module:Hoarder,…`. Cards are 0..52 in ascending order,
see `jantaku.table.daifugo.cards`; every option is a `Put` of the cards in that order, without cards it is the pass.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Protocol

from jantaku.players.seeded import Seeded
from jantaku.table.daifugo.actions import Put
from jantaku.table.daifugo.board import Board
from jantaku.table.daifugo.cards import strength
from jantaku.table.port import Action, Question


class Happening(Protocol):
    """What a player needs of an event: how the board changes."""

    def apply(self, board: Board) -> None:
        """Bring `board` up to date."""


class DaifugoPlayer(Seeded, ABC):
    """Base of all 大富豪 bots; `answer` is all that is missing.

    `seed` is for bots that roll dice; equal seeds should give equal play. A bot with an `__init__` of its own need not
    call this one, unless it reads `self.seed`.
    """

    game = "daifugo"
    listens = True
    remark: Callable[[], object] | None = None
    """See `RiichiPlayer.remark`."""

    @cached_property
    def board(self) -> Board:
        """The table as this seat sees it: the other hands hold only HIDDEN cards."""
        return Board()

    @abstractmethod
    def answer(self, question: Question) -> Action:
        """One of `question.options`."""

    def hear(self, event: Happening) -> None:
        """See `Player.hear`."""
        event.apply(self.board)

    def hand(self, question: Question) -> list[int]:
        """The own cards, weakest first under the order that stands now."""
        return sorted(self.board.hands[question.seat], key=lambda card: (self.strength(card), card))

    def strength(self, card: int) -> int:
        """The strength of a card at the moment."""
        return strength(card, self.board.revolution)

    @staticmethod
    def plays(question: Question) -> list[Put]:
        """The options that lay cards."""
        return [option for option in question.options if isinstance(option, Put) and option.cards]
