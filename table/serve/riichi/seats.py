"""A seat at a riichi table for a client over WebSocket, in any dialect.

A person on a page has a seat of its own kind, which waits while the page reloads, but not after the person has left.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from websockets.frames import CloseCode

from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import PlayerFault, PlayerNotReady, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.port import Action, Choice, DefaultPlayed, Evidence, Question
from jantaku.table.languages.wire.dialect import KEPT, Dialect, Greeting, Heard, Talk, converse, evidence
from jantaku.table.languages.wire.dialects import DEFAULT, DIALECTS
from jantaku.table.riichi.events import Event, HanchanEnd, HanchanStart, KyokuStart
from jantaku.table.serve.identity import Identity
from jantaku.table.serve.net.line import PARTING, Line
from jantaku.table.serve.seat import RemoteSeat

UNREAD = 1 << 20
"""Most bytes of queued replies; a client that sends more is disconnected (backpressure)."""
_EACH = 100
"""Overhead in bytes of each queued reply."""


class DialectSeat(RemoteSeat):
    """One game of a client over WebSocket, in the dialect that the client has chosen. A broken connection costs the
    open question and later ones, until the client reconnects. Then it gets the start of the game, the start of the
    current kyoku, and every event since that its seat heard, so that it can resume."""

    def __init__(self, nobody: str = "no client has connected") -> None:
        super().__init__(nobody)
        self._dialect: Dialect | None = None
        """The dialect of the current or last connection."""
        self._lost = ""
        """Why the seat cannot be taken any more; empty if it can."""
        self._story: list[Event] = []
        """Events of this seat: the start of the game, and all of the current kyoku. They contain nothing hidden."""
        self._held: Event | None = None
        """The last event. It is sent with the question about it, or when the next event comes."""
        self._inbox: deque[Heard] = deque()
        self._unread = 0
        self._came = 0
        """Number of messages that came and were due."""
        self._stale = 0
        self._limit: float | None = PARTING
        """Seconds that the last question allowed."""
        self._said = b""
        """The last message since the open question was sent."""
        self._sent = deque[bytes](maxlen=KEPT)
        """The last messages sent in this kyoku."""

    # --- connections come and go

    def _why_not(self, identity: Identity) -> str:
        return self._lost or ("the game is over" if self.closed else super()._why_not(identity))

    def _catch_up(self, identity: Identity) -> None:
        dialect = self._new_side(identity)
        self._held = None
        self._sent.clear()
        for data in self._retold(dialect):
            self._send(data)

    def _retold(self, dialect: Dialect) -> Iterable[bytes]:
        """Yield what a reconnecting client must be told of the game so far. Call with the lock held."""
        return map(dialect.tell, self._story)

    def _new_side(self, identity: Identity) -> Dialect:
        """Make the dialect for a new connection. Messages of the old connection count no more."""
        if self._dialect is not None:
            self._stale += self._dialect.stale
        self._dialect = DIALECTS[identity.dialect or DEFAULT].side()
        self._inbox.clear()
        self._unread = self._came = 0
        return self._dialect

    def receive(self, line: Line, text: str) -> bool:
        """Take a message. Return whether one was due."""
        with self._changed:
            if line is not self.line or self._dialect is None:
                return False
            data, due = text.encode(), self._dialect.due
            heard = Heard(data, due)
            if (reply := self._dialect.interjected(heard)) is not None:
                self._send(reply)
                return self._is_due(due)
            self._unread += len(data) + _EACH
            if self._unread > UNREAD:
                line.hang_up(CloseCode.POLICY_VIOLATION, f"more than {UNREAD} bytes that answer nothing")
                return False
            self._inbox.append(heard)
            self._changed.notify_all()
            return self._is_due(due)

    def _is_due(self, due: int) -> bool:
        """Count a message and return whether it was due. Call with the lock held."""
        if self._came < due:
            self._came += 1
            return True
        return False

    def _send(self, data: bytes) -> None:
        """Send each line as a message of its own. Call with the lock held."""
        if data:
            self._sent.append(data)
        for line in data.split(b"\n"):
            if line:
                self.say(line)

    def admit_afterwards(self, game: int, ticket: str) -> None:
        """Take the ticket of the game that begins; its holder may see everything of it after the end."""

    # --- as the judge's player

    @property
    def stale(self) -> int:
        with self._changed:
            return self._stale + (0 if self._dialect is None else self._dialect.stale)

    def start(self, seconds: float | None) -> None:
        """Wait until the client is connected, has answered the greeting if its dialect has one, and has read what it
        was sent about a game in progress."""
        until = Deadline(seconds)
        dialect = self._somebody(until)
        try:
            greeting = dialect.greet()
            if greeting is not None:
                self._converse(dialect, greeting, until)
            if seconds is not None:
                self._let_catch_up(dialect, until)
        except (PlayerSilent, PlayerUnreadable) as fault:
            raise self._give_up(f"no sign of life: {fault}") from fault
        except PlayerFault:
            # Its connection is closed. It was ready and may reconnect; until then the judge does not wait for it.
            return

    def hear(self, event: Any) -> None:
        with self._changed:
            if isinstance(event, KyokuStart):
                del self._story[1:]
            self._story.append(event)
            self._tell_held(None)
            if isinstance(event, KyokuStart):
                self._sent.clear()
            self._held = event
            if isinstance(event, HanchanStart | HanchanEnd):
                self._tell_held(None)

    def defaulted(self, played: DefaultPlayed) -> None:
        with self._changed:
            if self._dialect is not None:
                self._send(self._dialect.default_played(played))

    def _tell_held(self, question: Question | None) -> None:
        """Send the event held back. Call with the lock held."""
        event, self._held = self._held, None
        if event is not None and self.line is not None and self._dialect is not None:
            self._send(self._dialect.tell(event, question))

    def answer(self, question: Question) -> Action:
        """Ask the client and wait. A client that is not connected is not waited for."""
        with self._changed:
            dialect = self._dialect
            if self._is_gone or dialect is None:
                raise PlayerFault(self._away)
            self._said = b""
            self._tell_held(question)
            talk = dialect.ask(question)
            self._limit = question.seconds
        action: Action = self._converse(dialect, talk, Deadline(question.seconds, question.more))
        return action

    def remark(self) -> object:
        with self._changed:
            return None if self._dialect is None else self._dialect.meta

    def explain(self, choice: Choice) -> Evidence:
        with self._changed:
            dialect, said = self._dialect, self._said
        return Evidence() if dialect is None else evidence(dialect, choice, said)

    def sent(self) -> list[str]:
        with self._changed:
            dialect, sent = self._dialect, tuple(self._sent)
        return [] if dialect is None else [text for data in sent for text in dialect.messages(data)]

    def close(self) -> None:
        """Close the connection. After the end of the game, a client that still works through its messages hears that
        end: for each reply that is due it has the time of an answer."""
        with self._changed:
            has_ended = bool(self._story) and isinstance(self._story[-1], HanchanEnd)
            self._end(CloseCode.NORMAL_CLOSURE, "the game is over", self._owed if has_ended else None)

    def dismiss(self) -> None:
        self._end(CloseCode.GOING_AWAY, "the server closes")

    def _end(self, code: CloseCode, reason: str, owed: Callable[[], int] | None = None) -> None:
        with self._changed:
            if self.line is not None:
                self._away = reason
                self.line.hang_up(code, reason, owed, self._limit)
            super().dismiss()

    def _owed(self) -> int:
        """Return how many replies the client owes."""
        with self._changed:
            return 0 if self._dialect is None else self._dialect.owed(self._inbox)

    def _somebody(self, until: Deadline) -> Dialect:
        """Wait for a client. PlayerNotReady if none comes."""

        def spoken() -> Dialect | None:
            if self.closed:
                raise self._give_up(self._away)
            return None if self.line is None else self._dialect

        with self._changed:
            try:
                return self._wait_for(spoken, until)
            except PlayerSilent:
                raise self._give_up(self._away) from None

    def _let_catch_up(self, dialect: Dialect, until: Deadline) -> None:
        """Wait while the client of this connection works through earlier messages."""

        def is_over() -> bool:
            here = self.line is not None and dialect is self._dialect and not self.closed
            return not (here and dialect.is_behind(self._inbox))

        with self._changed:
            self._changed.wait_for(is_over, until.left)

    def _give_up(self, why: str) -> PlayerNotReady:
        """Close the seat for the rest of this game, in which the judge asks it no more."""
        with self._changed:
            self._lost = f"this seat was given up: {why}"
            if self.line is not None:
                self.line.hang_up(CloseCode.POLICY_VIOLATION, self._lost)
        return PlayerNotReady(why)

    def _converse(self, dialect: Dialect, talk: Talk | Greeting, until: Deadline) -> Any:
        """Run a talk of the dialect with the client of this connection."""

        def send(data: bytes) -> None:
            with self._changed:
                if dialect is self._dialect:
                    self._send(data)

        return converse(talk, send, lambda: self._next(dialect, until))

    def _next(self, dialect: Dialect, until: Deadline) -> Heard:
        """Return the next message of the talk. PlayerSilent if none comes in time, PlayerFault if none can come."""

        def heard() -> Heard | None:
            if dialect is not self._dialect:
                raise PlayerFault("its client has connected again")
            if not self._inbox and (self._is_gone or self.closed):
                raise PlayerFault(self._away)
            return self._inbox.popleft() if self._inbox else None

        with self._changed:
            found = self._wait_for(heard, until)
            self._unread -= len(found.line) + _EACH
            self._said = found.line
            return found
