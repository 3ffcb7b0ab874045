"""The base class `Game`: everything that the judge asks of a game. A game knows no thread and no clock.

One turn goes `turn` → `act` → `reaction` for the other seats → `rule`. Between `act` and `rule` the game does not
change, so `reaction` may be called from several threads at once.
"""

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from jantaku.table.compiled import mypyc_attr
from jantaku.table.ground.choice import Action, Choice
from jantaku.table.ground.choice import Turn as Turn


class Words(Protocol):
    """A game's vocabulary for log lines."""

    @property
    def round(self) -> str:
        """The word for a round, such as `kyoku`: the key of its number in log lines."""

    @property
    def players(self) -> Sequence[str]:
        """The players' names by seat."""

    def action(self, action: Action) -> str:
        """An action as one word."""

    def ruling(self, mover: int, responses: Sequence[Action | None], new: Sequence[Any]) -> tuple[str, str]:
        """The ruling on the responses to `mover`, one per seat, and the reason. `new` are the events that followed."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """One game from its first event to its last: the base class of all games. Seats are 0..seats-1, fixed for the whole
    game. It is a class, not a protocol, so that the compiled judge calls a compiled game without looking its methods
    up. Subclasses must not override what `__init__` sets, and `events` stays the same list for the whole game."""

    def __init__(
        self, seats: int, words: Words, events: list[Any], *, penalty: Action | None = None, shows: bool = False
    ) -> None:
        self.seats = seats
        """Number of players at the table."""
        self.words = words
        """The game's vocabulary for log lines."""
        self.events = events
        """All events so far, unmasked, in order. The list only grows."""
        self.penalty = penalty
        """The action that replaces an unusable answer if such an answer may end the round, as a chombo does in riichi.
        `act` and `rule` accept it from any seat that is asked; it is never an option. None if the game has no such
        action."""
        self.shows = shows
        """Whether the game implements `show`."""

    @property
    def rounds(self) -> int:
        """The number of rounds (in riichi: kyoku) that have begun. A bank of time may be refilled every round."""
        raise NotImplementedError

    def turn(self) -> Turn | None:
        """The next turn; None when the game is over."""
        raise NotImplementedError

    def act(self, action: Action) -> None:
        """Make the turn seat's settled action happen. `action` is one of the turn's options, or `penalty`."""
        raise NotImplementedError

    def reacting(self) -> list[int]:
        """The other seats that may have a reaction to the last action, in turn order: a quick first test. `reaction` is
        None for every seat that is not listed, and may be None for one that is."""
        raise NotImplementedError

    def reaction(self, seat: int, action: Action) -> Choice | None:
        """What `seat` may do about `action`, which the turn seat has just made; None if nothing. Has no side effects;
        the `default` is to pass."""
        raise NotImplementedError

    def rule(self, responses: Sequence[Action | None]) -> None:
        """Rule on the sealed responses, one per seat (None: not asked), and continue the game."""
        raise NotImplementedError

    def masked(self, index: int, seat: int) -> Any:
        """Return `events[index]` as `seat` may see it."""
        raise NotImplementedError

    def accepts(self, action: object) -> bool:
        """Whether `action` is an action of this game at all, legal now or not."""
        raise NotImplementedError

    def show(self, board: object, begin: int, end: int, seat: int) -> None:
        """Bring a player's `board` from event number `begin` to `end` in one step, which is faster than event by event,
        with the same result as from the events that `seat` may see. The board shares no object with the game. Raises
        PlayerFault if the player has corrupted it."""
        raise NotImplementedError


G = TypeVar("G", bound=Game)


@mypyc_attr(allow_interpreted_subclasses=True)
class GameWrapper(Game, Generic[G]):
    """Wrapper around a game; subclasses override what they change. Its players hear events; `show` is not used."""

    def __init__(self, game: G, *, penalty: Action | None = None) -> None:
        super().__init__(game.seats, game.words, game.events, penalty=penalty)
        self.game = game
        """The wrapped game."""

    @property
    def rounds(self) -> int:
        return self.game.rounds

    def turn(self) -> Turn | None:
        return self.game.turn()

    def act(self, action: Action) -> None:
        self.game.act(action)

    def reacting(self) -> list[int]:
        return self.game.reacting()

    def reaction(self, seat: int, action: Action) -> Choice | None:
        return self.game.reaction(seat, action)

    def rule(self, responses: Sequence[Action | None]) -> None:
        self.game.rule(responses)

    def masked(self, index: int, seat: int) -> Any:
        return self.game.masked(index, seat)

    def accepts(self, action: object) -> bool:
        return self.game.accepts(action)
