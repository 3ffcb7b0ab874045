"""Serves the viewer's page on localhost, for the user of this machine only."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from table.view import guard
from table.view.page import WholePage

HOST = "127.0.0.1"
_RECORD = re.compile(r"/record/([0-9]{1,9})\.json")


class PageServer(ThreadingHTTPServer):
    """Serves a page at `/` and records at `/record/0.json`, …, each made when it is first asked for."""

    daemon_threads = True
    request_queue_size = 128
    """Backlog of the socket: a flood is over before the browser gives up."""

    def __init__(self, port: int, page: WholePage, records: Sequence[Callable[[], bytes]]) -> None:
        super().__init__((HOST, port), _Handler)
        self.page = page
        self._records = records
        self._made: dict[int, bytes] = {}

    @property
    def address(self) -> str:
        """URL of the page."""
        return f"http://{HOST}:{self.server_port}/"

    def record(self, number: int) -> bytes | None:
        """The items of a record as JSON; None if there is no such record."""
        if not 0 <= number < len(self._records):
            return None
        if number not in self._made:
            self._made[number] = self._records[number]()
        return self._made[number]

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore connections that are closed early; log everything else, which is a defect of ours."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    timeout = 30
    """Seconds after which a silent connection is closed."""

    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, PageServer)
        if self.headers.get("Host") not in (f"{HOST}:{server.server_port}", f"localhost:{server.server_port}"):
            self.send_error(403, "This page is served under the name of this machine only")  # DNS rebinding
            return
        path = self.path.partition("?")[0]
        if path == "/":
            self._send(server.page.content, "text/html; charset=utf-8", guard.headers(server.page.policy))
            return
        number = _RECORD.fullmatch(path)
        found = server.record(int(number[1])) if number else None
        if found is None:
            self.send_error(404, "There is nothing here")
        else:
            self._send(found, "application/json", guard.HEADERS)

    def _send(self, content: bytes, kind: str, headers: Mapping[str, str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """No line for each request: they would drown the command's output."""
