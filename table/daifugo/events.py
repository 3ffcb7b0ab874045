"""The events of a series. One stream of them is heard by players, recorded, sent and compared.

A series has rounds; each runs RoundStart, Deal, Leader, perhaps Exchange, SortedHands, then turns, then RoundEnd. A
turn is Thinking, Play, and what follows from the play: Revolution or Nagare, Agari. `apply` brings a board up to
date; nothing else changes a board.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec

from jantaku.table.daifugo.cards import HIDDEN, cards_text, without
from jantaku.table.daifugo.plays import Put
from jantaku.table.daifugo.ranks import Gift
from jantaku.table.ground.port import Action


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
        self.hands[gift.giver] = without(self.hands[gift.giver], gift.cards)
        self.hands[gift.taker] += gift.cards

    def sort(self) -> None:
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


Hands = tuple[tuple[int, ...], ...]


class Event(msgspec.Struct, frozen=True):
    """Base of all events."""

    def apply(self, board: Board) -> None:
        """Apply this event to `board`."""


class SeriesStart(Event, frozen=True):
    """A series begins. `you` is the hearer's seat, None in the full stream."""

    names: tuple[str, ...]
    letter: str
    you: int | None = None

    def apply(self, board: Board) -> None:
        board.sit(len(self.names))
        board.letter = self.letter


class RoundStart(Event, frozen=True):
    """A round begins. `round` counts from 1; `ranks`, by seat, come from the round before."""

    round: int
    ranks: tuple[int, ...]

    def apply(self, board: Board) -> None:
        board.begin(self.round, self.ranks)


class Deal(Event, frozen=True):
    """All cards are dealt; hands are by seat, in the order in which the cards came."""

    hands: Hands

    def apply(self, board: Board) -> None:
        board.deal(self.hands)


class Leader(Event, frozen=True, gc=False):
    """The leader of the first trick is determined, before cards are exchanged (§3.2)."""

    seat: int

    def apply(self, board: Board) -> None:
        board.turn = self.seat


class Exchange(Event, frozen=True):
    """Cards change hands because of the last round's ranks; the two gifts of a pair are adjacent."""

    gifts: tuple[Gift, ...]

    def apply(self, board: Board) -> None:
        for gift in self.gifts:
            board.give(gift)


class SortedHands(Event, frozen=True, gc=False):
    """The hands are final and in ascending order."""

    def apply(self, board: Board) -> None:
        board.sort()


class Thinking(Event, frozen=True, gc=False):
    """The turn of a seat begins."""

    seat: int

    def apply(self, board: Board) -> None:
        board.turn = self.seat


class Play(Event, frozen=True):
    """A seat plays cards, in ascending order; no cards mean a pass."""

    seat: int
    cards: tuple[int, ...]

    def apply(self, board: Board) -> None:
        board.play(self.seat, self.cards)


class Revolution(Event, frozen=True, gc=False):
    """The order is reversed (`on`), or restored (革命返し)."""

    on: bool

    def apply(self, board: Board) -> None:
        board.revolution = self.on


class Nagare(Event, frozen=True, gc=False):
    """The trick ends."""

    def apply(self, board: Board) -> None:
        board.clear_trick()


class Agari(Event, frozen=True, gc=False):
    """A seat has no cards left and gets its place; `foul` is the text of a forbidden finish, empty for a normal one."""

    seat: int
    place: int
    foul: str = ""

    def apply(self, board: Board) -> None:
        board.go_out(self.seat, self.place)


class RoundEnd(Event, frozen=True):
    """The round ends: at most one seat still holds cards. By seat: place from 1, new rank, points of this round."""

    places: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[int, ...]

    def apply(self, board: Board) -> None:
        board.end(self.places, self.ranks, self.points)


class SeriesEnd(Event, frozen=True):
    """The series ends. By seat: points of all rounds, and the place from 1."""

    points: tuple[int, ...]
    places: tuple[int, ...]


def masked(event: Event, seat: int) -> Event:
    """Return `event` as `seat` may see it. Nothing is hidden anywhere else."""
    if isinstance(event, Deal):
        return Deal(tuple(hand if at == seat else (HIDDEN,) * len(hand) for at, hand in enumerate(event.hands)))
    if isinstance(event, Exchange):
        return Exchange(tuple(gift.seen_by(seat) for gift in event.gifts))
    if isinstance(event, SeriesStart):
        return msgspec.structs.replace(event, you=seat)
    return event


class DaifugoWords:
    """Implements `jantaku.table.ground.game.Words`."""

    round: Final = "round"

    def __init__(self, players: Sequence[str]) -> None:
        self.players = players

    def action(self, action: Action) -> str:
        assert isinstance(action, Put)
        return cards_text(action.cards) or "pass"

    def ruling(self, mover: int, responses: Sequence[Action | None], new: Sequence[Any]) -> tuple[str, str]:
        happened = [type(event).__name__.lower() for event in new if not isinstance(event, Thinking)]
        return ", ".join(happened) or "next turn", "nobody reacts in this game"
