"""Attacks by floods of connections at every port that jantaku opens. Only against this machine, and bounded in number
and time."""

import contextlib
import re
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.client import HTTPException
from pathlib import Path

from scripts.attacks.kit.attack import Attack, Failed
from scripts.attacks.kit.serving import Serving
from scripts.attacks.servers import SERVERS, SOON, UPGRADE, VERSION, answer, serves
from scripts.doors.line import cookie_at

FLOOD, FLOOD_SECONDS = 5000, 10.0
PLAYED = ("--length", "one", "--limit", "5", "--games", "100000", "--out", "out")
NET_PLAY = ("serve", "--netplay", "0", "--out", "out")
WAITS = ("play", "--players", "ws:a?listen=127.0.0.1:0&clock.start=60,dice,dice,dice", *PLAYED)
SHOWS = ("play", "--players", "dice,dice,dice,dice", "--watch", "--pace", "0.02", *PLAYED)


def attacks() -> Iterator[Attack]:
    for files in (64, 1024):
        for what, flood in FLOODS.items():
            for server in SERVERS:
                run = partial(_flooded, SERVERS[server], files, flood, partial(serves, kind=server))
                yield Attack(f"{server} at ulimit -n {files}: {what}", run, seconds=60, alone=True)
            run = partial(_flooded, NET_PLAY, files, flood, logs_in, port_of=net_play_port)
            yield Attack(f"net play at ulimit -n {files}: {what}", run, seconds=60, alone=True)
            run = partial(_flooded, WAITS, files, flood, is_played)
            yield Attack(f"play that waits for a client at ulimit -n {files}: {what}", run, seconds=60, alone=True)
            run = partial(_flooded, SHOWS, files, flood, is_shown)
            yield Attack(f"play --watch at ulimit -n {files}: {what}", run, seconds=60, alone=True)


def _flooded(
    words: tuple[str, ...],
    files: int,
    flood: Callable[[int], None],
    look: Callable[[Serving], float],
    folder: Path,
    *,
    port_of: Callable[[Serving], int] = lambda served: served.port,
) -> str:
    """Flood a process that may open that many files. A new client is served soon afterwards."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    with Serving(*words, cwd=folder) as served:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, FLOOD + 500), hard))
        flood(port_of(served))
        taken = look(served)
    return f"a new client is served after {taken * 1000:.0f} ms"


def net_play_port(served: Serving) -> int:
    """Return the port of net play."""
    found = re.search(r":(\d+)/", served.line("^net play at ", SOON))
    if found is None:
        raise Failed("net play names no port")
    return int(found[1])


def logs_in(served: Serving) -> float:
    """A client logs in to the lobby of net play; return the seconds that took."""
    port, began = net_play_port(served), time.monotonic()
    while time.monotonic() - began < SOON:
        with contextlib.suppress(OSError, HTTPException):
            if cookie_at(port):
                return time.monotonic() - began
    raise Failed(f"nobody is let in within {SOON:g} s")


def is_played(served: Serving) -> float:
    """The player comes, and plays a game to its end."""
    began = time.monotonic()
    words = ("table", "join", served.at("/play/table"), "--name", "a", "--bot", "tsumogiri")
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, timeout=30, check=False)
    if done.returncode:
        raise Failed(f"the player has ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    served.line("^game 0: ", SOON)
    return time.monotonic() - began


def is_shown(served: Serving) -> float:
    """The page is served, and games go on."""
    began = time.monotonic()
    while time.monotonic() - began < SOON:
        with contextlib.suppress(OSError):
            if answer(served, "GET /watch HTTP/1.1\r\nHost: HOST\r\n\r\n").startswith(b"HTTP/1.1 200"):
                served.line("^game 1: ", 20)
                return time.monotonic() - began
    raise Failed(f"the page is not shown within {SOON:g} s")


# --- what they are flooded with


def _silence(port: int) -> None:
    _flood(port, b"")


def _halves(port: int) -> None:
    _flood(port, b"GET / HTTP/1.1\r\nHo")


def _handshakes(port: int) -> None:
    request = f"GET /play/A/x?name=x HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{UPGRADE}{VERSION}\r\n"
    _flood(port, request.encode(), 1500)


def _flood(port: int, said: bytes, count: int = FLOOD) -> None:
    """Open that many connections in ten seconds, and hold all of them to the end."""
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        for number in range(count):
            time.sleep(max(0.0, began + number * FLOOD_SECONDS / FLOOD - time.monotonic()))
            line = stack.enter_context(socket.socket())
            line.setblocking(False)
            line.connect_ex(("127.0.0.1", port))
            if said:
                with contextlib.suppress(OSError):
                    line.send(said)


FLOODS = {
    f"{FLOOD} connections that say nothing": _silence,
    f"{FLOOD} requests that stop in the middle": _halves,
    "1500 handshakes": _handshakes,
}
