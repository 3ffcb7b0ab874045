"""Attacks at the port of net play: packets and requests that no client sends, and floods of them that would fill its
memory or the operator's terminal. Only against this machine, and bounded in number and time."""

import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import quote

from websockets.exceptions import InvalidHandshake, WebSocketException
from websockets.sync.client import connect

from scripts.attacks.floods import NET_PLAY, net_play_port
from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.serving import Serving
from scripts.attacks.servers import memory_of
from scripts.doors.line import cookie_at

SECONDS = 8.0
"""Seconds of a flood."""
SOON = 2.0
"""Seconds in which an honest client must be served meanwhile."""
GROWTH = 15.0
"""Megabytes by which the server may grow in a long flood."""
LINES = 40
"""Most lines in the log: twenty at once, then one in five seconds."""
PATH = "/server/socket.io/?EIO=4&transport="
ESCAPE = "\x1b]0;PWNED\x07\x1b[2J"
PLACEHOLDER = '-["GAME",{"_placeholder":true,"num":0}]'
PACKETS: tuple[str | bytes, ...] = (
    *("4", "49", "4x", "42", "42[", "42{}", "42[]", '42["GAME",' + "[" * 5000, '44{"message":1}', "7", "9", "bAAAA"),
    *("\0", "x", "", "43[]", "40/x,", "6", "0{}", "42" + "9" * 50 + '["ROOM"]', ESCAPE, "40", b"\x04abc"),
    *(f"4510000000000{PLACEHOLDER}", f"459999999{PLACEHOLDER}", f"461{PLACEHOLDER}"),
    *('42["connect"]', '42["disconnect"]', '42["ROOM","\\ud800"]', '42["GAME",NaN]', f'42["ROOM","{ESCAPE!r}"]'),
)
FORMS = {
    "in a charset that there is not": ("name=a&passwd=b", "application/x-www-form-urlencoded; charset=nope"),
    "of parts without a boundary": ("--x", "multipart/form-data"),
    "of no UTF-8": ("name=%ff&passwd=b", "application/x-www-form-urlencoded"),
    "of 1,000 fields": ("name=a&passwd=b" + "&x=1" * 1000, "application/x-www-form-urlencoded"),
    "with an escape sequence as its kind": ("name=a&passwd=b", "text/\x1b[2J"),
}
_MESSAGES = (WebSocketException, InvalidHandshake, OSError, TimeoutError, HTTPException)


def attacks() -> Iterator[Attack]:
    yield attack("packets that no client says", spoken, PACKETS).but(seconds=60)
    for what, (body, kind) in FORMS.items():
        yield attack(f"a login {what}", asked, body, kind)
    for what, flood in FLOODS.items():
        yield attack(f"{SECONDS:g} s of {what}", flooded, flood, SECONDS).but(seconds=90, alone=True)


def spoken(folder: Path, said: tuple[str | bytes, ...]) -> str:
    """Send each packet on a connection of its own."""
    with Serving(*NET_PLAY, cwd=folder) as served:
        port = net_play_port(served)
        for packet in said:
            with _connected(port) as send, contextlib.suppress(*_MESSAGES):
                send(packet)
        longest = is_served(port)
        quiet(served)
    return f"the next is served after {longest * 1000:.0f} ms"


def asked(folder: Path, body: str, kind: str) -> None:
    """The request is refused, with at most a line in the log."""
    with Serving(*NET_PLAY, cwd=folder) as served:
        port = net_play_port(served)
        request = f"POST /server/auth/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
        with socket.create_connection(("127.0.0.1", port), SOON) as line:
            line.sendall(f"{request}Content-Length: {len(body)}\r\n\r\n{body}".encode())
            told = line.recv(4096)
        if not told.startswith(b"HTTP/1.1 400 ") and not told.startswith(b"HTTP/1.0 400 "):
            raise Failed(f"answered with {told[:200]!r}")
        quiet(served, 1)


def quiet(served: Serving, most: int = LINES) -> None:
    """Check for no traceback, no escape sequence, few lines, and nothing of what was sent."""
    ran = served.so_far().clean()
    lines = ran.err.splitlines()
    if len(lines) > most or any(word in ran.err for word in ("PWNED", "placeholder", "nope", "defect")):
        raise ran.failed(f"{len(lines)} lines")


# --- floods


def flooded(folder: Path, flood: Callable[[int, float], int], seconds: float) -> str:
    """Memory stays bounded, and an honest client is served meanwhile: login, connection, room."""
    with Serving(*NET_PLAY, cwd=folder) as served, ThreadPoolExecutor(3) as visitors:
        port, until = net_play_port(served), time.monotonic() + 2
        warm = [visitors.submit(flood, port, until) for _ in range(2)]
        count = sum(one.result() for one in warm)
        before, times, until = memory_of(served.process.pid), list[float](), time.monotonic() + seconds
        running = [visitors.submit(flood, port, until) for _ in range(2)]
        while time.monotonic() < until:
            times.append(is_served(port))
            time.sleep(0.2)
        count += sum(one.result() for one in running)
        after = memory_of(served.process.pid)
        quiet(served, LINES + int(seconds / 5))
    told = (
        f"{count} sent, {before:.1f} MB before and {after:.1f} MB after {seconds:g} s, {len(times)} honest ones served"
    )
    told += f" within {max(times) * 1000:.0f} ms"
    if after - before > GROWTH:
        raise Failed(told)
    return told


def is_served(port: int) -> float:
    """Return the seconds until a client has logged in, connected and entered a room. Failed if that takes too long."""
    began = time.monotonic()
    while time.monotonic() - began < SOON:
        with contextlib.suppress(*_MESSAGES), _connected(port) as send:
            if "room_no" in send('42["ROOM"]'):
                return time.monotonic() - began
    raise Failed(f"nobody is served within {SOON:g} s")


@contextlib.contextmanager
def _connected(port: int) -> Iterator[Callable[[str | bytes], str]]:
    """Connect a client; yield a function that sends a packet and returns the next one."""
    headers = {"Cookie": f"MAJIANG={cookie_at(port)}"}
    url = f"ws://127.0.0.1:{port}{PATH}websocket"
    with connect(url, compression=None, close_timeout=0.2, additional_headers=headers) as line:
        line.send("40")
        while not str(line.recv(SOON)).startswith('42["HELLO"'):
            pass

        def send(packet: str | bytes) -> str:
            line.send(packet)
            return str(line.recv(SOON))

        yield send


def _attachments(port: int, until: float) -> int:
    """Announce binary attachments that never come."""
    count = 0
    while time.monotonic() < until:
        with contextlib.suppress(*_MESSAGES), _connected(port) as send:
            with contextlib.suppress(TimeoutError):
                count += 1
                send(f"459999999{PLACEHOLDER}")
            while time.monotonic() < until:
                send(bytes(16000))
    return count


def _logins(port: int, until: float) -> int:
    """Log in over and over from one address."""
    count = 0
    while time.monotonic() < until:
        with contextlib.suppress(*_MESSAGES):
            count += bool(cookie_at(port))
    return count


def _junk(port: int, until: float) -> int:
    """Send packet after packet; reconnect after each that ends the connection."""
    count = 0
    while time.monotonic() < until:
        with contextlib.suppress(*_MESSAGES), _connected(port) as send:
            send(PACKETS[count % len(PACKETS)])
        count += 1
    return count


def _polls(port: int, until: float) -> int:
    """Poll unknown sessions, and new ones that ask for nothing."""
    count = 0
    while time.monotonic() < until:
        with (
            contextlib.suppress(*_MESSAGES),
            contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=SOON)) as line,
        ):
            session = "" if count % 2 else f"&sid={quote(ESCAPE)}{count}"
            line.request("GET", f"{PATH}polling{session}")
            line.getresponse().read()
        count += 1
    return count


FLOODS = {
    "binary attachments": _attachments,
    "logins without a connection": _logins,
    "packets that no client says": _junk,
    "polls of sessions that there are not": _polls,
}
