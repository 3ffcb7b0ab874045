"""The event that the seats of one turn share: it carries the settled action of the turn seat (S-40, S-41)."""

import threading
from collections.abc import Callable
from typing import Final

from jantaku.table.ground.port import Action, Answer
from jantaku.table.judge.turn.settling import Settling

_SETTLE: Final = (
    "a DiscardEvent gets its tile, and is set, by settle(action) alone, once: "
    "event.settle(Discard(tile)) makes the discard happen and lets the waiting threads go"
)


class DiscardEvent(threading.Event):
    """A `threading.Event` that carries the action of a turn: `settle` it once, and all threads that wait go on. The
    action happens in the game before the event is set, so that a thread that returns from `wait()` sees the game after
    it. Only `settle` and `spoil` set the event, and nothing clears it: `set`, `clear` and an assignment to `tile` or
    `action` raise an error that names `settle`."""

    def __init__(self, turn: int, act: Callable[[Action, Answer | None], None]) -> None:
        super().__init__()
        self._settling = Settling(turn, act)

    @property
    def action(self) -> Action | None:
        """The turn seat's action; None until the event is settled."""
        return self._settling.action

    @action.setter
    def action(self, action: Action | None) -> None:
        raise AttributeError(_SETTLE)

    @property
    def tile(self) -> object:
        """The discarded tile; None until the event is settled, or if the action discards none."""
        return getattr(self.action, "tile", None)

    @tile.setter
    def tile(self, tile: object) -> None:
        raise AttributeError(_SETTLE)

    @property
    def answer(self) -> Answer | None:
        """The turn seat's answer that led to the action; None if the judge settled it, or if there was nothing to
        choose."""
        return self._settling.answer

    @property
    def defect(self) -> BaseException | None:
        """A defect of ours that spoilt the turn; None if there is none."""
        return self._settling.defect

    def settle(self, action: Action, answer: Answer | None = None) -> bool:
        """Settle the turn as `Settling.settle` does, then set the event."""
        try:
            return self._settling.settle(action, answer)
        finally:
            super().set()

    def spoil(self, defect: BaseException) -> None:
        """Spoil the turn as `Settling.spoil` does, then set the event."""
        self._settling.spoil(defect)
        super().set()

    def set(self) -> None:
        """Raise RuntimeError: without an action, the waiting threads must not go on."""
        raise RuntimeError(_SETTLE)

    def clear(self) -> None:
        """Raise RuntimeError: a turn is settled once."""
        raise RuntimeError(_SETTLE)

    def __repr__(self) -> str:
        return repr(self._settling).replace("Settling", "DiscardEvent", 1)
