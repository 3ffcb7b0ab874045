"""The bots of 大富豪, and their base: it hears events, keeps the board as its own seat sees it, and answers questions.

A bot plays as `jantaku play --game daifugo --players your_module:Hoarder,…`. Cards are 0..52 in ascending order, see
`jantaku.table.daifugo.cards`; every option is a `Put` of cards in that order; without cards it is the pass (`PASS`).
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

from jantaku.players.seeded import Seeded
from jantaku.table.daifugo.cards import JOKER, THREE, TWO, rank_of, strength, without
from jantaku.table.daifugo.events import Board
from jantaku.table.daifugo.plays import PASS, REVOLUTION, Put
from jantaku.table.ground.port import Action, Question


class DaifugoPlayer(Seeded, ABC):
    """Base of all 大富豪 bots; a subclass only has to define `answer`.

    `seed` is for bots that use randomness; equal seeds should give equal play. A bot's own `__init__` need not call
    this one, unless the bot reads `self.seed`.
    """

    game = "daifugo"
    listens = True

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


class DaifugoWeakest(DaifugoPlayer):
    """Plays the weakest cards that are enough, and leads the weakest single; passes only if it must (大富豪)."""

    def answer(self, question: Question) -> Action:
        """Return the smallest play; of equal ones the one with the weakest cards."""
        plays = self.plays(question)
        if not plays:
            return PASS
        return min(plays, key=lambda play: (len(play.cards), sorted(map(self.strength, play.cards), reverse=True)))


_EARLY = 6
"""Cards in the smallest other hand up to which strong cards need not be kept."""
_FEW = 5
"""Cards in the own hand up to which cards that are forbidden as the last play go first."""
_STUCK = 40
"""The cost of being left with nothing but such cards."""
_STRONG = 10
"""Strength from which on a card is kept for later: K or better."""


class DaifugoGreedy(DaifugoPlayer):
    """Leads its weakest large set, keeps sets together and strong cards for the end (大富豪)."""

    def answer(self, question: Question) -> Action:
        """Return the play that costs least, or a pass if that is cheaper."""
        hand = self.board.hands[question.seat]
        plays = self.plays(question)
        ending = [play for play in plays if len(play.cards) == len(hand)]
        clean = [play for play in ending if not self._is_foul(play.cards, self._after(play))]
        if clean:
            return clean[0]
        plays = [play for play in plays if play not in ending] or plays
        best = min(plays, key=lambda play: self._cost(play, hand), default=PASS)
        if PASS in question.options and (not best.cards or self._cost(best, hand) > self._patience(question)):
            return PASS
        return best

    def _cost(self, play: Put, hand: list[int]) -> float:
        """The cost of a play: low for weak cards in large plays, high for strong cards, the joker, and sets torn
        apart."""
        cost = max(map(self.strength, play.cards)) + 4 * self._torn(play, hand) + 3 * (JOKER in play.cards)
        if len(play.cards) >= REVOLUTION and not self._likes_revolution(hand):
            cost += 3
        left = without(hand, play.cards)
        revolution = self._after(play)
        if left and self._is_foul(left, revolution):
            cost += _STUCK if all(self._is_foul([card], revolution) for card in left) else 0
        if len(hand) <= _FEW and self._is_foul(play.cards, revolution):
            cost -= _STRONG  # the last chance to get rid of it
        return cost - 2 * len(play.cards)

    @staticmethod
    def _torn(play: Put, hand: list[int]) -> int:
        """How many other cards of its ranks the play leaves in the hand."""
        held = Counter(map(rank_of, hand))
        used = Counter(map(rank_of, play.cards))
        return sum(held[rank] - count for rank, count in used.items())

    def _likes_revolution(self, hand: list[int]) -> bool:
        """Whether most of the hand's cards are weak now."""
        return sum(self.strength(card) for card in hand) < _STRONG // 2 * len(hand)

    def _patience(self, question: Question) -> float:
        """The highest cost worth paying: more if another seat is about to go out."""
        others = [len(hand) for seat, hand in enumerate(self.board.hands) if hand and seat != question.seat]
        return _STRONG + (8 if min(others, default=0) <= _EARLY else 0)

    def _after(self, play: Put) -> bool:
        """Whether the order is reversed after the play."""
        return self.board.revolution != (len(play.cards) >= REVOLUTION)

    def _is_foul(self, cards: Sequence[int], revolution: bool) -> bool:
        """Whether going out with these cards is forbidden: the joker alone, a 2, or in a revolution a 3 (class B)."""
        if self.board.letter == "A":
            return False
        highest = THREE if revolution else TWO
        return set(cards) == {JOKER} or any(rank_of(card) == highest for card in cards)
