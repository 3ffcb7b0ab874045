"""Net play as its clients hear it: Majiang messages in the server's frames, and the lobby before a game.

`Wired` has both ends of a dialect in one process, the table and a program that answers, with every line kept.
"""

import asyncio
import contextlib
import copy
from collections.abc import Callable, Sequence
from typing import Any, cast

import msgspec

from jantaku.table.ground.errors import PlayerFault, PlayerSilent
from jantaku.table.ground.port import Action, DefaultPlayed, Player, Question, port_of
from jantaku.table.languages.wire.dialect import Dialect, Heard, converse
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Allowance, Limits
from jantaku.table.serve.net.line import DelegatedVisitor, Line, Visitor
from jantaku.table.serve.netplay.game import Playing, User
from jantaku.table.serve.netplay.lobby import DIALECT, Lobby

Spoil = Callable[[bytes], Sequence[bytes | None]]
"""Returns the lines sent instead of a reply; None in place of a line: the time is over."""


Trial = Callable[["Wired", Question, Action], None]
"""Called before a question is answered with an action, to try other replies."""


class SpokenLine(msgspec.Struct, frozen=True):
    """One line of a transcript. `replied`: whether a line of the table wants a reply. `asked`: how the player would
    write each option, if the line puts a question."""

    by_table: bool
    data: bytes
    replied: bool = False
    asked: tuple[str, ...] = ()


class Wired:
    """A player that says the decisions of `mind` in a dialect. Implements `Player`.

    `spoil` replaces the first reply to a question. A table that is `clocked` tells the time.
    """

    listens = True

    def __init__(
        self, name: str, mind: Player, spoil: Spoil | None = None, *, clocked: bool = False, trial: Trial | None = None
    ) -> None:
        self._name = name
        self.dialect = self._new_side()
        self._done: list[Callable[[Dialect], object]] = []
        """All calls on the dialect so far. `instead` repeats them on a new one, because a compiled dialect cannot be
        copied."""
        self.lines: list[SpokenLine] = []
        self.answered: list[bytes] = []
        """What the table said directly after the spoiled reply."""
        self._reader = DIALECTS[name].reader("tenhou")
        self._mind, self._spoil, self._clocked, self._trial = mind, spoil, clocked, trial
        self._listens = port_of(mind).listens
        self._held: Any = None
        self._inbox: list[Heard | None] = []
        self._due: list[tuple[int, int]] = []
        """For each message without a reply so far: its number, and its index in `lines`."""
        self._spoiled = False

    def _new_side(self) -> Dialect:
        side = DIALECTS[self._name].side()
        side.ours["seed"] = "0"
        return side

    def hear(self, event: Any) -> None:
        if self._listens:
            self._mind.hear(event)
        self._tell_held(None)
        self._held = event

    def defaulted(self, played: DefaultPlayed) -> None:
        data = self._do(lambda dialect: dialect.default_played(played))
        self._read(data)
        if self._spoiled:
            self.answered += data.splitlines()

    def answer(self, question: Question) -> Action:
        if self._clocked:
            question = question.with_time(30.0, bank=20.0, margin=0.1)
        self._tell_held(question)
        action = self._mind.answer(question)
        if self._trial is not None:
            self._trial(self, question, action)
        return self._put(question, action)

    def instead(self, question: Question, action: Action, spoil: Spoil) -> Action | None:
        """Return the action that the table would take the spoiled reply for, None for none. Nothing changes by that."""
        other = copy.copy(self)
        other.dialect, other._reader = self._new_side(), copy.deepcopy(self._reader)
        for do in self._done:
            do(other.dialect)
        other._done, other.lines, other.answered = [], [*self.lines], []
        other._due, other._inbox, other._spoil = [*self._due], [*self._inbox], spoil
        try:
            return other._put(question, action)
        except PlayerFault:
            return None

    def _do(self, do: Callable[[Dialect], bytes]) -> bytes:
        self._done.append(do)
        return do(self.dialect)

    def _put(self, question: Question, action: Action) -> Action:
        self._spoiled = False
        self._inbox = [heard for heard in self._inbox if heard is not None]
        asked = tuple(map(self.dialect.written, question.options))
        came: list[Heard | None] = []
        self._done.append(lambda dialect: _asked_again(dialect, question, came))

        def send(data: bytes) -> None:
            self._read(data)
            if self._spoiled:
                self.answered += data.splitlines()

        def receive() -> Heard:
            nonlocal asked
            self._reply(action, asked)
            asked = ()
            came.append(heard := self._inbox.pop(0) if self._inbox else None)
            if heard is None:
                raise PlayerSilent("no answer in time")
            return heard

        given: Action = converse(self.dialect.ask(question), send, receive)
        return given

    def close(self) -> None:
        """Send the last event."""
        self._tell_held(None)

    def _tell_held(self, question: Question | None) -> None:
        event, self._held = self._held, None
        if event is not None:
            self._read(self._do(lambda dialect: dialect.tell(event, question)))
        if question is None:
            for number, _ in self._due:
                self._say(self._reader.write(None, number))
            self._due = []

    def _read(self, data: bytes) -> None:
        for line in data.splitlines():
            told = self._reader.read(line)
            if told.wants_reply:
                self._due.append((told.number, len(self.lines)))
            self.lines.append(SpokenLine(True, line, told.wants_reply))

    def _reply(self, action: Action, asked: tuple[str, ...]) -> None:
        """Reply to all open messages; the last one, which puts the question, gets `action`."""
        if not self._due:
            return
        *others, (last, at) = self._due
        self._due = []
        for number, _ in others:
            self._say(self._reader.write(None, number))
        reply = self._reader.write(action, last).strip()
        self.lines[at] = msgspec.structs.replace(self.lines[at], asked=(*asked, reply.decode()))
        if self._spoil is None:
            self._say(reply)
            return
        spoil, self._spoil, self._spoiled = self._spoil, None, True
        for line in spoil(reply):
            self._say(line)

    def _say(self, line: bytes | None) -> None:
        if line is not None:
            self.lines.append(SpokenLine(False, line.strip()))
        self._inbox.append(None if line is None else Heard(line.strip(), self.dialect.due))


def _asked_again(dialect: Dialect, question: Question, came: Sequence[Heard | None]) -> None:
    """Repeat a question on a new dialect, with the lines that came for it."""
    lines = iter(came)

    def receive() -> Heard:
        if (heard := next(lines)) is None:
            raise PlayerSilent("no answer in time")
        return heard

    with contextlib.suppress(PlayerFault):
        converse(dialect.ask(question), lambda _: None, receive)


NETPLAY = "netplay"
LONGEST = Limits().message
"""Most bytes of a message; a client that sends a longer one loses its connection."""
_ROOM = "A0001"
_CLOSED = b'{"type":"disconnect"}'


class _Timer:
    """The part of `asyncio.TimerHandle` that is used."""

    def __init__(self, task: Callable[[], object]) -> None:
        self.task: Callable[[], object] | None = task

    def cancel(self) -> None:
        self.task = None


class _Loop:
    """The part of an event loop that `Playing` uses. Time passes only by `pass_time`."""

    def __init__(self) -> None:
        self._tasks: list[Callable[[], object]] = []
        self._timers: list[_Timer] = []

    def is_closed(self) -> bool:
        return False

    def call_soon_threadsafe(self, task: Callable[[], object]) -> None:
        self._tasks.append(task)

    def call_later(self, seconds: float, task: Callable[..., object], *arguments: Any) -> _Timer:
        timer = _Timer(lambda: task(*arguments))
        self._timers.append(timer)
        return timer

    def run(self) -> None:
        while self._tasks:
            self._tasks.pop(0)()

    def pass_time(self) -> None:
        timers, self._timers = self._timers, []
        for timer in timers:
            if timer.task is not None:
                timer.task()


class NetplayWired(Wired):
    """`Wired` over net play: messages and replies pass through the user's game there."""

    def __init__(
        self, name: str, mind: Player, spoil: Spoil | None = None, *, clocked: bool = False, trial: Trial | None = None
    ) -> None:
        super().__init__(DIALECT, mind, spoil, clocked=clocked, trial=trial)
        self._loop = _Loop()
        loop = cast(asyncio.AbstractEventLoop, self._loop)
        self._sit_down(Playing(User("a", "", self._emit, Allowance(1, 1)), "a", loop, _ignore, _ignore))

    def __copy__(self) -> "NetplayWired":
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._sit_down(copy.copy(self._playing))
        return other

    def _sit_down(self, playing: Playing) -> None:
        self._playing = playing
        playing.user = User("a", "", self._emit, Allowance(1, 1))
        playing.user.connection = "a"
        playing.sit_down(DelegatedVisitor(self._hear, lambda: None))

    def _hear(self, reply: str) -> None:
        self._inbox.append(Heard(reply.encode(), self.dialect.due))

    def _emit(self, connection: str, event: str, arguments: tuple[Any, ...]) -> None:
        (message,) = arguments
        if "timer" in message:  # some milliseconds have passed
            message = {**message, "timer": [float(round(seconds)) for seconds in message["timer"]]}
        self.lines.append(SpokenLine(True, msgspec.json.encode(message), "seq" in message))

    def _read(self, data: bytes) -> None:
        for line in data.splitlines():
            self._loop.pass_time()  # ends the time of messages without a reply
            told = self._reader.read(line)
            self._playing.line.say(line)
            self._loop.run()
            if told.wants_reply and self.lines[-1].replied:
                self._due.append((told.number, len(self.lines) - 1))

    def _say(self, line: bytes | None) -> None:
        if line is None:
            self._inbox.append(None)
            return
        self.lines.append(SpokenLine(False, line.strip()))
        if len(line) > LONGEST:
            self._playing.user.connection = None
            self._playing.go_away()
            self.answered.append(_CLOSED)
            return
        with contextlib.suppress(msgspec.DecodeError):  # Socket.IO passes on no line that is not JSON
            self._playing.reply(msgspec.json.decode(line))


def wired(
    name: str, mind: Player, spoil: Spoil | None = None, *, clocked: bool = False, trial: Trial | None = None
) -> Wired:
    """Make a player of a dialect, or of net play."""
    kind = NetplayWired if name == NETPLAY else Wired
    return kind(name, mind, spoil, clocked=clocked, trial=trial)


def _ignore(playing: Playing) -> None:
    """Does nothing: the lobby has a conversation of its own."""


# --- the lobby


def in_the_lobby(begins: bytes, ends: bytes) -> list[list[SpokenLine]]:
    """Return the conversations between visitors and the lobby, by visitor. An event is shown as an object: its name
    with its arguments. `begins` and `ends` are the first and the last message of a game."""
    return asyncio.run(_Visits(begins, ends).made())


class _Visits:
    """Three visitors: two play, the third comes too late."""

    def __init__(self, begins: bytes, ends: bytes) -> None:
        self._game = begins, ends
        self._lines: dict[str, list[SpokenLine]] = {}
        self._taken: list[Line] = []
        self._lobby = Lobby(self._welcome, Limits(), self._emit, "tsumogiri", ())
        self._secrets: dict[str, str] = {}

    async def made(self) -> list[list[SpokenLine]]:
        """Return their conversations."""
        anna, ben, carl = [self._come(name) for name in ("anna", "ben", "carl")]
        self._say(anna, "ROOM")
        assert anna.room is not None
        number = anna.room.number
        self._secrets[number] = _ROOM
        self._again(anna)
        self._say(ben, "ROOM", number)
        self._say(anna, "ROOM", number, ben.uid)
        self._say(ben, "ROOM", number)
        self._say(anna, "START", number, {}, [5, 10, 1])
        await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})
        for message in self._game:
            for line in self._taken:
                line.say(message)
            await asyncio.sleep(0)
            self._say(carl, "ROOM", number)
            for user in (anna, ben):
                assert user.playing is not None
                user.playing.reply({"seq": msgspec.json.decode(message)["seq"]})
        for line in self._taken:
            line.hang_up()
        await asyncio.sleep(0)
        return list(self._lines.values())

    def _come(self, name: str) -> User:
        user = self._lobby.log_in(name, "")
        self._secrets[user.uid] = f"uid-of-{name}"
        self._lines[name] = []
        self._lobby.connect(user, name)
        return user

    def _again(self, user: User) -> None:
        """Send the room again, now that its random number is known and can be replaced."""
        assert user.room is not None
        self._lines[user.name].pop()
        user.room.tell()

    def _say(self, user: User, event: str, *arguments: object) -> None:
        self._keep(user.name, event, arguments, by_table=False)
        if event == "ROOM":
            self._lobby.room(user, *arguments)
        else:
            self._lobby.start(user, arguments[0])

    def _emit(self, connection: str, event: str, arguments: Sequence[Any]) -> None:
        if event == "GAME":
            self._keep_line(connection, arguments[0], by_table=True)
        elif event:
            self._keep(connection, event, arguments, by_table=True)

    def _keep(self, name: str, event: str, arguments: Sequence[Any], *, by_table: bool) -> None:
        self._keep_line(name, {event: arguments}, by_table=by_table)

    def _keep_line(self, name: str, message: dict[str, Any], *, by_table: bool) -> None:
        text = msgspec.json.encode(message)
        for drawn, shown in self._secrets.items():
            text = text.replace(drawn.encode(), shown.encode())
        self._lines[name].append(SpokenLine(by_table, text, "seq" in message))

    def _welcome(self, arrival: Arrival, line: Line) -> Visitor:
        self._taken.append(line)
        return DelegatedVisitor(lambda text: None, lambda: None)
