"""Broken clients over WebSocket, each in a thread of this process, with the vices of programs and of connections."""

import contextlib
import socket
import struct
import threading

from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from tests.broken.catalogue import FINE, GONE, SILENT, VICES, ViceMoment, add, beside, vice
from tests.broken.mind import Waiting
from tests.broken.programs import Saying

_RESET = struct.pack("ii", 1, 0)
"""The SO_LINGER value with which closing a socket resets its connection."""
_GOODBYE = 1.0
"""Seconds that the other side has to agree to the end of a connection."""


class Client:
    """Plays Majiang 1.x at `url` until the server closes the connection. After `hangs` it only waits to be released."""

    connection: ClientConnection

    def __init__(self, url: str, name: str, moment: ViceMoment, too_long: float) -> None:
        self.url = url
        self.released = threading.Event()
        """Set to release a client that hangs."""
        self.again = False
        """Whether it reconnects once after its connection has ended."""
        self.mute = False
        """Whether it has stopped sending."""
        self._vice, self._moment, self._too_long = {**VICES["program"], **VICES["client"]}[name], moment, too_long
        self._thread = threading.Thread(target=self._run, name="broken client", daemon=True)
        if name != "never_connects":
            self._thread.start()

    def join(self) -> None:
        """Release it, and wait for its end."""
        self.released.set()
        if self._thread.ident is not None:
            self._thread.join(2 * _GOODBYE)

    def connect(self, key: str) -> ClientConnection:
        """Connect to the room with this key."""
        return connect(f"{self.url}&key={key}", compression=None, max_size=None, close_timeout=_GOODBYE)

    def _run(self) -> None:
        self._play(self._moment)
        if self.again:
            self._play(ViceMoment("over"))

    def _play(self, moment: ViceMoment) -> None:
        with contextlib.suppress(ConnectionClosed, OSError), self.connect("key") as self.connection:
            broken = Waiting(self._vice, moment, "majiang", self._send, self._too_long)
            for message in self.connection:
                assert isinstance(message, str)
                said = broken.take(message.encode(), self)
                # messages of a WebSocket are not lines
                for line in said.splitlines(keepends=True) if not self.mute else ():
                    self._send(line)

    def _send(self, line: bytes) -> None:
        self.connection.send(line, text=True)


# --- vices of a connection


@vice(client=SILENT)
def hangs(saying: Saying) -> None:
    """Stop reading and writing, and do not notice when the other side closes."""
    saying.client.released.wait()
    saying.client.connection.socket.close()


@vice(client=GONE)
def sends_no_pong(saying: Saying) -> None:
    """Go on reading, but send neither messages nor pongs."""
    saying.client.mute = True
    protocol = saying.client.connection.protocol
    send = protocol.send_frame

    def send_others(frame: Frame) -> None:
        if frame.opcode is not Opcode.PONG:
            send(frame)

    protocol.send_frame = send_others


@vice(client=SILENT)
def stops_in_the_middle_of_a_frame(saying: Saying) -> None:
    """Send half a message, and nothing after it."""
    saying.client.mute = True
    with saying.client.connection.send_context():
        saying.client.connection.protocol.send_text(saying.reply[:5], fin=False)


@vice(client=GONE)
def resets(saying: Saying) -> None:
    """Reset the TCP connection, as soon as the reading thread has closed the socket."""
    saying.client.connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    saying.client.connection.socket.shutdown(socket.SHUT_RD)


@vice(client=("gone", "gone", "ok gone", "ok gone"))
def comes_back_in_the_middle(saying: Saying) -> None:
    """Close in the middle of a decision, and reconnect; gone if a question meets the gap."""
    saying.client.again = True
    saying.client.connection.close()


@beside(client=FINE)
def has_a_double(saying: Saying) -> None:
    """Let another connection claim the same seat, then reply."""
    with saying.client.connect("another") as second:
        with contextlib.suppress(ConnectionClosed):
            second.recv(_GOODBYE)
        assert second.close_code == 1008, "the seat was given to somebody else"


@vice(client=FINE)
def sends_in_fragments(saying: Saying) -> None:
    text = saying.reply.decode()
    saying.client.connection.send([text[:3], text[3:5], text[5:]])


add("never_connects", hangs, client=("", "", "", "start_failed"))
add("closes", lambda saying: saying.client.connection.close(), client=GONE)
add("is_cut_off", lambda saying: saying.client.connection.socket.shutdown(socket.SHUT_RDWR), client=GONE)
add("sends_a_binary_frame", lambda saying: saying.client.connection.send(saying.reply), client=GONE)
add("sends_a_huge_frame", lambda saying: b"m" * (20 << 20), client=GONE)
_FLOODS = ("malformed", "malformed", "malformed gone", "start_failed")
add("floods_without_a_pause", lambda saying: b"still thinking\n" * 3000, client=_FLOODS)
