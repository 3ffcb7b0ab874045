"""Net play as its clients hear it: Majiang messages in the server's frames, and the lobby before a game."""

import asyncio
import contextlib
import copy
from collections.abc import Callable, Sequence
from typing import Any, cast

import msgspec

from jantaku.table.check.conform.wired import Spoil, SpokenLine, Trial, Wired
from jantaku.table.ground.port import Player
from jantaku.table.languages.wire.dialect import Heard
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Allowance, Limits
from jantaku.table.serve.net.line import DelegatedVisitor, Line, Visitor
from jantaku.table.serve.netplay.game import Playing, User
from jantaku.table.serve.netplay.lobby import DIALECT, Lobby

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
