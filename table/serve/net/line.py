"""One WebSocket connection as the rest of a server sees it, and the visitor at its end.

`LineDoor` is a TCP port for programs that exchange lines of JSON in lock step: a line is sent only after the last one
was answered, because some of these programs lose what arrives earlier.

The game defines the handshake (`Greeter`). After it a client is a visitor like one over WebSocket, under the same
limits, with a `Line` as its connection.
"""

import asyncio
import contextlib
import socket
import sys
import threading
from asyncio import StreamReader, StreamWriter
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from websockets.frames import CloseCode

from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.log import logger
from jantaku.table.serve.net.admission import Arrival, Refusals, one_household
from jantaku.table.serve.net.limits import Allowance, ConnectionCount, Limits, PendingConnections

PARTING = 1.0
"""Seconds for the very last reply of a client whose connection is about to be closed: nobody needs it."""
LONGEST_PARTING = 300.0
"""Seconds for all replies that are due then: also a client that takes its time for each of them ends."""
_LONGEST_REASON = 120
"""Bytes of a reason that fit into a close frame, all but three."""


class Parting:
    """The last replies of a client whose connection is about to be closed: who writes to one that was closed meanwhile
    is in for an error, and may never hear the end. `owed` tells how many are due. As long as they come there are
    `patience` seconds for each, as there were for an answer, but `PARTING` for the very last."""

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
    """The outgoing messages of a connection, in order. The event loop sends them.

    `say`, `fence` and `hang_up` may be called from any thread, with locks held, before and after the connection broke.
    `wake` notifies the loop; `cut` drops the connection.
    """

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
        """Queue a ping that finds out whether the other side is there. It fences nothing off: who thinks where it reads
        has its pong behind its answer."""
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


# A visitor: an admitted client, as a server sees it.


class Visitor(Protocol):
    """An admitted client."""

    def hear(self, text: str) -> bool | None:
        """Take a message. Return True if it was due, so that it does not count against the rate limit.

        Called on the event loop, where it must not block; by a worker if the line is one-way.
        """

    def leave(self) -> None:
        """Take note that the connection is closed. Called once, by a worker, whatever the reason."""


class DelegatedVisitor:
    """A visitor whose messages and end go to callbacks. Implements `Visitor`."""

    def __init__(self, hear: Callable[[str], bool | None], leave: Callable[[], None]) -> None:
        self.hear, self.leave = hear, leave


Welcome = Callable[[Arrival, Line], Visitor | None]
"""Admits a visitor; None to refuse it, after an optional message: then the line is closed."""


JOINING = 10.0
"""Seconds within which a client has to send its first line."""
CLOSING = 2.0
"""Least seconds for the answer to each message that is sent while the connection ends."""
_BACKLOG = 128
"""Backlog of the listening socket."""


class Greeter(Protocol):
    """The handshake of a protocol. Lines come and go without their line end."""

    hello: bytes
    """The server's first line."""

    def arrival(self, line: bytes, address: str) -> Arrival:
        """Parse the client's first line. BadInput if it is wrong."""

    def refusal(self, why: str) -> bytes:
        """Return the last line to a refused client."""


class House(Protocol):
    """The server, as its connections see it."""

    limits: Limits
    openings: PendingConnections
    players: ConnectionCount
    refusals: Refusals

    def welcome(self, arrival: Arrival, line: Line) -> Visitor | None:
        """Admit a visitor; called by a worker."""

    def work(self, task: Callable[[], None]) -> None:
        """Have a worker run a task."""

    def on_loop(self, task: Callable[[], None]) -> None:
        """Run a task on the event loop. May be called from any thread."""


class LineConnection:
    """One client. Implements `limits.HalfOpen`. Call on the server's loop."""

    def __init__(self, house: House, greeter: Greeter, reader: StreamReader, writer: StreamWriter) -> None:
        self.address = one_household(str((writer.get_extra_info("peername") or [""])[0]))
        self._house, self._greeter, self._reader, self._writer = house, greeter, reader, writer
        self._allowance = Allowance(house.limits.burst, house.limits.rate)
        self._changed = asyncio.Event()
        """Set when there is something to send, an answer came, or the line is about to end."""
        self._is_answered = True
        self._parting: Parting | None = None
        """How long answers are awaited once the line is about to end."""
        self._line: Line | None = None

    @property
    def is_parting(self) -> bool:
        """Whether it closes as soon as its client has read what is queued."""
        return self._line is not None and self._line.is_closing

    def bid_farewell(self) -> None:
        """Close because the server closes, after what is queued."""
        if self._line is None:
            self.abort()
        else:
            self._line.hang_up(CloseCode.GOING_AWAY, "the server closes")

    def abort(self) -> None:
        """Drop the connection at once; tasks that wait for it end."""
        self._writer.transport.abort()

    async def run(self) -> None:
        """Serve the client from the first line to the last."""
        self._house.openings.enter(self)
        admit = ""
        try:
            arrival = await self._join()
            self._house.openings.leave(self)
            if not self._house.players.enter(self.address):
                admit = self._house.players.option("--max-connections")
                raise BadInput("too many connections; try again later")
            try:
                await self._talk(arrival)
            finally:
                self._house.players.leave(self.address)
        except BadInput as refusal:
            self._house.refusals.tell(self.address, str(refusal), admit=admit)
            self._write(self._greeter.refusal(str(refusal)))
        except (OSError, EOFError):  # the client is gone
            pass
        finally:
            self._house.openings.leave(self)
            self._writer.close()

    async def _join(self) -> Arrival:
        self._write(self._greeter.hello)
        try:
            async with asyncio.timeout(JOINING):
                line = await self._read()
        except TimeoutError:
            raise BadInput(f"nothing was heard for {JOINING:g} s") from None
        return self._greeter.arrival(line, self.address)

    async def _read(self) -> bytes:
        """Return the next line. BadInput if it is too long, EOFError if there is none."""
        try:
            return (await self._reader.readuntil(b"\n")).strip()
        except asyncio.LimitOverrunError:
            raise BadInput(f"a line of more than {self._house.limits.message} bytes") from None

    def _write(self, line: bytes) -> None:
        self._writer.write(line + b"\n")

    # --- a visitor

    async def _talk(self, arrival: Arrival) -> None:
        on_loop, changed = self._house.on_loop, self._changed
        line = Line(self._house.limits.backlog, lambda: on_loop(changed.set), lambda: on_loop(self.abort))
        self._line = line
        visitor = await self._welcomed(arrival, line)
        saying = asyncio.create_task(self._say(line))
        hearing = asyncio.create_task(self._hear(visitor, line))
        try:
            await asyncio.wait({saying, hearing}, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done() and hearing.exception() is None:  # the server closes the line: send what is queued
                await saying
        finally:
            for task in (saying, hearing):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, OSError, EOFError, TimeoutError):
                    await task
            line.end("the connection was closed")
            if visitor is not None:
                self._house.work(visitor.leave)

    async def _welcomed(self, arrival: Arrival, line: Line) -> Visitor | None:
        """Have a worker admit the visitor; None if it was refused."""

        def admitted() -> Visitor | None:
            with blamed_on_us(line):
                return self._house.welcome(arrival, line)
            return None

        visitor = await asyncio.get_running_loop().run_in_executor(None, admitted)
        if visitor is None:
            line.hang_up()
        return visitor

    async def _hear(self, visitor: Visitor | None, line: Line) -> None:
        """Read until the client is sent away. EOFError or OSError if it leaves."""
        idle = self._house.limits.idle
        try:
            while True:
                async with asyncio.timeout(idle):
                    data = await self._read()
                if not self._heard(visitor, line, data) and not self._allowance.take():
                    raise BadInput(f"more than {self._house.limits.rate:g} messages a second")
        except TimeoutError:
            line.hang_up(CloseCode.POLICY_VIOLATION, f"nothing was heard for {idle:g} s")
        except BadInput as refusal:
            line.hang_up(CloseCode.POLICY_VIOLATION, str(refusal))
        self._parting = Parting(None, None)

    def _heard(self, visitor: Visitor | None, line: Line, data: bytes) -> bool:
        """Pass a line on; return whether it was due. A line that answers nothing is dropped: it would count as the
        answer to the next message, and so shift every later answer."""
        wanted, self._is_answered = not self._is_answered, True
        if wanted and visitor is not None:
            with blamed_on_us(line):
                visitor.hear(data.decode(errors="replace"))
        self._changed.set()
        return wanted

    async def _say(self, line: Line) -> None:
        """Send the messages of the line one after another, to its end."""
        while True:
            match line.next():
                case None:
                    await self._change()
                case Farewell(code, reason):
                    if code != CloseCode.NORMAL_CLOSURE:
                        self._write(self._greeter.refusal(reason))
                    return
                case bytes() as message:
                    self._is_answered = False
                    self._write(message)
                    await self._answer(line)
                case Fence():
                    pass

    async def _answer(self, line: Line) -> None:
        """Wait until the client has read the last message and answered it. While the line ends, a client that takes too
        long gets the rest without waiting."""
        try:
            async with asyncio.timeout(self._house.limits.reading):
                await self._writer.drain()
        except TimeoutError:
            line.end(f"too slow: nothing was read for {self._house.limits.reading:g} s")
            self.abort()
        while not self._is_answered:
            if line.is_closing and self._parting is None:
                patience = None if line.patience is None else max(line.patience, CLOSING)
                self._parting = Parting(lambda: line.waiting, patience)
            left = None if self._parting is None else self._parting.left
            if left == 0:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._change()

    async def _change(self) -> None:
        await self._changed.wait()
        self._changed.clear()


class LineDoor:
    """Listens on a port of its own, beside a web server. BadInput if the port cannot be had. `open` and `close` run on
    the server's loop."""

    def __init__(self, host: str, port: int, greeter: Greeter) -> None:
        self._greeter, self._socket = greeter, listening(host, port)
        self._server: asyncio.Server | None = None
        self._inside: dict[asyncio.Task[None], LineConnection] = {}

    @property
    def port(self) -> int:
        """The port number, also if 0 was asked for."""
        port: int = self._socket.getsockname()[1]
        return port

    async def open(self, house: House) -> None:
        """Accept clients from now on."""

        def enter(reader: StreamReader, writer: StreamWriter) -> None:
            connection = LineConnection(house, self._greeter, reader, writer)
            task = asyncio.ensure_future(connection.run())
            self._inside[task] = connection
            task.add_done_callback(self._inside.pop)

        self._server = await asyncio.start_server(enter, sock=self._socket, limit=house.limits.message)

    @property
    def is_parting(self) -> bool:
        """Whether a client still hears the end of its game. Call on the server's loop."""
        return any(connection.is_parting for connection in self._inside.values())

    async def close(self, seconds: float) -> None:
        """Send all clients away; drop those that are left after `seconds`."""
        if self._server is not None:
            self._server.close()
        for connection in self._inside.values():
            connection.bid_farewell()
        if self._inside:
            await asyncio.wait(tuple(self._inside), timeout=seconds)
        for connection in tuple(self._inside.values()):
            connection.abort()
        if self._inside:
            await asyncio.wait(tuple(self._inside))


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket. BadInput if the port cannot be had."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        found = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (while")[0]  # Python repeats the address there
        raise BadInput(f"{host}:{port} cannot be used: {why}") from error
    found.setblocking(False)
    return found
