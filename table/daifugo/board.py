"""The table as one observer sees it: the state that events change and that messages show."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from jantaku.table.daifugo.cards import without
from jantaku.table.daifugo.ranks import Gift


class Step(NamedTuple):
    """One entry of a round's history. `seat` is -1 for the end of a trick; a pass has no cards."""

    kind: Literal["play", "nagare", "agari"]
    seat: int = -1
    cards: tuple[int, ...] = ()


class Board:
    """All that an observer knows of a round. Cards that the observer may not see are HIDDEN."""

    def __init__(self) -> None:
        self.sit(0)

    def sit(self, seats: int) -> None:
        """Begin a series with that many seats."""
        self.seats = seats
        self.letter = ""
        """The class of the rules; empty if it is unknown, since neof5's messages do not contain it."""
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
        """By seat, its place: 1 for the first to go out and so on; 0 while it holds cards."""
        self.trick: list[tuple[int, ...]] = []
        """The plays of the current trick (場); the last one is to beat."""
        self.pile: list[int] = []
        """Cards of finished tricks (山)."""
        self.history: list[Step] = []

    def __repr__(self) -> str:
        counts = " ".join(str(len(hand)) for hand in self.hands)
        return f"<Board round {self.round}, seat {self.turn} on turn, hands of {counts}, trick {self.trick}>"

    @property
    def top(self) -> tuple[int, ...]:
        """The play to beat; empty if the seat leads."""
        return self.trick[-1] if self.trick else ()

    @property
    def holders(self) -> list[int]:
        """The seats that still hold cards."""
        return [seat for seat, hand in enumerate(self.hands) if hand]

    # --- changes, made by events

    def begin(self, number: int, ranks: Sequence[int]) -> None:
        """Begin a round; `ranks` come from the last one."""
        self._clear()
        self.round, self.ranks = number, list(ranks)

    def deal(self, hands: Sequence[Sequence[int]]) -> None:
        """Deal all cards, in the order in which they come."""
        self.hands = [list(hand) for hand in hands]

    def give(self, gift: Gift) -> None:
        """Move cards from one hand to another; received cards stand last."""
        self.hands[gift.giver] = without(self.hands[gift.giver], gift.cards)
        self.hands[gift.taker] += gift.cards

    def sort(self) -> None:
        """Sort all hands."""
        for hand in self.hands:
            hand.sort()

    def play(self, seat: int, cards: tuple[int, ...]) -> None:
        """A seat plays cards, or passes if there are none."""
        self.history.append(Step("play", seat, cards))
        if cards:
            self.hands[seat] = without(self.hands[seat], cards)
            self.trick.append(cards)

    def clear_trick(self) -> None:
        """End the trick (流れ)."""
        self.history.append(Step("nagare"))
        self.pile += (card for play in self.trick for card in play)
        self.trick = []

    def go_out(self, seat: int, place: int) -> None:
        """A seat has no cards left and gets its place."""
        self.history.append(Step("agari", seat))
        self.places[seat] = place

    def end(self, places: Sequence[int], ranks: Sequence[int], points: Sequence[int]) -> None:
        """End the round: all places, the new ranks, and the points of this round."""
        self.places, self.ranks = list(places), list(ranks)
        self.points = [before + more for before, more in zip(self.points, points, strict=True)]
