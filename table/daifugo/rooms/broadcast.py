"""What a 大富豪 room tells its clients, its onlookers and the pages (§3, §4 of the protocol).

A seat of the room has its client, and its answers to the judge.
"""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum

import msgspec

from jantaku.table.daifugo import neof5
from jantaku.table.daifugo.cards import Put
from jantaku.table.daifugo.events import Board, Event, Play, RoundEnd, RoundStart, SeriesStart, Thinking
from jantaku.table.daifugo.neof5 import Kind
from jantaku.table.daifugo.rules import RoomRules
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import PlayerFault, PlayerSilent
from jantaku.table.ground.port import Action, Answer, Player, Question
from jantaku.table.judge.faults import OUT_OF_TIME
from jantaku.table.serve.seat import RELOADING, Identity, RemoteSeat
from jantaku.table.serve.watching import Gallery

AWAY = "(離脱)"
"""Appended to the name of a player whose connection is broken (§2.3)."""
PERSON = "person"
ABSENT = "not connected"
DIALECTS = ("neof5", PERSON)
"""neof5's messages, and the same for a page on which a person plays, with a `Choice` for each question."""


class Chair:
    """A seat with a name. `make(seed)` makes its player, a new one with another seed for every series."""

    put: tuple[int, ...] = ()
    """The last accepted play in the order in which the player sent it, where that is known."""

    def __init__(self, name: str, make: Callable[[int], Player], seed: int = 0) -> None:
        self.name, self.seed = name, seed
        self._make = make

    @property
    def shown(self) -> str:
        """The name shown to everybody."""
        return self.name

    def made(self, _: int) -> Player:
        """Make the player. The argument is ignored: a room has its own seeds for computer players."""
        return self._make(self.seed)


class VisitorChair(RemoteSeat, Chair):
    """The seat of a remote client. `lock` is the room's. `ask(chair)` sends a question of the judge; `give` delivers
    the answer."""

    listens = False
    """False: the room sends events, not the judge."""
    back = "the same program has connected once more"

    def __init__(self, name: str, lock: threading.RLock, ask: Callable[["VisitorChair"], None]) -> None:
        RemoteSeat.__init__(self, lock=lock)
        Chair.__init__(self, name, lambda seed: self)
        self.stale = 0
        """Number of Puts that the client sent before it read the question that was open on their arrival."""
        self.asked = False
        """Whether a Put is due."""
        self._last = b""
        """The last game message for this seat, repeated after a reconnect."""
        self._given: Put | None = None
        self._ask = ask
        self._question: tuple[Question, Deadline] | None = None
        """The last question and its deadline."""

    @property
    def shown(self) -> str:
        return self.name if self.connected else f"{self.name}{AWAY}"

    @property
    def is_person(self) -> bool:
        """Whether a person plays here, on a page."""
        return self.identity is not None and self.identity.dialect == PERSON

    @property
    def _reloads(self) -> float:
        return RELOADING if self.is_person else 0.0

    def tell(self, message: bytes) -> None:
        """Send a game message, and keep it for a reconnect. Call with the room's lock held."""
        self._last = message
        self.say(message)

    def refuse(self, text: str) -> None:
        """Tell this player alone that its message was wrong."""
        self.say(neof5.exception(text))

    def give(self, put: tuple[int, ...]) -> None:
        """Take a legal answer to the open question. Call with the room's lock held."""
        self.put = put
        self._given = Put(tuple(sorted(put)))
        self.asked = False  # one answer for each question (§7.1 #3)
        self._changed.notify_all()

    def _catch_up(self, identity: Identity) -> None:
        """Send the last message, which contains the whole state."""
        if self._last:
            self.say(self._last)
        self._say_choice()

    def owes(self, question: int) -> bool:
        """Return whether the question with that number is open."""
        return self.asked and self._question is not None and self._question[0].id == question

    def _say_choice(self) -> None:
        """Send the legal plays and the time left for the open question. Call with the lock held."""
        if not (self.asked and self.is_person and self._question is not None):
            return
        question, until = self._question
        left = None if until.left is None else max(0.0, until.left - question.margin)
        plays = [option.cards for option in question.options if isinstance(option, Put)]
        self.say(neof5.choice(question.id, plays, left, question.allowed))

    # --- as the judge's player; `close` does nothing, as the player stays for the next series

    def answer(self, question: Question) -> Action:
        """Ask the client and wait for its Put. A client that is away is not waited for (§2.3), except a person whose
        page reloads."""
        with self._changed:
            if self._is_gone:
                raise PlayerFault(ABSENT)
            self._given, self.asked = None, True
            until = Deadline(question.seconds, question.more)
            self._question = question, until
            self._ask(self)
            self._say_choice()
            try:
                return self._wait_for(self._put, until, f"no Put in {question.allowed:g} s")
            finally:
                self.asked = False

    def _put(self) -> Put | None:
        if self.closed and self._given is None:
            raise PlayerSilent("the room closes")
        if self.is_person and self._is_gone and self._given is None:
            raise PlayerFault(ABSENT)
        return self._given


# What the pages tell of rooms: where there is a free seat, and the standings of a series (成績表). All of it is public.

RANKS = (2, 1, 0, -1, -2)
"""From 大富豪 to 大貧民."""
TOURNAMENT = (*(f"A-{n:02}" for n in range(1, 11)), *(f"B-{n:02}" for n in range(1, 6)))
"""The rooms of neof5's tournament, listed even while they are empty; the first letter is the class."""


class RoomState(StrEnum):
    """Whether a room takes players."""

    FREE = "free"
    """It is empty (空き)."""
    OPEN = "open"
    """It waits for more players (受付中)."""
    PLAYING = "playing"
    """A series is in progress (プレイ中)."""
    OVER = "over"
    """A series is over; its players may start the next one (終了)."""


class Standing(msgspec.Struct, frozen=True):
    """A row of the standings: points of the series and of its last round, and how often the player reached each of
    `RANKS`."""

    name: str
    total: int
    last: int
    times: tuple[int, ...]


class RoomNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One room. `players` are the names shown, by seat; `seats` is the number of seats. Series and rounds count from
    1."""

    room: str
    letter: str
    state: RoomState
    players: tuple[str, ...] = ()
    seats: int = 0
    series: int = 0
    round: int = 0
    rounds: int = 0
    kaidan: str = ""
    """Class B only: which kaidan beats another one, as in the rule `kaidan.length`."""
    standings: tuple[Standing, ...] = ()


def free(room: str) -> RoomNotice:
    """Make the notice of a room that does not exist yet. Its class is open, except in the tournament's rooms."""
    return RoomNotice(room, room[0] if room in TOURNAMENT else "", RoomState.FREE)


def standings_of(names: Sequence[str], rounds: Sequence[RoundEnd]) -> tuple[Standing, ...]:
    """Return the standings after these rounds, by seat; empty before the first."""
    if not rounds:
        return ()
    rows = []
    for seat, name in enumerate(names):
        reached = Counter(one.ranks[seat] for one in rounds)
        points = [one.points[seat] for one in rounds]
        rows.append(Standing(name, sum(points), points[-1], tuple(reached[rank] for rank in RANKS)))
    return tuple(rows)


# Sends the events of a series to all clients and onlookers of a 大富豪 room (§3, §4 of the protocol).

_PAUSED = {Kind.CARD_DISTRIBUTED, Kind.CARD_SWAPPED, Kind.THINKING, Kind.KAKUMEI, Kind.NAGARE, Kind.AGARI}
"""Kinds after which the room pauses, so that people notice them (§3.2)."""


class Broadcast:
    """Sends to the seated clients and the gallery. Implements `Looker`. `lock` is the room's; `wait` pauses so that
    people can notice; `news` is called when a round begins or ends."""

    def __init__(
        self,
        chairs: Sequence[Chair],
        gallery: Gallery,
        rules: RoomRules,
        lock: threading.RLock,
        wait: Callable[[], object],
        news: Callable[[], None],
    ) -> None:
        self.board = Board()
        """The board after the events sent so far."""
        self.rounds: list[RoundEnd] = []
        """The ends of the rounds of this series so far."""
        self._chairs, self._gallery, self._rules = chairs, gallery, rules
        self._lock, self._wait, self._news = lock, wait, news
        self._late: list[int] = []
        """Seats whose time ran out, to be reported."""

    def visitors(self) -> list[VisitorChair]:
        """Return the seats of remote clients."""
        return [chair for chair in self._chairs if isinstance(chair, VisitorChair)]

    def ask(self, chair: VisitorChair) -> None:
        """Send ProcessTurn to the seat on turn alone. Call with the lock held."""
        if chair.line is not None:
            chair.line.fence()
        chair.tell(self._snapshot(Kind.PROCESS_TURN, self._chairs.index(chair)))

    def tweet(self, chair: Chair, said: str) -> None:
        """Send a player's text to everybody. Call with the lock held."""
        message = neof5.tweet(said, self._chairs.index(chair))
        for other in self.visitors():
            other.say(message)
        self._gallery.say(message)

    # --- as the judge's watch

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """Note the seats whose time ran out; they are reported after the default play."""
        self._late += [answer.seat for answer in answers if answer.verdict in OUT_OF_TIME]

    def events(self, new: Sequence[Event]) -> None:
        for event in new:
            if isinstance(event, Thinking | RoundStart):
                self._say_who_was_late()
            steps = neof5.tell(self.board, self._as_sent(event), self._rules.swapped)
            while True:
                with self._lock:
                    kind = next(steps, None)
                if kind is None:
                    break
                if kind in _PAUSED:
                    self._wait()
                with self._lock:
                    self._broadcast(kind)
            self._count(event)
        self._say_who_was_late()

    def close(self) -> None:
        """Does nothing: the room outlives the game."""

    def _count(self, event: Event) -> None:
        with self._lock:
            if isinstance(event, SeriesStart):
                self.rounds.clear()
            elif isinstance(event, RoundEnd):
                self.rounds.append(event)
        if isinstance(event, RoundStart | RoundEnd):
            self._news()

    def _as_sent(self, event: Event) -> Event:
        """Put the cards of a play in the order in which the player sent them (§4.1)."""
        if isinstance(event, Play):
            chair = self._chairs[event.seat]
            if tuple(sorted(chair.put)) == event.cards:
                return Play(event.seat, chair.put)
        return event

    def _say_who_was_late(self) -> None:
        with self._lock:
            for seat in self._late:
                self.tweet(self._chairs[seat], neof5.TIMED_OUT)
            self._late = []

    def _broadcast(self, kind: Kind) -> None:
        for seat, chair in enumerate(self._chairs):
            if isinstance(chair, VisitorChair):
                chair.tell(self._snapshot(kind, seat))
        everything = self._snapshot(kind, None)
        # After the round, hands are no secret any more.
        self._gallery.show(everything if kind is Kind.FINISH else self._snapshot(kind, None, hidden=True), everything)

    def _snapshot(self, kind: Kind, seat: int | None, *, hidden: bool = False) -> bytes:
        names = [chair.shown for chair in self._chairs]
        return neof5.snapshot(kind, self.board, names, seat, agari=self._rules.agari_in_history, hidden=hidden)
