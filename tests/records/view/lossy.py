"""A network between a page and a server that can be lost: bytes stay on their way until it is found again."""

import contextlib
import socket
import threading


class LossyNetwork:
    """Carries connections to a port of this machine, to be used with `with`. Nobody is told when it is lost."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._there = threading.Event()
        self._there.set()

    @property
    def port(self) -> int:
        number: int = self._listening.getsockname()[1]
        return number

    def __enter__(self) -> "LossyNetwork":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._there.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def lose(self) -> None:
        """Nothing gets through from now on, not even that a side has hung up."""
        self._there.clear()

    def find(self) -> None:
        """What waited arrives."""
        self._there.set()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        with near, socket.create_connection(("127.0.0.1", self._port)) as far:
            back = threading.Thread(target=self._carry, args=(far, near), daemon=True)
            back.start()
            self._carry(near, far)
            back.join()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                self._there.wait()
                sink.sendall(data)
        self._there.wait()
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
