"""Net play on a free port of this machine, and clients of it: python-socketio's own, told nothing of our server."""

import asyncio
import queue
import threading
import time
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import socketio

from jantaku.table.judge.timing import Clock
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.web import Page
from jantaku.table.serve.netplay.server import BASE, NetplayOffer, NetplayServer
from jantaku.table.serve.riichi.server import RiichiServer, ServerOffer
from scripts.pace import SOON
from tests.serve.serving import WATCHED, plan_of

Message = dict[str, Any]
NOTHING: tuple[str, ...] = ()


class NetplayHouse:
    """A server in front of these rooms, and what they reported to it."""

    def __init__(self, rooms: RiichiServer, offer: ServerOffer, pages: Mapping[str, Page] = {}) -> None:
        self.reports: queue.Queue[Any] = queue.Queue()
        self.rooms = rooms
        self.clients: list[NetplayClient] = []
        wanted = NetplayOffer("127.0.0.1", 0, "tsumogiri", tuple(offer.rooms), pages)
        self.server = NetplayServer(wanted, self.rooms.welcome, offer.limits)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def run(self, what: Coroutine[Any, Any, Any]) -> None:
        """Run what a client does, on the clients' event loop."""
        asyncio.run_coroutine_threadsafe(what, self._loop).result(SOON)

    def block(self, seconds: float) -> None:
        """The clients think: nothing else happens in their thread, and no ping is answered."""
        self._loop.call_soon_threadsafe(time.sleep, seconds)

    def close(self) -> None:
        """End the clients."""

        async def end() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        self.run(end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def begin_to_close(self) -> "Future[None]":
        """The server begins to end, and has taken the first step."""
        ending = asyncio.run_coroutine_threadsafe(self.server._close(), self.server._loop)
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self.server._loop).result(SOON)
        return ending

    def post(self, path: str, cookie: str = "", **form: str) -> tuple[int, str]:
        """The status of a POST, and the cookie that it sets."""
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=SOON)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        headers |= {"Cookie": f"MAJIANG={cookie}"} if cookie else {}
        connection.request("POST", BASE + path, urlencode(form), headers)
        answer = connection.getresponse()
        cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0].partition("=")[2]
        connection.close()
        return answer.status, cookie

    def log_in(self, name: str) -> "NetplayClient":
        """A client who has logged in and connected."""
        status, cookie = self.post("/auth/", name=name, passwd="*")
        assert status == HTTPStatus.FOUND and cookie
        return NetplayClient(self, cookie)


class NetplayClient:
    """A connection, every event of which is kept in order."""

    def __init__(self, house: NetplayHouse, cookie: str) -> None:
        self.house, self.cookie = house, cookie
        house.clients.append(self)
        self.events: queue.Queue[tuple[str, tuple[Any, ...]]] = queue.Queue()
        self._socket = socketio.AsyncClient(reconnection=False)
        self._socket.on("*", lambda event, *data: self.events.put((event, data)))
        self._socket.on("disconnect", lambda *_: self.events.put(("disconnect", ())))
        house.run(
            self._socket.connect(
                f"http://127.0.0.1:{house.server.port}",
                headers={"Cookie": f"MAJIANG={cookie}"},
                socketio_path=f"{BASE}/socket.io",
                transports=["websocket"],
            )
        )

    def again(self) -> "NetplayClient":
        """The same user on a new connection."""
        return NetplayClient(self.house, self.cookie)

    def say(self, event: str, *data: Any) -> None:
        """Send an event with its arguments."""
        self.house.run(self._socket.emit(event, data))

    def next(self) -> tuple[str, tuple[Any, ...]]:
        """The next event."""
        return self.events.get(timeout=SOON)

    def hears(self, event: str) -> tuple[Any, ...]:
        """The arguments of the next event, which is of this name."""
        name, data = self.next()
        assert name == event, (name, data)
        return data

    def until(self, event: str) -> tuple[Any, ...]:
        """The arguments of the next event of this name, whatever comes before it."""
        while True:
            name, data = self.next()
            if name == event:
                return data

    def play(self, *, until: str = "END") -> list[Message]:
        """Answer every message with nothing, up to one with that word or that event: what came."""
        told: list[Message] = []
        while True:
            name, data = self.next()
            if name == "END":
                return told
            if name == "GAME":
                told.append(data[0])
                if until in data[0]:
                    return told
                if "seq" in data[0]:
                    self.say("GAME", {"seq": data[0]["seq"]})

    def break_off(self) -> None:
        """The connection is gone."""
        self.house.run(self._socket.disconnect())


@contextmanager
def netplay_in(
    folder: Path,
    players: str = "ws,ws,ws,ws",
    *,
    rooms: tuple[str, ...] = NOTHING,
    pages: Mapping[str, Page] = {},
    seconds: float = SOON,
    limits: Limits = WATCHED,
) -> Iterator[NetplayHouse]:
    """A server whose rooms have these players, with so many seconds for each answer."""
    plan = plan_of(folder, players, clock=Clock(turn=seconds, reaction=seconds, start=seconds))
    offer = ServerOffer(plan, rooms=rooms, limits=limits)
    house = NetplayHouse(RiichiServer(offer, lambda room, ending: house.reports.put(ending)), offer, pages)
    try:
        with house.server:
            try:
                yield house
            finally:
                for client in house.clients:
                    client.break_off()
                house.rooms.close()
    finally:
        house.close()
