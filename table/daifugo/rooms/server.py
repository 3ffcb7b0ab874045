"""The 大富豪 server: neof5's routes to rooms (§2), self-tests, and the monitor page."""

import re
from collections.abc import Callable

import msgspec

from jantaku.table.daifugo import neof5
from jantaku.table.daifugo import rules as daifugo
from jantaku.table.daifugo.rooms import selftest
from jantaku.table.daifugo.rooms.broadcast import TOURNAMENT, RoomNotice, free
from jantaku.table.daifugo.rooms.chair import DIALECTS
from jantaku.table.daifugo.rooms.room import DaifugoRoom, DaifugoRoomPlan
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.seating.spec import one_of
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line, Visitor
from jantaku.table.serve.net.web import Page
from jantaku.table.serve.room import Games
from jantaku.table.serve.rooms import LIST, ServedRooms, site
from jantaku.table.serve.seat import Identity

ROUTES = (
    "/play/{A|B}/{RoomID}, /monitor/{RoomID}, /rooms, /rooms/{RoomID}, /test/connection, /test/ruletest/{RTnnnn} and "
    "/test/practice/{Pnnnn}"
)

_PLAY = re.compile(r"/play/(?P<letter>[^/]*)/(?P<room>[^/]*)")
_MONITOR = re.compile(r"/monitor/(?P<room>[^/]*)")
_NOTICE = re.compile(r"/rooms/(?P<room>[^/]*)")
_RULE_TEST = re.compile(r"/test/ruletest/(?P<room>RT[0-9]{4})")
_PRACTICE = re.compile(r"/test/practice/(?P<room>P[0-9]{4})")
_ROOM = re.compile(r"[-A-Za-z0-9]{1,32}")
NO_ROOM = "room {!r} cannot be; allowed are 1 to 32 of A-Z a-z 0-9 and -"


class DaifugoServer(ServedRooms[DaifugoRoom]):
    """All rooms of a 大富豪 server. `report` is called with each series' result, or the reason why it has none."""

    unseen = "without one no hand is shown"

    def __init__(
        self,
        plan: DaifugoRoomPlan,
        limits: Limits | None = None,
        operator_token: str = "",
        *,
        games: int | None = None,
        report: Callable[[Outcome | str], None] | None = None,
    ) -> None:
        super().__init__(Games(games, plan.disk), limits or Limits(), operator_token)
        self._plan, self._report = plan, report

    def _let_in(self, arrival: Arrival, line: Line) -> Visitor | None:
        path, name = arrival.path, arrival.query.get("name", "")
        if match := _MONITOR.fullmatch(path):
            watched = self.get(match["room"])
            return None if watched is None else self._looking_on(watched.gallery, arrival, line)
        if path == LIST:
            return self._at_the_list(line)
        if match := _NOTICE.fullmatch(path):
            return self._noticing(match["room"], line)
        if path.startswith("/test/") and not name:
            line.say(selftest.NAMELESS)
            return None
        if path == "/test/connection":
            return selftest.ConnectionTest(name, line)
        dialect, program = arrival.query.get("dialect", DIALECTS[0]), f"{arrival.agent} {arrival.url}"
        one_of(dialect[: neof5.LONGEST_NAME], DIALECTS, "dialect")
        identity = Identity(name[: neof5.LONGEST_NAME], arrival.key, arrival.address, program, dialect)
        return self._room_at(path, arrival).sit(identity, line)

    def _refuse(self, line: Line, why: str) -> None:
        """Send an Exception, or nothing if the rules ask for silence."""
        if why:
            line.say(neof5.exception(why))

    # --- what the pages tell of rooms

    def _noticing(self, name: str, line: Line) -> Visitor | None:
        """Let a client follow the notice of a room; for a room that does not exist yet, say that it is free."""
        if not _ROOM.fullmatch(name):
            raise BadInput(NO_ROOM.format(name))
        room = self.get(name)
        if room is None:
            line.say(msgspec.json.encode(free(name)))
            return None
        return room.notices.admit(line)

    def _listed(self) -> list[RoomNotice]:
        """List all rooms except self-tests, which belong to one program each."""
        rooms = [room for name in self if (room := self.get(name)) is not None and not room.plan.others]
        notices = {room.name: msgspec.structs.replace(room.notice, standings=()) for room in rooms}
        listed = [notices.get(name, free(name)) for name in TOURNAMENT]
        return listed + [notice for name, notice in notices.items() if name not in TOURNAMENT]

    # --- finding rooms

    def _room_at(self, path: str, arrival: Arrival) -> DaifugoRoom:
        """Return the room of a path. BadInput if there is none."""
        query, address = arrival.query, arrival.address
        if match := _PLAY.fullmatch(path):
            return self._play_room(match["letter"], match["room"], address)
        if match := _RULE_TEST.fullmatch(path):
            return self._room_for(match["room"], selftest.rule_test(self._plan), address)
        if match := _PRACTICE.fullmatch(path):
            letter = "B" if query.get("class") == "B" else "A"
            return self._room_for(match["room"], selftest.practice(self._plan, letter), address)
        raise BadInput(f"there is no {path}; allowed are {ROUTES}")

    def _play_room(self, letter: str, name: str, address: str) -> DaifugoRoom:
        if letter not in ("A", "B"):
            raise BadInput(f"class {letter!r} is unknown; allowed are A and B")
        if not _ROOM.fullmatch(name):
            raise BadInput(NO_ROOM.format(name))
        rules = daifugo.FILES.with_settings(self._plan.rules, {"game.letter": letter}, "class")
        room = self._room_for(name, msgspec.structs.replace(self._plan, rules=rules), address)
        if room.plan.rules.game.letter != letter:
            raise BadInput(f"room {name} plays class {room.plan.rules.game.letter}")
        return room

    def _room_for(self, name: str, plan: DaifugoRoomPlan, address: str) -> DaifugoRoom:
        return self.open(name, address, lambda: DaifugoRoom(name, plan, self.games, self._report))


def pages() -> dict[str, Page]:
    """Return the list of rooms, `/`, the page of a room, `/watch/{RoomID}`, the page on which a person plays,
    `/sit/{A|B}/{RoomID}`, and the files that these need."""
    first = {"/": "rooms", "/watch/": "watch", "/sit/": "sit"}
    return site("daifugo", first)
