"""The cost to a table of being watched.

    python -m scripts.watching --hanchan 100
    python -m scripts.watching --hanchan 100 --way serve

Every hanchan is played three times, in changing order: watched, alone, and alone once more as a control. Nine viewers
read everything as fast as it comes and one never reads; they run in a process of their own, which does nothing with
what it reads. With `--way play` the page has a process of its own, too, as in `jantaku play --watch`; the bots play
inline, as fast as they can. With `--way serve` the table's own process serves it, as in `jantaku serve`: the public
view to half of them, the operator's to the other half; the players have threads and a clock.

CPU is what all threads of the table's process use until everything is sent, wall the time until the hanchan is over.
That process is pinned to one core. Prints the median of the ratios to the same hanchan played alone, with its 95 %
interval: a mean would be swamped by the machine's other load. Exit code 1 if the CPU ratio is 1.02 or more.
"""

import argparse
import contextlib
import itertools
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from rich.console import Console
from rich.progress import track
from scipy.stats import quantile_test
from websockets.frames import CloseCode

from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.way import Mode
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.roster import enlist
from jantaku.table.play.runner import Opener, Plan, WatchedGames, play_one
from jantaku.table.records.journal.journal import journal_of
from jantaku.table.riichi.ruleset import preset
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line, Visitor
from jantaku.table.serve.net.web import WebServer
from jantaku.table.serve.riichi.gallery import PAUSE, RiichiGallery
from jantaku.table.serve.watching.watch_page import WatchPage

MOST = 1.02
QUIET = 1.5 * PAUSE
"""Seconds in which the rest of a hanchan is sent."""
SEED = "1"
WAYS = ("watched", "alone", "control")
Times = dict[str, list[tuple[float, float]]]
"""By way: CPU and wall seconds of every hanchan."""


def main() -> int:
    """Measure and print, or be the viewers."""
    given = _arguments()
    if given.look:
        return _look(given.look, given.viewers)
    times = _measured(given)
    found = {}
    for kind, name in enumerate(("CPU", "wall")):
        for way in ("watched", "control"):
            pairs = zip(times[way], times["alone"], strict=True)
            ratios = [there[kind] / alone[kind] for there, alone in pairs]
            found[name, way] = median(ratios)
            low, high = quantile_test(ratios, p=0.5).confidence_interval()
            each = median(alone[kind] for alone in times["alone"])
            print(f"{name}: {way} / alone = {found[name, way]:.4f} ({low:.4f} to {high:.4f}), {each:.3f} s a hanchan")
    return 0 if found["CPU", "watched"] < MOST else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hanchan", type=int, default=100, help="hanchan in each of the three ways")
    parser.add_argument("--viewers", type=int, default=10)
    parser.add_argument("--players", default="shanten,shanten,caller,dice")
    parser.add_argument("--way", choices=("play", "serve"), default="play")
    parser.add_argument("--threads", choices=[mode.value for mode in Mode], help="how players run")
    parser.add_argument("--look", metavar="ADDRESS", help=argparse.SUPPRESS)
    return parser.parse_args()


def _measured(given: argparse.Namespace) -> Times:
    entrants = tuple(enlist(given.players.split(",")))
    mode = Mode(given.threads or ("inline" if given.way == "play" else "per-turn"))
    clock = Clock() if mode is Mode.INLINE else Clock(turn=10.0, reaction=10.0)
    plan = Plan(entrants, given.hanchan, SEED, mode, clock, OnFault.DEFAULT)
    times: Times = {way: [] for way in WAYS}
    watching = _page if given.way == "play" else _room
    with tempfile.TemporaryDirectory(prefix="jantaku-watching-") as place:
        tables = {way: _table(plan, Path(place) / way) for way in WAYS}
        with watching(Path(place) / "watched", tables["watched"]) as (address, table), _viewers(address, given.viewers):
            tables["watched"] = table
            for number in track(range(given.hanchan + 1), "hanchan", console=Console(stderr=True)):
                for way in random.Random(number).sample(WAYS, len(WAYS)):
                    taken = _timed(plan, number, tables[way])
                    if number:  # the first one warms everything up
                        times[way].append(taken)
    return times


def _table(plan: Plan, folder: Path) -> Opener:
    folder.mkdir()
    names = [entrant.name for entrant in plan.entrants]
    return RiichiTable(preset("tenhou"), names, plan.seed, Keeping(folder, "measured"))


def _timed(plan: Plan, number: int, table: Opener) -> tuple[float, float]:
    with _on_one_core():
        cpu, wall = time.process_time(), time.perf_counter()
        play_one(plan, number, table)
        wall = time.perf_counter() - wall
        time.sleep(QUIET)
        return time.process_time() - cpu, wall


@contextlib.contextmanager
def _on_one_core() -> Iterator[None]:
    """Pin this process, which plays: threads that wake each other across cores take up to twice the time, and other
    busy processes change how often that happens. Onlookers may use all cores."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    for thread in threading.enumerate():  # threads that exist already
        os.sched_setaffinity(thread.native_id or 0, {min(cores)})
    yield
    for thread in threading.enumerate():
        os.sched_setaffinity(thread.native_id or 0, cores)


# --- the two ways to be watched


@contextlib.contextmanager
def _page(folder: Path, table: Opener) -> Iterator[tuple[str, Opener]]:
    with WatchPage(folder, 0) as page:
        yield page.address.replace("#", "?"), table  # a program sends the token in the query


@contextlib.contextmanager
def _room(folder: Path, table: Opener) -> Iterator[tuple[str, Opener]]:
    """Make a gallery as a room has it."""
    gallery, visits, games = RiichiGallery(), itertools.count(), itertools.count()

    def welcome(arrival: Arrival, line: Line) -> Visitor:
        return gallery.admit(line, operator=next(visits) % 2 == 1)

    def look() -> RiichiGallery:
        number = next(games)
        gallery.next_game(f"game {number}", journal_of(folder, number))
        return gallery

    with WebServer(welcome, {}, "127.0.0.1", 0, Limits(backlog=4000)) as server:
        yield f"http://127.0.0.1:{server.port}/watch/r", WatchedGames(table, look)
        gallery.dismiss(CloseCode.GOING_AWAY, "it is over")


# --- the viewers, in a process of their own


@contextlib.contextmanager
def _viewers(address: str, number: int) -> Iterator[None]:
    command = [sys.executable, "-m", "scripts.watching", "--look", address, "--viewers", str(number)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdout.readline()  # the viewers are connected
        yield
        process.stdin.close()
        told = process.stdout.read().strip()
    if process.returncode:
        raise SystemExit(f"the viewers did not see the game: {told}")


def _look(address: str, viewers: int) -> int:
    """Let all viewers but one read until stdin ends. Exit code 1 if one of them has read nothing."""
    lines = [_line_to(address) for _ in range(viewers)]  # the last one is never read
    read = [0] * (viewers - 1)
    for number in range(viewers - 1):
        threading.Thread(target=_read, args=(lines[number], read, number), daemon=True).start()
    print("here", flush=True)
    sys.stdin.read()
    print(f"bytes read: {read}")
    return 0 if all(read) else 1


def _line_to(address: str) -> socket.socket:
    """Open a WebSocket connection with a small receive buffer."""
    parts = urlsplit(address)
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    words = [f"GET {parts.path}?{parts.query} HTTP/1.1", f"Host: {parts.netloc}", "Upgrade: websocket"]
    words += ["Connection: Upgrade", key, "Sec-WebSocket-Version: 13", "", ""]
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    line.connect((parts.hostname, parts.port))
    line.sendall("\r\n".join(words).encode())
    answer = line.recv(4096)
    if not answer.startswith(b"HTTP/1.1 101"):
        raise SystemExit(f"not let in: {answer!r}")
    return line


def _read(line: socket.socket, read: list[int], number: int) -> None:
    """Count the bytes that come."""
    into = bytearray(1 << 16)
    while count := line.recv_into(into):
        read[number] += count


if __name__ == "__main__":
    sys.exit(main())
