"""The riichi server: routes to rooms, and access control."""

import re
from collections.abc import Callable, Sequence

import msgspec

from table.errors import BadInput
from table.play.outcome import Outcome
from table.seating.spec import one_of
from table.server.disk import Disk
from table.server.identity import Identity, same_secret
from table.server.net.admission import Arrival
from table.server.net.limits import Limits
from table.server.net.line import Line
from table.server.net.visitor import Visitor
from table.server.net.web import Page
from table.server.riichi.mjsonp import DIALECT
from table.server.riichi.room import RiichiRoom, RiichiRoomPlan
from table.server.room import Games
from table.server.rooms import ServedRooms
from table.server.watching.options import Options
from table.view.page import Book, page
from table.wire.dialects import DEFAULT, DIALECTS

ROUTES = "/play/{room}?name=NAME and /watch/{room}"
LONGEST_NAME = 32
_ROUTE = re.compile(r"/(play|watch)/([^/]*)")
_ROOM = re.compile(r"[-A-Za-z0-9]{1,32}")


class ServerOffer(msgspec.Struct, frozen=True):
    """What a server offers: rooms by name, or those that visitors open. `token` is required of every player,
    `operator_token` of onlookers who want to see hidden tiles; empty: of nobody, and nobody can. `games` is how many
    are played in all, None: no limit."""

    plan: RiichiRoomPlan
    rooms: Sequence[str] = ()
    token: str = ""
    operator_token: str = ""
    games: int | None = None
    limits: Limits = Limits()
    disk: Disk = Disk()


class RiichiServer(ServedRooms[RiichiRoom]):
    """All rooms of a riichi server. `report`: see `RiichiRoom`."""

    def __init__(self, offer: ServerOffer, report: Callable[[str, Outcome | str], None]) -> None:
        options = Options(offer.plan.keeping.folder)  # of all games of the server
        super().__init__(Games(offer.games, offer.disk), offer.limits, offer.operator_token, options)
        self._offer, self._report = offer, report
        for name in offer.rooms:
            if not _ROOM.fullmatch(name):
                raise BadInput(f"room {name!r} cannot be; allowed are 1 to 32 of A-Z a-z 0-9 and -")
            self.keep(name, self._room(name, offer.token, stay=True))

    def _let_in(self, arrival: Arrival, line: Line) -> Visitor | None:
        match = _ROUTE.fullmatch(arrival.path)
        if match is None:
            raise BadInput(f"there is no {arrival.path}; allowed are {ROUTES}")
        if match[1] == "play":
            return self._play(match[2], arrival, line)
        room = self.get(match[2])
        if room is None:
            raise BadInput("there is no such room")
        return self._looking_on(room, arrival, line)

    def _play(self, room_name: str, arrival: Arrival, line: Line) -> Visitor:
        query = arrival.query
        name, dialect = query.get("name", ""), query.get("dialect", DEFAULT)
        if not name or len(name) > LONGEST_NAME or not name.isprintable() or name != name.strip():
            raise BadInput(f"name: 1 to {LONGEST_NAME} characters that can be printed; see {ROUTES}")
        one_of(dialect[:LONGEST_NAME], DIALECTS, "dialect")
        identity = Identity(name, arrival.key, arrival.address, dialect=dialect, renamed=dialect == DIALECT)
        room = self._room_for(room_name, arrival.token, arrival.address)
        try:
            return room.sit(identity, line)
        except BadInput:
            if not room.is_over:
                raise
        # Its game has just ended: the next one is in a new room.
        return self._room_for(room_name, arrival.token, arrival.address).sit(identity, line)

    # --- rooms

    def _room_for(self, name: str, token: str, address: str) -> RiichiRoom:
        """The room of that name, made if need be. A visitor who opens one chooses its token."""
        offer = self._offer
        room = self.get(name)
        mine = room is None or (room.is_over and not room.stay)
        wanted = offer.token if room is None or mine or offer.token else room.token
        if wanted and not same_secret(token, wanted):
            raise BadInput(f"token: it is not that of room {name[:LONGEST_NAME]}")
        if room is None and (offer.rooms or not _ROOM.fullmatch(name)):
            allowed = ", ".join(offer.rooms) or "1 to 32 of A-Z a-z 0-9 and -"
            raise BadInput(f"room {name[:LONGEST_NAME]}: there is none; allowed are {allowed}")
        opened = self.open(name, address, lambda: self._room(name, token, stay=False))
        if not offer.token and opened.token and not same_secret(token, opened.token):  # somebody else was quicker
            raise BadInput(f"token: it is not that of room {name[:LONGEST_NAME]}")
        return opened

    def _room(self, name: str, token: str, *, stay: bool) -> RiichiRoom:
        return RiichiRoom(name, self._offer.plan, self.games, self._report, token=token, stay=stay)


def pages() -> dict[str, Page]:
    """The viewer, at the address that a room is watched at."""
    viewer = page(Book(live="?"))
    return {"/watch/": Page("text/html; charset=utf-8", viewer.content, viewer.policy)}
