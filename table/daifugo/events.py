"""The events of a series, and plays as text. One stream of events is heard, recorded, sent and compared."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from jantaku.table.daifugo.board import Board, Gift
from jantaku.table.daifugo.cards import HIDDEN, Put, cards_text
from jantaku.table.ground.port import Action

# The events of a series. One stream of them is heard by players, recorded, sent and compared.
#
# A series has rounds; each runs RoundStart, Deal, Leader, perhaps Exchange, SortedHands, then turns, then RoundEnd. A
# turn is Thinking, Play, and what follows from the play: Revolution or Nagare, Agari. `apply` brings a board up to
# date; nothing else changes a board.

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


# Plays and their consequences as text, for log lines.


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
