"""A seat at a riichi table whose player is a client over WebSocket, in whatever dialect."""

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from websockets.frames import CloseCode

from table.clock import deadline, now
from table.errors import PlayerFault, PlayerNotReady, PlayerSilent, PlayerUnreadable
from table.port import Action, Question
from table.riichi.events import Event, KyokuStart
from table.server.claims import Claim
from table.server.net.line import Line
from table.wire.dialect import Dialect, Greeting, Heard, Talk, converse

UNREAD = 1 << 20
"""Bytes of replies that may wait until somebody asks; whoever sends more is cut off."""
_EACH = 100
"""Bytes that a reply takes beside its own, and an empty one as well."""


class SocketSeat:
    """One game of a player over WebSocket. Implements `port.Remote`.

    `answer` and the other methods of a player are called in the seat's own thread; those with a line by the threads
    of connections. A connection that ends costs the open question and those that follow until the client comes
    back. Then it is told, in its dialect, how the game and the current kyoku began and all that this seat has heard
    of it since, so that it can take up play wherever it is.
    """

    listens = True

    def __init__(self, nobody: str = "nobody has come") -> None:
        self.claim: Claim | None = None
        """Whose seat it is, as soon as somebody has taken it."""
        self.closed = False
        """Whether the game is over for it."""
        self._changed = threading.Condition()
        self._line: Line | None = None
        self._dialect: Dialect | None = None
        """What is spoken on the line, or was on the last one."""
        self._away = nobody
        self._lost = ""
        """Why nobody can take the seat any more."""
        self._story: list[Event] = []
        """What the seat has heard: the start of the game and all of the current kyoku. Nothing hidden is in it."""
        self._inbox: deque[Heard] = deque()
        self._unread = 0
        self._came = 0
        """Messages that came on the line and were due."""
        self._stale = 0

    @property
    def connected(self) -> bool:
        """Whether somebody is there now."""
        return self._line is not None

    # --- connections come and go

    def take(self, claim: Claim, line: Line, dialect: Callable[[], Dialect]) -> str:
        """Seat a client, or take it back: why not, empty if it sits."""
        with self._changed:
            if self._lost or self.closed:
                return self._lost or "the game is over"
            if self.claim is not None and not claim.same_as(self.claim):
                return f"the name {claim.name} is taken; who has it takes it back with the key that it came with"
            if self._line is not None:
                if not claim.key:  # more likely a second client of the same name than the first one again
                    return f"the name {claim.name} is taken; choose another"
                self._line.hang_up(CloseCode.NORMAL_CLOSURE, "the same client has connected once more")
            self.claim = claim
            self._begin(line, dialect())
            return ""

    def receive(self, line: Line, text: str) -> bool:
        """A message came. Whether one was due."""
        with self._changed:
            if line is not self._line or self._dialect is None:
                return False
            data, due = text.encode(), self._dialect.due
            self._unread += len(data) + _EACH
            if self._unread > UNREAD:
                line.hang_up(CloseCode.POLICY_VIOLATION, f"more than {UNREAD} bytes that nobody asked for")
                return False
            self._inbox.append(Heard(data, due))
            self._changed.notify_all()
            if self._came < due:
                self._came += 1
                return True
            return False

    def leave(self, line: Line) -> None:
        """A connection is gone. What it has answered before that still counts."""
        with self._changed:
            if line is self._line:
                self._line = None
                self._away = f"its connection has ended: {line.ended}"
                self._changed.notify_all()

    def _begin(self, line: Line, dialect: Dialect) -> None:
        """Speak on that line from now on; what was missed comes first. The caller holds the lock."""
        if self._dialect is not None:
            self._stale += self._dialect.stale
        self._line, self._dialect = line, dialect
        self._inbox.clear()
        self._unread = self._came = 0
        for event in self._story:
            self._say(dialect.tell(event))
        self._changed.notify_all()

    def _say(self, data: bytes) -> None:
        """Send whole lines, each as a message of its own. The caller holds the lock."""
        if self._line is not None:
            for line in data.split(b"\n"):
                if line:
                    self._line.say(line)

    # --- as the judge's player

    @property
    def stale(self) -> int:
        """See `Remote.stale`."""
        with self._changed:
            return self._stale + (0 if self._dialect is None else self._dialect.stale)

    def start(self, seconds: float | None) -> None:
        """See `Remote.start`: the client is there, has answered the greeting if its dialect has one, and has taken in
        what was before it came to a game under way."""
        until = deadline(seconds)
        dialect = self._somebody(until)
        try:
            greeting = dialect.greet()
            if greeting is not None:
                self._converse(dialect, greeting, until)
            if until is not None:
                self._let_catch_up(dialect, until)
        except (PlayerSilent, PlayerUnreadable) as fault:
            raise self._give_up(f"no sign of life: {fault}") from fault
        except PlayerFault:
            # Its connection has ended. It was ready, it may come back, and until then nobody waits for it.
            return

    def hear(self, event: Any) -> None:
        """See `Player.hear`."""
        with self._changed:
            if isinstance(event, KyokuStart):
                del self._story[1:]
            self._story.append(event)
            if self._line is not None and self._dialect is not None:
                self._say(self._dialect.tell(event))

    def answer(self, question: Question) -> Action:
        """See `Player.answer`. Who is not connected is not waited for."""
        until = deadline(None if question.allowed is None else question.allowed + question.margin)
        with self._changed:
            dialect = self._dialect
            if self._line is None or dialect is None:
                raise PlayerFault(self._away)
            talk = dialect.ask(question)
        action: Action = self._converse(dialect, talk, until, question.more)
        return action

    def close(self) -> None:
        """See `Remote.close`."""
        self._end(CloseCode.NORMAL_CLOSURE, "the game is over")

    def dismiss(self) -> None:
        """The server closes: whoever waits for this client need not."""
        self._end(CloseCode.GOING_AWAY, "the server closes")

    def _end(self, code: CloseCode, reason: str) -> None:
        with self._changed:
            self.closed = True
            self._away = self._away if self._line is None else reason
            if self._line is not None:
                self._line.hang_up(code, reason)
            self._changed.notify_all()

    def _somebody(self, until: float | None) -> Dialect:
        """Wait until a client is there. PlayerNotReady if none comes."""
        with self._changed:
            while self._line is None or self._dialect is None:
                left = None if until is None else until - now()
                if self.closed or (left is not None and left <= 0):
                    raise self._give_up(self._away)
                self._changed.wait(left)
            return self._dialect

    def _let_catch_up(self, dialect: Dialect, until: float) -> None:
        """Wait while the client on whose line the dialect is spoken is busy with what was before."""

        def is_over() -> bool:
            here = self._line is not None and dialect is self._dialect and not self.closed
            return not (here and dialect.is_behind(self._inbox))

        with self._changed:
            self._changed.wait_for(is_over, max(0.0, until - now()))

    def _give_up(self, why: str) -> PlayerNotReady:
        """The judge will not ask this seat in this game any more."""
        with self._changed:
            self._lost = f"this seat was given up: {why}"
            if self._line is not None:
                self._line.hang_up(CloseCode.POLICY_VIOLATION, self._lost)
        return PlayerNotReady(why)

    def _converse(
        self, dialect: Dialect, talk: Talk | Greeting, until: float | None, more: Callable[[], float] = lambda: 0.0
    ) -> Any:
        """Let the dialect talk with the client on whose line it is spoken."""

        def send(data: bytes) -> None:
            with self._changed:
                if dialect is self._dialect:
                    self._say(data)

        return converse(talk, send, lambda: self._next(dialect, until, more))

    def _next(self, dialect: Dialect, until: float | None, more: Callable[[], float]) -> Heard:
        """The next message of the conversation. PlayerSilent if none comes in time and there is no `more` of it,
        PlayerFault if none can come."""
        with self._changed:
            while True:
                if dialect is not self._dialect:
                    raise PlayerFault("its client has connected anew")
                if self._inbox:
                    heard = self._inbox.popleft()
                    self._unread -= len(heard.line) + _EACH
                    return heard
                if self._line is None or self.closed:
                    raise PlayerFault(self._away)
                left = None if until is None else until - now()
                if left is not None and left <= 0 and (left := more()) <= 0:
                    raise PlayerSilent("no answer in time")
                self._changed.wait(left)
