"""What a 大富豪 room tells its clients, its onlookers and the pages (§3, §4 of the protocol)."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum

import msgspec

from jantaku.table.daifugo import neof5
from jantaku.table.daifugo.board import Board
from jantaku.table.daifugo.events import Event, Play, RoundEnd, RoundStart, SeriesStart, Thinking
from jantaku.table.daifugo.neof5 import Kind
from jantaku.table.daifugo.rooms.chair import Chair, VisitorChair
from jantaku.table.daifugo.rules import RoomRules
from jantaku.table.ground.port import Answer
from jantaku.table.judge.faults import OUT_OF_TIME
from jantaku.table.serve.watching.gallery import Gallery

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
