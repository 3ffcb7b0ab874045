"""Programs that live from game to game: the programs of one player that are idle between two games.

A program is handed on only if nothing of its last game can be mistaken for the next one: it has heard the end, has
replied to everything that it was sent, and was never out of time. Replies are numbered, or counted, through all its
games.
"""

import threading
from collections.abc import Iterable, Sequence

import msgspec

from jantaku.players.adapters.program import GOODBYE, Program
from jantaku.table.ground.clock import Deadline
from jantaku.table.languages.wire.dialect import Dialect, Heard

REST = 1.0
"""Seconds that a program has to reply to the end of a game once the next one begins; after that another is started."""


class Life(msgspec.Struct, frozen=True, eq=False):
    """A running program, the command it was started with, and its side of the conversation so far."""

    program: Program
    command: Sequence[str]
    dialect: Dialect

    def at_rest(self) -> bool:
        """Whether it is alive and has replied to everything, or does so within `REST`."""
        return self.program.wait_while(self._owes, Deadline(REST))

    def _owes(self, waiting: Iterable[Heard]) -> bool:
        return self.dialect.owed(waiting) > 0


class Lives:
    """The idle programs of one player's games. Kept only between `open` and `close`. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_open = False
        self._idle: list[Life] = []

    def open(self) -> None:
        with self._lock:
            self._is_open = True

    def refuse(self) -> None:
        with self._lock:
            self._is_open = False

    def keep(self, life: Life) -> bool:
        """Keep a program whose game is over; False if it has to be ended."""
        with self._lock:
            if self._is_open and life.dialect.clean:
                self._idle.append(life)
                return True
            return False

    def take(self, command: Sequence[str]) -> Life | None:
        """Return a program that was started with this command and can begin another game; None if there is none. A
        program that cannot is ended."""
        while True:
            with self._lock:
                life = next((one for one in self._idle if one.command == command), None)
                if life is None or not self._is_open:
                    return None
                self._idle.remove(life)
            if life.at_rest():
                return life
            life.program.stop()

    def close(self) -> None:
        with self._lock:
            self._is_open = False
            idle, self._idle = self._idle, []
        until = Deadline(GOODBYE)
        for life in idle:
            life.program.stop()
        for life in idle:
            life.program.join(until.left or 0.0)
