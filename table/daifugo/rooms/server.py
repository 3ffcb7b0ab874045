"""The 大富豪 server: neof5's routes to rooms (§2), self-tests, and the monitor page.

A person in this machine's browser plays with bots here, too.

The self-tests are the three that neof5 offers to authors of players (§11).
"""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import quote

import msgspec

from jantaku.table.cli.commands.records import new_folder
from jantaku.table.daifugo import neof5
from jantaku.table.daifugo import rules as daifugo
from jantaku.table.daifugo.cards import parse_cards
from jantaku.table.daifugo.events import Hands
from jantaku.table.daifugo.plays import PASS, Put
from jantaku.table.daifugo.rooms.chairs import DIALECTS, Chair
from jantaku.table.daifugo.rooms.notices import TOURNAMENT, RoomNotice, free
from jantaku.table.daifugo.rooms.room import DaifugoRoom, DaifugoRoomPlan
from jantaku.table.daifugo.rules import Rules
from jantaku.table.ground.clock import time_of_day
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Question
from jantaku.table.play.entry import Wishes
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping
from jantaku.table.play.runner import Plan
from jantaku.table.play.seating.spec import one_of
from jantaku.table.serve.identity import Identity
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.visitor import Visitor
from jantaku.table.serve.net.web import Page
from jantaku.table.serve.person import LIMITS, ROOM, Endings, outcomes_at, refuse_unfit
from jantaku.table.serve.riichi.person_seat import clock_of
from jantaku.table.serve.room import Games
from jantaku.table.serve.rooms import LIST, ServedRooms
from jantaku.table.serve.site import site

LIMIT = 300.0
"""Seconds for a turn in the self-test rooms."""
CONNECTION_SECONDS = 60.0
"""Seconds after which the connection test ends."""

_HANDS = ("C3 C4 H5 S5 D6 S7 C7 D8 CJ DQ CK", "S3 CA SA C5 DA H0 D0 C0 S0 SQ S2", "H6 HA H4 D4 HK")
_SCRIPTS = (
    ("RULE1", ("S3", "", "", "CA SA", "C5", "", "DA", "H0 D0 C0 S0", "SQ", "S2")),
    ("RULE2", ("H6", "HA", "H4 D4", "", "HK")),
)


class Scripted:
    """Plays a list of plays in order. If the next one is not legal now, it passes and keeps it."""

    listens = False

    def __init__(self, plays: Sequence[str]) -> None:
        self._plays = [parse_cards(play) for play in plays]
        self.sent: tuple[int, ...] = ()
        """The last play, in the order of the list."""

    def hear(self, event: object) -> None:
        """Does nothing, and is never called: see `listens`."""

    def answer(self, question: Question) -> Action:
        """Return the next play of the list, else a pass; the default if it must lead and the next play is not legal."""
        if self._plays and Put(tuple(sorted(self._plays[0]))) in question.options:
            self.sent = self._plays.pop(0)
            return Put(tuple(sorted(self.sent)))
        return PASS if PASS in question.options else question.default


class ScriptedChair(Chair):
    """The seat of a scripted player."""

    def __init__(self, name: str, plays: Sequence[str]) -> None:
        self._scripted = Scripted(plays)
        super().__init__(name, lambda seed: self._scripted)

    @property
    def put(self) -> tuple[int, ...]:  # type: ignore[override]
        return self._scripted.sent


def rule_test(plan: DaifugoRoomPlan) -> DaifugoRoomPlan:
    """TEST 2: class A, three seats, a fixed deal, two scripted opponents."""
    hands: Hands = tuple(tuple(parse_cards(hand)) for hand in _HANDS)
    others = [ScriptedChair(name, plays) for name, plays in _SCRIPTS]
    return msgspec.structs.replace(
        plan,
        rules=_one_round(plan.rules, "A", 3),
        limit=LIMIT,
        others=others,
        bots=(),
        deals=lambda at: hands,
        folder=None,
    )


def practice(plan: DaifugoRoomPlan, letter: str) -> DaifugoRoomPlan:
    """TEST 3: a visitor and three computer players; the series begins by itself."""
    others = [Chair(f"COM{n}", plan.com, n) for n in range(1, 4)]
    return msgspec.structs.replace(
        plan, rules=_one_round(plan.rules, letter, 4), limit=LIMIT, others=others, bots=(), folder=None
    )


def _one_round(rules: Rules, letter: str, seats: int) -> Rules:
    texts = {"game.letter": letter, "game.seats": str(seats), "series.rounds": "1", "room.auto_start": "true"}
    return daifugo.FILES.with_settings(rules, texts, "self-test")


class ConnectionTest:
    """TEST 1: greets every JSON object that the client sends. Implements `visitor.Visitor`."""

    def __init__(self, name: str, line: Line) -> None:
        self._name, self._line = name, line
        self._end = threading.Timer(CONNECTION_SECONDS, line.hang_up)
        self._end.daemon = True
        self._end.start()
        text = (
            f"Congratulations!! You have successfully WebSocket connection. The current time is {time_of_day()} (UTC)"
        )
        line.say(_test_message(text, name))

    def hear(self, text: str) -> None:
        """Send an object back with a greeting; for anything else, the parser's error."""
        try:
            message = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        except (msgspec.DecodeError, UnicodeEncodeError) as error:
            self._line.say(_test_message(str(error), self._name))
            return
        greeting = {"Kind": "ConnectionTest", "Message": f"Hello {self._name}", "YourName": self._name}
        self._line.say(msgspec.json.encode({**message, **greeting}))

    def leave(self) -> None:
        self._end.cancel()


def _test_message(text: str, name: str) -> bytes:
    return msgspec.json.encode({"Kind": "ConnectionTest", "Message": text, "YourName": name})


NAMELESS = _test_message("URL Parameter 'name' is not specified.", "")
"""The answer to a client that opens a self-test without a name."""


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
NO_ROOM = "room {!r} is not a valid name; allowed are 1 to 32 of A-Z a-z 0-9 and -"


class DaifugoServer(ServedRooms[DaifugoRoom]):
    """All rooms of a 大富豪 server. `report` is called with each series' result, or the reason why it has none."""

    unseen = "without one no hands are shown"

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
            line.say(NAMELESS)
            return None
        if path == "/test/connection":
            return ConnectionTest(name, line)
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
            return self._room_for(match["room"], rule_test(self._plan), address)
        if match := _PRACTICE.fullmatch(path):
            letter = "B" if query.get("class") == "B" else "A"
            return self._room_for(match["room"], practice(self._plan, letter), address)
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


def series_with(name: str, plan: Plan, rules: daifugo.Rules, keeping: Keeping, wishes: Wishes) -> Iterator[Outcome]:
    """Play series with a person, with as many bots as the plan has; see `GameEntry.with_person`."""
    seats = len(plan.entrants) + 1
    if not daifugo.FEWEST <= seats <= daifugo.MOST:
        raise BadInput(
            f"--players: {seats - 1} given; with --human it names the 1 to {daifugo.MOST - 1} bots beside you"
        )
    refuse_unfit(name, plan, neof5.LONGEST_NAME)
    rules = daifugo.FILES.with_settings(rules, {"game.seats": str(seats)}, "--players")
    room = DaifugoRoomPlan(
        rules,
        plan.seed,
        com=plan.entrants[0].make,
        limit=plan.clock.turn or rules.room.turn_limit,
        pause=wishes.pace,
        folder=keeping.folder,
        version=keeping.version,
        bots=plan.entrants,
        person=clock_of(wishes.limit),
    )
    new_folder(keeping.folder)
    endings = Endings()
    rooms = DaifugoServer(room, LIMITS, games=wishes.games, report=endings.put)
    path = f"/sit/{rules.game.letter}/{ROOM}#name={quote(name)}"
    return outcomes_at(path, rooms, pages(), endings, opens=wishes.opens)
