"""Attacks on the page of `jantaku view`: requests that no browser would send, and pages of other sites."""

import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.command import forked
from scripts.attacks.kit.serving import Serving

Request = bytes
REQUESTS: dict[str, Request] = {
    "nothing but a line's end": b"\r\n\r\n",
    "no version": b"GET /\r\n\r\n",
    "a version of words": b"GET / HTTP/x\r\n\r\n",
    "version 9": b"GET / HTTP/9.9\r\n\r\n",
    "a method that is none": b"EXPLODE / HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "POST": b"POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\n\r\nhello",
    **{
        f"a file that is opened, {what}": b"POST /record?name="
        + name
        + b" HTTP/1.1\r\nHost: HOST\r\n"
        + head
        + b"\r\n{}"
        for what, name, head in (
            ("without an origin", b"a", b"Content-Length: 2\r\n"),
            ("from another site", b"a", b"Origin: http://evil.example\r\nContent-Length: 2\r\n"),
            ("that is no record", b"a", b"Origin: http://HOST\r\nContent-Length: 2\r\n"),
            ("above the folder", b"..%2f..%2fa%00", b"Origin: http://HOST\r\nContent-Length: 2\r\n"),
            ("that is not UTF-8", b"%ff%fe", b"Origin: http://HOST\r\nContent-Length: 2\r\n"),
            ("that is shorter than said", b"a", b"Origin: http://HOST\r\nContent-Length: 9999\r\n"),
            ("that is too large", b"a", b"Origin: http://HOST\r\nContent-Length: 99999999999\r\n"),
            ("of no length", b"a", b"Origin: http://HOST\r\n"),
        )
    },
    "PUT": b"PUT /record/0.json HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n",
    "CONNECT": b"CONNECT example.org:80 HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a whole address": b"GET http://example.org/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a path of NUL": b"GET /\0 HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a path of 60,000 characters": b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a path of 200,000 characters": b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a path that is no address": b"GET //[ HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a path above": b"GET /" + b"../" * 4 + b"etc/passwd HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a path above in code": b"GET /record/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a path above with backslashes": b"GET /..\\..\\etc\\passwd HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a record of 5,000 digits": b"GET /record/" + b"9" * 5000 + b".json HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a record below zero": b"GET /record/-1.json HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a record that is not there": b"GET /record/7.json HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a record in other digits": "GET /record/\u0660.json HTTP/1.1\r\nHost: HOST\r\n\r\n".encode(),
    "300 headers": b"GET / HTTP/1.1\r\nHost: HOST\r\n" + b"X: y\r\n" * 300 + b"\r\n",
    "a header of 100,000 characters": b"GET / HTTP/1.1\r\nHost: HOST\r\nX: " + b"y" * 100_000 + b"\r\n\r\n",
    "a header without a colon": b"GET / HTTP/1.1\r\nHost: HOST\r\nnonsense\r\n\r\n",
    "two lengths": b"GET / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 9\r\n\r\nx",
    "chunks without end": b"GET / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
    "an upgrade": b"GET / HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "a range": b"GET / HTTP/1.1\r\nHost: HOST\r\nRange: bytes=0-0,1-1,-1\r\n\r\n",
    "a greeting of TLS": bytes.fromhex("16030100a5010000a10303") + bytes(160),
    "noise": bytes(range(256)) * 16,
    "a line's end in the path": b"GET /%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "folded headers": b"GET / HTTP/1.1\r\nHost: HOST\r\nX: a\r\n b\r\n\tc\r\n\r\n",
    "fifty requests at once": b"GET / HTTP/1.1\r\nHost: HOST\r\n\r\n" * 50,
}
FOREIGN = ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "[::1].evil.example", "", "0.0.0.0", "a" * 5000)
"""Host names under which another site's page may reach this machine (DNS rebinding)."""
PAGE = ("play", "--length", "one", "--threads", "inline", "--seed", "1", "--quiet", "--out", "games")


def attacks() -> Iterator[Attack]:
    for what, request in REQUESTS.items():
        yield attack(f"the page is asked with {what}", asked, request)
    for host in FOREIGN:
        yield attack(f"the page is asked for under the name {host[:30]!r}", asked_as, host)
    for what, abuse in ABUSES.items():
        yield attack(f"the page's port: {what}", abused, abuse).but(seconds=60.0, quick=abuse is _half)
    for what, put in {"a file": _file, "a link to nowhere": _link, "a folder": _folder}.items():
        yield attack(f"view --export over {what}", exported_over, put).but(quick=put is _link)


def _serving(folder: Path) -> Serving:
    forked(*PAGE, cwd=folder).fine()
    return Serving("view", "games/game-0000.jsonl", "--no-browser", cwd=folder)


def _still_serves(served: Serving) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=5)
    connection.request("GET", "/record/0.json")
    answer = connection.getresponse()
    if answer.status != 200 or b"qipai" not in answer.read():
        raise Failed(f"afterwards the record is answered with {answer.status}")
    connection.close()


def asked(folder: Path, request: Request) -> None:
    """The request is answered or disconnected, without any file of the host and without a traceback; the page keeps
    working."""
    with _serving(folder) as served:
        with socket.create_connection(("127.0.0.1", served.port), timeout=5) as line:
            line.sendall(request.replace(b"HOST", f"127.0.0.1:{served.port}".encode()))
            line.shutdown(socket.SHUT_WR)
            answer = b""
            try:
                while piece := line.recv(1 << 16):
                    answer += piece
            except ConnectionResetError:
                pass
            except TimeoutError:
                raise Failed("neither an answer nor an end after 5 s") from None
        if b"root:" in answer or b"Set-Cookie" in answer.partition(b"\r\n\r\n")[0]:
            raise Failed(f"answered with {answer[:300]!r}")
        _still_serves(served)


def asked_as(folder: Path, host: str) -> None:
    """Requests with a foreign Host get nothing."""
    with _serving(folder) as served:
        for path in ("/", "/record/0.json"):
            with socket.create_connection(("127.0.0.1", served.port), timeout=5) as line:
                line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                head = line.recv(1 << 12).partition(b"\r\n")[0]
            if b" 200 " in head:
                raise Failed(f"{path} is served under the name {host[:50]!r}: {head!r}")
        _still_serves(served)


def _idle(port: int) -> None:
    lines = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(300)]
    time.sleep(0.5)
    for line in lines:
        line.close()


def _half(port: int) -> None:
    lines = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(100)]
    for line in lines:
        line.sendall(b"GET / HTTP/1.1\r\nHo")
    threading.Event().wait(0.5)


def _resets(port: int) -> None:
    for _ in range(200):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            line.sendall(b"GET / HTTP/1.1\r\n\r\n")


def _unread(port: int) -> None:
    for _ in range(50):
        line = socket.create_connection(("127.0.0.1", port), timeout=5)
        line.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode() * 20)


ABUSES: dict[str, Callable[[int], None]] = {
    "300 connections that say nothing": _idle,
    "100 requests that stop in the middle": _half,
    "200 connections that are reset": _resets,
    "50 readers that never read": _unread,
}


def abused(folder: Path, abuse: Callable[[int], None]) -> None:
    """Another client is served afterwards."""
    with _serving(folder) as served:
        abuse(served.port)
        _still_serves(served)


def _file(path: Path) -> None:
    path.write_text("mine")


def _link(path: Path) -> None:
    path.symlink_to("elsewhere")


def _folder(path: Path) -> None:
    path.mkdir()


def exported_over(folder: Path, put: Callable[[Path], None]) -> None:
    """The export is refused; what is there stays."""
    forked(*PAGE, cwd=folder).fine()
    put(folder / "out.html")
    forked("view", "games/game-0000.jsonl", "--export", "out.html", cwd=folder).refused()
    if (folder / "elsewhere").exists():
        raise Failed("written through a link")
    if (folder / "out.html").is_file() and (folder / "out.html").read_text() != "mine":
        raise Failed("somebody's file was overwritten")
