"""The doors that are tried with whole hanchan: a door, and the programs that come through it.

At the doors of a server four programs come to a table and play, then four others come.
"""

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple

from scripts.doors import model, pipes
from scripts.doors.guests import PEER, ArenaBot, Discarder, MajiangCore, Program, converse
from scripts.doors.hand import Pauses
from scripts.doors.line import SocketIoLine, WebSocketLine, logged_in
from scripts.doors.serving import ROOM, Server, Tally

NODE_MODULES = PEER / "node_modules"
HOUR = 3600
"""Seconds after which a program counts as hanging: majiang-bot retries a vanished server for ever."""
Guest = Callable[[Server, str, str, int, Pauses], None]
"""Plays one game. Arguments: server, room, its name, a seed, and its pauses."""


def majiang_core(server: Server, room: str, name: str, seed: int, pauses: Pauses) -> None:
    """majiang-core's Player over WebSocket."""
    mind = MajiangCore(seed, pauses)
    try:
        converse(WebSocketLine(f"ws://127.0.0.1:{server.port('ws')}/play/{room}?name={name}"), mind)
        _ended(mind.over, name)
    finally:
        mind.close()


def mjsonp(server: Server, room: str, name: str, seed: int, pauses: Pauses) -> None:
    """A program of the original mjai over TCP."""
    Program(server.port("mjsonp"), name, room, seed, pauses).play()


def riichilab(server: Server, room: str, name: str, seed: int, pauses: Pauses) -> None:
    """A bot of RiichiLab's queue."""
    mind, address = ArenaBot(seed, pauses), f"ws://127.0.0.1:{server.port('ws')}/ws/ranked?name={name}"
    converse(WebSocketLine(address, Authorization=f"Bearer secret-{name}-{seed}"), mind)
    _ended(mind.over and set(mind.acks) == {"accepted"}, name)


def socketio(server: Server, room: str, name: str, seed: int, pauses: Pauses) -> None:
    """A client of net play over python-socketio."""
    mind, port = Discarder(pauses), server.port("netplay")
    line = SocketIoLine(port, logged_in(port, name), room)
    converse(line, mind)
    line.close()
    _ended(mind.over, name)


def majiang_bot(server: Server, room: str, name: str, seed: int, pauses: Pauses) -> None:
    """npm's majiang-bot, unchanged."""
    program = NODE_MODULES / "@kobalab/majiang-server/bin/client.js"
    _run("node", str(program), "-r", room, "-n", name, f"http://127.0.0.1:{server.port('netplay')}/server")


def mcp(server: Server, room: str, name: str, seed: int, pauses: Pauses) -> None:
    """The official client of MCP, through `jantaku mcp`."""
    model.play(f"127.0.0.1:{server.port('ws')}/{room}", name, seed, pauses)


def joined(address: str) -> Guest:
    """`jantaku join` with one of our bots."""

    def play(server: Server, room: str, name: str, seed: int, pauses: Pauses) -> None:
        told = address.format(ws=server.port("ws"), mjsonp=server.port("mjsonp"), room=room, name=name)
        words = ["join", told, "--name", name, "--bot", "caller", "--seed", str(seed)]
        _run(sys.executable, "-m", "jantaku", *words)

    return play


def _run(*words: str) -> None:
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=HOUR
        )
    except subprocess.TimeoutExpired:
        raise AssertionError(f"{' '.join(words)}: not over after {HOUR} s") from None
    if done.returncode:
        raise AssertionError(f"{' '.join(words)}: exit code {done.returncode}: {done.stdout}{done.stderr}")


def _ended(is_over: bool, name: str) -> None:
    assert is_over, f"{name} did not hear the end of its game"


def _at_a_server(folder: Path, guests: Sequence[Guest], numbers: Sequence[int], pauses: tuple[float, float]) -> str:
    """Play the hanchan of these numbers at a server of their own, one after another; return the server's output."""
    troubles = list[str]()
    if {majiang_core, majiang_bot} & set(guests) and not (shutil.which("node") and NODE_MODULES.is_dir()):
        raise SystemExit(f"it needs node and {NODE_MODULES}, which scripts/test installs")
    with Server(folder, games=len(numbers), seed=numbers[0]) as server:

        def sit(guest: Guest, number: int, seat: int) -> None:
            chance = 4 * number + seat
            try:
                guest(server, ROOM, f"p{seat}", chance, Pauses(*pauses, seed=chance))
            except (AssertionError, OSError, ValueError) as trouble:
                troubles.append(f"hanchan {number}, seat {seat}: {type(trouble).__name__}: {trouble}")

        for number in numbers:
            seats = [threading.Thread(target=sit, args=(one, number, seat)) for seat, one in enumerate(guests)]
            for thread in seats:
                thread.start()
            for thread in seats:
                thread.join()
            if troubles:
                raise SystemExit("\n".join([*troubles, server.said[-2000:]]))
    return server.said


# --- the doors

SLOW = (0.02, 2.0)
"""A slow program thinks at this share of its decisions, for about this many seconds."""
PROGRESS = 30.0
"""Seconds between two progress lines."""
Played = Callable[[Path, Sequence[int], tuple[float, float]], str]


class Door(NamedTuple):
    """A row. `theirs`: verdicts that a package's bot is known to earn, by the beginning of its name at the table."""

    name: str
    who: str
    play: Played
    theirs: tuple[str, ...] = ()
    may_be_slow: bool = True


def _room(*guests: Guest) -> Played:
    return lambda folder, numbers, pauses: _at_a_server(folder, guests, numbers, pauses)


def _pipe(*specs: pipes.Spec) -> Played:
    def play(folder: Path, numbers: Sequence[int], pauses: tuple[float, float]) -> str:
        env = {"JANTAKU_DOORS_THINK": f"{pauses[0]} {pauses[1]}"} if pauses[0] else {}
        return pipes.play(folder, specs, numbers, env)

    return play


ARENA = joined("ws://127.0.0.1:{ws}/ws/ranked?name={name}")
MJSONP = joined("mjsonp://127.0.0.1:{mjsonp}/{room}")
BOTH = (pipes.rulebase, pipes.rulebase, pipes.riichibot, pipes.riichibot)
DOORS = (
    Door("room", "majiang-core (npm)", _room(*[majiang_core] * 4)),
    Door("netplay", "our second client", _room(*[socketio] * 4)),
    Door("majiang-bot", "npm majiang-bot", _room(*[majiang_bot] * 4), may_be_slow=False),
    Door("mjsonp", "our second client", _room(*[mjsonp] * 4)),
    Door("mjsonp-join", "jantaku join, and that", _room(MJSONP, MJSONP, mjsonp, mjsonp)),
    Door("riichilab", "our second client", _room(*[riichilab] * 4)),
    Door("riichilab-join", "jantaku join, and that", _room(ARENA, ARENA, riichilab, riichilab)),
    Door("mcp", "a client of PyPI mcp, by texts", _room(*[mcp] * 4)),
    Door("mjai", "our second program", _pipe(*[pipes.lines("mjai")] * 4)),
    Door("mjai-actions", "our second program", _pipe(*[pipes.lines("mjai-actions")] * 4)),
    Door("mjai-lines", "our second program", _pipe(*[pipes.lines("mjai-lines")] * 4)),
    Door("mjai-lines-actions", "our second program", _pipe(*[pipes.lines("mjai-lines-actions")] * 4)),
    Door("akagi", "a folder of Akagi's form", _pipe(*[pipes.akagi] * 4)),
    Door("submission", "a zip of mjai.app's form", _pipe(*[pipes.submission] * 4)),
    Door("mortal", "a folder of Mortal's form", _pipe(*[pipes.mortal] * 4)),
    Door("mjai-bots", "PyPI mjai, folder and zip", _pipe(*BOTH), ("illegal", "malformed", "gone", "silent"), False),
)


def play(
    door: Door, place: Path, *, numbers: range, tables: int, pauses: tuple[float, float] = (0.0, 0.0)
) -> tuple[str, bool]:
    """Play the hanchan of these numbers at one door, at `tables` tables at a time. Return the row, and whether all is
    as it should be."""
    began = time.monotonic()
    shares = [one for one in (numbers[start::tables] for start in range(tables)) if one]
    with ThreadPoolExecutor(len(shares)) as pool:
        each = [pool.submit(door.play, place / f"table-{n}", share, pauses) for n, share in enumerate(shares)]
        while wait(each, PROGRESS).not_done:
            print(f"{door.name}: {len(list(place.rglob('*.json')))} of {len(numbers)}", file=sys.stderr)
        said = "".join(one.result() for one in each)
    tally = Tally(place, said)
    blamed = [verdict for _, verdict in tally.faults if verdict not in door.theirs]
    good = not blamed and tally.verified == len(numbers) and (door.theirs or not tally.stale)
    seconds = time.monotonic() - began
    row = f"{tally.games:4} hanchan {tally.decisions:8} decisions {tally.verified:4} verify {seconds:7.0f} s  "
    return "\n".join([f"{row}faults: {tally.told()}", *tally.wrong]), bool(good)
