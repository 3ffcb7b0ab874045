"""Every error that jantaku raises on purpose, ordered by the side that is to blame.

JantakuError
├── BadInput      the person at the keyboard: a file, a key, an option (exit code 2)
│   ├── Mistakes         ... several at once
│   ├── OtherGame        ... a record of a game that the command does not read
│   └── CannotStart      ... players that the person has named and that do not start
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

LONGEST = 2000
"""Most characters of a message: what a file or a word holds may be of any length."""


def readable(message: str) -> str:
    """Return a message of at most `LONGEST` characters: beginning and end of a longer one."""
    if len(message) <= LONGEST:
        return message
    half = LONGEST // 2 - len(" … 123456789 characters … ")
    return f"{message[:half]} … {len(message) - 2 * half} characters … {message[-half:]}"


class JantakuError(Exception):
    """Base of all errors that jantaku raises on purpose."""


class BadInput(JantakuError):
    """Input from a person cannot be used. `problem` says what is wrong and what is allowed; `place` says where, from
    the file inwards. The message consists of both."""

    def __init__(self, problem: str, *place: str) -> None:
        super().__init__(problem, *place)
        self.problem, self.place = problem, place

    def __str__(self) -> str:
        return readable(f"{' '.join(self.place)}: {self.problem}" if self.place else self.problem)

    @property
    def mistakes(self) -> Sequence["BadInput"]:
        """All single mistakes in this error."""
        return (self,)

    def within(self, *place: str) -> "BadInput":
        """Return the same error with `place` put before its own place."""
        return BadInput(self.problem, *place, *self.place)


MOST_MISTAKES = 20
"""A person reads no more of them at once, and a hostile file may hold any number."""


class Mistakes(BadInput):
    """Several parts of one input cannot be used; each is reported to the person in its own line."""

    def __init__(self, *mistakes: BadInput) -> None:
        super().__init__("; ".join(map(str, mistakes)))
        self.args = mistakes  # the constructor's arguments, with which pickle makes it again in another process

    @property
    def mistakes(self) -> Sequence[BadInput]:
        return self.args

    def within(self, *place: str) -> BadInput:
        return Mistakes(*(one.within(*place) for one in self.mistakes))


@contextmanager
def all_told() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """A context in which several parts of an input are read, each inside a context made by calling the value that it
    yields. A BadInput in one part does not prevent the next; at the end all of them are raised together, or as soon as
    there are `MOST_MISTAKES`."""
    found: list[BadInput] = []

    @contextmanager
    def part() -> Iterator[None]:
        try:
            yield
        except BadInput as error:
            found.extend(error.mistakes)
            if len(found) >= MOST_MISTAKES:
                raise Mistakes(*found[:MOST_MISTAKES], BadInput("the rest was not read")) from None

    yield part
    if found:
        raise Mistakes(*found) if len(found) > 1 else found[0]


class OtherGame(BadInput):
    """The record at `place` is of `game`, which this reader does not read."""

    def __init__(self, game: str, *place: str) -> None:
        super().__init__(f"it is a record of {game}, which this command does not read", *place)
        self.args = (game, *place)  # the constructor's arguments, with which pickle makes it again in another process
        self.game = game


class CannotStart(BadInput):
    """Nothing is played, because the players of these `names` do not start."""

    def __init__(self, problem: str, names: Sequence[str] = ()) -> None:
        super().__init__(problem)
        self.args = (problem, names)  # the constructor's arguments, with which pickle makes it again in another process
        self.names = tuple(names)

    @classmethod
    def of(cls, missing: Sequence[tuple[str, str]]) -> "CannotStart":
        """Make the error from the names of players that are not ready, each with the reason."""
        told = [f"player {name} is not ready: {reason}" for name, reason in missing]
        return cls("; ".join(told), [name for name, _ in missing])


class PlayerFault(JantakuError):
    """A player broke the contract of the port. Never raised for a defect of ours. `limit` says which limit of its
    sandbox it exceeded: "memory", "cpu" or "forbidden"; empty for none. `trace` is the traceback in the player's own
    process; empty if unknown."""

    def __init__(self, *words: object, limit: str = "", trace: str = "") -> None:
        super().__init__(*words)
        self.limit, self.trace = limit, trace


class PlayerSilent(PlayerFault):
    """A remote player has not answered before its answer became useless."""


class PlayerUnreadable(PlayerFault):
    """A message from a remote player is not one of its dialect: bytes, JSON, keys or values are wrong."""


class PlayerGone(PlayerFault):
    """A player's process, connection or object is gone for good; it is not asked again."""


class PlayerNotReady(PlayerGone):
    """A player never became ready: its program did not start, or did not join in time."""


class PlayersNotReady(PlayerNotReady):
    """There is no game, because players did not become ready: `missing` has seat and reason for each of them."""

    def __init__(self, missing: Sequence[tuple[int, str]]) -> None:
        super().__init__(*missing)
        self.missing = tuple(missing)


class TableFault(JantakuError):
    """A defect of ours or of the machine, never blamed on a player."""
