"""大富豪 as its clients hear it: rooms of this process, whose guests answer within the call that tells them
something."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from jantaku.table.check.conform.netplay import LONGEST, SpokenLine
from jantaku.table.check.conform.troubles import TROUBLES, BadReply, Consequence
from jantaku.table.daifugo import rules as daifugo
from jantaku.table.daifugo.cards import parse_cards
from jantaku.table.daifugo.neof5 import Kind
from jantaku.table.daifugo.rooms.broadcast import PERSON
from jantaku.table.daifugo.rooms.room import DaifugoRoom, DaifugoRoomPlan
from jantaku.table.daifugo.rooms.server import rule_test
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.roster import enlist
from jantaku.table.serve.net.line import Line, Visitor
from jantaku.table.serve.room import Disk, Games
from jantaku.table.serve.seat import Identity

LIMIT = 60.0
SHORT = 0.4
"""`LIMIT`: seconds for a turn. `SHORT`: the same where the time is to run out."""
_TABLES = (("A", "5"), ("B", "3"))
"""Class and number of seats."""
_HANDS = tuple(tuple(parse_cards(hand)) for hand in ("S3 H4 D5 C9", "H3 S4 C5 D9", "D3 D4 S5 H9"))
"""The guest leads, and no player is out after the first trick."""
_PUT = b'{"Kind":"Put","Cards":""}'
_LONGEST = 160
"""Most characters of a line on a card."""
Message = dict[str, Any]
Mind = Callable[[Message], Iterable[bytes]]
"""Returns what a client says to a message."""


class RoundGuest(Line):
    """A client in the process of its room. It answers a message within `say`."""

    def __init__(self, name: str, mind: Mind, dialect: str = "") -> None:
        super().__init__(1, lambda: None, lambda: None)
        self.name, self.dialect = name, dialect
        self.lines: list[SpokenLine] = []
        self._mind = mind
        self.is_here = True
        self._visitor: Visitor | None = None
        self._came = threading.Event()

    def come(self, room: DaifugoRoom) -> None:
        """Take a seat."""
        self._visitor = room.sit(Identity(self.name, "", "", dialect=self.dialect), self)
        self._came.set()

    def say(self, message: bytes) -> None:
        """Hear a message and reply to it."""
        self._came.wait()  # the game may begin before `come` has returned
        told: Message = msgspec.json.decode(message)
        if told["Kind"] == Kind.CHOICE:  # some milliseconds have passed
            told["Seconds"] = float(round(told["Seconds"]))
        asks = told["Kind"] in (Kind.PROCESS_TURN, Kind.CHOICE)
        asked = (_PUT.decode(),) if asks else ()
        self.lines.append(SpokenLine(True, msgspec.json.encode(told), asks, asked))
        for line in self._mind(told):
            self.tell(line)

    def tell(self, line: bytes) -> bool:
        """Send a line to the room. Return whether it answered the room's question."""
        assert self._visitor is not None, "who has not come is told nothing"
        self.lines.append(SpokenLine(False, line))
        if len(line) > LONGEST:
            self.is_here = False
            self._visitor.leave()
            return False
        return bool(self._visitor.hear(line.decode()))

    def fence(self) -> None:
        """Does nothing: there is no network in between."""

    def hang_up(
        self, code: int = 0, reason: str = "", owed: Callable[[], int] | None = None, patience: float | None = None
    ) -> None:
        """End the line at once."""
        self.end(reason)


def _played(plan: DaifugoRoomPlan, guests: Sequence[RoundGuest]) -> Outcome:
    """Play a series; the first guest starts it."""
    endings: list[Outcome | str] = []
    room = DaifugoRoom("A-01", plan, Games(1, Disk()), endings.append)
    for guest in guests:
        guest.come(room)
    guests[0].tell(b'{"Kind":"Start"}')
    room.wait()
    (ending,) = endings
    assert isinstance(ending, Outcome), ending
    return ending


def _plan(letter: str, seats: str) -> DaifugoRoomPlan:
    texts = {"game.letter": letter, "game.seats": seats, "series.rounds": "4"}
    rules = daifugo.FILES.with_settings(daifugo.FILES.preset(daifugo.DEFAULT), texts, "card")
    (com,) = enlist(["daifugo-greedy"], game="daifugo")
    return DaifugoRoomPlan(rules=rules, seed="card", com=com.make, limit=LIMIT)


# --- what is said


def heard() -> Iterator[list[SpokenLine]]:
    """Yield the conversations of two clients in a series of each class: a neof5 client, and a person's page."""
    for letter, seats in _TABLES:
        guests = [RoundGuest("neof5", _weakest), RoundGuest("page", _chosen, PERSON)]
        _played(_plan(letter, seats), guests)
        yield from (guest.lines for guest in guests)


def _weakest(told: Message) -> Iterator[bytes]:
    """A neof5 client that leads its first card and passes otherwise. It chats, and sends a Put after the end, which is
    wrong."""
    if told["Kind"] == Kind.PROCESS_TURN:
        yield _put("" if told["Ba"] else told["Deck"].split()[0])
    elif told["Kind"] == Kind.FINISH:
        yield b'{"Kind":"Tweet","Message":"GG"}'
        yield _PUT


def _chosen(told: Message) -> Iterator[bytes]:
    """A page that plays as many cards as possible."""
    if told["Kind"] == Kind.CHOICE:
        most = max(told["Plays"], key=len)
        yield msgspec.json.encode({"Kind": "Put", "Cards": most, "Question": told["Question"]})


def _put(cards: str) -> bytes:
    return msgspec.json.encode({"Kind": "Put", "Cards": cards})


# --- troubles


def _changed(**changes: Any) -> Callable[[bytes, str], list[bytes | None]]:
    return lambda reply, key: [msgspec.json.encode({**msgspec.json.decode(reply), **changes})]


_SAME = ("malformed", "no object", "unknown fields", "twice", "silent", "late", "oversized")
_TIMED = ("silent", "late", "oversized")
"""After these replies the time runs out."""
_OWN: Mapping[str, BadReply] = {
    "unknown": BadReply("a reply of an unknown Kind", _changed(Kind="Sing")),
    "no kind": BadReply("a reply without a Kind", lambda reply, key: [b'{"Cards":"S3"}']),
    "no cards": BadReply("a Put without Cards", lambda reply, key: [b'{"Kind":"Put"}']),
    "no suit": BadReply("a text that is no card", _changed(Cards="X9")),
    "not held": BadReply("a card that is not held", _changed(Cards="S2")),
    "leader passes": BadReply("the pass of who leads", _changed(Cards="")),
    "ranks differ": BadReply("cards of two ranks", _changed(Cards="S3 H4")),
}
ROUNDS: Mapping[str, BadReply] = {**_OWN, **{name: TROUBLES[name] for name in _SAME}}
"""Bad replies by name, in the order of the card."""


def tried() -> tuple[dict[str, Consequence], list[list[SpokenLine]]]:
    """Try each of them; return the consequences, and the conversations."""
    tries = {name: _Try(trouble, SHORT if name in _TIMED else LIMIT) for name, trouble in ROUNDS.items()}
    return {name: one.outcome() for name, one in tries.items()}, [one.guest.lines for one in tries.values()]


class _Try:
    """One bad reply at a table of its own, where the guest leads."""

    def __init__(self, trouble: BadReply, limit: float) -> None:
        self._trouble = trouble
        self._sent: list[bytes] = []
        self._late: list[bytes] = []
        self._answered: list[str] = []
        self._played = "the default"
        self._is_spoiled = False
        self.guest = RoundGuest("guest", self._mind)
        plan = msgspec.structs.replace(rule_test(_plan("A", "3")), others=(), limit=limit, deals=lambda at: _HANDS)
        self._ending = _played(plan, [self.guest])

    def _mind(self, told: Message) -> Iterator[bytes]:
        if told["Kind"] == Kind.EXCEPTION:
            self._answered.append(f"Exception {told['Message']}")
        elif told["Kind"] == Kind.PROCESS_TURN and not self._is_spoiled:
            self._is_spoiled = True
            self._spoil(_put(told["Deck"].split()[0]))
        elif self._late:
            self.guest.tell(self._late.pop())
        else:
            yield from _weakest(told) if told["Kind"] == Kind.PROCESS_TURN else ()

    def _spoil(self, reply: bytes) -> None:
        lines = list(self._trouble.lines(reply, "") or ())
        self._sent = [line for line in lines if line is not None]
        if None in lines:
            self._late = [*self._sent]
        elif [line for line in self._sent if self.guest.tell(line)]:
            self._played = "the reply"
        elif self.guest.is_here and self.guest.tell(reply):
            self._played = "the reply, said anew"

    def outcome(self) -> Consequence:
        """Return the consequence."""
        verdicts = [verdict for verdict, count in self._ending.faults[0].items() for _ in range(count)]
        first, then = [*verdicts, "ok", "ok"][:2]
        return Consequence(
            self._trouble.comes,
            tuple(line[:_LONGEST].decode() for line in self._sent),
            tuple(self._answered) if self.guest.is_here else ("disconnect",),
            first,
            "",
            self._played,
            then,
            0,
        )
