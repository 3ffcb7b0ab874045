"""The event that the seats of one turn share: it carries the settled action of the turn seat (S-40, S-41)."""

import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from table.judge.moves import Move, ways
from table.port import Action, Answer


class EventState(StrEnum):
    """Whether a turn has its action. Only `DiscardEvent` changes it."""

    OPEN = "open"  # nobody knows the action yet: whoever needs it waits
    SETTLED = "settled"  # the action has happened
    SPOILT = "spoilt"  # a defect of ours: nobody waits, and the table stops


MOVES: Final = (
    Move(EventState.OPEN, EventState.SETTLED, "the turn seat's answer in time, or the default by the judge"),
    Move(EventState.OPEN, EventState.SPOILT, "a defect of ours, before the action or in it"),
    Move(EventState.SETTLED, EventState.SPOILT, "a defect of ours, after the action"),
)
_WAYS: Final = ways(EventState, MOVES)
_OPEN: Final = EventState.OPEN


class DiscardEvent:
    """One turn's action, settled once: by the turn seat or, at the deadline, by the judge.

    It is used as a `threading.Event`, and is made of plain locks because one is made in every turn. `act` makes the
    action happen in the game; it is called exactly once, before the event is set, so that every thread that returns
    from `wait()` sees the game after the action. If it fails, the defect is ours: it is stored in `defect`, the event
    is set all the same, and the judge stops the table.
    """

    __slots__ = ("_act", "_closed", "_settling", "_state", "_turn", "action", "answer", "defect")

    def __init__(self, turn: int, act: Callable[[Action], None]) -> None:
        self._turn = turn
        self._act = act
        self._settling = threading.Lock()
        self._closed = threading.Lock()  # held until the event is set; waiting threads acquire and release it
        self._closed.acquire()
        self._state = _OPEN
        self.action: Action | None = None
        self.answer: Answer | None = None
        self.defect: BaseException | None = None

    def is_set(self) -> bool:
        """Whether nobody has to wait any more."""
        return self._state is not _OPEN

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the event is set, at most so many seconds; whether it is."""
        # The lock is taken even if the event is set: what is read afterwards is not older than that.
        opened = self._closed.acquire(timeout=-1 if timeout is None else timeout)
        if opened:
            self._closed.release()
        return opened or self.is_set()

    def settle(self, action: Action, answer: Answer | None = None) -> bool:
        """Make `action` the action of this turn; False, and nothing happens, if there already is one.

        `answer` is the turn seat's own account of it. It is kept under the same lock, so that the judge
        can never see the action without it.
        """
        with self._settling:
            if self._state is not _OPEN:
                return False
            try:
                self._act(action)
                self.action, self.answer = action, answer
            except BaseException as defect:
                self.defect = defect
                if not isinstance(defect, Exception):  # Ctrl-C in the judge's thread is not ours to keep
                    raise
            finally:
                self._step(EventState.SETTLED if self.defect is None else EventState.SPOILT)
            return True

    def spoil(self, defect: BaseException) -> None:
        """Set the event: this turn will not be played because of `defect`."""
        with self._settling:
            if self.defect is None:
                self.defect = defect
            self._step(EventState.SPOILT)

    def _step(self, to: EventState) -> None:
        """The one place that sets the state, where it can lead there. The caller holds the settling lock."""
        if to in _WAYS[self._state]:
            was_open, self._state = self._state is _OPEN, to
            if was_open:
                self._closed.release()

    def __repr__(self) -> str:
        if self.defect is not None:
            state = f"spoilt by {type(self.defect).__name__}"
        elif self._state is _OPEN:
            state = "open"
        else:
            state = f"{self.action!r} by {'the judge' if self.answer is None else f'seat {self.answer.seat}'}"
        return f"<DiscardEvent turn {self._turn}: {state}>"
