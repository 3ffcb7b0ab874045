"""The seat of a person at a riichi table, in a browser."""

from collections.abc import Iterable
from typing import Any

import msgspec

from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import PlayerFault, PlayerSilent
from jantaku.table.ground.port import Action, DefaultPlayed, Question
from jantaku.table.judge.faults import OUT_OF_TIME
from jantaku.table.languages.wire.dialect import Dialect
from jantaku.table.languages.wire.person import PERSON, RESTING, Person, Why, is_back, told_facts, told_over, wish_in
from jantaku.table.play.seating.spec import OwnClock
from jantaku.table.records.replay.assessment import assess
from jantaku.table.riichi.events import Event, HanchanEnd, KyokuStart
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.serve.identity import Identity
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.riichi.looking_back import REVIEWERS
from jantaku.table.serve.riichi.seats import DialectSeat
from jantaku.table.serve.seat import RELOADING

CLOCK = OwnClock(turn=60.0, reaction=30.0, bank=60.0, margin=1.0, max_faults=0)
"""A person's clock unless the operator chooses another."""
PACE = 0.5
"""Seconds after each turn at a table with a person unless the operator chooses otherwise."""
PUT_AWAY = 300.0
"""Seconds for which a person's game goes on without any connection."""
TAKEN = "this seat is taken from another browser"
"""Reason for closing a connection under a person's name with another key."""
MISSED = 2
"""After this many unanswered questions in a row the table does not wait for a person until the page reports back."""


def clock_of(limit: float | None) -> OwnClock:
    """Return a person's clock with that many seconds for each answer; None: `CLOCK`."""
    return CLOCK if limit is None else msgspec.structs.replace(CLOCK, turn=limit, reaction=limit)


def is_person(identity: Identity) -> bool:
    return identity.dialect == PERSON


class PersonSeat(DialectSeat):
    """One game of a person. A question outlives its connection: after a reload it is still open."""

    back = "this seat was opened elsewhere"

    def __init__(self, *, hints: bool = True) -> None:
        super().__init__()
        self._hints = hints
        self._person = Person()
        self._until = Deadline(None)
        """Deadline of the open question."""
        self._missed = 0
        """Unanswered questions in a row."""
        self._meanwhile = 0
        """Defaults played while the person was away."""
        self._afterwards: tuple[int, str] | None = None
        """The number of its game, and the ticket with which it can look back at it."""
        self._past: list[Event] = []
        """Events of the finished kyoku."""

    # --- connections come and go

    def _why_not(self, identity: Identity) -> str:
        if not is_person(identity):
            return f"the name {identity.name} is taken, by a person"
        if self.identity is not None and not identity.same_as(self.identity):
            return TAKEN
        return super()._why_not(identity)

    def _new_side(self, identity: Identity) -> Dialect:
        self._dialect = self._person
        return self._person

    def _retold(self, dialect: Dialect) -> Iterable[bytes]:
        """Retell the game, finished kyoku included, which come in one message."""
        for number, event in enumerate(self._story):
            yield dialect.tell(event)
            if number == 0 and self._past:
                yield self._person.told_past(self._past)

    def _catch_up(self, identity: Identity) -> None:
        super()._catch_up(identity)
        if self._meanwhile:
            self._send(self._person.told_meanwhile(self._meanwhile))
        self._missed = self._meanwhile = 0
        self._send(self._person.choice(self._until.left))
        if self._story and isinstance(self._story[-1], HanchanEnd):
            self._tell_afterwards()

    @property
    def _reloads(self) -> float:
        return RELOADING

    def receive(self, line: Line, text: str) -> bool:
        wish = wish_in(text)
        if wish is not None:
            self._tell_facts(line, wish)
            return False
        with self._changed:
            if line is self.line and is_back(text):
                self._missed = 0
                return False
            return super().receive(line, text)

    def _tell_facts(self, line: Line, wish: int) -> None:
        """Send what can be worked out of the person's hand, from what this seat has heard."""
        with self._changed:
            story = list(self._story) if line is self.line else []
        if not story:
            return
        board = Board()
        for event in story:
            event.apply(board)
        seat = board.seat_known() if self._hints else None
        facts = None if seat is None else msgspec.to_builtins(assess(board, seat))
        with self._changed:
            if line is self.line:
                self._send(told_facts(wish, facts))

    # --- as the judge's player

    def hear(self, event: Any) -> None:
        """Send the event at once: a page shows everything without delay."""
        with self._changed:
            if isinstance(event, KyokuStart):
                self._past += self._story[1:]
            super().hear(event)
            self._tell_held(None)
            if isinstance(event, HanchanEnd):
                self._tell_afterwards()

    def admit_afterwards(self, game: int, ticket: str) -> None:
        with self._changed:
            self._afterwards = game, ticket

    def _tell_afterwards(self) -> None:
        if self._afterwards is not None:
            self._send(told_over(*self._afterwards, REVIEWERS))

    def defaulted(self, played: DefaultPlayed) -> None:
        with self._changed:
            self._meanwhile += self.line is None
            if played.verdict in OUT_OF_TIME:
                why = Why.TIME_UP
            else:
                why = Why.UNANSWERED if self._missed >= MISSED else Why.AWAY
            self._send(self._person.told_default(played, why, self._missed))

    def answer(self, question: Question) -> Action:
        with self._changed:
            if self._missed >= MISSED:
                raise PlayerFault(f"{MISSED} questions in a row went unanswered")
            self._until = Deadline(question.seconds, question.more)
        try:
            action = super().answer(question)
        except PlayerSilent:
            with self._changed:
                self._missed += 1
                if self._missed == MISSED:
                    self._send(RESTING)
            raise
        self._missed = 0
        return action
