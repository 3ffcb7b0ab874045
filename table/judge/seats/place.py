"""The state machine of one seat, and the reason why it is never asked again once it is GONE."""

import threading
from enum import StrEnum
from typing import Final

from jantaku.table.judge.faults import Fault
from jantaku.table.judge.moves import Move, ways


class State(StrEnum):
    """State of a seat. Only `SeatPlace` changes it."""

    IDLE = "idle"  # idle: may be asked
    ASKED = "asked"  # its thread is under way and in time
    LATE = "late"  # its thread did not return in time: defaults are played until it does
    GONE = "gone"  # never asked again


MOVES: Final = (
    Move(State.IDLE, State.ASKED, "its thread is sent on an errand"),
    Move(State.ASKED, State.IDLE, "its thread comes home"),
    Move(State.ASKED, State.LATE, "its time is up, or nobody waits for it"),
    Move(State.LATE, State.IDLE, "its thread comes home after all"),
    Move(State.IDLE, State.GONE, "its player cannot be inspected or has gone, or it forfeits the game"),
    Move(State.ASKED, State.GONE, "its player has gone, or is not ready in time"),
    Move(State.LATE, State.GONE, "its player has gone, or it forfeits the game"),
)
_WAYS: Final = ways(State, MOVES)


class SeatPlace:
    """The state of one seat, read from any thread. Every change happens here, under one lock."""

    def __init__(self) -> None:
        self.busy = False
        """Whether a thread is running for this seat. Unlike LATE it stays true for a seat that is GONE."""
        self.leaving: Fault | None = None
        """Why the seat is GONE; None until it is."""
        self._state = State.IDLE
        self._moving = threading.Lock()

    @property
    def state(self) -> State:
        """The current state; may be read from any thread."""
        return self._state

    def move(self, to: State) -> bool:
        """Change the state; return False, and change nothing, if that step is not possible from the current state.

        So a seat whose thread returns at the moment when the judge gives it up ends in a definite state.
        """
        with self._moving:
            return self._step(to)

    def set_out(self) -> bool:
        """Mark the seat ASKED, before its thread is sent; False if it is not idle."""
        with self._moving:  # the state and `busy` must change together
            if not self._step(State.ASKED):
                return False
            self.busy = True
            return True

    def come_home(self) -> None:
        """Mark that the seat's thread has returned from the player."""
        with self._moving:
            self.busy = False
            self._step(State.IDLE)

    def leave(self, fault: Fault) -> bool:
        """Never ask this seat again: `fault` applies to every later question. False if it is GONE already.

        The judge may give the seat up at the moment when its player leaves: the first reason is kept.
        """
        with self._moving:
            if self._state is State.GONE:
                return False
            self.leaving = fault
            return self._step(State.GONE)

    def _step(self, to: State) -> bool:
        """Set the state if the table of moves allows it; no other method sets it. The caller holds the lock."""
        if to not in _WAYS[self._state]:
            return False
        self._state = to
        return True
