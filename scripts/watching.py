"""What it costs a table to be watched.

    python -m scripts.watching --hanchan 100
    python -m scripts.watching --hanchan 100 --way serve

Every hanchan is played three times in this process, in an order that rotates: watched, alone, and alone once more
as a control. Between two hanchan nothing is timed until the viewers have been quiet. Nine viewers read all they can
and one never reads; they run in a process of their own. With `--way play` the page does as well, as in `jantaku play
--watch`; the bots play inline, as fast as they can. With `--way serve` the table's own process serves it, as in
`jantaku serve`, to half of them what is public and to half as to operators; the players have threads and a clock.

CPU is what all threads of the table's process use, wall the clock; on a machine with fewer idle cores than busy
processes the wall shows that, too. A ratio is seconds watched over seconds alone, with its 95 % interval over hanchan.
Exit code 1 if the CPU ratio is 1.02 or more.
"""

import argparse
import contextlib
import itertools
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from table.judge.judge import OnFault
from table.judge.timing import Clock
from table.judge.way import Mode
from table.match.riichi import Keeping, RiichiTable
from table.match.roster import enlist
from table.match.runner import Opener, Plan, play_one
from table.match.statistics import interval
from table.match.watched import Watched
from table.record.journal import journal_of
from table.riichi.ruleset import preset
from table.server.audience import Onlooker
from table.server.limits import Limits
from table.server.line import Line
from table.server.watch_page import WatchPage
from table.server.watchers import Gallery
from table.server.web import Arrival, Visitor, WebServer

MOST = 1.02
QUIET = 0.4
"""Seconds after a hanchan in which viewers catch up."""
SEED = "1"
WAYS = ("watched", "alone", "control")


def main() -> int:
    """Measure and print, or be the viewers."""
    given = _arguments()
    if given.look:
        return _look(given.look, given.viewers)
    with tempfile.TemporaryDirectory(prefix="jantaku-watching-") as place:
        times = _measured(given, Path(place))
    for kind, name in enumerate(("CPU", "wall")):
        alone = [pair[kind] for pair in times["alone"]]
        for way in ("watched", "control"):
            ratio = interval([pair[kind] for pair in times[way]], alone)
            print(f"{name}: {way} / alone = {ratio.text(4)}, {sum(alone) / len(alone):.3f} s a hanchan alone")
    cpu = interval([pair[0] for pair in times["watched"]], [pair[0] for pair in times["alone"]])
    return 0 if cpu.mean < MOST else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hanchan", type=int, default=100)
    parser.add_argument("--viewers", type=int, default=10)
    parser.add_argument("--players", default="shanten,shanten,caller,dice")
    parser.add_argument("--way", choices=("play", "serve"), default="play")
    parser.add_argument("--threads", choices=[mode.value for mode in Mode], help="how players run")
    parser.add_argument("--look", metavar="ADDRESS", help=argparse.SUPPRESS)
    return parser.parse_args()


def _measured(given: argparse.Namespace, place: Path) -> dict[str, list[tuple[float, float]]]:
    """By way, CPU and wall seconds of every hanchan."""
    entrants = tuple(enlist(given.players.split(",")))
    mode = Mode(given.threads or ("inline" if given.way == "play" else "per-turn"))
    clock = Clock() if mode is Mode.INLINE else Clock(turn=10.0, reaction=10.0)
    plan = Plan(entrants, given.hanchan, SEED, mode, clock, OnFault.DEFAULT)
    openers: dict[str, Opener] = {}
    for way in WAYS:
        (place / way).mkdir()
        keeping = Keeping(place / way, "measured")
        openers[way] = RiichiTable(preset("tenhou"), [one.name for one in entrants], SEED, keeping)
    times: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    watching = _page if given.way == "play" else _room
    with watching(place / "watched", openers["watched"]) as (address, opener), _viewers(address, given.viewers):
        openers["watched"] = opener
        for number in range(given.hanchan + 1):
            for turn in range(len(WAYS)):
                way = WAYS[(number + turn) % len(WAYS)]
                taken = _timed(plan, number, openers[way])
                if number:  # the first one warms everything up
                    times[way].append(taken)
                time.sleep(QUIET)
    return times


def _timed(plan: Plan, number: int, opener: Opener) -> tuple[float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    play_one(plan, number, opener)
    return time.process_time() - cpu, time.perf_counter() - wall


# --- the two ways to be watched


@contextlib.contextmanager
def _page(folder: Path, opener: Opener) -> Iterator[tuple[str, Opener]]:
    with WatchPage(folder, 0) as page:
        yield page.address, opener


@contextlib.contextmanager
def _room(folder: Path, opener: Opener) -> Iterator[tuple[str, Opener]]:
    """A gallery as a room has it, a new one for each game."""
    room = _Room(folder)
    with WebServer(room.welcome, {}, "127.0.0.1", 0, Limits(backlog=4000)) as server:
        yield f"http://127.0.0.1:{server.port}/watch/r", Watched(opener, room.next_game)
        room.gallery.dismiss()


class _Room:
    def __init__(self, folder: Path) -> None:
        self.gallery = Gallery()
        self._folder, self._games, self._visits = folder, itertools.count(), itertools.count()

    def welcome(self, arrival: Arrival, line: Line) -> Visitor:
        """See `web.Welcome`."""
        gallery = self.gallery
        gallery.admit(line, operator=next(self._visits) % 2 == 1)
        return Onlooker(gallery, line)

    def next_game(self) -> "_Gallery":
        """The looker of a game that begins."""
        self.gallery.follow(journal_of(self._folder, next(self._games)))
        return _Gallery(self)


class _Gallery:
    """Passes on to the room's gallery, and makes room for the next game's when it ends. Implements `Looker`."""

    def __init__(self, room: _Room) -> None:
        self._room = room
        self.events, self.answers = room.gallery.events, room.gallery.answers

    def close(self) -> None:
        """See `Looker.close`."""
        over, self._room.gallery = self._room.gallery, Gallery()
        over.close()


# --- the viewers, in a process of their own


@contextlib.contextmanager
def _viewers(address: str, number: int) -> Iterator[None]:
    command = [sys.executable, "-m", "scripts.watching", "--look", address, "--viewers", str(number)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # they are there
        yield
        told, _ = process.communicate("")
    print(told.strip())


def _look(address: str, viewers: int) -> int:
    """All but one read until stdin ends; says then how much."""
    over = threading.Event()
    url = address.replace("http:", "ws:")
    read = [0] * (viewers - 1)
    threads = [threading.Thread(target=_read, args=(url, read, number, over)) for number in range(viewers - 1)]
    threads.append(threading.Thread(target=_never_read, args=(url, over)))
    for thread in threads:
        thread.start()
    print("here", flush=True)
    sys.stdin.read()
    over.set()
    for thread in threads:
        thread.join()
    print(f"{viewers} viewers: each of {len(read)} read {min(read)} to {max(read)} items, one never read")
    return 0


def _read(url: str, read: list[int], number: int, over: threading.Event) -> None:
    while not over.wait(0.05):
        with contextlib.suppress(OSError, InvalidHandshake, ConnectionClosed), connect(url, max_size=None) as line:
            while not over.is_set():
                with contextlib.suppress(TimeoutError):
                    told = msgspec.json.decode(line.recv(0.2))
                    read[number] += len(told) if isinstance(told, list) else 0


def _never_read(url: str, over: threading.Event) -> None:
    """Say hello and nothing more; come back when sent away."""
    parts = urlsplit(url)
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    lines = [f"GET {parts.path}?{parts.query} HTTP/1.1", f"Host: {parts.netloc}", "Upgrade: websocket"]
    lines += ["Connection: Upgrade", key, "Sec-WebSocket-Version: 13", "", ""]
    while not over.is_set():
        with contextlib.suppress(OSError), socket.socket() as stuck:
            stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stuck.connect((parts.hostname, parts.port))
            stuck.sendall("\r\n".join(lines).encode())
            over.wait(10)


if __name__ == "__main__":
    sys.exit(main())
