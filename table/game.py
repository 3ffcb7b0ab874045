"""The base class `Game`: everything that the judge asks of a game. A game knows no thread and no clock.

One turn goes `turn` → `act` → `reaction` for the other seats → `rule`. Between `act` and `rule` the game does not
change, so `reaction` may be called from several threads at once.
"""

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from jantaku.table.choice import Action, Choice
from jantaku.table.choice import Turn as Turn
from jantaku.table.compiled import mypyc_attr


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


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """One game from its first event to its last: the base class of all games. Seats are 0..seats-1, fixed for the whole
    game.

    It is a class and no protocol so that the compiled judge reaches a compiled game without looking its methods up.
    Nobody overrides what `__init__` sets, and `events` is the same list for the whole game.
    """

    def __init__(
        self, seats: int, words: Words, events: list[Any], *, penalty: Action | None = None, shows: bool = False
    ) -> None:
        self.seats = seats
        """How many players sit at the table."""
        self.words = words
        """What log lines say of this game."""
        self.events = events
        """All that has happened, unmasked, in order. It only ever grows."""
        self.penalty = penalty
        """What counts for an answer that cannot be used, where that may end the round, as chombo does in riichi. `act`
        and `rule` take it from any seat that is asked; it is never offered. None where nothing does."""
        self.shows = shows
        """Whether it can `show`."""

    @property
    def rounds(self) -> int:
        """How many rounds (in riichi: kyoku) have begun. A bank of time may be one for each."""
        raise NotImplementedError

    def turn(self) -> Turn | None:
        """The next turn, or None when the game is over."""
        raise NotImplementedError

    def act(self, action: Action) -> None:
        """The turn seat's settled action happens. `action` is one of the turn's options."""
        raise NotImplementedError

    def reacting(self) -> list[int]:
        """The other seats that may have a reaction to the action just made, in turn order: a quick first test.

        `reaction` is None for every seat that is not named, and may be None for one that is.
        """
        raise NotImplementedError

    def reaction(self, seat: int, action: Action) -> Choice | None:
        """What `seat` may do about `action`, which the turn seat has just made; None if nothing. Pure; `default` is to
        pass."""
        raise NotImplementedError

    def rule(self, responses: Sequence[Action | None]) -> None:
        """Rule on the sealed responses, one per seat (None: was not asked), and continue."""
        raise NotImplementedError

    def masked(self, index: int, seat: int) -> Any:
        """`events[index]` as `seat` may see it."""
        raise NotImplementedError

    def accepts(self, action: object) -> bool:
        """Whether `action` is an action of this game at all (legal now or not)."""
        raise NotImplementedError

    def show(self, board: object, begin: int, end: int, seat: int) -> None:
        """Bring a player's `board` at once, which is quicker than by its events, from event number `begin` to `end`, as
        the events that `seat` may see would. Nothing of the game's own is left in it. PlayerFault if the player has
        spoilt it."""
        raise NotImplementedError


G = TypeVar("G", bound=Game)


@mypyc_attr(allow_interpreted_subclasses=True)
class GameWrapper(Game, Generic[G]):
    """Wrapper around a game; subclasses override what they change. Its players hear events, no board is shown."""

    def __init__(self, game: G, *, penalty: Action | None = None) -> None:
        super().__init__(game.seats, game.words, game.events, penalty=penalty)
        self.game = game
        """The game that is wrapped."""

    @property
    def rounds(self) -> int:
        """See `Game.rounds`."""
        return self.game.rounds

    def turn(self) -> Turn | None:
        """See `Game.turn`."""
        return self.game.turn()

    def act(self, action: Action) -> None:
        """See `Game.act`."""
        self.game.act(action)

    def reacting(self) -> list[int]:
        """See `Game.reacting`."""
        return self.game.reacting()

    def reaction(self, seat: int, action: Action) -> Choice | None:
        """See `Game.reaction`."""
        return self.game.reaction(seat, action)

    def rule(self, responses: Sequence[Action | None]) -> None:
        """See `Game.rule`."""
        self.game.rule(responses)

    def masked(self, index: int, seat: int) -> Any:
        """See `Game.masked`."""
        return self.game.masked(index, seat)

    def accepts(self, action: object) -> bool:
        """See `Game.accepts`."""
        return self.game.accepts(action)
