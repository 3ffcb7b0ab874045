"""One connection: a request, then an answer or a WebSocket. A state machine on the server's event loop.

websockets' Sans-I/O layer speaks the protocol; this module adds bytes, timeouts and limits. Nothing here blocks: the
server's workers do what may take time, and reading pauses meanwhile.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Any, Protocol, cast

from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from jantaku.table.ground.clock import now
from jantaku.table.serve.net.admission import Arrival, choose_protocol
from jantaku.table.serve.net.limits import Allowance
from jantaku.table.serve.net.line import Farewell, Fence, Line, blamed_on_us
from jantaku.table.serve.net.line_door import House
from jantaku.table.serve.net.tls import is_hello, warn_of_tls
from jantaku.table.serve.net.visitor import Visitor

OPENING = 2.0
"""Seconds within which a connection has to send its request: browsers open spare connections that send none."""
CLOSING = 2.0
"""Seconds for the closing handshake."""
FETCHING = 30.0
"""Seconds in which a client has to take a page."""
_READ = 4096
"""Bytes per read. Small frames cost most: thousands of them at once must not block the loop."""
_BUFFER = 65_536
"""Bytes in the send buffer above which nothing is added."""
_UNREADABLE = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Stage(Enum):
    """Stage of a connection."""

    OPENING = "opening"
    """Waits for the request."""
    FETCHING = "fetching"
    """Sends a page or a refusal."""
    TALKING = "talking"
    """Is a WebSocket."""
    CLOSING = "closing"
    """Either side has begun the closing handshake."""
    GONE = "gone"


class Reception(House, Protocol):
    """The web server, as a `Connection` sees it."""

    def answer(self, request: Request, connection: "Connection") -> Arrival | Response:
        """Return an Arrival if the request is for a WebSocket and admitted, else the response."""

    def gone(self, connection: "Connection") -> None:
        """Take note that the connection is closed."""


class Connection(asyncio.BufferedProtocol):
    """A connection, see the module. Call all methods on the event loop."""

    def __init__(self, house: Reception, address: str) -> None:
        self.address = address
        """The address under which it is counted."""
        self.stage = Stage.OPENING
        self.leave_pot: Callable[[], None] | None = None
        """Removes it from its `ConnectionCount`; None while it is not counted."""
        self.opening: asyncio.Task[Any] | None = None
        """The task that makes a connection of its socket."""
        self._house, self._limits = house, house.limits
        self._protocol = ServerProtocol(max_size=self._limits.message, select_subprotocol=choose_protocol)
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray(_READ)
        self._began = self._heard = now()
        """Start of the stage, and time of the last message."""
        self._line: Line | None = None
        self._visitor: Visitor | None = None
        self._left = False
        """Whether the visitor was told of the end."""
        self._frames: deque[Frame] = deque()
        """Received frames that cannot be processed yet."""
        self._message: list[bytes] = []
        """Fragments of an incomplete message."""
        self._allowance = Allowance(self._limits.burst, self._limits.rate)
        self._busy = self._full = self._deaf = self._half_closed = False
        """Reasons not to read or write: a worker is busy; the send buffer is full; input is ignored; sending is
        finished."""
        self._written = self._taken = 0
        self._taken_at = self._pinged_at = now()
        self._unanswered: float | None = None
        """Time of the ping whose pong is due; None if none is."""

    # --- what the transport says

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(_BUFFER)
        if self.stage is Stage.GONE:
            self._transport.abort()

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self._deaf or self.stage is Stage.GONE:
            return
        data = bytes(self._buffer[:nbytes])
        if self.stage is Stage.OPENING and is_hello(data):
            warn_of_tls(self.address)
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._requested(event)
            elif isinstance(event, Frame):
                self._frames.append(event)
        self._take_frames()
        self._write()

    def eof_received(self) -> bool:
        """Return False: the transport then sends what is buffered, and closes."""
        return False

    def pause_writing(self) -> None:
        self._full = True
        self._regulate()

    def resume_writing(self) -> None:
        self._full = False
        self._regulate()
        self.flush()

    def connection_lost(self, exc: Exception | None) -> None:
        self._protocol.receive_eof()
        if self._line is not None:
            self._line.end(str(self._protocol.close_exc))
        self._end()

    # --- the request

    def _requested(self, request: Request) -> None:
        answer = self._house.answer(request, self)
        response = self._protocol.accept(request) if isinstance(answer, Arrival) else answer
        response.headers["Server"] = "jantaku"
        self._protocol.send_response(response)
        talks = self._protocol.state is State.OPEN
        self._go(Stage.TALKING if talks else Stage.FETCHING)
        if talks and isinstance(answer, Arrival):
            on_loop = self._house.on_loop
            line = self._line = Line(self._limits.backlog, lambda: on_loop(self.flush), lambda: on_loop(self.abort))
            if not self._limits.pongs_wanted:
                line.keep_alive()
            self._do(lambda: self._welcome(answer, line))

    def _welcome(self, arrival: Arrival, line: Line) -> None:
        """Admit the visitor, on a worker."""
        with blamed_on_us(line):
            self._visitor = self._house.welcome(arrival, line)
        if self._visitor is None:
            line.hang_up()

    def _do(self, task: Callable[[], object]) -> None:
        def work() -> None:
            try:
                task()
            finally:
                self._house.on_loop(self._done)

        self._busy = True
        self._regulate()
        self._house.work(work)

    def _done(self) -> None:
        self._busy = False
        self._regulate()
        if self.stage is not Stage.TALKING:
            self._let_leave()
        else:
            self._take_frames()
            self._write()

    # --- what comes on a WebSocket

    def _take_frames(self) -> None:
        while self._frames and not self._busy and not self._deaf:
            self._take(self._frames.popleft())
        if self.stage is Stage.TALKING and self._protocol.close_rcvd is not None and self._line is not None:
            self._line.end(f"received {self._protocol.close_rcvd}")
            self._go(Stage.CLOSING)
            self._let_leave()

    def _take(self, frame: Frame) -> None:
        if frame.opcode is Opcode.PONG:
            if self._line is not None and self._line.heard_pong(bytes(frame.data)):
                self._unanswered = None
        elif frame.opcode is Opcode.PING:
            self._charge()
        elif frame.opcode is not Opcode.CLOSE and self.stage is Stage.TALKING:
            self._heard = now()
            if frame.opcode is Opcode.BINARY:
                self._send_away(CloseCode.UNSUPPORTED_DATA, "text frames only")
                return
            self._message.append(bytes(frame.data))
            if frame.fin:
                self._hear(b"".join(self._message))
                self._message.clear()
            else:
                self._charge()

    def _hear(self, data: bytes) -> None:
        visitor, line = self._visitor, self._line
        if visitor is None or line is None:
            return
        try:
            text = data.decode()
        except UnicodeDecodeError:
            line.end("sent 1007: text that is not UTF-8")
            self._send_away(CloseCode.INVALID_DATA, "text that is not UTF-8")
            return

        def hear() -> bool:
            with blamed_on_us(line):
                return bool(visitor.hear(text))
            return False

        if line.one_way:
            self._do(hear)
            self._charge()
        elif not hear():
            self._charge()
        if line.is_closing:  # that may have been the last reply
            self.flush()

    def _charge(self) -> None:
        """Count an unsolicited message against the rate limit."""
        if not self._allowance.take():
            self._send_away(CloseCode.POLICY_VIOLATION, f"more than {self._limits.rate:g} messages a second")

    def _send_away(self, code: CloseCode, reason: str) -> None:
        """Close the connection of a visitor that exceeds a limit, and ignore its input."""
        if self._line is not None and not self._deaf:
            self._line.hang_up(code, reason)
            self._deaf = True
            self._frames.clear()

    # --- what goes

    def flush(self) -> None:
        """Send queued messages while the peer reads them."""
        while self._line is not None and not self._full and self.stage is Stage.TALKING:
            what = self._line.next(patient=True)
            match what:
                case None:
                    break
                case Farewell(code, reason):
                    self._protocol.send_close(code, reason)
                    self._go(Stage.CLOSING)
                    self._let_leave()
                case Fence(number):
                    self._protocol.send_ping(b"%d" % number)
                    self._unanswered = self._unanswered or now()
                case _:
                    self._protocol.send_text(what)
            self._write()

    def _write(self) -> None:
        """Pass the protocol's output to the transport."""
        if self._transport is None or self.stage is Stage.GONE:
            return
        for data in self._protocol.data_to_send():
            if data and not self._half_closed:
                self._written += len(data)
                self._transport.write(data)
                continue
            if self.stage is Stage.OPENING:  # the input is no HTTP
                self._transport.write(_UNREADABLE)
            if self._line is not None:
                self._line.end(f"sent {self._protocol.close_sent}")
            if self.stage in (Stage.OPENING, Stage.TALKING):
                self._go(Stage.CLOSING)
            self._half_close()
        if self._protocol.state is State.CLOSING and self._deaf:
            self._half_close()
        if self.stage is Stage.CLOSING and self._protocol.state is not State.OPEN:
            self._let_leave()

    def _half_close(self) -> None:
        """Finish sending. Buffered output is still delivered; then the peer closes, or its time runs out."""
        assert self._transport is not None
        self._half_closed = True
        if self._transport.can_write_eof():
            self._transport.write_eof()
        else:
            self._transport.close()

    def _regulate(self) -> None:
        """Read only as fast as input is processed: backpressure."""
        if self._transport is None or self._transport.is_closing():
            return
        if self._busy or self._full:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    # --- time

    def tick(self, at: float) -> None:
        """Check the timeouts; called several times a second."""
        line, limits = self._line, self._limits
        bounds = {Stage.OPENING: OPENING, Stage.FETCHING: FETCHING, Stage.CLOSING: CLOSING + limits.reading}
        if self.stage in bounds and at - self._began > bounds[self.stage]:
            self.abort()
        elif self._is_stuck(at):
            if line is not None:
                line.end(f"too slow: nothing was read for {limits.reading:g} s")
            self.abort()
        elif self.stage is Stage.TALKING and line is not None:
            if line.is_closing:
                self.flush()
            if not line.one_way and limits.idle is not None and at - self._heard > limits.idle:
                line.hang_up(CloseCode.POLICY_VIOLATION, f"nothing was heard for {limits.idle:g} s")
            elif limits.ping is not None:
                self._keep_alive(line, at, limits.ping)

    def _keep_alive(self, line: Line, at: float, interval: float) -> None:
        """Heartbeat: ping the peer from time to time, to detect dead ones."""
        if self._unanswered is not None and at - self._unanswered > self._limits.pong:
            if self._limits.pongs_wanted or line.answers_pings:
                line.hang_up(CloseCode.INTERNAL_ERROR, f"no pong for {self._limits.pong:g} s")
        elif at - self._pinged_at > interval and self._unanswered is None:
            self._pinged_at = at
            line.keep_alive()

    def _is_stuck(self, at: float) -> bool:
        """Return whether the peer has stopped reading."""
        if self._transport is None:
            return False
        taken = self._written - (waits := self._transport.get_write_buffer_size())
        if not waits or taken > self._taken:
            self._taken, self._taken_at = taken, at
        return at - self._taken_at > self._limits.reading

    # --- the end

    @property
    def is_parting(self) -> bool:
        """Whether it closes as soon as its client has read and answered what is queued."""
        return self.stage is Stage.TALKING and self._line is not None and self._line.is_closing

    def bid_farewell(self, code: CloseCode, reason: str) -> None:
        """Close with that code and reason, after what is queued."""
        if self.stage is Stage.OPENING:
            self.abort()
        elif self._line is not None:
            self._line.hang_up(code, reason)

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()
        else:
            if self.opening is not None:
                self.opening.cancel()
            self._end()

    def _go(self, stage: Stage) -> None:
        self.stage, self._began = stage, now()

    def _end(self) -> None:
        """End the connection, whatever the reason."""
        if self.stage is not Stage.GONE:
            self._go(Stage.GONE)
            self._let_leave()
            self._house.gone(self)

    def _let_leave(self) -> None:
        """Tell the visitor of the end, once, and not before it was admitted."""
        if self._visitor is not None and not self._left and not self._busy:
            self._left = True
            self._house.work(self._visitor.leave)
