"""Every way to a seat, as data: who comes in by it, and every text that it is told there."""

import contextlib
import json
import socket
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from jantaku.players.adapters.client import Mind, serve
from jantaku.table.ground.port import Player
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.serve.net.line_door import LineDoor
from tests.serve.serving import Playing, Served, Tapped

HEARS_LINES = """import json, sys
me = int(sys.argv[1])
with open("heard.jsonl", "a") as heard:
    for line in sys.stdin:
        heard.write(line)
        heard.flush()
        last = json.loads(line)[-1]
        mine = last["type"] == "tsumo" and last["actor"] == me
        reply = {"type": "dahai", "actor": me, "pai": last["pai"], "tsumogiri": True} if mine else {"type": "none"}
        print(json.dumps(reply), flush=True)
"""


class Place(msgspec.Struct, frozen=True):
    served: Served
    lines: LineDoor


class Guest(Protocol):
    """Who plays a game. `streams` holds what came on each of its connections."""

    streams: list[list[str]]

    def join(self) -> None: ...


Enter = Callable[[Place, str, Callable[[], Player], Sequence[int]], Guest]
"""Comes in under a name with such a bot; its connections break after so many messages."""


class _OverLines(Playing):
    """By the TCP port; it comes back with its key."""

    def __init__(self, place: Place, name: str, make: Callable[[], Player], breaks: Sequence[int]) -> None:
        self._port, self._name, self._make, self._breaks = place.lines.port, name, make, [*breaks, 0]
        super().__init__()

    def _play(self) -> None:
        for breaks_after in self._breaks:
            frames = self._new_stream()
            with socket.create_connection(("127.0.0.1", self._port), 30) as self._socket:
                lines = self._lines(frames, breaks_after)
                next(lines)
                self.write(json.dumps({"type": "join", "name": self._name, "room": "r", "key": self._name}).encode())
                serve(Mind(self._make()), DIALECTS["mjsonp"].reader("tenhou"), lines, self)
            if '"end_game"' in frames[-1]:
                return

    def _lines(self, frames: list[str], breaks_after: int) -> Iterator[bytes]:
        for line in self._socket.makefile("rb"):
            frames.append(line.decode())
            if len(frames) == breaks_after:
                return
            yield line
            if '"end_game"' in frames[-1]:  # as programs do; the server would wait for an answer
                return

    def write(self, line: bytes) -> None:
        self._socket.sendall(line.rstrip(b"\n") + b"\n")


class _OnThePage(Playing):
    """As the page on which a person plays: it discards what it draws and lets everything else go."""

    def __init__(self, place: Place, name: str, make: Callable[[], Player], breaks: Sequence[int]) -> None:
        self._url, self._breaks = place.served.at(f"/play/r?name={name}&dialect=person&key={name}"), [*breaks, 0]
        super().__init__()

    def _play(self) -> None:
        for breaks_after in self._breaks:
            if self._hears(breaks_after):
                return

    def _hears(self, breaks_after: int) -> bool:
        """Until the end of the game, or of the connection; whether it was that of the game."""
        frames = self._new_stream()
        with connect(self._url, compression=None, max_size=1 << 24) as connection:
            for message in connection:
                frames.append(str(message))
                if len(frames) == breaks_after:
                    connection.socket.shutdown(socket.SHUT_RDWR)
                    return False
                if (choice := json.loads(message).get("choice")) is not None:
                    reply = {"question": choice["question"], "reply": choice["default"]}
                    with contextlib.suppress(ConnectionClosed):
                        connection.send(json.dumps(reply))
        return True


def _over_websocket(dialect: str) -> Enter:
    return lambda place, name, make, breaks: Tapped(place.served.at("/play/r"), name, dialect, make, breaks)


OVER_WEBSOCKET = ("majiang", "majiang-2015", "mjai", "mjai-lines", "mjai-actions", "mjai-lines-actions", "mjsonp")
WAYS_IN: dict[str, Enter] = {
    "mjsonp://": _OverLines,
    "/sit": _OnThePage,
    **{f"/play {dialect}": _over_websocket(dialect) for dialect in OVER_WEBSOCKET},
}
"""All that lead to a room from elsewhere."""


def program(folder: Path) -> str:
    (home := folder / "folder").mkdir()
    (home / "bot.py").write_text(HEARS_LINES)
    return f"folder:{home}?name=folder"


def heard(folder: Path) -> list[str]:
    return (folder / "folder" / "heard.jsonl").read_text("utf-8").splitlines()
