"""The sheet of a turn, which its threads share: who may react, and what each seat wrote in time (S-42, S-43)."""

import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from jantaku.table.ground.port import Action, Answer, Choice, Turn


class SheetLine(NamedTuple):
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


def question_id(turn: int, seat: int, seats: int) -> int:
    """Return the number of the question to `seat` in `turn`: unique at a table, and the same in every mode."""
    return turn * seats + seat


class Responses:
    """The seats' threads write on it, and the judge seals it once; after that it refuses to be written on. The same
    lock guards the test whether a seat may react, so that a late thread cannot ask the game while the game changes."""

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
        it later. For a seat that was to be asked and has not answered, `missing(seat, choice)` makes the answer: a
        default with a verdict."""
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
