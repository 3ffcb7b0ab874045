"""A riichi server on a free port of this machine, and clients whose every byte is kept."""

import contextlib
import json
import queue
import secrets
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from ssl import SSLContext
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from jantaku.players.adapters.client import Mind, serve
from jantaku.table.ground.port import Player
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping
from jantaku.table.play.seating.roster import enlist
from jantaku.table.riichi import ruleset
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line_door import LineDoor
from jantaku.table.serve.net.web import WebServer
from jantaku.table.serve.riichi.room import Place, RiichiRoomPlan
from jantaku.table.serve.riichi.server import RiichiServer, ServerOffer, pages
from tests.kit.pace import SOON, UNIT

Item = dict[str, Any]
CLOCK = Clock(turn=SOON, reaction=SOON, margin=UNIT, start=SOON)
"""So long that nobody is late who answers at all."""
BRIEF = 20 * UNIT
"""So long that nobody is late who answers at once, on a busy machine too, and who never does is waited for once."""
WATCHED = Limits(per_address=40, origins=(), backlog=4000, rate=20.0, burst=60)


def plan_of(
    folder: Path, players: str = "ws:a,ws:b,ws:c,ws:d", *, length: str = "one", **changes: Any
) -> RiichiRoomPlan:
    """A room with these players, by default for one kyoku; `ws` and `ws:NAME` wait for clients.

    Names, because connections are not seated in the order in which they were made.
    """
    folder.mkdir(exist_ok=True)
    there = iter(enlist([one for one in players.split(",") if not one.startswith("ws")]))
    places = [Place(one[3:]) if one.startswith("ws") else next(there) for one in players.split(",")]
    rules = ruleset.with_settings(ruleset.resolve("tenhou").rules, {"game.length": length})
    plan = RiichiRoomPlan(
        places=tuple(places),
        bots={entrant.name: entrant for entrant in enlist(["tsumogiri", "shanten"])},
        rules=rules,
        seed="9",
        mode=Mode.PER_TURN,
        clock=CLOCK,
        on_fault=OnFault.DEFAULT,
        keeping=Keeping(folder, "test"),
        pace=0.0,
    )
    return msgspec.structs.replace(plan, **changes)


class Served:
    """A server that runs as long as the `with` block, and how its games ended."""

    def __init__(self, plan: RiichiRoomPlan, *, doors: Sequence[LineDoor] = (), port: int = 0, **house: Any) -> None:
        self.endings: queue.Queue[tuple[str, Outcome | str]] = queue.Queue()
        self.house = RiichiServer(
            ServerOffer(plan, **{"limits": WATCHED, **house}), lambda room, ending: self.endings.put((room, ending))
        )
        limits = house.get("limits", WATCHED)
        at = ("127.0.0.1", port)
        self.server = WebServer(self.house.welcome, pages(), *at, limits, tidy=self.house.tidy, doors=doors)

    def __enter__(self) -> "Served":
        self.server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.house.close()
        self.server.close()

    def at(self, path: str) -> str:
        return f"ws://127.0.0.1:{self.server.port}{path}"

    def outcome(self) -> Outcome:
        _, ending = self.endings.get(timeout=SOON)
        assert isinstance(ending, Outcome), ending
        return ending


class Client:
    """A client who writes down what comes. Whoever uses it sends by itself."""

    def __init__(self, address: str, source: str = "", ssl: SSLContext | None = None, **headers: str) -> None:
        self._open = contextlib.ExitStack()
        self.connection: ClientConnection = self._open.enter_context(
            connect(
                address,
                compression=None,
                ssl=ssl,
                max_size=1 << 24,
                additional_headers=headers,
                close_timeout=2,
                source_address=(source, 0) if source else None,
            )
        )
        self.frames: list[str] = []

    def get(self, seconds: float = SOON) -> Item:
        told: Item = json.loads(self._next(seconds))
        return told

    def _next(self, seconds: float) -> str:
        message = self.connection.recv(seconds)
        assert isinstance(message, str)
        self.frames.append(message)
        return message

    def send(self, message: Any) -> None:
        """Send a message as JSON; nothing if the server has closed, for there may still be something to read."""
        with contextlib.suppress(ConnectionClosed):
            self.connection.send(json.dumps(message))

    def rest(self) -> list[str]:
        """Read until the server closes; everything that ever came."""
        try:
            while True:
                self._next(SOON)
        except ConnectionClosed:
            self.close()
            return self.frames

    @property
    def farewell(self) -> tuple[int | None, str]:
        """The code and reason with which the server has closed, after all that it said."""
        self.rest()
        return self.connection.close_code, self.connection.close_reason or ""

    def close(self) -> None:
        self._open.close()


Hook = Callable[["Drawer", Item, int], bool]
"""Told of every message with its number among those that want a reply, before it is replied to. True: it is not."""


class Drawer(Client):
    """Discards what it draws and lets everything else go, in Majiang's messages of 1.x, in a thread of its own.

    `hook` may do something else about a message. `broken` is what went wrong in the thread.
    """

    def __init__(self, address: str, hook: Hook | None = None) -> None:
        super().__init__(address)
        self.seat = -1
        self.player = -1
        self.broken: BaseException | None = None
        self._hook = hook or (lambda client, message, number: False)
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def join(self) -> list[str]:
        self._thread.join(SOON)
        assert not self._thread.is_alive()
        if self.broken is not None:
            raise self.broken
        return self.frames

    def reply_to(self, message: Item) -> Item:
        drawn = message.get("zimo") or message.get("gangzimo")
        said = {"dapai": drawn["p"] + "_"} if drawn and drawn["l"] == self.seat else {}
        return {**said, "seq": message["seq"]}

    def draws(self, message: Item) -> bool:
        return "zimo" in message and message["zimo"]["l"] == self.seat

    def _play(self) -> None:
        try:
            while True:
                self.take(self.get(SOON))
        except ConnectionClosed:
            pass
        except BaseException as problem:
            self.broken = problem
        finally:
            self.close()

    def take(self, message: Item) -> None:
        if "kaiju" in message:
            self.player = message["kaiju"]["id"]
        if "qipai" in message:
            self.seat = next(seat for seat, hand in enumerate(message["qipai"]["shoupai"]) if hand)
        if "seq" in message and not self._hook(self, message, message["seq"]):
            self.send(self.reply_to(message))


def play_out(served: Served, hooks: Iterable[Hook | None], room: str = "r") -> tuple[Outcome, list[Drawer]]:
    """A game between drawers a, b, c, d (as many as there are hooks): how it ended, and the drawers."""
    seats = zip("abcd", hooks, strict=False)
    drawers = [Drawer(served.at(f"/play/{room}?name={name}&key=k{name}"), hook) for name, hook in seats]
    outcome = served.outcome()
    for drawer in drawers:
        drawer.join()
    return outcome, drawers


def raw_visit(server: WebServer, path: str) -> socket.socket:
    """A connection whose handshake is done, and from which nothing is read by itself."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.connect(("127.0.0.1", server.port))
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade"]
    lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
    sock.sendall("\r\n".join(lines).encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += sock.recv(1)
    assert answer.startswith(b"HTTP/1.1 101 ")
    return sock


class _Tap:
    """A connection as lines, kept; it breaks after so many messages (0: never)."""

    def __init__(self, connection: ClientConnection, frames: list[str], breaks_after: int) -> None:
        self._connection, self._frames, self._breaks_after = connection, frames, breaks_after

    def __iter__(self) -> Iterator[bytes]:
        for message in self._connection:
            assert isinstance(message, str)
            self._frames.append(message)
            if len(self._frames) == self._breaks_after:
                self._connection.socket.shutdown(socket.SHUT_RDWR)
                return
            yield message.encode()

    def write(self, line: bytes) -> None:
        self._connection.send(line.decode())


class Playing:
    """Somebody who plays in a thread. `streams` holds what came on each of the connections."""

    def __init__(self) -> None:
        self.streams: list[list[str]] = []
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def join(self) -> None:
        self._thread.join(SOON)
        assert not self._thread.is_alive()
        if self._problem is not None:
            raise self._problem

    def _run(self) -> None:
        try:
            self._play()
        except BaseException as problem:
            self._problem = problem

    def _play(self) -> None:
        raise NotImplementedError

    def _new_stream(self) -> list[str]:
        self.streams.append([])
        return self.streams[-1]


class Tapped(Playing):
    """A bot that plays at an address."""

    def __init__(
        self, address: str, name: str, dialect: str, make: Callable[[], Player], breaks: Sequence[int] = ()
    ) -> None:
        self.player = -1
        self._url = f"{address}?name={name}&dialect={dialect}&key={secrets.token_hex(8)}"
        self._dialect, self._make, self._breaks = dialect, make, list(breaks)
        super().__init__()

    def _play(self) -> None:
        while self._connect(self._breaks.pop(0) if self._breaks else 0):
            pass

    def _connect(self, breaks_after: int) -> bool:
        """Play until the connection ends; whether that was our doing."""
        frames = self._new_stream()
        with connect(self._url, compression=None, max_size=1 << 24) as connection:
            try:
                tap = _Tap(connection, frames, breaks_after)
                serve(Mind(self._make()), DIALECTS[self._dialect].reader("tenhou"), tap, tap)
            except ConnectionClosed:
                pass
        return 0 < breaks_after == len(frames)
