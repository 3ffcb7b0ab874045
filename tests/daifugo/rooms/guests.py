"""Clients of the server for the tests: one that is driven by hand, and bots with one vice each."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from jantaku.table.daifugo.client import BotClient
from jantaku.table.daifugo.events import Board
from jantaku.table.daifugo.neof5 import Said, Snapshot, board_of, parse_message, put
from jantaku.table.daifugo.players import DaifugoWeakest
from jantaku.table.daifugo.rooms.chairs import AWAY
from jantaku.table.daifugo.rooms.room import DaifugoRoom, DaifugoRoomPlan
from jantaku.table.daifugo.rooms.server import DaifugoServer, pages
from jantaku.table.daifugo.rules import Rules
from jantaku.table.ground.port import Player
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.web import Page, WebServer
from jantaku.table.serve.room import Disk
from tests.daifugo.walk import rules
from tests.kit.pace import SOON
from tests.kit.processes import wait_until

PATIENCE = SOON
"""Seconds after which a test that waits for the server has failed."""

Message = dict[str, Any]
SHORT = rules("A", game__seats="2", series__rounds="1")


class Guest:
    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[Message] = []

    def next(self) -> Message:
        message: Message = msgspec.json.decode(self.connection.recv(timeout=PATIENCE))
        self.heard.append(message)
        return message

    def until(self, kind: str) -> Message:
        while True:
            message = self.next()
            if message["Kind"] == kind:
                return message

    def refused(self, request: object) -> str:
        """Send a request and read on to the Exception that it earns."""
        self.say(request)
        text: str = self.until("Exception")["Message"]
        return text

    def say(self, request: object) -> None:
        self.connection.send(request if isinstance(request, str | bytes) else msgspec.json.encode(request).decode())

    def play_on(self) -> Message:
        while True:
            message = self.next()
            if message["Kind"] == "ProcessTurn":
                self.put("" if message["Ba"] else message["Deck"].split()[0])
            if message["Kind"] == "Finish":
                return message

    def put(self, cards: str) -> None:
        self.say({"Kind": "Put", "Cards": cards})

    def closed(self) -> tuple[int, str]:
        while True:
            try:
                self.next()
            except ConnectionClosed as end:
                return (end.rcvd.code, end.rcvd.reason) if end.rcvd else (1006, "")


class House:
    def __init__(self, server: WebServer, rooms: DaifugoServer) -> None:
        self.server, self.rooms = server, rooms

    def url(self, path: str) -> str:
        return f"ws://127.0.0.1:{self.server.port}{path}"

    @contextmanager
    def guest(self, path: str, agent: str = "test") -> Iterator[Guest]:
        with connect(self.url(path), compression=None, user_agent_header=agent, close_timeout=1) as connection:
            yield Guest(connection)

    def room(self, name: str) -> DaifugoRoom:
        room = self.rooms.get(name)
        assert room is not None
        return room

    def seated(self, name: str, count: int) -> None:
        wait_until(lambda: name in self.rooms and len(self.room(name).chairs) >= count)


@contextmanager
def house_of(
    rules: Rules,
    *,
    limit: float = PATIENCE,
    folder: Path | None = None,
    limits: Limits | None = None,
    operator_token: str = "",
    open_hands: bool = False,
    disk: Disk | None = None,
    seed: str = "7",
    pause: float | None = 0.0,
    com: Callable[[int], Player] = lambda seed: DaifugoWeakest(seed=seed),
    bots: Sequence[Entrant] = (),
    beside: Mapping[str, Page] | None = None,
) -> Iterator[House]:
    plan = DaifugoRoomPlan(
        rules=rules,
        seed=seed,
        com=com,
        limit=limit,
        pause=pause,
        folder=folder,
        open_hands=open_hands,
        disk=disk or Disk(),
        bots=bots,
    )
    limits = limits or Limits(ping=20.0, pongs_wanted=False)
    rooms = DaifugoServer(plan, limits, operator_token)
    with WebServer(rooms.welcome, {**pages(), **(beside or {})}, "127.0.0.1", 0, limits, tidy=rooms.tidy) as server:
        try:
            yield House(server, rooms)
        finally:
            rooms.close()


class Client(BotClient):
    """A bot at a server that keeps what it heard; `thread` runs it."""

    def __init__(self, url: str, rules: Rules, bot: Any = None) -> None:
        super().__init__(url, bot or DaifugoWeakest(), rules)
        self.heard: list[Snapshot | Said] = []
        self.finished = threading.Semaphore(0)
        self.thread = threading.Thread(target=self.run, daemon=True)

    def hear(self, message: Snapshot | Said) -> None:
        self.heard.append(message)
        if message.kind == "Finish":
            self.finished.release()

    def started(self) -> Self:
        """The same, connecting in a thread of its own."""
        self.thread.start()
        return self

    @property
    def exceptions(self) -> list[str]:
        return [said.message for said in self.heard if isinstance(said, Said) and said.kind == "Exception"]

    @property
    def tweets(self) -> list[tuple[int, str]]:
        return [(one.player_num, one.message) for one in self.heard if isinstance(one, Said) and one.kind == "Tweet"]


class Watcher(Client):
    """Looks on, and sets `away` when somebody is away."""

    def __init__(self, url: str, rules: Rules) -> None:
        super().__init__(url, rules)
        self.away = threading.Event()

    def hear(self, message: Snapshot | Said) -> None:
        super().hear(message)
        if isinstance(message, Snapshot) and any(info.name.endswith(AWAY) for info in message.player_info):
            self.away.set()


class Talker(Client):
    def choose(self, board: Board, seat: int) -> Sequence[int]:
        if self._asked == 0 and self.connection is not None:
            self.connection.send('{"Kind":"Tweet","Message":"こんにちわ。"}')
        return super().choose(board, seat)


class Sleeper(Client):
    """Sends nothing in its second turn until it hears that its time was over."""

    def choose(self, board: Board, seat: int) -> Sequence[int]:
        if self._asked == 1 and self.connection is not None:
            self._asked += 1
            while (seat, "（サーバ処理：タイムアウト）") not in self.tweets:
                self._read()
            while not (isinstance(self.heard[-1], Snapshot) and self.heard[-1].kind == "ProcessTurn"):
                self._read()
            board = self._board()
        return super().choose(board, seat)

    def _read(self) -> None:
        assert self.connection is not None
        self.hear(parse_message(self.connection.recv(timeout=PATIENCE)))

    def _board(self) -> Board:
        last = self.heard[-1]
        assert isinstance(last, Snapshot)
        return board_of(last)


class Cheat(Client):
    def choose(self, board: Board, seat: int) -> Sequence[int]:
        assert self.connection is not None
        held = board.hands[seat]
        other = next(card for card in range(53) if card not in held)
        for text in ("X3", "S3 S3"):
            self.connection.send(msgspec.json.encode({"Kind": "Put", "Cards": text}).decode())
        self.connection.send(put([held[0], other]).decode())
        return super().choose(board, seat)


class Mortal(Client):
    """Breaks its connection in its third turn, and comes back when that has been noticed."""

    missed = threading.Event()

    def choose(self, board: Board, seat: int) -> Sequence[int]:
        if self._asked == 2 and self.connection is not None:
            self._asked += 1
            self.connection.close()
            raise ConnectionClosed(None, None)
        return super().choose(board, seat)

    def run(self) -> None:
        super().run()
        assert self.missed.wait(PATIENCE)
        super().run()


def begun(house: House, a: Guest, b: Guest) -> tuple[Guest, Guest]:
    """Both guests of a room of two: first who leads, then who waits."""
    told = a.until("Thinking")
    b.until("Thinking")
    # Who connected first is not always seated first: the handshake ends before the room is entered.
    first, second = (a, b) if told["Teban"] == told["YourNum"] else (b, a)
    first.until("ProcessTurn")
    return first, second
