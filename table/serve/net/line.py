"""One WebSocket connection as the rest of a server sees it."""

import contextlib
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from websockets.frames import CloseCode

from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.log import logger

PARTING = 1.0
"""Seconds for the very last reply of a client whose connection is about to be closed: nobody needs it."""
LONGEST_PARTING = 300.0
"""Seconds for all replies that are due then: also a client that takes its time for each of them ends."""
_LONGEST_REASON = 120
"""Bytes of a reason that fit into a close frame, all but three."""


class Parting:
    """The last replies of a client before its connection is closed. A client that still writes to a closed connection
    gets an error, and may never hear the end. `owed` tells how many replies are due. While replies come, each has
    `patience` seconds, as an answer had; the very last has `PARTING`."""

    def __init__(self, owed: Callable[[], int] | None, patience: float | None) -> None:
        self._owed, self._patience = owed, patience
        self._least = sys.maxsize
        self._next, self._end = Deadline(0), Deadline(LONGEST_PARTING)
        self._is_over = owed is None

    @property
    def left(self) -> float:
        """Seconds for the next of them; 0 where none is waited for, and from then on."""
        owed = 0 if self._is_over or self._owed is None else self._owed()
        if 0 < owed < self._least:
            self._least, self._next = owed, Deadline(self._patience if owed > 1 else PARTING)
        left = min([one.left for one in (self._next, self._end) if one.left is not None], default=0.0) if owed else 0.0
        self._is_over = not left
        return left


class Farewell(NamedTuple):
    """The last thing to be done with a connection; a patient loop does it when `parting` has nothing left."""

    code: int
    reason: str
    parting: Parting


class Fence(NamedTuple):
    """A ping between two messages. Its pong comes after everything that the other side sent before it had read so far,
    and before its answer to the message after the ping. A keep-alive has the number of the last fence before it."""

    number: int


Outgoing = bytes | Fence | Farewell


class Line:
    """The outgoing messages of a connection, in order. The event loop sends them. `say`, `fence` and `hang_up` may be
    called from any thread, with locks held, before and after the connection broke. `wake` notifies the loop; `cut`
    drops the connection."""

    def __init__(self, backlog: int, wake: Callable[[], None], cut: Callable[[], None]) -> None:
        self.ended = ""
        """Why it ended or is about to end, for a person."""
        self.one_way = False
        """Whether nothing is expected to come from there."""
        self.answers_pings = False
        """Whether a ping has ever been answered: some clients never do."""
        self.is_closing = False
        """Whether nothing is queued any more."""
        self.patience: float | None = PARTING
        """Seconds for each reply that is due when it is closing; None: no bound but that for all."""
        self._wake, self._cut = wake, cut
        self._backlog = backlog
        self._waiting: deque[Outgoing] = deque()
        self._saying = threading.Lock()
        self._fences = self._passed = 0
        self._checking = False
        """Whether a keep-alive waits for its pong."""

    def say(self, message: bytes) -> None:
        """Queue a text message. Nothing happens if the line is closing."""
        with self._saying:
            if self.is_closing:
                return
            if len(self._waiting) >= self._backlog:
                self._close(CloseCode.TRY_AGAIN_LATER, "too slow: too many messages wait to be read")
                return
            self._put(message)

    def fence(self) -> None:
        """Queue a ping. Until its pong comes the other side `is_behind`."""
        with self._saying:
            if not self.is_closing:
                self._fences += 1
                self._put(Fence(self._fences))

    def keep_alive(self) -> None:
        """Queue a ping that finds out whether the other side is there. It fences nothing off: a client that
        thinks in the thread that reads sends its pong after its answer."""
        with self._saying:
            if not self.is_closing:
                self._checking = True
                self._put(Fence(self._fences))

    def hang_up(
        self,
        code: int = CloseCode.NORMAL_CLOSURE,
        reason: str = "",
        owed: Callable[[], int] | None = None,
        patience: float | None = PARTING,
    ) -> None:
        """Close after the queued messages; a reader that is too slow for that is disconnected at once. As long as
        replies are `owed`, which the loop asks now and then, they are waited for, see `Parting`."""
        with self._saying:
            if not self.is_closing:
                self.patience = patience
                self._close(code, reason, owed)

    @property
    def waiting(self) -> int:
        """How much is queued, the farewell included."""
        return len(self._waiting)

    @property
    def is_behind(self) -> bool:
        """Whether input that comes now was sent before the last fence was read. Never true for a client that answers no
        ping."""
        return self.answers_pings and self._passed < self._fences

    def end(self, reason: str) -> None:
        """Store why the connection is over; the first reason is kept."""
        self.ended = self.ended or reason

    def _close(self, code: int, reason: str, owed: Callable[[], int] | None = None) -> None:
        """The one place that queues the close. The caller holds the lock, so that nothing is queued after it."""
        self.end(reason)
        self.is_closing = True
        if len(self._waiting) >= self._backlog:
            self._waiting.clear()
            self._cut()
            return
        short = reason.encode()[:_LONGEST_REASON].decode(errors="ignore")
        self._put(Farewell(code, short, Parting(owed, self.patience)))
        self._wake()  # a thread that waits for answers to what was sent does so no longer

    def _put(self, what: Outgoing) -> None:
        """The caller holds the lock. Only the first of several has to wake the loop: that takes all that there is."""
        self._waiting.append(what)
        if len(self._waiting) == 1:
            self._wake()

    # --- for the loop alone

    def next(self, *, patient: bool = False) -> Outgoing | None:
        """What is to be sent now, None if there is nothing; if `patient`, no farewell before it is due."""
        with self._saying:
            first = self._waiting[0] if self._waiting else None
        if patient and isinstance(first, Farewell) and first.parting.left:  # without the lock: the callee has its own
            return None
        with self._saying:
            return self._waiting.popleft() if self._waiting else None

    def heard_pong(self, payload: bytes) -> bool:
        """A pong came; whether it answers one of our pings. It counts for all pings before it."""
        number = int(payload) if payload.isdigit() and len(payload) < len("1000000000") else -1
        if not self._passed + (not self._checking) <= number <= self._fences:
            return False
        self._passed = number
        self._checking = False
        self.answers_pings = True
        return True


@contextlib.contextmanager
def blamed_on_us(line: Line) -> Iterator[None]:
    """A defect of the server costs this connection only."""
    try:
        yield
    except Exception as defect:
        logger().error("defect at a connection", error=f"{type(defect).__name__}: {defect}")
        line.hang_up(CloseCode.INTERNAL_ERROR, "a defect of the server")
