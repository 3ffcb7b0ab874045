"""Broken clients over WebSocket, each in a thread of this process, with the faults of programs and of connections."""

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator

from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from jantaku.players.broken.programs.mind import Waiting
from jantaku.players.broken.programs.vices import VICES, Saying

_RESET = struct.pack("ii", 1, 0)
"""The SO_LINGER value with which closing a socket resets its connection."""
_GOODBYE = 1.0
"""Seconds that the other side has to agree to the end of a connection."""


class Client:
    """Plays Majiang 1.x at `url` until the server closes the connection. After `hang` it only waits to be released."""

    def __init__(self, url: str, vice: str, moment: str, too_long: float) -> None:
        self.url = url
        self.released = threading.Event()
        """Set to release a client that hangs."""
        self._vice, self._moment, self._too_long = vice, moment, too_long
        self._again = False
        """Whether it reconnects once after its connection has ended."""
        self._mute = False
        """Whether it has stopped sending."""
        self._thread = threading.Thread(target=self._run, name="broken client", daemon=True)
        if vice != "never_connects":
            self._thread.start()

    def play(self) -> None:
        """Wait until it has ended by itself."""
        if self._thread.ident is not None:
            self._thread.join()

    def join(self) -> None:
        """Release it, and wait for its end."""
        self.released.set()
        if self._thread.ident is not None:
            self._thread.join(2 * _GOODBYE)

    def _run(self) -> None:
        self._play(self._moment)
        if self._again:
            self._play("over")

    def _play(self, moment: str) -> None:
        with contextlib.suppress(ConnectionClosed, OSError), self._connect("key") as connection:
            broken = Waiting(
                self._vice, moment, "majiang", lambda line: connection.send(line, text=True), self._too_long
            )
            for message in connection:
                assert isinstance(message, str)
                saying, is_moment = broken.take(message.encode())
                if saying is None or self._mute:
                    continue
                if is_moment and self._vice in FRAMES:
                    FRAMES[self._vice](self, connection, saying)
                else:
                    # messages of a WebSocket are not lines
                    for line in broken.say(saying, is_moment).splitlines(keepends=True):
                        connection.send(line, text=True)

    def _connect(self, key: str) -> ClientConnection:
        return connect(f"{self.url}&key={key}", compression=None, max_size=None, close_timeout=_GOODBYE)

    # --- vices

    def hang(self, connection: ClientConnection, saying: Saying) -> None:
        """Stop reading and writing, and do not notice when the other side closes."""
        self.released.wait()
        connection.socket.close()

    def send_no_pong(self, connection: ClientConnection, saying: Saying) -> None:
        """Go on reading, but send neither messages nor pongs."""
        self._mute = True
        send = connection.protocol.send_frame

        def send_others(frame: Frame) -> None:
            if frame.opcode is not Opcode.PONG:
                send(frame)

        connection.protocol.send_frame = send_others  # type: ignore[method-assign]

    def send_half_a_message(self, connection: ClientConnection, saying: Saying) -> None:
        """Send half a message, and nothing after it."""
        self._mute = True
        with connection.send_context():
            connection.protocol.send_text(saying.reply[:5], fin=False)

    def close(self, connection: ClientConnection, saying: Saying) -> None:
        """Close with a close frame."""
        connection.close()

    def reset(self, connection: ClientConnection, saying: Saying) -> None:
        """Reset the TCP connection, as soon as the reading thread has closed the socket."""
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        connection.socket.shutdown(socket.SHUT_RD)

    def cut(self, connection: ClientConnection, saying: Saying) -> None:
        """End the stream without a close frame."""
        connection.socket.shutdown(socket.SHUT_RDWR)

    def come_back(self, connection: ClientConnection, saying: Saying) -> None:
        """Close in the middle of a decision, and reconnect."""
        self._again = True
        connection.close()

    def send_a_second(self, connection: ClientConnection, saying: Saying) -> None:
        """Let another connection claim the same seat, then reply."""
        with self._connect("another") as second:
            with contextlib.suppress(ConnectionClosed):
                second.recv(_GOODBYE)
            assert second.close_code == 1008, "the seat was given to somebody else"
        connection.send(saying.reply, text=True)


def _frames(make: Callable[[Saying], Iterator[str | bytes]]) -> "Callable[[Client, ClientConnection, Saying], None]":
    def send(client: Client, connection: ClientConnection, saying: Saying) -> None:
        for frame in make(saying):
            connection.send(frame)

    return send


def _send_in_fragments(client: Client, connection: ClientConnection, saying: Saying) -> None:
    text = saying.reply.decode()
    connection.send([text[:3], text[3:5], text[5:]])


FRAMES: "dict[str, Callable[[Client, ClientConnection, Saying], None]]" = {
    "never_connects": Client.hang,
    "hangs": Client.hang,
    "sends_no_pong": Client.send_no_pong,
    "closes": Client.close,
    "resets": Client.reset,
    "is_cut_off": Client.cut,
    "comes_back_in_the_middle": Client.come_back,
    "has_a_double": Client.send_a_second,
    "sends_in_fragments": _send_in_fragments,
    "stops_in_the_middle_of_a_frame": Client.send_half_a_message,
    "sends_a_binary_frame": _frames(lambda saying: iter([saying.reply])),
    "sends_a_huge_frame": _frames(lambda saying: iter(["m" * (20 << 20)])),
    "floods_without_a_pause": _frames(lambda saying: iter(["still thinking"] * 3000)),
}
"""Vices of a connection; all others are vices of a program."""

assert not set(FRAMES) & set(VICES) - {"hangs"}, "a vice has two meanings"
