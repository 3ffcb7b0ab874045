"""Settles a turn's action once: by the turn seat or, at the deadline, by the judge (S-41)."""

import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from jantaku.table.ground.port import Action, Answer
from jantaku.table.judge.result import Move, ways


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
    """The action of one turn. The first thread that settles it decides; later calls change nothing. `act` makes the
    action happen in the game; it is called at most once. If it fails, the defect is ours: it is stored in `defect`, and
    the judge stops the table. A thread cannot wait here; `DiscardEvent` adds that."""

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
        """Make `action` the action of this turn; return False, and do nothing, if it has one already. `answer` is the
        turn seat's answer that led to it. It is kept under the same lock, so that the judge never sees the action
        without it."""
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
