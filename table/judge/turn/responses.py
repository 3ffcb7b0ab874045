"""The shared sheet of one turn: who may react, and what each seat wrote in time (S-42, S-43)."""

import threading
from collections.abc import Callable, Sequence

from table.port import Answer, Choice


def question_id(turn: int, seat: int, seats: int) -> int:
    """The number of the question put to `seat` in `turn`: unique at a table and the same in every mode."""
    return turn * seats + seat


class Responses:
    """Written by the seats' threads, sealed once by the judge; a later write is refused.

    The same lock guards the check whether a seat may react, so that a late thread cannot ask the game while it already
    changes.
    """

    def __init__(
        self,
        turn: int,
        seats: int,
        mover: int,
        reaction: Callable[[int], Choice | None],
        reacting: Callable[[], Sequence[int]],
    ) -> None:
        self._turn = turn
        self._reaction = reaction
        self._reacting = reacting
        self._lock = threading.Lock()
        self._sealed = False
        self._answers: list[Answer | None] = [None] * seats
        self._choices: list[Choice | None] = [None] * seats
        self._tested = [seat == mover for seat in range(seats)]

    def choice(self, seat: int) -> Choice | None:
        """What `seat` may do about the settled action; None if nothing, or if the sheet is sealed."""
        with self._lock:
            return None if self._sealed else self._test(seat)

    def write(self, answer: Answer) -> bool:
        """Store a seat's answer; False if the sheet is sealed or the answer is to another question."""
        with self._lock:
            if self._sealed or answer.question != question_id(self._turn, answer.seat, len(self._answers)):
                return False
            self._answers[answer.seat] = answer
            return True

    def seal(self) -> tuple[list[Choice | None], list[Answer | None]]:
        """Close the sheet: the choices and the answers by seat. Nothing changes on it from now on."""
        with self._lock:
            for seat in self._reacting():
                self._test(seat)
            self._sealed = True
            return list(self._choices), list(self._answers)

    def _test(self, seat: int) -> Choice | None:
        """Ask the game once per seat. The caller holds the lock."""
        if not self._tested[seat]:
            self._choices[seat] = self._reaction(seat)
            self._tested[seat] = True
        return self._choices[seat]

    def __repr__(self) -> str:
        state = "sealed" if self._sealed else "open"
        written = ", ".join(f"{answer.seat} {answer.verdict}" for answer in self._answers if answer is not None)
        return f"<Responses turn {self._turn} {state}: {written or 'nothing'}>"
