"""The table as one observer sees it: what events change and what messages show."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from jantaku.table.daifugo.cards import without
from jantaku.table.daifugo.ranks import Gift


class Step(NamedTuple):
    """One entry of a round's history. `seat` is -1 for a trick that ended; a pass has no cards."""

    kind: Literal["play", "nagare", "agari"]
    seat: int = -1
    cards: tuple[int, ...] = ()


class Board:
    """All that is known of a round. Hands hold HIDDEN cards where the observer may not see them."""

    def __init__(self) -> None:
        self.sit(0)

    def sit(self, seats: int) -> None:
        """A series begins with that many players."""
        self.seats = seats
        self.letter = ""
        """The class, where it is known: messages do not tell it."""
        self.round = 0
        """Number of the round, from 1; 0 before the first."""
        self.ranks = [0] * seats
        self.points = [0] * seats
        """Points of all rounds so far."""
        self._clear()

    def _clear(self) -> None:
        self.turn = 0
        self.revolution = False
        self.hands: list[list[int]] = [[] for _ in range(self.seats)]
        self.places = [0] * self.seats
        """1 for the first who went out and so on; 0: still in."""
        self.trick: list[tuple[int, ...]] = []
        """Plays of the trick that runs (場), the last is the one to beat."""
        self.pile: list[int] = []
        """Cards of finished tricks (山)."""
        self.history: list[Step] = []

    def __repr__(self) -> str:
        counts = " ".join(str(len(hand)) for hand in self.hands)
        return f"<Board round {self.round}, seat {self.turn} on turn, hands of {counts}, trick {self.trick}>"

    @property
    def top(self) -> tuple[int, ...]:
        """The play to beat, empty if the seat leads."""
        return self.trick[-1] if self.trick else ()

    @property
    def holders(self) -> list[int]:
        """The seats that still hold cards."""
        return [seat for seat, hand in enumerate(self.hands) if hand]

    # --- what happens to it

    def begin(self, number: int, ranks: Sequence[int]) -> None:
        """A round begins with the ranks of the last one."""
        self._clear()
        self.round, self.ranks = number, list(ranks)

    def deal(self, hands: Sequence[Sequence[int]]) -> None:
        """All cards are dealt, hands in the order in which they came."""
        self.hands = [list(hand) for hand in hands]

    def give(self, gift: Gift) -> None:
        """Cards change hands; those received stand last."""
        self.hands[gift.giver] = without(self.hands[gift.giver], gift.cards)
        self.hands[gift.taker] += gift.cards

    def sort(self) -> None:
        """Everybody sorts the hand."""
        for hand in self.hands:
            hand.sort()

    def play(self, seat: int, cards: tuple[int, ...]) -> None:
        """A play, or with no card a pass."""
        self.history.append(Step("play", seat, cards))
        if cards:
            self.hands[seat] = without(self.hands[seat], cards)
            self.trick.append(cards)

    def clear_trick(self) -> None:
        """The trick is over (流れ)."""
        self.history.append(Step("nagare"))
        self.pile += (card for play in self.trick for card in play)
        self.trick = []

    def go_out(self, seat: int, place: int) -> None:
        """A seat has no cards left."""
        self.history.append(Step("agari", seat))
        self.places[seat] = place

    def end(self, places: Sequence[int], ranks: Sequence[int], points: Sequence[int]) -> None:
        """The round is over: all places, the new ranks, and the points of this round."""
        self.places, self.ranks = list(places), list(ranks)
        self.points = [before + more for before, more in zip(self.points, points, strict=True)]
