"""The riichi server: routes to rooms, and who may go where."""

import re
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from websockets.frames import CloseCode

from table.errors import BadInput
from table.play.outcome import Outcome
from table.seating.spec import one_of
from table.server.claims import Claim, same_secret
from table.server.disk import Disk
from table.server.net.admission import Arrival
from table.server.net.limits import Limits
from table.server.net.line import Line
from table.server.net.visitor import DelegatedVisitor, Visitor
from table.server.net.web import Page, WebServer
from table.server.riichi.room import Games, RiichiRoom, RiichiRoomPlan
from table.server.rooms import Rooms
from table.server.watching.audience import Onlooker
from table.server.watching.options import Options
from table.view.page import Book, page
from table.wire.dialects import DEFAULT, DIALECTS

ROUTES = "/play/{room}?name=NAME and /watch/{room}"
LONGEST_NAME = 32
_ROUTE = re.compile(r"/(play|watch)/([^/]*)")
_ROOM = re.compile(r"[-A-Za-z0-9]{1,32}")


class House(msgspec.Struct, frozen=True):
    """What a server offers: rooms by name, or those that visitors open.

    `token` is wanted of everybody who plays, `operator_token` of who wants to see hidden tiles; empty: of nobody,
    and nobody can. `games` is how many are played in all, None: no end.
    """

    plan: RiichiRoomPlan
    rooms: Sequence[str] = ()
    token: str = ""
    operator_token: str = ""
    games: int | None = None
    limits: Limits = Limits()
    disk: Disk = Disk()


class RiichiHouse:
    """All rooms of a server; `welcome` is what the web server calls. `report`: see `RiichiRoom`."""

    def __init__(self, house: House, report: Callable[[str, Outcome | str], None]) -> None:
        self.rooms: Rooms[RiichiRoom] = Rooms(house.limits)
        self.games = Games(house.games, house.disk)
        self._house, self._report = house, report
        self._options = Options(house.plan.keeping.folder)
        """For the operator, of all games of the server."""
        for name in house.rooms:
            if not _ROOM.fullmatch(name):
                raise BadInput(f"room {name!r} cannot be; allowed are 1 to 32 of A-Z a-z 0-9 and -")
            self.rooms.keep(name, self._room(name, house.token, stay=True))

    def welcome(self, arrival: Arrival, line: Line) -> Visitor | None:
        """See `web.Welcome`. Who cannot be let in is told why when the connection is closed."""
        try:
            match = _ROUTE.fullmatch(arrival.path)
            if match is None:
                raise BadInput(f"there is no {arrival.path}; allowed are {ROUTES}")
            return (self._play if match[1] == "play" else self._watch)(match[2], arrival, line)
        except BadInput as refusal:
            line.hang_up(CloseCode.POLICY_VIOLATION, str(refusal))
            return None

    def tidy(self) -> None:
        """Let rooms go that visitors opened and have left."""
        self.rooms.tidy()

    def wait(self, server: WebServer) -> None:
        """Wait in the main thread until all games are played."""
        server.wait(self.games.finished)

    def close(self) -> None:
        """End all games after the turn that is played; their records are kept."""
        self.rooms.close()

    # --- who comes

    def _play(self, room_name: str, arrival: Arrival, line: Line) -> Visitor:
        query = arrival.query
        name, dialect = query.get("name", ""), query.get("dialect", DEFAULT)
        if not name or len(name) > LONGEST_NAME or not name.isprintable() or name != name.strip():
            raise BadInput(f"name: 1 to {LONGEST_NAME} characters that can be printed; see {ROUTES}")
        one_of(dialect[:LONGEST_NAME], DIALECTS, "dialect")
        claim = Claim(name, query.get("key", ""), arrival.address)
        room = self._open(room_name, arrival.token, arrival.address)
        guest = room.sit(claim, line, DIALECTS[dialect])
        if room.is_over and isinstance(guest, str):  # its game has just ended: the next one is in a new room
            room = self._open(room_name, arrival.token, arrival.address)
            guest = room.sit(claim, line, DIALECTS[dialect])
        if isinstance(guest, str):
            raise BadInput(guest)
        return DelegatedVisitor(partial(room.hear, guest, line), partial(room.leave, guest, line))

    def _watch(self, room_name: str, arrival: Arrival, line: Line) -> Visitor:
        room = self.rooms.get(room_name)
        if room is None:
            raise BadInput("there is no such room")
        token = arrival.token
        operator = self._house.operator_token
        if token and not (operator and same_secret(token, operator)):
            raise BadInput("token: it is not the operator's; who looks on without one sees no hidden tile")
        gallery = room.gallery
        gallery.admit(line, operator=bool(token))
        return Onlooker(gallery, line, self._options if token else None)

    # --- rooms

    def _open(self, name: str, token: str, address: str) -> RiichiRoom:
        """The room of that name, made if need be. A visitor who opens one chooses its token."""
        house = self._house
        room = self.rooms.get(name)
        mine = room is None or (room.is_over and not room.stay)
        wanted = house.token if room is None or mine or house.token else room.token
        if wanted and not same_secret(token, wanted):
            raise BadInput(f"token: it is not that of room {name[:LONGEST_NAME]}")
        if room is None and (house.rooms or not _ROOM.fullmatch(name)):
            allowed = ", ".join(house.rooms) or "1 to 32 of A-Z a-z 0-9 and -"
            raise BadInput(f"room {name[:LONGEST_NAME]}: there is none; allowed are {allowed}")
        opened = self.rooms.open(name, address, lambda: self._room(name, token, stay=False))
        if not house.token and opened.token and not same_secret(token, opened.token):  # somebody else was quicker
            raise BadInput(f"token: it is not that of room {name[:LONGEST_NAME]}")
        return opened

    def _room(self, name: str, token: str, *, stay: bool) -> RiichiRoom:
        return RiichiRoom(name, self._house.plan, self.games, self._report, token=token, stay=stay)


def pages() -> dict[str, Page]:
    """The viewer, at the address that a room is watched at."""
    viewer = page(Book(live="?"))
    return {"/watch/": Page("text/html; charset=utf-8", viewer.content, viewer.policy)}
