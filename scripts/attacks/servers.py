"""Attacks on `jantaku serve` and `jantaku daifugo`: slots, seats, hostile HTTP. Only against 127.0.0.0/8, which is this
machine, and bounded in number and time."""

import contextlib
import json
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.serving import Serving

SOON = 2.0
"""Seconds in which a new client must be served after anything that came before."""
SERVERS = {"serve": ("serve", "--out", "out"), "daifugo": ("daifugo",)}
PLAY = {"serve": "/play/{room}?name={name}", "daifugo": "/play/A/{room}?name={name}"}
WATCH = {"serve": "/watch/{room}", "daifugo": "/monitor/{room}"}
START = {"serve": '{"start": ["tsumogiri"]}', "daifugo": '{"Kind": "Start"}'}
UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
VERSION = "Sec-WebSocket-Version: 13\r\n"
REQUESTS = {
    "a path that is none": "GET //[ HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a Host that is none": "GET / HTTP/1.1\r\nHost: [\r\n\r\n",
    "two Hosts": f"GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n{UPGRADE}{VERSION}\r\n",
    "an Origin that is none": f"GET / HTTP/1.1\r\nHost: HOST\r\nOrigin: http://[\r\n{UPGRADE}{VERSION}\r\n",
    "two Origins": f"GET / HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nOrigin: x\r\n{UPGRADE}{VERSION}\r\n",
    "two Upgrades": f"GET / HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\n{UPGRADE}{VERSION}\r\n",
    "two versions": f"GET / HTTP/1.1\r\nHost: HOST\r\n{UPGRADE}{VERSION}{VERSION}\r\n",
    "no version": f"GET / HTTP/1.1\r\nHost: HOST\r\n{UPGRADE}\r\n",
    "POST": "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 2\r\n\r\nhi",
    "noise": "\x00\x01\x02\r\n\r\n",
    "1,000 headers": "GET / HTTP/1.1\r\nHost: HOST\r\n" + "".join(f"X-{n}: 1\r\n" for n in range(1000)) + "\r\n",
    "a header of 100,000 bytes": f"GET / HTTP/1.1\r\nHost: HOST\r\nX: {'a' * 100_000}\r\n\r\n",
    "a path of 100,000 bytes": f"GET /{'a' * 100_000} HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "a page that is not there": "GET /%2e%2e/%2e%2e/passwd HTTP/1.1\r\nHost: HOST\r\n\r\n",
}
HOSTS = ("evil.example", "evil.example:PORT", "127.0.0.1.evil.example:PORT", "localhost.evil.example", "0x7f.1.evil")
ORIGINS = ("http://evil.example", "https://127.0.0.1.evil.example", "null", "http://127.0.0.1:1", "file://", "http://")


def attacks() -> Iterator[Attack]:
    for server in SERVERS:
        for what, request in REQUESTS.items():
            yield attack(f"{server} is asked {what}", asked, server, request)
        yield attack(f"{server} under {len(HOSTS)} names that are not ours", named, server)
        yield attack(f"{server} from {len(ORIGINS)} pages that are not ours", from_page, server)
        yield attack(f"{server}: watchers of four addresses take all that they can", watched, server)
        yield attack(f"{server}: one visitor opens rooms and leaves", opened, server)
        yield attack(f"{server}: one visitor begins games and leaves", begun, server)
        yield attack(f"{server}: a seat is taken by its name", seated, server)
        for what, frames in FRAMES.items():
            yield attack(f"{server}: {what} while others play", framed, server, frames)
        yield attack(f"{server}: SIGTERM with 30 clients", ended, server).but(quick=server == "serve")
        yield attack(f"{server}: 2,000 rooms one after another", many, server).but(seconds=400, alone=True)
    yield attack("daifugo: a player looks on at its own game", looked_on)
    yield attack("daifugo: 100 guesses of the operator's token", guessed)
    yield attack("serve: a visitor plays on until the disk is full", filled)


# --- clients


def _url(served: Serving, kind: str, room: str, name: str, more: str = "") -> str:
    return served.at(PLAY[kind].format(room=room, name=name) + more)


def _client(url: str, source: str = "127.0.0.1") -> ClientConnection:
    return connect(url, compression=None, source_address=(source, 0), close_timeout=1, open_timeout=SOON)


def _is_let_in(url: str, source: str = "127.0.0.1") -> bool:
    """Return whether a client gets a seat."""
    try:
        with _client(url, source) as client:
            message = client.recv(0.3)
            return "Exception" not in str(message)
    except TimeoutError:
        return True
    except (ConnectionClosed, InvalidStatus, OSError):
        return False


def serves(served: Serving, kind: str) -> float:
    """Return the seconds until a new client is served. Failed if it takes too long."""
    began = time.monotonic()
    while time.monotonic() - began < SOON:
        with contextlib.suppress(OSError, InvalidStatus), _client(_url(served, kind, "honest", "h")):
            return time.monotonic() - began
    raise Failed(f"a new client is not served within {SOON:g} s")


def answer(served: Serving, request: str) -> bytes:
    """Return the whole answer to a request."""
    with socket.create_connection((served.host, served.port), timeout=10) as line:
        answer = b""
        with contextlib.suppress(ConnectionError):
            line.sendall(request.replace("HOST", f"{served.host}:{served.port}").encode())
            while piece := line.recv(1 << 16):
                answer += piece
        return answer


# --- HTTP


def asked(folder: Path, kind: str, request: str) -> None:
    """The request is refused, with at most a line in the log."""
    with Serving(*SERVERS[kind], cwd=folder) as served:
        told = answer(served, request)
        if not told.startswith((b"HTTP/1.1 4", b"HTTP/1.1 5")) or told.startswith(b"HTTP/1.1 500"):
            raise Failed(f"answered with {told[:200]!r}")
        serves(served, kind)
        if served.so_far().clean().err.count("\n") > 1:
            raise served.so_far().failed("more than a line")


def named(folder: Path, kind: str) -> None:
    """Try DNS rebinding: a foreign name resolves to this machine, for pages and WebSockets."""
    with Serving(*SERVERS[kind], cwd=folder) as served:
        for host in HOSTS:
            for path in ("/watch/r", "/", "/play/A/r?name=x"):
                for upgrade in ("", UPGRADE + VERSION):
                    name = host.replace("PORT", str(served.port))
                    told = answer(served, f"GET {path} HTTP/1.1\r\nHost: {name}\r\n{upgrade}\r\n")
                    if not told.startswith(b"HTTP/1.1 403"):
                        raise Failed(f"{path} is served as {name}: {told[:100]!r}")


def from_page(folder: Path, kind: str) -> None:
    """Try cross-site WebSocket hijacking."""
    with Serving(*SERVERS[kind], cwd=folder) as served:
        for origin in ORIGINS:
            request = f"GET /play/A/r?name=x HTTP/1.1\r\nHost: HOST\r\nOrigin: {origin}\r\n{UPGRADE}{VERSION}\r\n"
            told = answer(served, request)
            if not told.startswith(b"HTTP/1.1 403"):
                raise Failed(f"a page of {origin} connects: {told[:100]!r}")


# --- slots, rooms, seats


def watched(folder: Path, kind: str) -> None:
    """Onlookers take no player's place."""
    with Serving(*SERVERS[kind], cwd=folder) as served, contextlib.ExitStack() as stack:
        stack.enter_context(_client(_url(served, kind, "r", "a")))
        for number in range(240):
            with contextlib.suppress(InvalidStatus):
                url = served.at(WATCH[kind].format(room="r"))
                stack.enter_context(_client(url, f"127.0.0.{2 + number % 4}"))
        serves(served, kind)


def opened(folder: Path, kind: str) -> None:
    """Others still find a room, while the visitor holds all that it can and after it has left."""
    with Serving(*SERVERS[kind], cwd=folder) as served:
        with contextlib.ExitStack() as stack:
            for number in range(120):
                with contextlib.suppress(InvalidStatus):
                    client = stack.enter_context(_client(_url(served, kind, f"x{number}", "x")))
                    if number % 2:
                        client.close()
            if not _is_let_in(_url(served, kind, "y", "y"), "127.0.0.2"):
                raise Failed("no room for another address")
        time.sleep(0.1)
        if not _is_let_in(_url(served, kind, "z", "x")):
            raise Failed("no room for the same address after it has left all")


def begun(folder: Path, kind: str) -> str:
    """An honest visitor is admitted each time."""
    with Serving(*SERVERS[kind], "--max-rooms", "10", cwd=folder) as served:
        let_in = 0
        for number in range(60):
            _begin_and_leave(served, kind, number)
            if number % 5 == 4:
                let_in += _is_let_in(_url(served, kind, f"y{number}", "y"), "127.0.0.2")
        if let_in < 12:
            raise Failed(f"let in {let_in} times of 12")
    return "let in 12 times of 12"


def seated(folder: Path, kind: str) -> None:
    """A name alone is not enough to take a seat, or to end its client's connection."""
    with Serving(*SERVERS[kind], cwd=folder) as served:
        for key in ("", "&key=mine"):
            room = f"r{len(key)}"
            with _client(_url(served, kind, room, "victim", key)) as victim:
                time.sleep(0.2)
                for guess in ("", "&key=", "&key=Mine", "&key=mine%00", "&key=guess"):
                    url = _url(served, kind, room, "victim", guess)
                    with contextlib.suppress(ConnectionClosed, TimeoutError), _client(url) as thief:
                        thief.recv(0.1)
                try:
                    victim.send(START[kind])
                    victim.recv(5)
                except ConnectionClosed as closed:
                    raise Failed(f"the victim is sent away: {closed}") from None


# --- who is connected

FRAMES = {
    "50,000 pings": b"\x89\x80\0\0\0\0" * 50_000,
    "50,000 fragments": b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 50_000,
    "50,000 empty messages": b"\x81\x80\0\0\0\0" * 50_000,
    "pongs that nobody asked for": b"\x8a\x80\0\0\0\0" * 50_000,
    "a frame of 2**62 bytes": b"\x81\xff" + b"\x3f" + b"\xff" * 7 + b"\0" * 4 + b"x" * 10_000,
    "reserved bits": b"\xf1\x80\0\0\0\0",
    "text that is no UTF-8": b"\x81\x82\0\0\0\0\xff\xff",
}


def framed(folder: Path, kind: str, frames: bytes) -> str:
    """Another client is answered meanwhile."""
    longest = 0.0
    with Serving(*SERVERS[kind], cwd=folder) as served, _client(_url(served, kind, "honest", "h")) as honest:
        for number in range(5):
            with _client(_url(served, kind, f"x{number}", "x")) as flood, contextlib.suppress(OSError):
                flood.socket.sendall(frames)
                began = time.monotonic()
                honest.send("{}")
                honest.recv(SOON)
                longest = max(longest, time.monotonic() - began)
    return f"answered within {longest * 1000:.0f} ms"


def ended(folder: Path, kind: str) -> None:
    """Every connection is closed with 1001, and the exit code names the signal."""
    with contextlib.ExitStack() as stack:
        served = Serving(*SERVERS[kind], "--max-rooms-per-address", "30", cwd=folder)
        clients = [stack.enter_context(_client(_url(served, kind, f"r{n}", "x"))) for n in range(30)]
        for client in clients[:10]:
            client.send(START[kind])
        time.sleep(0.3)
        served.stop(signal.SIGTERM, 143)
        for client in clients:
            with contextlib.suppress(ConnectionClosed):
                while True:
                    client.recv(5)
            if client.close_code not in (1000, 1001):
                raise Failed(f"a client is told {client.close_code}")


def many(folder: Path, kind: str) -> str:
    """Memory is freed again."""
    with Serving(*SERVERS[kind], cwd=folder) as served:
        sizes = []
        for numbers in (range(200), range(200, 2000)):
            with ThreadPoolExecutor(8) as visitors:
                list(visitors.map(lambda number: _begin_and_leave(served, kind, number), numbers))
            time.sleep(12)  # rooms without clients are closed
            sizes.append(memory_of(served.process.pid))
        if sizes[1] - sizes[0] > 30:
            raise Failed(f"{sizes[0]:.0f} MB after 200 rooms, {sizes[1]:.0f} MB after 2,000")
    return f"{sizes[0]:.0f} MB after 200 rooms, {sizes[1]:.0f} MB after 2,000"


def _begin_and_leave(served: Serving, kind: str, number: int) -> None:
    """Open a room, begin a game with bots, and leave."""
    url = _url(served, kind, f"x{number}", "x")
    with (
        contextlib.suppress(InvalidStatus, ConnectionClosed, TimeoutError),
        _client(url, f"127.0.0.{3 + number % 100}") as client,
    ):
        client.send(START[kind])
        client.recv(0.5)


def memory_of(pid: int) -> float:
    """Return the megabytes of a process and its children, in memory and swapped out."""
    folder = Path(f"/proc/{pid}")
    told = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
    own = sum(int(told[name].split()[0]) for name in ("VmRSS", "VmSwap")) / 1e3
    children = [int(child) for task in folder.glob("task/*/children") for child in task.read_text().split()]
    return own + sum(map(memory_of, children))


def looked_on(folder: Path) -> None:
    """An onlooker sees no hand."""
    with Serving(*SERVERS["daifugo"], cwd=folder) as served, _client(_url(served, "daifugo", "r", "a")) as player:
        player.send(START["daifugo"])
        player.recv(5)
        with _client(served.at("/monitor/r")) as monitor:
            shown = json.loads(monitor.recv(5))
            if any(shown["AllDeck"]):
                raise Failed(f"hands are shown: {shown['AllDeck']}")


def guessed(folder: Path) -> None:
    """No guessed token opens the hands."""
    words = (*SERVERS["daifugo"], "--operator-token", "a secret")
    with Serving(*words, cwd=folder) as served, _client(_url(served, "daifugo", "r", "a")):
        time.sleep(0.2)
        for guess in ("", "A%20secret", "a%20secre", "a%20secret%00", "%61%20secreT", *map(str, range(95))):
            url = served.at(f"/monitor/r?token={guess}")
            with contextlib.suppress(TimeoutError, ConnectionClosed), _client(url) as monitor:
                message = monitor.recv(0.05)
                raise Failed(f"token {guess!r} is let in: {message!r}")


def filled(folder: Path) -> str:
    """No new game begins, and the operator is warned once."""
    words = (*SERVERS["serve"], "--max-disk", "0.2", "--players", "ws,tsumogiri,tsumogiri,tsumogiri", "--limit", "0.01")
    with Serving(*words, "--length", "one", cwd=folder) as served:
        for number in range(60):
            with contextlib.suppress(ConnectionClosed, TimeoutError), _client(_url(served, "serve", f"r{number}", "x")):
                time.sleep(0.05)
        time.sleep(2)
        taken = sum(file.stat().st_size for file in (folder / "out").iterdir())
        if served.so_far().err.count("--max-disk") > 1 or taken > 2_000_000:
            raise Failed(f"{taken} bytes: {served.so_far().err}")
    return f"{taken} bytes"
