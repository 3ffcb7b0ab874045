"""What `python -m scripts.doors` measures: a decision through a door, and its messages over the bare transport."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from scripts.doors import pipes
from scripts.doors.guests import ArenaBot, Discarder, Kept, Mind, converse
from scripts.doors.hand import Item
from scripts.doors.line import Line, SocketIoLine, TcpLine, WebSocketLine, logged_in
from scripts.doors.mjsonp import Program
from scripts.doors.serving import ROOM, Server
from scripts.doors.tally import Tally

NAME = "guest"
OTHERS = "tsumogiri,tsumogiri,tsumogiri"
Pairs = list[tuple[Item, Item]]


class Told(NamedTuple):
    """The result of hanchan at a door: seconds of each decision, seconds in the program alone, and the messages."""

    used: list[float]
    own: list[float]
    pairs: Pairs


class Door(NamedTuple):
    """A door, its bare transport, and how to play there."""

    name: str
    bare: str
    play: Callable[[Path, int], Told]


def _served(sit: Callable[[Server, int], tuple[Line, Mind]]) -> Callable[[Path, int], Told]:
    def play(place: Path, hanchan: int) -> Told:
        kept = Kept()
        with Server(place, games=hanchan, players=f"ws,{OTHERS}") as server:
            for number in range(hanchan):
                line, mind = sit(server, number)
                converse(line, mind, kept=kept)
                line.close()
                server.wait_for(number + 1)
        decided = [one for one in kept if set(one[1]) - {"seq"} and one[1].get("type") != "none"]
        pairs = [(message, reply) for message, reply, _ in decided]
        return Told(Tally(place).used[NAME], [took for _, _, took in decided], pairs)

    return play


def _room(server: Server, number: int) -> tuple[Line, Mind]:
    return WebSocketLine(f"ws://127.0.0.1:{server.port('ws')}/play/{ROOM}?name={NAME}"), Discarder()


def _riichilab(server: Server, number: int) -> tuple[Line, Mind]:
    return WebSocketLine(f"ws://127.0.0.1:{server.port('ws')}/ws/ranked?name={NAME}"), ArenaBot(number)


def _mjsonp(server: Server, number: int) -> tuple[Line, Mind]:
    program = Program(server.port("mjsonp"), NAME, ROOM, number)
    return program, program


def _netplay(server: Server, number: int) -> tuple[Line, Mind]:
    port = server.port("netplay")
    return SocketIoLine(port, logged_in(port, NAME), ROOM), Discarder()


def _program(spec: pipes.Spec) -> Callable[[Path, int], Told]:
    def play(place: Path, hanchan: int) -> Told:
        place.mkdir(parents=True, exist_ok=True)
        player = spec(place)
        player += f"{'&' if '?' in player else '?'}name={NAME}&env.JANTAKU_DOORS_KEEP={place / 'kept'}"
        pipes.played(place, [player, *OTHERS.split(",")], hanchan, 7, {})
        lines = [line for file in place.glob("kept.*") for line in file.read_text("utf-8").splitlines()]
        decided = [one for one in map(json.loads, lines) if one[1].get("type") != "none"]
        pairs = [(message, reply) for message, reply, _ in decided]
        return Told(Tally(place).used[NAME], [took for _, _, took in decided], pairs)

    return play


DOORS = (
    Door("room", "websocket", _served(_room)),
    Door("riichilab", "websocket", _served(_riichilab)),
    Door("mjsonp", "tcp", _served(_mjsonp)),
    Door("netplay", "socketio", _served(_netplay)),
    Door("mjai-actions", "pipe", _program(pipes.lines("mjai-actions"))),
    Door("mjai-lines-actions", "pipe", _program(pipes.lines("mjai-lines-actions"))),
    Door("akagi", "pipe", _program(pipes.akagi)),
)


class _Echo:
    """Repeats the recorded replies, whatever comes."""

    def __init__(self, pairs: Pairs) -> None:
        self.over = False
        self._replies = iter([reply for _, reply in pairs])

    def reply(self, message: Item) -> Item | None:
        return next(self._replies, None)


def _line(kind: str, port: int) -> Line:
    if kind == "tcp":
        return TcpLine(port)
    return SocketIoLine(port, "", ROOM) if kind == "socketio" else WebSocketLine(f"ws://127.0.0.1:{port}")


def bare(kind: str, pairs: Pairs, place: Path) -> list[float]:
    """Send the same messages and replies over a transport alone; return the seconds of each."""
    file = place / "pairs.json"
    file.write_text(json.dumps(pairs), "utf-8")
    words = [sys.executable, "-m", "scripts.doors.bare", kind, str(file)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        if kind != "pipe":
            line = _line(kind, port)
            converse(line, _Echo(pairs))
            line.close()
        times: list[float] = json.loads(server.stdout.read())
    return times


def told(name: str, seconds: Sequence[float]) -> str:
    """Write the best tenth, the median and the 99th percentile in µs."""
    cuts = quantiles(seconds, n=100)
    return f"{name} {1e6 * cuts[9]:.0f} / {1e6 * cuts[49]:.0f} / {1e6 * cuts[98]:.0f} µs"


def attempt(door: Door, place: Path, *, hanchan: int) -> str:
    """Measure a row."""
    found = door.play(place, hanchan)
    alone = bare(door.bare, found.pairs, place)
    ratios = [quantiles(found.used, n=10)[n] / quantiles(alone, n=10)[n] for n in (0, 4)]
    size = median(len(json.dumps(message)) for message, _ in found.pairs)
    row = [f"{len(found.used):5} decisions of {size:.0f} bytes", told("door", found.used), told(door.bare, alone)]
    row += [f"program {1e6 * median(found.own):.0f} µs", f"ratio {ratios[0]:.1f} / {ratios[1]:.1f}"]
    return "  ".join(row)
