"""Every error that jantaku raises on purpose, ordered by who is to blame.

JantakuError
├── BadInput      the person at the keyboard: a file, a key, an option (exit code 2)
│   ├── Mistakes         ... several at once
│   ├── OtherGame        ... a record of a game that is not read there
│   └── CannotStart      ... players that somebody has named and that do not start
├── PlayerFault   one player at the table: the table goes on without its answer
│   ├── PlayerSilent      ... because nothing came in time
│   ├── PlayerUnreadable  ... because what came cannot be read
│   └── PlayerGone        ... and that player will not come back
│       └── PlayerNotReady   ... because it never became ready in the first place
│           └── PlayersNotReady   ... and there is no game without it
└── TableFault    ourselves: this table stops, keeps its record and says so
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager


class JantakuError(Exception):
    """Base of all errors that jantaku raises on purpose."""


class BadInput(JantakuError):
    """Input from a person cannot be used: `problem` says what is wrong and what is allowed, `place` where, from the
    file inwards. The message is both."""

    def __init__(self, problem: str, *place: str) -> None:
        super().__init__(problem, *place)
        self.problem, self.place = problem, place

    def __str__(self) -> str:
        return f"{' '.join(self.place)}: {self.problem}" if self.place else self.problem

    @property
    def mistakes(self) -> Sequence["BadInput"]:
        """Every single mistake that it tells of."""
        return (self,)

    def within(self, *place: str) -> "BadInput":
        """The same error, with its place nested in another one."""
        return BadInput(self.problem, *place, *self.place)


class Mistakes(BadInput):
    """Several things in one input cannot be used; a person is told each in a line of its own."""

    def __init__(self, *mistakes: BadInput) -> None:
        super().__init__("; ".join(map(str, mistakes)))
        self.args = mistakes  # with which it is made again in another process

    @property
    def mistakes(self) -> Sequence[BadInput]:
        """See `BadInput.mistakes`."""
        return self.args

    def within(self, *place: str) -> BadInput:
        """See `BadInput.within`."""
        return Mistakes(*(one.within(*place) for one in self.mistakes))


@contextmanager
def all_told() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """A context that ends with all BadInput of the parts that were tried in it: each in a context that the result
    makes, after which the next part is tried all the same."""
    found: list[BadInput] = []

    @contextmanager
    def part() -> Iterator[None]:
        try:
            yield
        except BadInput as error:
            found.extend(error.mistakes)

    yield part
    if found:
        raise Mistakes(*found) if len(found) > 1 else found[0]


class OtherGame(BadInput):
    """The record at `place` is of the game of that name, which is not read there."""

    def __init__(self, game: str, *place: str) -> None:
        super().__init__(f"it is a record of {game}, which is not read here", *place)
        self.args = (game, *place)  # with which it is made again in another process
        self.game = game


class CannotStart(BadInput):
    """Nothing is played because the players of these `names` do not start."""

    def __init__(self, problem: str, names: Sequence[str] = ()) -> None:
        super().__init__(problem)
        self.args = (problem, names)  # with which it is made again in another process
        self.names = tuple(names)

    @classmethod
    def of(cls, missing: Sequence[tuple[str, str]]) -> "CannotStart":
        """Of the names of players that are not ready, each with the reason."""
        told = [f"player {name} is not ready: {reason}" for name, reason in missing]
        return cls("; ".join(told), [name for name, _ in missing])


class PlayerFault(JantakuError):
    """A player broke the contract of the port. Never raised for a defect of ours.

    `limit`: which limit of its sandbox it broke, "memory", "cpu" or "forbidden"; empty: none. `trace`: the traceback
    in its own process; empty: none is known.
    """

    def __init__(self, *words: object, limit: str = "", trace: str = "") -> None:
        super().__init__(*words)
        self.limit, self.trace = limit, trace


class PlayerSilent(PlayerFault):
    """A remote player has not answered by the time at which its answer could still be used."""


class PlayerUnreadable(PlayerFault):
    """What a remote player has sent is not a message of its dialect: bytes, JSON, keys or values are wrong."""


class PlayerGone(PlayerFault):
    """A player's process, connection or object is gone for good; it is not asked again."""


class PlayerNotReady(PlayerGone):
    """A player that never became ready: its program did not start or did not join in time."""


class PlayersNotReady(PlayerNotReady):
    """There is no game, because players did not become ready: `missing` has seat and reason for each of them."""

    def __init__(self, missing: Sequence[tuple[int, str]]) -> None:
        super().__init__(*missing)
        self.missing = tuple(missing)


class TableFault(JantakuError):
    """A defect of ours or of the machine. It is never blamed on a player."""
