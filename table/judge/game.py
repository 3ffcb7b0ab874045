"""The interface `Game`: everything that the judge asks of a game. A game knows no thread and no clock.

One turn goes `turn` → `act` → `reaction` for the other seats → `rule`. Between `act` and `rule` the game does not
change, so `reaction` may be called from several threads at once.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from table.port import Action, Choice
from table.port import Turn as Turn


class Words(Protocol):
    """What a game's things are called in log lines."""

    @property
    def round(self) -> str:
        """What a round is called, such as `kyoku`: the key under which lines name it."""

    @property
    def players(self) -> Sequence[str]:
        """The players' names by seat."""

    def action(self, action: Action) -> str:
        """An action in a word."""

    def ruling(self, mover: int, responses: Sequence[Action | None], new: Sequence[Any]) -> tuple[str, str]:
        """What was ruled on the responses to `mover`, one per seat, and why. `new` events came of it."""


class Game(Protocol):
    """One game from its first event to its last. Seats are 0..seats-1, fixed for the whole game."""

    @property
    def seats(self) -> int:
        """How many players sit at the table."""

    @property
    def words(self) -> Words:
        """What log lines say of this game."""

    @property
    def rounds(self) -> int:
        """How many rounds (in riichi: kyoku) have begun. A bank of time may be one for each."""

    @property
    def events(self) -> Sequence[Any]:
        """All that has happened, unmasked, in order. It only ever grows."""

    def turn(self) -> Turn | None:
        """The next turn, or None when the game is over."""

    def act(self, action: Action) -> None:
        """The turn seat's settled action happens. `action` is one of the turn's options."""

    def reacting(self) -> Sequence[int]:
        """The other seats that may have a reaction to the action just made, in turn order: a quick first test.

        `reaction` is None for every seat that is not named, and may be None for one that is.
        """

    def reaction(self, seat: int) -> Choice | None:
        """What `seat` may do about the action just made; None if nothing. Pure; `default` is to pass."""

    def rule(self, responses: Sequence[Action | None]) -> None:
        """Rule on the sealed responses, one per seat (None: was not asked), and continue."""

    def masked(self, index: int, seat: int) -> Any:
        """`events[index]` as `seat` may see it."""

    def accepts(self, action: object) -> bool:
        """Whether `action` is an action of this game at all (legal now or not)."""


@runtime_checkable
class Penalizing(Protocol):
    """What a game has besides in which an answer that cannot be used may end the round, as chombo does in riichi."""

    @property
    def penalty(self) -> Action:
        """What counts for such an answer. `act` and `rule` take it from any seat that is asked; it is never offered."""


@runtime_checkable
class Showing(Protocol):
    """What a game has besides that can bring a player's board up to date at once, which is quicker than its events."""

    def show(self, board: object, begin: int, end: int, seat: int) -> None:
        """Bring `board` from event number `begin` to `end`, as the events that `seat` may see would. Nothing of the
        game's own is left in it. PlayerFault if the player has spoilt it."""
