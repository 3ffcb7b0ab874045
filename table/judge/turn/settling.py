"""Settling a turn's action once: by the turn seat or, at the deadline, by the judge (S-41)."""

import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from jantaku.table.judge.moves import Move, ways
from jantaku.table.port import Action, Answer


class EventState(StrEnum):
    """Whether a turn has its action. Only `Settling` changes it."""

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


class Settling:
    """One turn's action, settled once, by whoever comes first.

    `act` makes the action happen in the game; it is called exactly once. If it fails, the defect is ours: it is stored
    in `defect`, and the judge stops the table. Nobody can wait for a settlement; for that there is `DiscardEvent`.
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
        """Whether the turn is settled, or will never be."""
        return self._state is not _OPEN

    def settle(self, action: Action, answer: Answer | None = None) -> bool:
        """Make `action` the action of this turn; False, and nothing happens, if there already is one.

        `answer` is the turn seat's own account of it. It is kept under the same lock, so that the judge
        can never see the action without it.
        """
        with self._lock:
            if self._state is not _OPEN:
                return False
            try:
                self._act(action, answer)
                self.action, self.answer = action, answer
            except BaseException as defect:
                self.defect = defect
                if not isinstance(defect, Exception):  # Ctrl-C in the judge's thread is not ours to keep
                    raise
            finally:
                self._step(EventState.SETTLED if self.defect is None else EventState.SPOILT)
            return True

    def spoil(self, defect: BaseException) -> None:
        """This turn will not be played because of `defect`; the first one counts."""
        with self._lock:
            if self.defect is None:
                self.defect = defect
            self._step(EventState.SPOILT)

    def _step(self, to: EventState) -> None:
        """The one place that sets the state, where it can lead there. The caller holds the lock."""
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
