"""What one seat may do now: a choice, made by the game; the question that puts it to a player; and the answer.

These are hand-written classes, not frozen msgspec structs: the module is compiled, and mypyc would drop `frozen`."""

from collections.abc import Callable, Hashable
from enum import StrEnum
from typing import Any, Final

Action = Hashable
"""An action of a seat. Each game defines its own; equal actions are interchangeable."""

Options = tuple[Action, ...]


class Choice:
    """What one seat may do now.

    `default` is legal, and is played for a seat that gives no answer. A seat with a single option is not asked
    (`asks`), unless the game sets `always`: then a player has to say it itself. Choices are values: they never change,
    and equal ones are interchangeable.

    A bot gets a copy, the `twin`, because it could modify what it holds: answers are checked against the original. A
    game that creates new actions for every choice gives them a method `twin` as well; others are constants.
    """

    __slots__ = ("_always", "_asks", "_default", "_options")

    def __init__(self, options: Options | None, default: Action, always: bool = False) -> None:
        """`options` is None only in a subclass that lists them on demand."""
        self._options = options
        self._default = default
        self._always = always
        self._asks = always or options is None or len(options) > 1

    @property
    def default(self) -> Action:
        """The action that is played for a seat that gives no answer."""
        return self._default

    @property
    def always(self) -> bool:
        """Whether the seat is asked even if it has only one option."""
        return self._always

    @property
    def asks(self) -> bool:
        """Whether the seat is asked at all."""
        return self._asks

    @property
    def options(self) -> Options:
        """All legal actions, in the game's own order."""
        options = self._options
        if options is None:
            self._options = options = self._listed()
        return options

    def twin(self) -> "Choice":
        """Return an equal choice that shares no mutable object with this one."""
        for option in self.options:
            if type(option) not in _CONSTANTS:
                return Choice(twins(self.options), twin_of(self._default), self._always)
        return Choice(self._options, self._default, self._always)

    def find(self, given: object) -> Action | None:
        """Return the option that is this very object; None if there is none, even if an equal one exists."""
        for option in self.options:
            if given is option:
                return option
        return None

    def _listed(self) -> Options:
        """List the options from what was stored when the choice was made: the game may have moved on."""
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
    """The seat on turn, and what it may do."""

    __slots__ = ("choice", "seat")

    def __init__(self, seat: int, choice: Choice) -> None:
        self.seat = seat
        self.choice = choice


class _Value:
    """Base of values: equal to any object of the same class with equal parts. The constructor takes the parts."""

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
        """Unique at this table; an answer counts only for this question."""
        return self._id

    @property
    def seat(self) -> int:
        """The player's place in the judge's list, fixed for the game."""
        return self._seat

    @property
    def choice(self) -> Choice:
        """The choice that is put to the player."""
        return self._choice

    @property
    def options(self) -> Options:
        """All legal actions, in the game's own order."""
        return self._choice.options

    @property
    def default(self) -> Action:
        """The action that is played if no legal answer comes in time."""
        return self._choice.default

    @property
    def allowed(self) -> float | None:
        """Seconds that the player has in total (limit and the rest of its bank, without the margin); None without a
        clock."""
        return self._allowed

    @property
    def bank(self) -> float:
        """The part of `allowed` that is the bank: time beyond the `limit` is deducted from it and missing later."""
        return self._bank

    @property
    def margin(self) -> float:
        """Seconds granted on top of `allowed`. After that, no answer can be used."""
        return self._margin

    @property
    def limit(self) -> float | None:
        """Seconds for this question alone; None without a clock."""
        return None if self._allowed is None else self._allowed - self._bank

    @property
    def seconds(self) -> float | None:
        """Seconds until no answer can be used any more; None without a clock."""
        return None if self._allowed is None else self._allowed + self._margin

    @property
    def more(self) -> Callable[[], float]:
        """For a `Remote` whose time is over: returns further seconds that it has, because the table stood still
        meanwhile."""
        return self._more

    def with_time(self, allowed: float, bank: float = 0.0, margin: float = 0.0) -> "Question":
        """Return the same question with another time; a part that is not given is 0."""
        return Question(self._id, self._seat, self._choice, allowed, margin, self._more, bank)

    def _parts(self) -> tuple[object, ...]:
        return self._id, self._seat, self._choice, self._allowed, self._margin, self._more, self._bank

    def __str__(self) -> str:
        time = "" if self._allowed is None else f", {self._allowed:g} s"
        return f"question {self._id} to seat {self._seat}{time}: {self._choice}"

    def __repr__(self) -> str:
        return f"<{self}>"


class Verdict(StrEnum):
    """The judge's verdict on the answer to one question."""

    OK = "ok"
    OK_MARGIN = "ok_margin"  # legal, after `allowed` but within the margin
    LATE = "late"  # came after the deadline and before the ruling; not used
    SILENT = "silent"  # asked, and nothing had come when the judge ruled
    NOT_ASKED = "not_asked"  # its thread was still inside an earlier question, or it is on autopilot
    ILLEGAL = "illegal"  # an action of this game that was not among the options
    MALFORMED = "malformed"  # not an action of this game
    GONE = "gone"  # raised an exception, exited, or closed its connection
    START_FAILED = "start_failed"  # never became ready
    MEMORY = "memory"  # ended by its sandbox: too much memory
    CPU = "cpu"  # ended by its sandbox: too much CPU time
    FORBIDDEN = "forbidden"  # ended by its sandbox: a system call, or too many processes or files

    @property
    def good(self) -> bool:
        """Whether the player's own answer was played."""
        return self in (Verdict.OK, Verdict.OK_MARGIN)


class Answer(_Value):
    """The result of one question: the action that was played, whether it was the player's, and how long it took. All
    receivers share the same object: none may change it."""

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
        """The seat that was asked."""
        self.question = question
        """The number of the question, see `Question.id`."""
        self.action = action
        """The action that was played."""
        self.verdict = verdict
        """Whether that was the player's answer, and if not, why."""
        self.used = used
        """Seconds that the player took, without `stalled`; for `not_asked`, for which the judge waited for it."""
        self.allowed = allowed
        """Seconds that it had; None without a clock, and where nobody waited."""
        self.reason = reason
        """What was wrong, in words; empty if the verdict is good."""
        self.stalled = stalled
        """Seconds during the question in which the table's process stood still."""
        self.cpu = cpu
        """CPU seconds that the player used; None if not measured. If the clock counts CPU time, this equals `used`."""
        self.wall = wall
        """If the clock counts CPU time, the wall time in seconds; otherwise None."""
        self.evidence = evidence
        """The evidence of the fault, a `jantaku.table.ground.port.Evidence`: only for a seat's first fault of this
        verdict, and never in a record."""
        self.meta = meta
        """What the player said beside its answer, as JSON text; empty for nothing."""

    @property
    def asked(self) -> bool:
        """Whether the question was put to the seat; see `was_asked`."""
        return was_asked(self.verdict, self.used)

    def turned(self, verdict: Verdict, action: Action, reason: str = "") -> "Answer":
        """Return the same answer with another verdict, the action that is played for it, and no evidence."""
        said = self.used, self.allowed, reason, self.stalled, self.cpu, self.wall
        return Answer(self.seat, self.question, action, verdict, *said, meta=self.meta)

    def _parts(self) -> tuple[object, ...]:
        first = self.seat, self.question, self.action, self.verdict, self.used, self.allowed
        return *first, self.reason, self.stalled, self.cpu, self.wall, self.evidence, self.meta

    def __repr__(self) -> str:
        why = f", {self.reason}" if self.reason else ""
        said = f"{self.action} to question {self.question} by seat {self.seat}"
        return f"<Answer {self.verdict}: {said} after {self.used:.6f} s{why}>"


_UNASKED: Final = (
    Verdict.NOT_ASKED,
    Verdict.GONE,
    Verdict.START_FAILED,
    Verdict.MEMORY,
    Verdict.CPU,
    Verdict.FORBIDDEN,
)
"""Verdicts that a seat gets for questions that are not put to it; all but the first also for one that was."""


def was_asked(verdict: str, used: float) -> bool:
    """Whether a question with this verdict, which took `used` seconds, was put to its seat. Only such questions have a
    time of decision."""
    return verdict not in _UNASKED or (used > 0.0 and verdict != Verdict.NOT_ASKED)


def twins(actions: Options) -> Options:
    """Return equal actions that share no mutable object with these."""
    return tuple([twin_of(action) for action in actions])


def twin_of(action: Action) -> Action:
    """Return an equal action, or the same one if it is a constant of its game."""
    make = None if type(action) in _CONSTANTS else getattr(action, "twin", None)
    if make is None:
        _CONSTANTS.add(type(action))
        return action
    twin: Action = make()
    return twin


_CONSTANTS: Final[set[type]] = set()
"""Types of actions seen so far that have no method `twin`: looking that up every time would take far longer."""
