"""A user's game: its seat at the table, and the messages in the pace that a page bears."""

import asyncio
import json
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec

from jantaku.table.clock import now
from jantaku.table.server.net.line import Farewell, Fence, Line
from jantaku.table.server.net.visitor import Visitor
from jantaku.table.server.netplay.messages import Message, bare, framed, kind_of, seconds_of, spoken
from jantaku.table.server.netplay.user import User

GRACE = 0.5
"""Seconds that a reply may come after its time."""
COMING_BACK = 10.0
"""Seconds for which a user's messages wait for it, as long as their own time lasts, when its connection broke."""
BACKLOG = 4000
"""Messages that may wait for a user."""


class Playing:
    """One game of a user, under its name at the table. `begun` and `over` are called when it is. All methods are
    called on the event loop, but `line` may be used by any thread.

    A page loads itself anew if a message comes before it has replied to the one before. So each waits until there is a
    reply, or its time is over. For a user who does not come back every message is then replied to with nothing.
    """

    def __init__(
        self,
        user: User,
        name: str,
        loop: asyncio.AbstractEventLoop,
        begun: Callable[["Playing"], None],
        over: Callable[["Playing"], None],
    ) -> None:
        self.user, self.name = user, name
        self.visitor: Visitor | None = None
        """Its seat, once it has one."""
        self._is_seated = False
        """Whether it is known that it has a seat, or that it has none."""
        self.begins: Message = {}
        """The message with which the game has begun; empty before that."""
        self._loop, self._begun, self._over = loop, begun, over
        self.line = Line(BACKLOG, lambda: self._on_loop(self._flush), lambda: self._on_loop(self._flush))
        self._waiting: deque[tuple[float, Message]] = deque()
        """What could not be sent yet, and since when."""
        self._open: Message | None = None
        """The message whose reply is waited for."""
        self._opened = 0.0
        self._release: asyncio.TimerHandle | None = None
        self._round: list[Message] = []
        """What this seat was told of the current kyoku."""
        self._record: tuple[Message, ...] = ()
        """The 牌譜, when the game is over."""
        self._is_gone = False
        """Whether its user has been away for too long."""
        self._is_closed = False
        """Whether nothing comes from the table any more."""

    def sit_down(self, visitor: Visitor | None) -> None:
        """Its seat, or that there is none for it. Nothing that the table says is passed on before: the game may have
        begun, and a reply would find nobody who takes it."""
        self.visitor, self._is_seated = visitor, True
        if visitor is None:
            self.line.hang_up()
        self._send()

    # --- from the table

    def _on_loop(self, task: Callable[[], None]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(task)

    def _flush(self) -> None:
        while (what := self.line.next()) is not None:
            match what:
                case Farewell():
                    self._is_closed = True
                case Fence(number):  # what was sent before has been read: there is no network in between
                    self.line.heard_pong(b"%d" % number)
                case _:
                    self._waiting.append((now(), msgspec.json.decode(what)))
        self._send()

    def _send(self) -> None:
        if not self._is_seated:
            return
        while self._waiting and not self._open:
            since, message = self._waiting.popleft()
            if "error" in message:
                self.user.say("ERROR", message["error"])
            elif "illegal" in message:  # no page knows it: the discard stands as it was given
                self._answer({"seq": message["seq"]})
            else:
                self._tell(message, now() - since)
        if self._is_closed and not self._open and not self._waiting:
            self._over(self)

    def _tell(self, message: Message, waited: float) -> None:
        self._keep(message)
        if (said := spoken(message)) is not None:
            self.user.say("GAME", said)
        theirs = framed(message, waited)
        if "seq" in theirs:
            self._open, self._opened = message, now() - waited
            self._release = self._loop.call_later(seconds_of(theirs) + GRACE, self._give_up, theirs["seq"])
        self.user.say("GAME", theirs)
        if self._open and self._is_gone:
            self._answer({"seq": theirs["seq"]})

    def _keep(self, message: Message) -> None:
        kind = kind_of(message)
        if kind == "kaiju":
            self.begins = framed(message, 0.0)
            self._begun(self)
        elif kind == "jieju":
            self._record = (message[kind],)
        else:
            if kind == "qipai":
                self._round.clear()
            self._round.append(bare(message))

    # --- from the user

    def reply(self, reply: Any) -> bool:
        """A reply came. Whether it was one to the open message; any other is ignored."""
        number = reply.get("seq") if isinstance(reply, dict) else None
        if type(number) is not int or self._open is None or number != self._open["seq"]:
            return False
        self._answer(reply)
        self._send()
        return True

    def _answer(self, reply: Message) -> None:
        said = json.dumps(reply, separators=(",", ":"))  # it may hold halves of surrogate pairs, which are ASCII here
        self._close_open()
        if self.visitor is not None:
            self.visitor.hear(said)

    def _give_up(self, number: int) -> None:
        """The time for the open message is over. What the table makes of it is the table's, but the beginning of a
        game is confirmed: it goes on without who has not looked, as at majiang-server."""
        if self._open is None or number != self._open["seq"]:
            return
        if kind_of(self._open) == "kaiju":
            self._answer({"seq": number})
        else:
            self._close_open()
        self._send()

    def _close_open(self) -> None:
        self._open = None
        if self._release is not None:
            self._release.cancel()
            self._release = None

    def come_back(self, players: Message) -> None:
        """Its user has connected anew: what it needs to go on, then the open message once more."""
        self._is_gone = False
        self.user.say("START")
        if not self.begins:
            return
        self.user.say("GAME", players)
        opened = self._open
        if opened is None or kind_of(opened) != "kaiju":
            log = self._round[:-1] if opened is not None and kind_of(opened) != "jieju" else self._round
            self.user.say("GAME", {"kaiju": {**self.begins["kaiju"], "log": [list(log)] if log else []}})
        if opened is not None:
            self.user.say("GAME", framed(opened, now() - self._opened))

    def go_away(self) -> None:
        """Its user has no connection any more."""
        self._loop.call_later(COMING_BACK, self._go)

    def _go(self) -> None:
        if self.user.connection is None and not self._is_gone:
            self._is_gone = True
            if self._open is not None:
                self.reply({"seq": self._open["seq"]})

    # --- the end

    def leave(self) -> None:
        """The seat is given up."""
        self._close_open()
        if self.visitor is not None:
            self.visitor.leave()

    @property
    def ending(self) -> tuple[Message, ...]:
        """What END tells: the 牌譜 as this seat saw it, or nothing where the game has broken off."""
        return self._record
