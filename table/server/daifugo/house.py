"""The 大富豪 server: routes of neof5 to rooms (§2), self-tests, and the monitor page."""

import re
import threading
from importlib.resources import files

import msgspec

from table.clock import now
from table.daifugo import rules as daifugo
from table.server.daifugo import selftest
from table.server.daifugo.chair import VisitorChair
from table.server.daifugo.room import Room, RoomPlan
from table.server.net.admission import Arrival
from table.server.net.limits import Limits
from table.server.net.line import Line
from table.server.net.visitor import Visitor
from table.server.net.web import Page
from table.view.guard import policy
from table.wire import neof5

IDLE_SECONDS = 3600.0
"""A room in which nothing has happened for so long is forgotten (§2.2)."""

ROUTES = "/play/{A|B}/{RoomID}, /monitor/{RoomID}, /test/connection, /test/ruletest/{RTnnnn} and /test/practice/{Pnnnn}"

_PLAY = re.compile(r"/play/(?P<letter>[^/]*)/(?P<room>[^/]*)")
_MONITOR = re.compile(r"/monitor/(?P<room>[^/]*)")
_RULE_TEST = re.compile(r"/test/ruletest/(?P<room>RT[0-9]{4})")
_PRACTICE = re.compile(r"/test/practice/(?P<room>P[0-9]{4})")
_ROOM = re.compile(r"[-A-Za-z0-9]{1,32}")
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}


class _Player:
    """A visitor on a chair. Implements `web.Visitor`."""

    def __init__(self, room: Room, chair: VisitorChair, line: Line) -> None:
        self._room, self._chair, self._line = room, chair, line

    def hear(self, text: str) -> bool:
        """See `Visitor.hear`."""
        return self._room.receive(self._chair, text)

    def leave(self) -> None:
        """See `Visitor.leave`."""
        self._room.leave(self._chair, self._line)


class _Spectator:
    """A visitor who looks on; what he says is ignored (§2.4). Implements `web.Visitor`."""

    def __init__(self, room: Room, line: Line) -> None:
        self._room, self._line = room, line
        line.one_way = True
        room.watch(line)

    def hear(self, text: str) -> None:
        """See `Visitor.hear`."""

    def leave(self) -> None:
        """See `Visitor.leave`."""
        self._room.unwatch(self._line)


class DaifugoHouse:
    """All rooms of a server; `welcome` is what the web server calls."""

    def __init__(self, plan: RoomPlan, limits: Limits | None = None) -> None:
        self.rooms: dict[str, Room] = {}
        self._plan = plan
        self._limits = limits or Limits()
        self._lock = threading.Lock()

    def welcome(self, arrival: Arrival, line: Line) -> Visitor | None:
        """See `web.Welcome`. Whoever cannot be let in is told why by an Exception."""
        path, name = arrival.path, arrival.query.get("name", "")
        if match := _MONITOR.fullmatch(path):
            watched = self.rooms.get(match["room"])
            return None if watched is None else _Spectator(watched, line)
        if path.startswith("/test/") and not name:
            line.say(selftest.NAMELESS)
            return None
        if path == "/test/connection":
            return selftest.ConnectionTest(name, line)
        room = self._room_at(path, arrival.query)
        if isinstance(room, str):
            line.say(neof5.exception(room))
            return None
        identity = (arrival.agent, arrival.address, arrival.url, name)
        chair = room.seat(name[: neof5.LONGEST_NAME], identity, line)
        return None if chair is None else _Player(room, chair, line)

    def close(self) -> None:
        """End all rooms."""
        with self._lock:
            rooms = list(self.rooms.values())
        for room in rooms:
            room.close()

    # --- finding rooms

    def _room_at(self, path: str, query: dict[str, str]) -> Room | str:
        """The room that a path names, or why there is none."""
        if match := _PLAY.fullmatch(path):
            return self._play_room(match["letter"], match["room"])
        if match := _RULE_TEST.fullmatch(path):
            return self._open(match["room"], selftest.rule_test(self._plan))
        if match := _PRACTICE.fullmatch(path):
            return self._open(match["room"], selftest.practice(self._plan, "B" if query.get("class") == "B" else "A"))
        return f"there is no {path}; allowed are {ROUTES}"

    def _play_room(self, letter: str, name: str) -> Room | str:
        if letter not in ("A", "B"):
            return f"class {letter!r} is unknown; allowed are A and B"
        if not _ROOM.fullmatch(name):
            return f"room {name!r} cannot be; allowed are 1 to 32 of A-Z a-z 0-9 and -"
        rules = daifugo.FILES.with_settings(self._plan.rules, {"game.letter": letter}, "class")
        room = self._open(name, msgspec.structs.replace(self._plan, rules=rules))
        if isinstance(room, Room) and room.plan.rules.game.letter != letter:
            return f"room {name} plays class {room.plan.rules.game.letter}"
        return room

    def _open(self, name: str, plan: RoomPlan) -> Room | str:
        """The room of that name, made if need be."""
        with self._lock:
            self._forget_idle()
            if name not in self.rooms:
                if len(self.rooms) >= self._limits.rooms:
                    return "all rooms are taken; try again later"
                self.rooms[name] = Room(name, plan)
            return self.rooms[name]

    def _forget_idle(self) -> None:
        for name, room in list(self.rooms.items()):
            if room.idle_since is not None and now() - room.idle_since > IDLE_SECONDS:
                del self.rooms[name]
                room.close()


def pages() -> dict[str, Page]:
    """The monitor page: `/watch/{RoomID}` and what it needs."""
    folder = files("table.server") / "pages" / "daifugo"
    found = {
        f"/daifugo/{item.name}": Page(_KINDS[item.name[item.name.rindex(".") :]], item.read_bytes())
        for item in folder.iterdir()
        if item.name[item.name.rindex(".") :] in _KINDS
    }
    monitor = found.pop("/daifugo/monitor.html")
    found["/watch/"] = msgspec.structs.replace(monitor, policy=policy(["'self'"], ["'self'"], connect="'self'"))
    return found
