"""Serves the viewer's page on localhost, only for the user of this machine."""

import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.records.view import guard
from jantaku.table.records.view.page import Book, Entry, Viewed, page

HOST = "127.0.0.1"
LARGEST = 64 << 20
"""The most bytes of a file that can be opened in the page."""
MOST = 200
"""The most files that can be opened in a page: they are kept in memory."""
Reads = Callable[[str, bytes], Entry]
"""Reads a file that is opened in the page, by its name and content. Raises BadInput if it cannot be shown."""
_RECORD = re.compile(r"/record/([0-9]{1,9})\.json")
_OPENED = "/record"
_LENGTH = re.compile(r"[0-9]{1,12}")


class PageServer(ThreadingHTTPServer):
    """Serves a page at `/` and records at `/record/0.json`, …, each made on the first request. The page itself may post
    a file to `/record?name=NAME`: it is read with `reads` and is a record from then on."""

    daemon_threads = True
    request_queue_size = 128
    """The socket's backlog: large enough that a flood is over before the browser gives up."""

    def __init__(
        self,
        port: int,
        shown: Sequence[Viewed],
        game: str = "riichi",
        troubles: Sequence[str] = (),
        reads: Reads | None = None,
    ) -> None:
        super().__init__((HOST, port), _Handler)
        self._shown, self._game, self._troubles, self._reads = shown, game, troubles, reads
        self._entries = [Entry(record.head, path=_path(number)) for number, record in enumerate(shown)]
        self._made: dict[int, bytes] = {}
        self._opening = threading.Lock()
        """Held while a file is read: each may take much memory, so they are read one after another."""

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    @property
    def hosts(self) -> tuple[str, str]:
        """The values of the Host header that this machine's browser sends."""
        return f"{HOST}:{self.server_port}", f"localhost:{self.server_port}"

    def page(self) -> tuple[bytes, str]:
        """Return the page with all records so far, and its policy."""
        opens = LARGEST if self._reads else 0
        whole = page(Book(tuple(self._entries), troubles=self._troubles, opens=opens), self._game)
        return whole.content, whole.policy

    def record(self, number: int) -> bytes | None:
        """Return the items of a record as JSON; None if there is no such record."""
        if number not in self._made and 0 <= number < len(self._shown):
            self._made[number] = msgspec.json.encode(self._shown[number].stream()[0])
        return self._made.get(number)

    def opened(self, name: str, content: bytes) -> Entry:
        """Add a file that is opened in the page as a record, and return its entry. Raises BadInput if it cannot be
        shown."""
        if self._reads is None:
            raise BadInput("this page opens no files")
        with self._opening:
            number = len(self._entries)
            if number - len(self._shown) >= MOST:
                raise BadInput(f"{MOST} files are open here; start jantaku view again for more")
            read = self._reads(name, content)
            self._made[number] = msgspec.json.encode(read.items)
            self._entries.append(Entry(read.head, path=_path(number)))
            return self._entries[number]

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore connections that are closed early; log all other errors, which are defects of ours."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def _path(number: int) -> str:
    return f"record/{number}.json"


class _Handler(BaseHTTPRequestHandler):
    timeout = 30
    """Seconds after which a silent connection is closed."""
    server: PageServer

    def do_GET(self) -> None:
        if not self._is_asked_by_its_name():
            return
        path = self.path.partition("?")[0]
        if path == "/":
            content, policy = self.server.page()
            self._send(content, "text/html; charset=utf-8", guard.headers(policy))
            return
        number = _RECORD.fullmatch(path)
        found = self.server.record(int(number[1])) if number else None
        if found is None:
            self.send_error(404, "There is nothing here")
        else:
            self._send(found, "application/json", guard.HEADERS)

    def do_POST(self) -> None:
        if not self._is_asked_by_its_name():
            return
        if self.headers.get("Origin") != f"http://{self.headers['Host']}":
            # the request comes from another site, or not from a browser
            self.send_error(403, "Files are opened by the page itself only")
            return
        path, _, query = self.path.partition("?")
        if path != _OPENED:
            self.send_error(404, "There is nothing here")
            return
        length = self.headers.get("Content-Length", "")
        if not _LENGTH.fullmatch(length):
            self.send_error(411, "The length of the file is missing")
        elif int(length) > LARGEST:
            self.send_error(413, f"A file of more than {LARGEST >> 20} MiB is not read")
        else:
            self._open(parse_qs(query).get("name", [""])[0], int(length))

    def _open(self, name: str, length: int) -> None:
        content = self.rfile.read(length)
        if len(content) < length:
            self.send_error(400, "The file did not come whole")
            return
        try:
            told = msgspec.json.encode(self.server.opened(name, content))
            self._send(told, "application/json", guard.HEADERS)
        except BadInput as error:
            told = msgspec.json.encode({"error": str(error)})
            self._send(told, "application/json", guard.HEADERS, HTTPStatus.UNPROCESSABLE_ENTITY)

    def _is_asked_by_its_name(self) -> bool:
        """Whether the request names this machine (a guard against DNS rebinding); otherwise refuse it."""
        ours = self.headers.get("Host") in self.server.hosts
        if not ours:
            self.send_error(403, "This page is served under the name of this machine only")
        return ours

    def _send(self, content: bytes, kind: str, headers: Mapping[str, str], status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: a line for each request would drown the command's output."""
