"""A seat at a riichi table whose player is a client over WebSocket, in any dialect."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from websockets.frames import CloseCode

from jantaku.table.clock import Deadline, now
from jantaku.table.errors import PlayerFault, PlayerNotReady, PlayerSilent, PlayerUnreadable
from jantaku.table.port import Action, Choice, DefaultPlayed, Evidence, Question
from jantaku.table.riichi.events import Event, HanchanEnd, HanchanStart, KyokuStart
from jantaku.table.server.identity import Identity
from jantaku.table.server.net.line import PARTING, Line
from jantaku.table.server.seat import RemoteSeat
from jantaku.table.wire.dialect import KEPT, Dialect, Greeting, Heard, Talk, converse, evidence
from jantaku.table.wire.dialects import DEFAULT, DIALECTS

UNREAD = 1 << 20
"""Bytes of replies that may be queued; clients that send more are disconnected (backpressure)."""
_EACH = 100
"""Overhead in bytes of a queued reply, also of an empty one."""


class DialectSeat(RemoteSeat):
    """One game of a player over WebSocket, in the dialect that its client has chosen.

    A broken connection costs the open question and those that follow until the client reconnects. Then it is sent the
    beginning of the game and of the current kyoku and everything that this seat has heard since, so that it can resume.
    """

    def __init__(self, nobody: str = "nobody has come") -> None:
        super().__init__(nobody)
        self._dialect: Dialect | None = None
        """The dialect of the current connection, or of the last one."""
        self._lost = ""
        """Why the seat cannot be taken any more."""
        self._story: list[Event] = []
        """What the seat has heard: the start of the game and all of the current kyoku. Nothing hidden is in it."""
        self._held: Event | None = None
        """The last event heard: it is told with the question about it, or when another is heard."""
        self._inbox: deque[Heard] = deque()
        self._unread = 0
        self._came = 0
        """Messages that came and were due."""
        self._stale = 0
        self._put_at = now()
        """When the last question was put."""
        self._limit: float | None = PARTING
        """Seconds that there were for it."""
        self._said = b""
        """What came last since the open question was put."""
        self._sent = deque[bytes](maxlen=KEPT)
        """What was sent last in this kyoku."""

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
        """What who comes back has to be told of the game so far. The caller holds the lock."""
        return map(dialect.tell, self._story)

    def _new_side(self, identity: Identity) -> Dialect:
        """Who speaks on a new connection. What came on the one before counts no more."""
        if self._dialect is not None:
            self._stale += self._dialect.stale
        self._dialect = DIALECTS[identity.dialect or DEFAULT]()
        self._inbox.clear()
        self._unread = self._came = 0
        return self._dialect

    def receive(self, line: Line, text: str) -> bool:
        """A message came. Whether one was due."""
        with self._changed:
            if line is not self.line or self._dialect is None:
                return False
            data, due = text.encode(), self._dialect.due
            heard = Heard(data, due, now() - self._put_at)
            if (reply := self._dialect.interjected(heard)) is not None:
                self._send(reply)
                return self._is_due(due)
            self._unread += len(data) + _EACH
            if self._unread > UNREAD:
                line.hang_up(CloseCode.POLICY_VIOLATION, f"more than {UNREAD} bytes that nobody asked for")
                return False
            self._inbox.append(heard)
            self._changed.notify_all()
            return self._is_due(due)

    def _is_due(self, due: int) -> bool:
        """Whether a message that came is one of those that are due. The caller holds the lock."""
        if self._came < due:
            self._came += 1
            return True
        return False

    def _send(self, data: bytes) -> None:
        """Send whole lines, each as a message of its own. The caller holds the lock."""
        if data:
            self._sent.append(data)
        for line in data.split(b"\n"):
            if line:
                self.say(line)

    def admit_afterwards(self, game: int, ticket: str) -> None:
        """The game of that number begins, of which who has the ticket may see everything when it is over."""

    # --- as the judge's player

    @property
    def stale(self) -> int:
        """See `Remote.stale`."""
        with self._changed:
            return self._stale + (0 if self._dialect is None else self._dialect.stale)

    def start(self, seconds: float | None) -> None:
        """See `Remote.start`: the client is there, has answered the greeting if its dialect has one, and has taken in
        what was before it came to a game under way."""
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
        """See `Player.hear`."""
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
        """See `Port.defaulted`."""
        with self._changed:
            if self._dialect is not None:
                self._send(self._dialect.default_played(played))

    def _tell_held(self, question: Question | None) -> None:
        """The caller holds the lock."""
        event, self._held = self._held, None
        if event is not None and self.line is not None and self._dialect is not None:
            self._send(self._dialect.tell(event, question))

    def answer(self, question: Question) -> Action:
        """See `Player.answer`. Who is not connected is not waited for."""
        with self._changed:
            dialect = self._dialect
            if self._is_gone or dialect is None:
                raise PlayerFault(self._away)
            self._said = b""
            self._tell_held(question)
            talk = dialect.ask(question)
            self._put_at, self._limit = now(), question.seconds
        action: Action = self._converse(dialect, talk, Deadline(question.seconds, question.more))
        return action

    def remark(self) -> object:
        """See `Port.remark`."""
        with self._changed:
            return None if self._dialect is None else self._dialect.meta

    def explain(self, choice: Choice) -> Evidence:
        """See `Port.explain`."""
        with self._changed:
            dialect, said = self._dialect, self._said
        return Evidence() if dialect is None else evidence(dialect, choice, said)

    def sent(self) -> list[str]:
        """See `Port.sent`."""
        with self._changed:
            dialect, sent = self._dialect, tuple(self._sent)
        return [] if dialect is None else [text for data in sent for text in dialect.messages(data)]

    def close(self) -> None:
        """See `Remote.close`. A client that is still working through what it was told hears the end of its game: for
        each reply that is due it has as long as for an answer."""
        with self._changed:
            has_ended = bool(self._story) and isinstance(self._story[-1], HanchanEnd)
            self._end(CloseCode.NORMAL_CLOSURE, "the game is over", self._owed if has_ended else None)

    def dismiss(self) -> None:
        """See `RemoteSeat.dismiss`."""
        self._end(CloseCode.GOING_AWAY, "the server closes")

    def _end(self, code: CloseCode, reason: str, owed: Callable[[], int] | None = None) -> None:
        with self._changed:
            if self.line is not None:
                self._away = reason
                self.line.hang_up(code, reason, owed, self._limit)
            super().dismiss()

    def _owed(self) -> int:
        """To how many messages its client has to reply yet."""
        with self._changed:
            return 0 if self._dialect is None else self._dialect.owed(self._inbox)

    def _somebody(self, until: Deadline) -> Dialect:
        """Wait until a client is connected. PlayerNotReady if none comes."""

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
        """Wait while the client of this connection is still working through earlier messages."""

        def is_over() -> bool:
            here = self.line is not None and dialect is self._dialect and not self.closed
            return not (here and dialect.is_behind(self._inbox))

        with self._changed:
            self._changed.wait_for(is_over, until.left)

    def _give_up(self, why: str) -> PlayerNotReady:
        """The judge will not ask this seat in this game any more."""
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
        """The next message of the conversation. PlayerSilent if none comes in time, PlayerFault if none can come."""

        def heard() -> Heard | None:
            if dialect is not self._dialect:
                raise PlayerFault("its client has connected anew")
            if not self._inbox and (self._is_gone or self.closed):
                raise PlayerFault(self._away)
            return self._inbox.popleft() if self._inbox else None

        with self._changed:
            found = self._wait_for(heard, until)
            self._unread -= len(found.line) + _EACH
            self._said = found.line
            return found
