"""What one seat may do now: a choice, which the game writes, put to a player as a question, and the answer to that."""

from collections.abc import Callable, Hashable
from enum import StrEnum
from typing import Any, Final

Action = Hashable
"""One thing that a seat may do. Each game defines its own; equal actions are interchangeable."""

Options = tuple[Action, ...]


class Choice:
    """What one seat may do now.

    `default` is legal and is played for a seat that gives no answer. With a single option the seat is not asked
    (`asks`), unless the game says `always`: there a player has to say it itself. Choices are values: they never change,
    and equal ones are interchangeable.

    Python cannot keep a bot from modifying an object that it holds, so a bot is given a copy, its `twin`: answers are
    checked against the choice that no bot has seen. A game that creates actions anew for every choice gives them a
    method `twin` as well; actions without one are constants of the game and are shared.
    """

    __slots__ = ("_always", "_asks", "_default", "_options")

    def __init__(self, options: Options | None, default: Action, always: bool = False) -> None:
        """`options` is None only in a subclass that lists them when they are first looked at."""
        self._options = options
        self._default = default
        self._always = always
        self._asks = always or options is None or len(options) > 1

    @property
    def default(self) -> Action:
        """What is played for a seat that gives no answer."""
        return self._default

    @property
    def always(self) -> bool:
        """Whether the seat is asked even if there is nothing to choose."""
        return self._always

    @property
    def asks(self) -> bool:
        """Whether the seat is asked at all."""
        return self._asks

    @property
    def options(self) -> Options:
        """Everything that is legal now, in the game's own order."""
        options = self._options
        if options is None:
            self._options = options = self._listed()
        return options

    def twin(self) -> "Choice":
        """An equal choice that shares no mutable object with this one."""
        for option in self.options:
            if type(option) not in _CONSTANTS:
                return Choice(twins(self.options), twin_of(self._default), self._always)
        return Choice(self._options, self._default, self._always)

    def find(self, given: object) -> Action | None:
        """The option that is this very object; None if there is none, though there may be an equal one."""
        for option in self.options:
            if given is option:
                return option
        return None

    def _listed(self) -> Options:
        """The options, worked out from what was known when the choice was made: the game may have gone on."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Choice):
            return NotImplemented
        return (self.options, self.default, self.always) == (other.options, other.default, other.always)

    def __hash__(self) -> int:
        return hash((self.options, self.default, self.always))

    def __str__(self) -> str:
        return f"{', '.join([str(option) for option in self.options])}; default {self._default}"

    def __repr__(self) -> str:
        always = ", always=True" if self.always else ""
        return f"Choice({self.options!r}, {self.default!r}{always})"


class Turn:
    """Whose turn it is and what that seat may do."""

    __slots__ = ("choice", "seat")

    def __init__(self, seat: int, choice: Choice) -> None:
        self.seat = seat
        self.choice = choice


class _Value:
    """Equal to whatever of its kind has the same parts. Its constructor takes them."""

    __slots__ = ()

    def _parts(self) -> tuple[object, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Value) or type(other) is not type(self):
            return NotImplemented
        return other._parts() == self._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._parts()


def _nothing_more() -> float:
    return 0.0


class Question(_Value):
    """A choice put to one player. Questions are values: they never change."""

    __slots__ = ("_allowed", "_bank", "_choice", "_id", "_margin", "_more", "_seat")

    def __init__(
        self,
        id: int,
        seat: int,
        choice: Choice,
        allowed: float | None = None,
        margin: float = 0.0,
        more: Callable[[], float] = _nothing_more,
        bank: float = 0.0,
    ) -> None:
        self._id = id
        self._seat = seat
        self._choice = choice
        self._allowed = allowed
        self._margin = margin
        self._more = more
        self._bank = bank

    @property
    def id(self) -> int:
        """Unique at this table; an answer counts for this question only."""
        return self._id

    @property
    def seat(self) -> int:
        """The player's place in the judge's list, fixed for the game."""
        return self._seat

    @property
    def choice(self) -> Choice:
        """What is put."""
        return self._choice

    @property
    def options(self) -> Options:
        """Everything that is legal now, in the game's own order."""
        return self._choice.options

    @property
    def default(self) -> Action:
        """What is played if no legal answer comes in time."""
        return self._choice.default

    @property
    def allowed(self) -> float | None:
        """Seconds that the player has in all (limit and what is left of its bank, without the margin), None without a
        clock."""
        return self._allowed

    @property
    def bank(self) -> float:
        """The part of `allowed` that is its bank: what is used beyond the rest, its `limit`, is missing later."""
        return self._bank

    @property
    def margin(self) -> float:
        """Seconds that are granted on top. After both nothing that the player says can be used."""
        return self._margin

    @property
    def limit(self) -> float | None:
        """Seconds for this question alone, None without a clock."""
        return None if self._allowed is None else self._allowed - self._bank

    @property
    def seconds(self) -> float | None:
        """Seconds until nothing can be used any more, None without a clock."""
        return None if self._allowed is None else self._allowed + self._margin

    @property
    def more(self) -> Callable[[], float]:
        """For a `Remote` whose time is over: seconds that it has yet, because the table stood still meanwhile."""
        return self._more

    def with_time(self, allowed: float, bank: float = 0.0, margin: float = 0.0) -> "Question":
        """The same question with another time; what is not given is none."""
        return Question(self._id, self._seat, self._choice, allowed, margin, self._more, bank)

    def _parts(self) -> tuple[object, ...]:
        return self._id, self._seat, self._choice, self._allowed, self._margin, self._more, self._bank

    def __str__(self) -> str:
        time = "" if self._allowed is None else f", {self._allowed:g} s"
        return f"question {self._id} to seat {self._seat}{time}: {self._choice}"

    def __repr__(self) -> str:
        return f"<{self}>"


class Verdict(StrEnum):
    """What became of one question."""

    OK = "ok"
    OK_MARGIN = "ok_margin"  # legal, later than allowed but within the margin
    LATE = "late"  # came after the deadline and before the ruling: not used
    SILENT = "silent"  # nothing had come when the judge ruled
    ILLEGAL = "illegal"  # an action of this game, not among the options
    MALFORMED = "malformed"  # not an action of this game at all
    GONE = "gone"  # raised, exited, closed
    START_FAILED = "start_failed"  # never became ready
    MEMORY = "memory"  # ended by its sandbox: too much memory
    CPU = "cpu"  # … too much CPU time
    FORBIDDEN = "forbidden"  # … a system call, or too many processes or files

    @property
    def good(self) -> bool:
        """Whether the player's own answer was played."""
        return self in (Verdict.OK, Verdict.OK_MARGIN)


class Answer(_Value):
    """What one question came to: the action that was played, whose it was and how long it took. All who are told
    of it get the same object: nobody changes it."""

    __slots__ = (
        "action",
        "allowed",
        "cpu",
        "evidence",
        "meta",
        "question",
        "reason",
        "seat",
        "stalled",
        "used",
        "verdict",
        "wall",
    )

    def __init__(
        self,
        seat: int,
        question: int,
        action: Action,
        verdict: Verdict,
        used: float = 0.0,
        allowed: float | None = None,
        reason: str = "",
        stalled: float = 0.0,
        cpu: float | None = None,
        wall: float | None = None,
        evidence: Any = None,
        meta: str = "",
    ) -> None:
        self.seat = seat
        """Whose it was."""
        self.question = question
        """Its number, see `Question.id`."""
        self.action = action
        """What was played."""
        self.verdict = verdict
        """Whether that is what the player said, and why if not."""
        self.used = used
        """Seconds that the player took. `stalled` ones are not among them."""
        self.allowed = allowed
        """Seconds that it had; None without a clock."""
        self.reason = reason
        """What was wrong, in words, where the verdict is not good."""
        self.stalled = stalled
        """Seconds meanwhile in which the table's process stood still."""
        self.cpu = cpu
        """Seconds of CPU that it used, where somebody measured them; where the clock counts them, they are `used`."""
        self.wall = wall
        """Where the clock counts CPU time, the seconds that passed."""
        self.evidence = evidence
        """What the fault left behind, a `jantaku.table.port.Evidence`: of a seat's first fault of that verdict, and in
        no record."""
        self.meta = meta
        """What the player said besides, as JSON text; empty: nothing."""

    def turned(self, verdict: Verdict, action: Action, reason: str = "") -> "Answer":
        """The same with another verdict and what is played for that; without evidence."""
        said = self.used, self.allowed, reason, self.stalled, self.cpu, self.wall
        return Answer(self.seat, self.question, action, verdict, *said, meta=self.meta)

    def _parts(self) -> tuple[object, ...]:
        first = self.seat, self.question, self.action, self.verdict, self.used, self.allowed
        return *first, self.reason, self.stalled, self.cpu, self.wall, self.evidence, self.meta

    def __repr__(self) -> str:
        why = f", {self.reason}" if self.reason else ""
        said = f"{self.action} to question {self.question} by seat {self.seat}"
        return f"<Answer {self.verdict}: {said} after {self.used:.6f} s{why}>"


def twins(actions: Options) -> Options:
    """Equal actions that share no mutable object with these."""
    return tuple([twin_of(action) for action in actions])


def twin_of(action: Action) -> Action:
    """An equal action, or this one if it is a constant of its game."""
    make = None if type(action) in _CONSTANTS else getattr(action, "twin", None)
    if make is None:
        _CONSTANTS.add(type(action))
        return action
    twin: Action = make()
    return twin


_CONSTANTS: Final[set[type]] = set()
"""Types of action without a method `twin` seen so far: looking it up every time would take far longer."""
