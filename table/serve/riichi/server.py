"""The riichi server: routes to rooms, and access control."""

import re
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence

import msgspec
from websockets.frames import CloseCode

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.wire.dialects import DEFAULT, dialects_of
from jantaku.table.languages.wire.person import PERSON
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.seating.spec import one_of
from jantaku.table.records.view.page import Book, page
from jantaku.table.serve.identity import Identity, same_secret
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.visitor import Visitor
from jantaku.table.serve.net.web import Page
from jantaku.table.serve.riichi.gallery import KeptGame
from jantaku.table.serve.riichi.invitations import invitation
from jantaku.table.serve.riichi.looking_back import Form, LookingBack, wish_of
from jantaku.table.serve.riichi.mjsonp import DIALECT
from jantaku.table.serve.riichi.notices import KEPT, EndedGame, Listing, Rankings, ended_game, in_order
from jantaku.table.serve.riichi.room import RiichiRoom, RiichiRoomPlan
from jantaku.table.serve.room import Disk, Games
from jantaku.table.serve.rooms import LIST, ServedRooms
from jantaku.table.serve.site import site
from jantaku.table.serve.streams import Options

ROUTES = "/play/{room}?name=NAME and /watch/{room}"
LONGEST_NAME = 32
_ROUTE = re.compile(r"/(play|watch)/([^/]*)")
_RECORD = re.compile(r"/record/([0-9]{1,9})")
_INVITE = re.compile(r"/invite/([-A-Za-z0-9]{1,32})")
_ROOM = re.compile(r"[-A-Za-z0-9]{1,32}")


class ServerOffer(msgspec.Struct, frozen=True):
    """What a server offers: rooms by name, or rooms that visitors open. Every player needs `token`, and spectators need
    `operator_token` to see hidden tiles; empty: players need none, and no spectator sees them. `games`: how many are
    played in total; None: no limit."""

    plan: RiichiRoomPlan
    rooms: Sequence[str] = ()
    token: str = ""
    operator_token: str = ""
    games: int | None = None
    limits: Limits = Limits()
    disk: Disk = Disk()
    titles: Mapping[str, str] = {}
    """Titles of rooms, by name."""
    pins: bool = True
    """Whether the threads of a game keep to one core."""
    reached: Sequence[str] = ()
    """Names and addresses at which others reach the server, the best first."""


class RiichiServer(ServedRooms[RiichiRoom]):
    """All rooms of a riichi server. `report` is called with the room's name and each game's result, or the reason why
    it has none."""

    def __init__(self, offer: ServerOffer, report: Callable[[str, Outcome | str], None]) -> None:
        options = Options(offer.plan.keeping.folder)  # for all games of the server
        super().__init__(Games(offer.games, offer.disk, pins=offer.pins), offer.limits, offer.operator_token, options)
        self._offer, self._report = offer, report
        self._rankings = Rankings()
        self._ended: deque[tuple[EndedGame, KeptGame]] = deque(maxlen=KEPT)
        """The last games, the newest first."""
        self._telling = threading.Lock()
        self._back, self._costs = LookingBack(), LookingBack(self._is_playing)
        for name in offer.rooms:
            if not _ROOM.fullmatch(name):
                raise BadInput(f"room {name!r} is not a valid name; allowed are 1 to 32 of A-Z a-z 0-9 and -")
            self.keep(name, self._room(name, offer.token, stay=True))

    def _let_in(self, arrival: Arrival, line: Line) -> Visitor | None:
        if arrival.path == LIST:
            return self._at_the_list(line)
        if match := _RECORD.fullmatch(arrival.path):
            kept = self._kept(int(match[1]))
            if kept.is_open_to(arrival.token):
                wish = wish_of(kept.journal, arrival.query)
                return (self._costs if wish.form is Form.COSTLY else self._back).show(wish, line)
            return self._looking_on(kept, arrival, line)
        if match := _INVITE.fullmatch(arrival.path):
            line.say(msgspec.json.encode(invitation(match[1], arrival.query.get("at", ""), self._offer.reached)))
            line.hang_up(CloseCode.NORMAL_CLOSURE, "")
            return None
        match = _ROUTE.fullmatch(arrival.path)
        if match is None:
            raise BadInput(f"there is no {arrival.path}; allowed are {ROUTES}")
        if match[1] == "play":
            return self._play(match[2], arrival, line)
        room = self.get(match[2])
        if room is None:
            raise BadInput("there is no such room")
        return self._looking_on(room.gallery, arrival, line)

    def _play(self, room_name: str, arrival: Arrival, line: Line) -> Visitor:
        query = arrival.query
        name, dialect = _checked(query.get("name", "")), query.get("dialect", DEFAULT)
        one_of(dialect[:LONGEST_NAME], (*dialects_of(self._offer.plan.rules.game.players), PERSON), "dialect")
        identity = Identity(name, arrival.key, arrival.address, dialect=dialect, renamed=dialect == DIALECT)
        room = self._room_for(room_name, arrival.token, arrival.address)
        try:
            return room.sit(identity, line)
        except BadInput:
            if not room.is_over:
                raise
        # The room's game has just ended: the next one is in a new room.
        return self._room_for(room_name, arrival.token, arrival.address).sit(identity, line)

    def close(self) -> None:
        super().close()
        self._back.close()
        self._costs.close()

    def _is_playing(self) -> bool:
        return any(room.is_playing for name in self if (room := self.get(name)) is not None)

    # --- what is told of rooms and games

    def _listed(self) -> Listing:
        notices = [room.notice for name in self if (room := self.get(name)) is not None]
        with self._telling:
            ended, standings = tuple(game for game, _ in self._ended), self._rankings.standings
        listed = in_order(notices)
        bots = tuple(self._offer.plan.bots)
        return Listing(listed, len(notices) - len(listed), not self._offer.rooms, ended, standings, bots)

    def _kept(self, number: int) -> KeptGame:
        with self._telling:
            found = next((kept for game, kept in self._ended if game.number == number), None)
        if found is None:
            raise BadInput(f"game {number} is not kept here; the last {KEPT} are, once they are over")
        return found

    def _game_over(self, room: RiichiRoom, ending: Outcome | str) -> None:
        if isinstance(ending, Outcome):
            kept = room.kept(ending)
            with self._telling:
                self._ended.appendleft((ended_game(room.name, ending), kept))
                self._rankings.add(ending)
        self._report(room.name, ending)

    # --- rooms

    def _room_for(self, name: str, token: str, address: str) -> RiichiRoom:
        """Return the room of that name, opened if need be. A visitor that opens one chooses its token."""
        offer = self._offer
        room = self.get(name)
        mine = room is None or (room.is_over and not room.stay)
        wanted = offer.token if room is None or mine or offer.token else room.token
        if wanted and not same_secret(token, wanted):
            raise BadInput(f"token: wrong for room {name[:LONGEST_NAME]}")
        if room is None and (offer.rooms or not _ROOM.fullmatch(name)):
            allowed = ", ".join(offer.rooms) or "1 to 32 of A-Z a-z 0-9 and -"
            raise BadInput(f"room {name[:LONGEST_NAME]}: there is none; allowed are {allowed}")
        opened = self.open(name, address, lambda: self._room(name, token, stay=False))
        if not offer.token and opened.token and not same_secret(token, opened.token):  # another client was quicker
            raise BadInput(f"token: wrong for room {name[:LONGEST_NAME]}")
        return opened

    def _room(self, name: str, token: str, *, stay: bool) -> RiichiRoom:
        offer = self._offer
        title = offer.titles.get(name, "")
        return RiichiRoom(name, offer.plan, self.games, self._game_over, token=token, stay=stay, title=title)


def _checked(name: str) -> str:
    """Return the name. BadInput if it is not allowed."""
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise BadInput(f"name: 1 to {LONGEST_NAME} characters that can be printed; see {ROUTES}")
    return name


def pages() -> dict[str, Page]:
    """Return the lobby, the page on which a person plays (`/sit/{room}`), the viewer for running and finished games."""
    viewer = page(Book(live="?"))
    return {
        **site("riichi", {"/": "lobby", "/sit/": "sit"}),
        **dict.fromkeys(("/watch/", "/record/"), Page("text/html; charset=utf-8", viewer.content, viewer.policy)),
    }
