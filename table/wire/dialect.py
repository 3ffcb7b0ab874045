"""What every dialect offers to whoever carries its bytes, and how a reply finds the message that it answers.

A dialect is one seat's side of one conversation: it knows no process, no socket and no clock. Whoever carries
its bytes sends what `tell` and the talks give, and hands back each line that comes, with the number of replies
that were due at that moment.
"""

from collections.abc import Callable, Generator, Iterable
from typing import Any, Protocol

import msgspec

from table.errors import PlayerSilent, PlayerUnreadable
from table.port import Action, Question

LONGEST_LINE = 1 << 20
"""Bytes of one line from a player. None of any dialect comes near it."""
_SHOWN = 80  # characters of a line that an error repeats
WRONG = -1
"""Stands for a number that is none of a message: negative, zero, or no whole number at all."""
_OPENING = 3  # messages before the first question of a game that is played from its beginning


class Heard(msgspec.Struct, frozen=True):
    """One line from a player. `due` is how many replies the player owed in all when the line came in."""

    line: bytes
    due: int


Greeting = Generator[bytes, Heard, None]
"""Waits until the player has shown that it is ready; see `Talk`."""
Talk = Generator[bytes, Heard, Action]
"""One question: gives bytes to be sent (perhaps none), takes one line each time, ends with the answer.

Raises PlayerUnreadable for a line that answers the question and cannot be read.
"""


class Dialect(Protocol):
    """One seat's side of a conversation. A new one for every game, and for every program started in it."""

    @property
    def due(self) -> int:
        """How many replies the player owes in all: for questions, and where the dialect has everything confirmed."""

    @property
    def stale(self) -> int:
        """Replies that answered nothing, or a question that was given up."""

    @property
    def me(self) -> int:
        """The number by which this dialect calls the seat's player, once it was told of the game."""

    def tell(self, event: Any) -> bytes:
        """Whole lines to be sent now that the seat hears `event`."""

    def greet(self) -> Greeting | None:
        """Wait for a sign of life; None where the dialect has none before the first question."""

    def is_behind(self, waiting: Iterable[Heard]) -> bool:
        """Whether a player that was told of a game under way is still busy with that, as far as the dialect shows it.
        `waiting` are lines that came and were not taken yet."""

    def ask(self, question: Question) -> Talk:
        """Put a question about what was told last."""


def converse(talk: Talk | Greeting, send: Callable[[bytes], None], receive: Callable[[], Heard]) -> Any:
    """Let a dialect talk with its player until it has what it wants: its answer. That `receive` raises PlayerSilent is
    told to the dialect, which may know what came instead."""
    try:
        data = next(talk)
        while True:
            send(data)
            try:
                heard = receive()
            except PlayerSilent as silence:
                data = talk.throw(silence)
            else:
                data = talk.send(heard)
    except StopIteration as end:
        return end.value


class Replies:
    """Which message a reply answers: the one whose number it repeats, else the next one that was not answered.

    So neither a second reply nor one that comes too late nor one that comes before its question is taken for
    an answer, as long as the player repeats numbers; without them only the number of replies can be held
    against the number of messages.
    """

    def __init__(self) -> None:
        self.due = 0
        self.stale = 0
        self._last = 0
        self._given_up: set[int] = set()

    def expect(self) -> int:
        """One more message that has to be replied to; its number."""
        self.due += 1
        return self.due

    def asking(self, number: int) -> None:
        """A question hangs on the reply to message `number`. If no reply comes it is stale from then on."""
        self._given_up.add(number)

    def reached(self, numbers: Iterable[int]) -> int:
        """The last message that is replied to when lines that repeat these numbers (0: none; WRONG) are taken, too."""
        last = self._last
        for number in numbers:
            last = max(last, number or last + 1)
        return last

    def answers(self, heard: Heard, number: int, wanted: int) -> bool:
        """Whether a line that repeats `number` (0: it has none; WRONG: one of no message) is the reply to message
        `wanted`."""
        number = number or self._last + 1
        if number <= self._last or number > heard.due:
            self.stale += 1
            return False
        self._last = number
        if number == wanted:
            self._given_up.discard(number)
            return True
        if number in self._given_up:
            self.stale += 1
            self._given_up.discard(number)
        return False


class Side:
    """What is alike in all dialects: how replies find their messages. Base of what implements `Dialect`."""

    key = ""
    """Under which key a reply repeats the number of its message; empty where none does."""

    def __init__(self) -> None:
        self._replies = Replies()
        self.me = 0
        """See `Dialect.me`."""

    @property
    def due(self) -> int:
        """See `Dialect.due`."""
        return self._replies.due

    @property
    def stale(self) -> int:
        """See `Dialect.stale`."""
        return self._replies.stale

    def is_behind(self, waiting: Iterable[Heard]) -> bool:
        """See `Dialect.is_behind`. The reply to the last message may have to wait for a question."""
        if self.due <= _OPENING:
            return False
        return self._replies.reached(self._number(heard) for heard in waiting) < self.due - 1

    def _number(self, heard: Heard) -> int:
        return number_in(heard, self.key) if self.key else 0

    def _reply_to(self, number: int, data: bytes = b"") -> Generator[bytes, Heard, bytes]:
        """Send `data` and take lines until the reply to message `number` is there: that line.

        A line with a number that is none answers nothing. It is the reason if time runs out and no other has come.
        """
        refused = b""
        heard = yield data
        while not self._replies.answers(heard, told := self._number(heard), number):
            if told == WRONG:
                refused = refused or heard.line
            try:
                heard = yield b""
            except PlayerSilent:
                if refused:
                    raise PlayerUnreadable(
                        f"the {self.key} of {shown(refused)} is not the number of a message; that of the question "
                        f"is {number}"
                    ) from None
                raise
        return heard.line


def read_object(line: bytes) -> dict[str, Any]:
    """A line as a JSON object. PlayerUnreadable for everything else."""
    value = read_json(line)
    if not isinstance(value, dict):
        raise PlayerUnreadable(f"{shown(line)} is not a JSON object")
    return value


def read_json(line: bytes) -> Any:
    """A line as a JSON value. PlayerUnreadable, with the reason, if it is none or too long."""
    if len(line) > LONGEST_LINE:
        raise PlayerUnreadable(f"a line of more than {LONGEST_LINE} bytes that begins with {shown(line)}")
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PlayerUnreadable(f"{shown(line)} is not JSON: {error}") from None


def shown(line: bytes) -> str:
    """The beginning of a line as an error may show it."""
    text = line[: _SHOWN * 4].decode("utf-8", "replace")
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return f"“{text}”" if len(text) <= _SHOWN else f"“{text[:_SHOWN]}…”"


def field(message: dict[str, Any], key: str, kind: type | tuple[type, ...]) -> Any:
    """A value of a message. PlayerUnreadable if it is missing or of another type."""
    value = message.get(key)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        names = kind.__name__ if isinstance(kind, type) else " or ".join(one.__name__ for one in kind)
        raise PlayerUnreadable(f"its {key} is {msgspec.json.encode(value).decode()[:_SHOWN]}, not a {names}")
    return value


def number_in(heard: Heard, key: str) -> int:
    """The number that a line repeats under `key`: 0 if the line has none or cannot be read, WRONG if what it has there
    is not a whole number from 1 up."""
    try:
        value = read_json(heard.line)
    except PlayerUnreadable:
        return 0
    number = value.get(key) if isinstance(value, dict) else None
    if number is None:
        return 0
    return number if type(number) is int and number > 0 else WRONG


def write_line(message: Any) -> bytes:
    """A message as one line of JSON."""
    return msgspec.json.encode(message) + b"\n"
