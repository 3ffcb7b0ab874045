"""What a turn consists of: the interface of the ways to play it, its settlement (S-41), and its sheet (S-42, S-43).

The threads of the turn share settlement and sheet.
"""

import threading
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.port import Action, Answer, Choice, Turn
from jantaku.table.judge.result import Move, ways
from jantaku.table.judge.shared import sabotage

# The outcome of a turn.


class Played:
    """A finished turn: `answers`, the turn seat's first, and the `responses` to rule on, by seat."""

    __slots__ = ("answers", "responses")

    def __init__(self, answers: list[Answer], responses: list[Action | None]) -> None:
        self.answers = answers
        self.responses = responses


# The three ways to run a turn, with the interface that the judge uses.


class Mode(StrEnum):
    """Which threads call the players of a table."""

    PER_TURN = "per-turn"  # a thread per seat and turn, as S-40 asks
    RESIDENT = "resident"  # a thread per seat for the whole game, woken when its seat has something to decide
    INLINE = "inline"  # no threads: for trusted players, without a clock

    @property
    def line(self) -> str:
        """One line for a person, at most 80 columns: the mode in use, and how to choose another."""
        if self is Mode.PER_TURN:
            return f"threads {self}: {_EVERY_TURN} (--threads {Mode.RESIDENT}: faster)"
        return f"threads {self} (--threads {Mode.PER_TURN}: {_EVERY_TURN})"


_EVERY_TURN: Final = "a DiscardEvent and new threads every turn"


class SheetLine(NamedTuple):
    """What the sheet says about one seat."""

    seat: int
    choice: Choice | None
    """The options that it had; None if it could not react."""
    answer: Answer | None
    """Its answer, or the default with a verdict that says why; None if it did not have to be asked."""
    used: float | None
    """Seconds until its thread wrote; None if it wrote nothing."""
    by: str
    """`seat` if its thread wrote the line; `judge` if the judge did, because nothing had come from the thread."""

    @property
    def action(self) -> Action | None:
        """The action that counts for this seat; None if it has no reaction."""
        return self.answer.action if self.answer else self.choice.default if self.choice else None

    @property
    def word(self) -> str:
        """The verdict on its answer; for a seat that was not asked, `one option` or `no reaction`."""
        return self.answer.verdict if self.answer else "one option" if self.choice else "no reaction"


class TurnRunner:
    """Base class of the ways to run turns. The judge's thread calls every method."""

    def start(self) -> None:
        """Let players warm up and wait until remote ones are ready, concurrently where threads allow. One that is not
        ready is GONE (`start_failed`)."""
        raise NotImplementedError

    def new_round(self) -> None:
        """Let every seat that has a clock hear the end of the last round and the beginning of the new one, off the
        clock."""
        raise NotImplementedError

    def play(self, number: int, turn: Turn) -> Played:
        """Ask the turn seat, make its action happen, ask the seats that may react, and seal what came in time."""
        raise NotImplementedError

    def finish(self) -> None:
        """After the game, let every seat hear the events that it has not heard yet."""
        raise NotImplementedError

    def close(self) -> tuple[str, ...]:
        """Stop all threads; return the names of those that are still busy."""
        raise NotImplementedError


def table_fault(table: int, turn: int, defect: BaseException | None) -> TableFault | BadInput:
    """Describe a defect of ours and where it occurred; BadInput if a bot has replaced parts of `threading`."""
    where = f"table {table}, turn {turn}: {type(defect).__name__}: {defect}"
    fault = sabotage(where) or TableFault(where)
    fault.__cause__ = defect  # set by hand: compiled by mypyc, `raise … from` keeps no cause
    return fault


# Settling a turn's action once: by the turn seat or, at the deadline, by the judge (S-41).


class EventState(StrEnum):
    """Whether the turn has its action. Only `Settling` changes it."""

    OPEN = "open"  # the turn has no action yet: threads that need it wait
    SETTLED = "settled"  # the action has happened
    SPOILT = "spoilt"  # a defect of ours: no thread waits, and the table stops


MOVES: Final = (
    Move(EventState.OPEN, EventState.SETTLED, "the turn seat's answer in time, or the default by the judge"),
    Move(EventState.OPEN, EventState.SPOILT, "a defect of ours, before the action or in it"),
    Move(EventState.SETTLED, EventState.SPOILT, "a defect of ours, after the action"),
)
_WAYS: Final = ways(EventState, MOVES)
# a Final copy for speed: compiled code looks an attribute of a class up at every use
_OPEN: Final = EventState.OPEN


class Settling:
    """The action of one turn. The first thread that settles it decides; later calls change nothing.

    `act` makes the action happen in the game; it is called at most once. If it fails, the defect is ours: it is stored
    in `defect`, and the judge stops the table. A thread cannot wait here; `DiscardEvent` adds that.
    """

    __slots__ = ("_act", "_lock", "_state", "_turn", "action", "answer", "defect")

    def __init__(self, turn: int, act: Callable[[Action, Answer | None], None]) -> None:
        self._turn = turn
        self._act = act
        self._lock = threading.Lock()
        self._state = _OPEN
        self.action: Action | None = None
        self.answer: Answer | None = None
        self.defect: BaseException | None = None

    def is_set(self) -> bool:
        """Whether the turn is settled or spoilt, so that nothing is left to wait for."""
        return self._state is not _OPEN

    def settle(self, action: Action, answer: Answer | None = None) -> bool:
        """Make `action` the action of this turn; return False, and do nothing, if it has one already.

        `answer` is the turn seat's answer that led to it. It is kept under the same lock, so that the judge never sees
        the action without it.
        """
        with self._lock:
            if self._state is not _OPEN:
                return False
            try:
                self._act(action, answer)
                self.action, self.answer = action, answer
            except BaseException as defect:
                self.defect = defect
                if not isinstance(defect, Exception):  # Ctrl-C in the judge's thread must reach its caller
                    raise
            finally:
                self._step(EventState.SETTLED if self.defect is None else EventState.SPOILT)
            return True

    def spoil(self, defect: BaseException) -> None:
        """Declare that this turn cannot be played because of `defect`; the first defect is kept."""
        with self._lock:
            if self.defect is None:
                self.defect = defect
            self._step(EventState.SPOILT)

    def _step(self, to: EventState) -> None:
        """Set the state if the table of moves allows it; no other method sets it. The caller holds the lock."""
        if to in _WAYS[self._state]:
            self._state = to

    def __repr__(self) -> str:
        if self.defect is not None:
            state = f"spoilt by {type(self.defect).__name__}"
        elif self._state is _OPEN:
            state = "open"
        else:
            state = f"{self.action!r} by {'the judge' if self.answer is None else f'seat {self.answer.seat}'}"
        return f"<Settling turn {self._turn}: {state}>"


# The shared sheet of one turn: the turn's action, which seats may react, and what each seat wrote in time (S-42,
# S-43).


def question_id(turn: int, seat: int, seats: int) -> int:
    """Return the number of the question to `seat` in `turn`: unique at a table, and the same in every mode."""
    return turn * seats + seat


class Responses:
    """The seats' threads write on it, and the judge seals it once; after that it refuses to be written on.

    The same lock guards the test whether a seat may react, so that a late thread cannot ask the game while the game
    changes.
    """

    def __init__(
        self,
        number: int,
        seats: int,
        turn: Turn,
        reaction: Callable[[int, Action], Choice | None],
        reacting: Callable[[], Sequence[int]],
    ) -> None:
        self._number = number
        self._reaction = reaction
        self._reacting = reacting
        self._lock = threading.Lock()
        self._sealed = False
        self._answers: list[Answer | None] = [None] * seats
        self._choices: list[Choice | None] = [None] * seats
        self._choices[turn.seat] = turn.choice
        self._tested = [seat == turn.seat for seat in range(seats)]
        self._noted: dict[int, float] = {}
        """By seat, the seconds until its thread found that there is nothing to ask its player."""
        self._by_judge: set[int] = set()
        """The seats whose line the judge wrote, because nothing had come from their threads."""
        self.after = 0
        """The number of events after the turn's action."""

    def choice(self, seat: int, action: Action) -> Choice | None:
        """Return what `seat` may do about the turn's `action`; None if it may do nothing, or if the sheet is sealed."""
        with self._lock:
            return None if self._sealed else self._test(seat, action)

    def write(self, answer: Answer) -> bool:
        """Store a seat's answer; False if the sheet is sealed or the answer is to another question."""
        with self._lock:
            if self._sealed or answer.question != question_id(self._number, answer.seat, len(self._answers)):
                return False
            self._answers[answer.seat] = answer
            return True

    def note(self, seat: int, used: float) -> None:
        """Store that `seat` has nothing to decide, and the seconds until that was known. Ignored if the sheet is
        sealed."""
        with self._lock:
            if not self._sealed:
                self._noted[seat] = used

    def seal(
        self, action: Action, missing: Callable[[int, Choice], Answer]
    ) -> tuple[list[Choice | None], list[Answer | None]]:
        """Close the sheet, and return by seat the choices about the turn's `action` and the answers. Nothing changes on
        it later.

        For a seat that was to be asked and has not answered, `missing(seat, choice)` makes the answer: a default with a
        verdict.
        """
        with self._lock:
            for seat in self._reacting():
                self._test(seat, action)
            answers = self._answers
            for seat, choice in enumerate(self._choices):
                if choice is not None and answers[seat] is None and choice.asks:
                    answers[seat] = missing(seat, choice)
                    self._by_judge.add(seat)
            self._sealed = True
            return self._choices, answers

    def lines(self) -> list[SheetLine]:
        """Return one line for each seat."""
        with self._lock:
            return [self._line(seat) for seat in range(len(self._choices))]

    def _line(self, seat: int) -> SheetLine:
        answer = self._answers[seat]
        used = self._noted.get(seat) if answer is None else answer.used
        by_seat = used is not None and seat not in self._by_judge
        return SheetLine(seat, self._choices[seat], answer, used, "seat" if by_seat else "judge")

    def _test(self, seat: int, action: Action) -> Choice | None:
        """Ask the game what `seat` may do, only the first time. The caller holds the lock."""
        if not self._tested[seat]:
            self._choices[seat] = self._reaction(seat, action)
            self._tested[seat] = True
        return self._choices[seat]

    def __repr__(self) -> str:
        state = "sealed" if self._sealed else "open"
        written = ", ".join(
            f"{line.seat} {line.word}" for line in map(self._line, range(len(self._choices))) if line.used is not None
        )
        return f"<Responses turn {self._number} {state}: {written or 'nothing'}>"
