"""The riichi server: routes to rooms, and access control.

RiichiLab has two endpoints: a queue for ranked games, and a validation game for one bot alone that tells whether it
can play.

A token identifies a bot, so that each has one connection. A bot cannot come back to a game that it has left.
"""

import contextlib
import itertools
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from websockets.frames import CloseCode

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.wire.dialects import DEFAULT, dialects_of
from jantaku.table.languages.wire.person import PERSON
from jantaku.table.languages.wire.riichilab import RiichiLab, validation_result
from jantaku.table.play import seeds
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.roster import Entrant, enlist
from jantaku.table.play.spec import one_of
from jantaku.table.records.view.page import Book, page
from jantaku.table.riichi.events import HanchanEnd
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.ruleset import with_settings
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line, Visitor
from jantaku.table.serve.net.web import Page
from jantaku.table.serve.riichi.gallery import KeptGame, LookingBack, wish_of
from jantaku.table.serve.riichi.notices import KEPT, EndedGame, Listing, Rankings, ended_game, in_order, invitation
from jantaku.table.serve.riichi.room import Place, RiichiRoom, RiichiRoomPlan
from jantaku.table.serve.riichi.seats import DIALECT, DialectSeat
from jantaku.table.serve.room import Disk, Games
from jantaku.table.serve.rooms import LIST, ServedRooms, site
from jantaku.table.serve.seat import Identity, same_secret
from jantaku.table.serve.watching import Options

RANKED, VALIDATE = "/ws/ranked", "/ws/validate"
RANKED_DIALECT = "riichilab"
BUILT_IN = "tsumogiri"
"""The opponents of a bot in validation."""
ALREADY = "This bot is already connected to a game"
NO_TOKEN = "Token verification failed: it is not the token of this server"
NO_TABLE = "all tables are taken; try again later"


class BotQueue:
    """The bots that came to the endpoints, and their seats. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._tables = itertools.count(1)
        self._coming: set[str] = set()
        self._sitting: dict[str, tuple[RiichiRoom, str]] = {}
        """Room and name of each seated bot, by its secret."""

    @contextlib.contextmanager
    def coming(self, who: str) -> Iterator[None]:
        """Reserve a secret (empty: none) until its bot is seated. BadInput if another connection has it."""
        with self._lock:
            self._sitting = {one: (room, name) for one, (room, name) in self._sitting.items() if room.seats(name)}
            if who in self._sitting or who in self._coming:
                raise BadInput(ALREADY)
            self._coming |= {who} if who else set()
        try:
            yield
        finally:
            with self._lock:
                self._coming.discard(who)

    def sits(self, who: str, identity: Identity, room: RiichiRoom) -> None:
        """Note that a bot is seated."""
        if who:
            with self._lock:
                self._sitting[who] = room, identity.name

    def identity(self, name: str, address: str) -> Identity:
        """Return the identity of a bot, with a numbered name if it has none."""
        return Identity(name or f"bot-{next(self._numbers)}", "", address, dialect=RANKED_DIALECT)

    def next_table(self) -> str:
        """Return a new room name for a validation."""
        return f"validate-{next(self._tables)}"


class ValidationSeat(DialectSeat):
    """The seat of a bot in validation: it gets its result at the end of the game."""

    def hear(self, event: Any) -> None:
        super().hear(event)
        with self._changed:
            if isinstance(event, HanchanEnd) and isinstance(self._dialect, RiichiLab):
                self._send(validation_result(self._dialect))


class ValidationRoom(RiichiRoom):
    """A room for one bot, which deals first."""

    def _new_seat(self, identity: Identity) -> DialectSeat:
        return ValidationSeat()

    def _arranged(self, entrants: Sequence[Entrant], number: int) -> tuple[Entrant, ...]:
        first_dealer, order = seat_draw(seeds.of_game(self.plan.seed, number), number)
        place = order[first_dealer]
        arranged = list(entrants)
        arranged[0], arranged[place] = arranged[place], arranged[0]
        return tuple(arranged)


def validation(plan: RiichiRoomPlan) -> RiichiRoomPlan:
    """Return the plan of a room for one bot and built-in opponents: one East round by the server's rules, without
    extension."""
    built_in = enlist([BUILT_IN] * (len(plan.places) - 1))
    limits = next((place.limits for place in plan.places if isinstance(place, Place)), Place().limits)
    rules = with_settings(plan.rules, {"game.length": "tonpu", "game.extension": "none"})
    return msgspec.structs.replace(plan, places=(Place(limits=limits), *built_in), rules=rules)


def refuse(line: Line, why: str) -> None:
    """Tell a bot why it is refused, in both forms that clients know."""
    line.say(msgspec.json.encode({"error": why, "message": why, "type": "error"}))


ROUTES = "/play/{room}?name=NAME, /watch/{room}, /ws/ranked and /ws/validate"
LONGEST_NAME = 32
_ROUTE = re.compile(r"/(play|watch)/([^/]*)")
_RECORD = re.compile(r"/record/([0-9]{1,9})")
_INVITE = re.compile(r"/invite/([-A-Za-z0-9]{1,32})")
_ROOM = re.compile(r"[-A-Za-z0-9]{1,32}")


class ServerOffer(msgspec.Struct, frozen=True):
    """What a server offers: rooms by name, or rooms that visitors open. Every player needs `token`, and onlookers need
    `operator_token` to see hidden tiles; empty: players need none, and no onlooker sees hidden tiles. `games`: how many
    are played in total; None: no limit."""

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
        self._queue = BotQueue()
        self._rankings = Rankings()
        self._ended: deque[tuple[EndedGame, KeptGame]] = deque(maxlen=KEPT)
        """The last games, the newest first."""
        self._telling = threading.Lock()
        self._back = LookingBack()
        for name in offer.rooms:
            if not _ROOM.fullmatch(name):
                raise BadInput(f"room {name!r} cannot be; allowed are 1 to 32 of A-Z a-z 0-9 and -")
            self.keep(name, self._room(name, offer.token, stay=True))

    def _let_in(self, arrival: Arrival, line: Line) -> Visitor | None:
        if arrival.path in (RANKED, VALIDATE):
            try:
                return self._arena(arrival, line)
            except BadInput as refusal:
                refuse(line, str(refusal))
                raise
        if arrival.path == LIST:
            return self._at_the_list(line)
        if match := _RECORD.fullmatch(arrival.path):
            kept = self._kept(int(match[1]))
            if kept.is_open_to(arrival.token):
                return self._back.show(wish_of(kept.journal, arrival.query), line)
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

    # --- RiichiLab's endpoints

    def _arena(self, arrival: Arrival, line: Line) -> Visitor:
        """Admit a bot of RiichiLab's protocol: it joins the queue, or plays a validation."""
        offer, token = self._offer, arrival.token
        if offer.token and not same_secret(token, offer.token):
            raise BadInput(NO_TOKEN)
        name = arrival.query.get("name", "")
        who = name if offer.token else token  # a token that all share tells no bots apart
        with self._queue.coming(who):
            identity = self._queue.identity(name and _checked(name), arrival.address)
            room, visitor = self._seated(arrival.path, identity, line)
            self._queue.sits(who, identity, room)
        return visitor

    def _seated(self, path: str, identity: Identity, line: Line) -> tuple[RiichiRoom, Visitor]:
        """Seat the bot in the first room with a place; open a room if there is none. BadInput if there are too many."""
        why = BadInput(NO_TABLE)
        for name in [self._queue.next_table()] if path == VALIDATE else self._tables():
            try:
                room = self.open(name, identity.address, partial(self._table, name, path))
                return room, room.sit(identity, line)
            except BadInput as refusal:  # another client was quicker
                why = refusal
        raise why

    def _tables(self) -> Iterator[str]:
        """Yield the rooms of the queue that seem to have a place."""
        for name in self._offer.rooms or (f"ranked-{number + 1}" for number in range(self._offer.limits.rooms)):
            room = self.get(name)
            if room is None or (room.is_open_to_all and room.token == self._offer.token):
                yield name

    def _table(self, name: str, path: str) -> RiichiRoom:
        offer = self._offer
        if path == RANKED:
            return self._room(name, offer.token, stay=False)
        return ValidationRoom(name, validation(offer.plan), self.games, self._game_over, token=offer.token)

    def close(self) -> None:
        super().close()
        self._back.close()

    # --- what is told of rooms and games

    def _listed(self) -> Listing:
        """List all rooms except validations."""
        rooms = [room for name in self if (room := self.get(name)) is not None]
        notices = [room.notice for room in rooms if not isinstance(room, ValidationRoom)]
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
        if isinstance(ending, Outcome) and not isinstance(room, ValidationRoom):
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
            raise BadInput(f"token: it is not that of room {name[:LONGEST_NAME]}")
        if room is None and (offer.rooms or not _ROOM.fullmatch(name)):
            allowed = ", ".join(offer.rooms) or "1 to 32 of A-Z a-z 0-9 and -"
            raise BadInput(f"room {name[:LONGEST_NAME]}: there is none; allowed are {allowed}")
        opened = self.open(name, address, lambda: self._room(name, token, stay=False))
        if not offer.token and opened.token and not same_secret(token, opened.token):  # another client was quicker
            raise BadInput(f"token: it is not that of room {name[:LONGEST_NAME]}")
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
    """Return the lobby, the page on which a person plays (`/sit/{room}`), the viewer for running and finished games,
    and RiichiLab's `/status`."""
    viewer = page(Book(live="?"))
    return {
        **site("riichi", {"/": "lobby", "/sit/": "sit"}),
        **dict.fromkeys(("/watch/", "/record/"), Page("text/html; charset=utf-8", viewer.content, viewer.policy)),
        "/status": Page("application/json", b'{"status":"ok"}'),
    }
