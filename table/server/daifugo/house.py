"""The 大富豪 server: routes of neof5 to rooms (§2), self-tests, and the monitor page."""

import re
import threading
from functools import partial
from importlib.resources import files

import msgspec
from websockets.frames import CloseCode

from table.daifugo import rules as daifugo
from table.errors import BadInput
from table.server.claims import Claim, same_secret
from table.server.daifugo import selftest
from table.server.daifugo.room import DaifugoRoom, DaifugoRoomPlan
from table.server.net.admission import Arrival
from table.server.net.limits import Limits
from table.server.net.line import Line
from table.server.net.visitor import DelegatedVisitor, Visitor
from table.server.net.web import Page, WebServer
from table.server.rooms import Rooms
from table.view.guard import policy
from table.view.page import ASSETS
from table.wire import neof5

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


class DaifugoHouse:
    """All rooms of a server; `welcome` is what the web server calls. Who knows `operator_token` sees all hands."""

    def __init__(self, plan: DaifugoRoomPlan, limits: Limits | None = None, operator_token: str = "") -> None:
        self.rooms: Rooms[DaifugoRoom] = Rooms(limits or Limits())
        self._plan = plan
        self._operator_token = operator_token

    def welcome(self, arrival: Arrival, line: Line) -> Visitor | None:
        """See `visitor.Welcome`. Whoever cannot be let in is told why by an Exception."""
        path, name = arrival.path, arrival.query.get("name", "")
        if match := _MONITOR.fullmatch(path):
            return self._watch(match["room"], arrival, line)
        if path.startswith("/test/") and not name:
            line.say(selftest.NAMELESS)
            return None
        if path == "/test/connection":
            return selftest.ConnectionTest(name, line)
        try:
            room = self._room_at(path, arrival)
        except BadInput as refusal:
            line.say(neof5.exception(str(refusal)))
            return None
        key = arrival.query.get("key", "")
        claim = Claim(name[: neof5.LONGEST_NAME], key, arrival.address, f"{arrival.agent} {arrival.url}")
        chair = room.seat(claim, line)
        if chair is None:
            return None
        return DelegatedVisitor(partial(room.receive, chair, line), partial(room.leave, chair, line))

    def tidy(self) -> None:
        """Let rooms go that everybody has left."""
        self.rooms.tidy()

    def wait(self, server: WebServer) -> None:
        """Wait in the main thread until a signal ends it."""
        server.wait(threading.Event())

    def close(self) -> None:
        """End all rooms."""
        self.rooms.close()

    # --- finding rooms

    def _watch(self, name: str, arrival: Arrival, line: Line) -> Visitor | None:
        room, token = self.rooms.get(name), arrival.token
        if room is None:
            return None
        if token and not (self._operator_token and same_secret(token, self._operator_token)):
            line.hang_up(CloseCode.POLICY_VIOLATION, "token: it is not the operator's; without one no hand is shown")
            return None
        line.one_way = True  # what spectators say is ignored (§2.4)
        room.watch(line, operator=bool(token))
        return DelegatedVisitor(lambda text: None, partial(room.unwatch, line))

    def _room_at(self, path: str, arrival: Arrival) -> DaifugoRoom:
        """The room that a path names. BadInput if there is none."""
        query, address = arrival.query, arrival.address
        if match := _PLAY.fullmatch(path):
            return self._play_room(match["letter"], match["room"], address)
        if match := _RULE_TEST.fullmatch(path):
            return self._open(match["room"], selftest.rule_test(self._plan), address)
        if match := _PRACTICE.fullmatch(path):
            letter = "B" if query.get("class") == "B" else "A"
            return self._open(match["room"], selftest.practice(self._plan, letter), address)
        raise BadInput(f"there is no {path}; allowed are {ROUTES}")

    def _play_room(self, letter: str, name: str, address: str) -> DaifugoRoom:
        if letter not in ("A", "B"):
            raise BadInput(f"class {letter!r} is unknown; allowed are A and B")
        if not _ROOM.fullmatch(name):
            raise BadInput(f"room {name!r} cannot be; allowed are 1 to 32 of A-Z a-z 0-9 and -")
        rules = daifugo.FILES.with_settings(self._plan.rules, {"game.letter": letter}, "class")
        room = self._open(name, msgspec.structs.replace(self._plan, rules=rules), address)
        if room.plan.rules.game.letter != letter:
            raise BadInput(f"room {name} plays class {room.plan.rules.game.letter}")
        return room

    def _open(self, name: str, plan: DaifugoRoomPlan, address: str) -> DaifugoRoom:
        return self.rooms.open(name, address, lambda: DaifugoRoom(name, plan))


def pages() -> dict[str, Page]:
    """The monitor page: `/watch/{RoomID}` and what it needs."""
    folder = files("table.server") / "pages" / "daifugo"
    found = {
        f"/daifugo/{item.name}": Page(_KINDS[item.name[item.name.rindex(".") :]], item.read_bytes())
        for item in folder.iterdir()
        if item.name[item.name.rindex(".") :] in _KINDS
    }
    found["/daifugo/token.js"] = Page(_KINDS[".js"], (ASSETS / "token.js").read_bytes())
    monitor = found.pop("/daifugo/monitor.html")
    found["/watch/"] = msgspec.structs.replace(monitor, policy=policy(["'self'"], ["'self'"], connect="'self'"))
    return found
