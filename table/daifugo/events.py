"""All that can happen in a series. One stream of these is heard, recorded, sent and compared.

A series has rounds; each runs RoundStart, Deal, perhaps Exchange, SortedHands, then turns, then RoundEnd. A turn is
Thinking, Play, and what follows from the play: Revolution or Nagare, Agari. `apply` brings a board up to date;
nothing else changes a board.
"""

import msgspec

from jantaku.table.daifugo.board import Board
from jantaku.table.daifugo.cards import HIDDEN
from jantaku.table.daifugo.ranks import Gift

Hands = tuple[tuple[int, ...], ...]


class Event(msgspec.Struct, frozen=True):
    """Base of all events."""

    def apply(self, board: Board) -> None:
        """Bring `board` up to date."""


class SeriesStart(Event, frozen=True):
    """A series begins. `you` is the hearer's seat, None in the full stream."""

    names: tuple[str, ...]
    letter: str
    you: int | None = None

    def apply(self, board: Board) -> None:
        board.sit(len(self.names))
        board.letter = self.letter


class RoundStart(Event, frozen=True):
    """A round begins. `round` counts from 1; `ranks` by seat are those of the round before."""

    round: int
    ranks: tuple[int, ...]

    def apply(self, board: Board) -> None:
        board.begin(self.round, self.ranks)


class Deal(Event, frozen=True):
    """All cards are dealt; hands by seat in the order in which the cards came."""

    hands: Hands

    def apply(self, board: Board) -> None:
        board.deal(self.hands)


class Leader(Event, frozen=True, gc=False):
    """Who leads the first trick is fixed, before cards are exchanged (§3.2)."""

    seat: int

    def apply(self, board: Board) -> None:
        board.turn = self.seat


class Exchange(Event, frozen=True):
    """Cards change hands for the ranks of the round before; the gifts of a pair stand together."""

    gifts: tuple[Gift, ...]

    def apply(self, board: Board) -> None:
        for gift in self.gifts:
            board.give(gift)


class SortedHands(Event, frozen=True, gc=False):
    """The hands are final and in ascending order."""

    def apply(self, board: Board) -> None:
        board.sort()


class Thinking(Event, frozen=True, gc=False):
    """A seat is on turn."""

    seat: int

    def apply(self, board: Board) -> None:
        board.turn = self.seat


class Play(Event, frozen=True):
    """A seat plays cards, in ascending order; none is a pass."""

    seat: int
    cards: tuple[int, ...]

    def apply(self, board: Board) -> None:
        board.play(self.seat, self.cards)


class Revolution(Event, frozen=True, gc=False):
    """The order is turned round: `on`, or back (革命返し)."""

    on: bool

    def apply(self, board: Board) -> None:
        board.revolution = self.on


class Nagare(Event, frozen=True, gc=False):
    """The trick is over."""

    def apply(self, board: Board) -> None:
        board.clear_trick()


class Agari(Event, frozen=True, gc=False):
    """A seat has no cards left and gets its place; `foul` is the text of a forbidden finish, else empty."""

    seat: int
    place: int
    foul: str = ""

    def apply(self, board: Board) -> None:
        board.go_out(self.seat, self.place)


class RoundEnd(Event, frozen=True):
    """One holder of cards is left at the most. By seat: place from 1, new rank, points of this round."""

    places: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[int, ...]

    def apply(self, board: Board) -> None:
        board.end(self.places, self.ranks, self.points)


class SeriesEnd(Event, frozen=True):
    """The series is over. By seat: points of all rounds, and the place 1..seats that they come to."""

    points: tuple[int, ...]
    places: tuple[int, ...]


def masked(event: Event, seat: int) -> Event:
    """`event` as `seat` may see it. The only place where anything is hidden."""
    if isinstance(event, Deal):
        return Deal(tuple(hand if at == seat else (HIDDEN,) * len(hand) for at, hand in enumerate(event.hands)))
    if isinstance(event, Exchange):
        return Exchange(tuple(gift.seen_by(seat) for gift in event.gifts))
    if isinstance(event, SeriesStart):
        return msgspec.structs.replace(event, you=seat)
    return event
