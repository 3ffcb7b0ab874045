"""Sends the events of a series to all clients and spectators of a 大富豪 room (§3, §4 of the protocol)."""

import threading
from collections.abc import Callable, Sequence

from jantaku.table.daifugo import neof5
from jantaku.table.daifugo.events import Board, Event, Play, RoundEnd, RoundStart, SeriesStart, Thinking
from jantaku.table.daifugo.neof5 import Kind
from jantaku.table.daifugo.rooms.chairs import Chair, VisitorChair
from jantaku.table.daifugo.rules import RoomRules
from jantaku.table.ground.port import Answer
from jantaku.table.judge.faults import OUT_OF_TIME
from jantaku.table.serve.streams import Gallery

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
