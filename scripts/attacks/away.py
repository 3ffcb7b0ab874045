"""Attacks our player from a server that garbles its messages: `jantaku join` plays on, or says in one line why it
cannot."""

import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import msgspec
from websockets.utils import accept_key

from scripts.attacks.doors import Blame, Kind
from scripts.attacks.kit.attack import Attack, attack
from scripts.attacks.kit.between import OverLines, OverWebSocket, Spoil
from scripts.attacks.kit.command import jantaku
from scripts.attacks.kit.serving import Serving

TURN = 3
"""Number of the question, from 1, that is garbled."""
DELAY = 1.0
"""Seconds by which a message is delayed; the server waits longer."""
TOO_LONG = 5 << 20
UPGRADED = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
SERVER = ("serve", "--players", "ws,tsumogiri,tsumogiri,tsumogiri", "--length", "one", "--limit", "5",
          "--mjsonp", "0", "--out", "out")  # fmt: skip
Fault = Callable[[bytes, bytes], Iterable[bytes | None]]
"""Returns what is said in place of a question, given the question and the one before."""
NOBODY: Blame = frozenset()
LEFT: Blame = frozenset({"gone", "silent"})
"""A player that has left is asked once more before the server notices."""


class Row(msgspec.Struct, frozen=True):
    """What a server does, and what comes of it: the command's exit code, and the verdicts that the server counts."""

    kind: Kind
    fault: Fault
    code: int = 0
    blame: Blame = NOBODY


class Wire(msgspec.Struct, frozen=True):
    """A way to a server: its proxy, the command's option for the port, the path, the form of a question, and its
    rows."""

    between: Callable[[int, Spoil], OverWebSocket | OverLines]
    port: str
    path: str
    question: re.Pattern[bytes]
    rows: tuple[Row, ...]


def before(*messages: bytes) -> Fault:
    """Put these messages before the question."""
    return lambda line, older: (*messages, line)


def late(line: bytes, older: bytes) -> Iterator[bytes]:
    """Delay the question."""
    time.sleep(DELAY)
    yield line


def _of_riichilab() -> tuple[Row, ...]:
    fly, other = b'{"type":"fly","actor":1}', b'{"type":"tsumo","actor":9,"pai":"?"}'
    return (
        Row(Kind.MALFORMED, before(b"{", b"[]", b"", b"3")),
        Row(Kind.UNKNOWN, before(fly)),
        Row(Kind.WRONG_SEAT, before(other)),
        Row(Kind.NOT_POSSIBLE, before(b'{"type":"dahai","actor":0,"pai":"0z","tsumogiri":true}')),
        Row(Kind.LATE, late),
        Row(Kind.STALE, lambda line, older: (older, line)),
        Row(Kind.DUPLICATE, lambda line, older: (line, line)),
        Row(Kind.OVERSIZED, before(b'{"type":"fly","x":"' + b"x" * TOO_LONG + b'"}'), 2, LEFT),
        Row(Kind.FULL, lambda line, older: (b'{"type":"error","message":"full","error":"full"}', line), 2, LEFT),
        Row(Kind.BROKEN, lambda line, older: (None,), 2, LEFT),
    )


def _of_mjsonp() -> tuple[Row, ...]:
    fly, other = b'{"type":"fly","actor":1}', b'{"type":"tsumo","actor":9,"pai":"?"}'
    return (
        Row(Kind.MALFORMED, before(b"{"), 2, LEFT),
        Row(Kind.UNKNOWN, before(fly), 0, frozenset({"illegal"})),
        Row(Kind.WRONG_SEAT, before(other), 2, LEFT),
        Row(Kind.NOT_POSSIBLE, before(b'{"type":"dahai","actor":0,"pai":"0z","tsumogiri":true}'), 2, LEFT),
        Row(Kind.LATE, late),
        Row(Kind.STALE, lambda line, older: (older, line), 2, LEFT | {"illegal"}),
        Row(Kind.DUPLICATE, lambda line, older: (line, line), 2, LEFT),
        Row(Kind.OVERSIZED, lambda line, older: (b'{"type":"fly","x":"' + b"x" * TOO_LONG,), 2, LEFT),
        Row(Kind.FULL, lambda line, older: (b'{"type":"error","message":"full"}', line), 2, LEFT),
        Row(Kind.BROKEN, lambda line, older: (None,), 2, LEFT),
    )


WIRES = {
    "riichilab": Wire(OverWebSocket, "ws", "/ws/ranked", re.compile(b'"request_action"'), _of_riichilab()),
    "mjsonp": Wire(OverLines, "mjsonp", "/r", re.compile(b'"tsumo".*"possible_actions"'), _of_mjsonp()),
}


def attacks() -> Iterator[Attack]:
    for name, wire in WIRES.items():
        for row in wire.rows:
            yield attack(f"{name}: a server whose message is {row.kind}", tried, wire, row)
    for what, (beginning, again, reason) in ENDLESS.items():
        yield Attack(f"a server with {what}", partial(endless, beginning, again, reason), seconds=60)


def tried(folder: Path, wire: Wire, row: Row) -> str:
    """Play a game at a server whose messages are garbled on the way."""
    with Serving(*SERVER, cwd=folder) as served:
        line = served.line("^serving ", 20)
        port = re.search(rf"{wire.port}://[^ ]*?:(\d+)/", line)
        assert port is not None, line
        with wire.between(int(port[1]), _at_its_turn(wire, row.fault)) as between:
            address = f"{between.scheme}://127.0.0.1:{between.port}{wire.path}"
            ran = jantaku("join", address, "--name", "a", "--bot", "tsumogiri", cwd=folder, seconds=40)
        ran.with_code(row.code)
        if row.code:
            ran.refused()
        game = served.line("game 0: ", 40)
    points = re.search(r"\b(?:a|bot-\d+) -?\d+ \(([^)]*)\)", game)
    assert points is not None, game
    words = set(re.findall(r"([a-z_]+) \d+", points[1]))
    if not words <= row.blame or bool(words) != bool(row.blame):
        raise ran.failed(f"counted {words}, not {set(row.blame)}: {game}")
    return ran.err.strip() or ran.out.strip()


ENDLESS = {
    "a frame of 8 GiB": (b"\x81\x7f" + (1 << 33).to_bytes(8, "big"), bytes(1 << 16), "more than 4 MiB"),
    "fragments without an end": (b"\x01\x01x", b"\x00\x7e\xff\xff" + b"x" * 65535, "more than 4 MiB"),
    "pings, which reads nothing": (b"", (b"\x89\x7d" + b"x" * 125) * 500, "has read nothing"),
}
"""What a server sends first, what it repeats for ever, and the reason with which the player leaves."""


def endless(beginning: bytes, again: bytes, reason: str, folder: Path) -> str:
    """The player leaves in one line, within bounded time and memory."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_say_on, args=(server, beginning, again), daemon=True)
        thread.start()
        address = f"ws://127.0.0.1:{server.getsockname()[1]}/play/r"
        ran = jantaku("join", address, "--name", "a", "--bot", "tsumogiri", cwd=folder, seconds=45).with_code(2).clean()
    told = ran.err.strip().splitlines()
    if len(told) != 1 or reason not in told[0]:
        raise ran.failed(f"{len(told)} lines")
    return f"{told[0]}, after {ran.seconds:.1f} s"


def _say_on(server: socket.socket, beginning: bytes, again: bytes) -> None:
    line, _ = server.accept()
    with line, contextlib.suppress(OSError):
        request = b""
        while b"\r\n\r\n" not in request:
            request += line.recv(4096)
        key = re.search(rb"(?i)sec-websocket-key: (\S+)", request)
        assert key is not None
        accepted = f"{UPGRADED}Sec-WebSocket-Accept: {accept_key(key[1].decode())}\r\n\r\n"
        line.sendall(accepted.encode() + beginning)
        while True:
            line.sendall(again)


def _at_its_turn(wire: Wire, fault: Fault) -> Spoil:
    older: list[bytes] = []

    def spoil(line: bytes) -> Iterable[bytes | None]:
        if not wire.question.search(line):
            return [line]
        older.append(line)
        return fault(line, older[-2]) if len(older) == TURN else [line]

    return spoil
