"""A TCP port for programs that exchange lines of JSON in lock step: a line is sent only after the last was answered,
because some of these programs lose what arrives earlier.

The game defines the handshake (`Greeter`). After it a client is a visitor like one over WebSocket, under the same
limits, with a `Line` as its connection.
"""

import asyncio
import contextlib
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from typing import Protocol

from websockets.frames import CloseCode

from jantaku.table.ground.errors import BadInput
from jantaku.table.serve.net.admission import Arrival, one_household
from jantaku.table.serve.net.counts import ConnectionCount, PendingConnections
from jantaku.table.serve.net.limits import Allowance, Limits
from jantaku.table.serve.net.line import Farewell, Fence, Line, Parting, blamed_on_us
from jantaku.table.serve.net.refusals import Refusals
from jantaku.table.serve.net.visitor import Visitor

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
    """One client. Implements `counts.HalfOpen`. Call on the server's loop."""

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
