"""Hanchan at the doors of a server: four programs come to a table and play, then four others come."""

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.doors import model
from scripts.doors.guests import PEER, ArenaBot, Discarder, MajiangCore, converse
from scripts.doors.hand import Pauses
from scripts.doors.line import SocketIoLine, WebSocketLine, logged_in
from scripts.doors.mjsonp import Program
from scripts.doors.serving import ROOM, Server

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


def play(folder: Path, guests: Sequence[Guest], numbers: Sequence[int], pauses: tuple[float, float]) -> str:
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
