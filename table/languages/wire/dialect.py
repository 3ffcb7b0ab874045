"""The interface that every dialect offers to its transport, and how a reply is matched to its message.

A dialect is one seat's side of one conversation: it knows no process, no socket and no clock. The transport sends what
`tell` and the talks produce, and passes in each line received, with the number of replies that were due at that
moment.
"""

from collections.abc import Generator, Iterable
from typing import Any, ClassVar, Protocol, Self

import msgspec

from jantaku.table.compiled import mypyc_attr
from jantaku.table.ground.errors import PlayerSilent, PlayerUnreadable
from jantaku.table.ground.foreign.traces import bounded
from jantaku.table.ground.port import Action, Choice, DefaultPlayed, Evidence, Question
from jantaku.table.languages.wire.talk import Greeting as Greeting
from jantaku.table.languages.wire.talk import Heard as Heard
from jantaku.table.languages.wire.talk import Talk as Talk
from jantaku.table.languages.wire.talk import converse as converse

LONGEST_LINE = 1 << 20
"""The most bytes in a line from a player. No dialect needs nearly as many."""
LONGEST_SAID = 1000
"""The most characters of a player's line that are kept as evidence."""
KEPT = 8
"""How many of the last pieces sent a transport keeps for `Port.sent`; a piece is at least one message."""
_SHOWN = 80  # most characters of a line that an error repeats
WRONG = -1
"""Stands for a number that belongs to no message: negative, zero, or not an integer."""
_OPENING = 3  # messages before the first question of a game that begins normally


class Dialect(Protocol):
    """One seat's side of a conversation. A new object is made for every game, and for every program started in it."""

    ours: dict[str, Any]
    """What only this player is told when its game begins: `seed`, as text."""
    past: bool
    """Whether the events being told were decided before the player joined: then no reply is wanted, if the dialect can
    say so and the player has shown that it reads that."""
    meta: Any
    """What the last answer said besides, see `Port.remark`; None if nothing."""

    @property
    def due(self) -> int:
        """The total number of replies that the player has had to send: for questions, and for every message that the
        dialect has confirmed."""

    @property
    def stale(self) -> int:
        """Number of replies that answered nothing, or a question that was given up."""

    @property
    def me(self) -> int:
        """The player's number in this dialect; valid once the start of the game was told."""

    def tell(self, event: Any, question: Question | None = None) -> bytes:
        """Return the lines to send for `event`. `question` is what the seat is asked about it right after, so that the
        message can contain its time."""

    def default_played(self, played: DefaultPlayed) -> bytes:
        """Return the lines to send because a default was played for the player; if empty, the next message says it."""

    def greet(self) -> Greeting | None:
        """Return a coroutine that waits for the player's greeting; None if the dialect has none before the first
        question."""

    def interjected(self, heard: Heard) -> bytes | None:
        """Return the reaction to a line that comes while no question is open; None: the line waits for the next
        question."""

    def is_behind(self, waiting: Iterable[Heard]) -> bool:
        """Whether a player that joined a running game has not caught up with the messages, as far as the dialect shows.
        `waiting` are lines that were received and not read yet."""

    def ask(self, question: Question) -> Talk:
        """Put a question about the last event."""

    def written(self, action: Action) -> str:
        """Return the text with which the player would choose `action`, one of its current options."""

    def said(self, line: bytes) -> str:
        """Return what the player said with `line`, for its author."""

    def offered(self, choice: Choice) -> Iterable[str]:
        """Return the text with which the player would choose each option of `choice`, the last question's."""

    def messages(self, data: bytes) -> list[str]:
        """Return lines that were sent as one text per message, for the player's author."""

    @property
    def clean(self) -> bool:
        """Whether no question was given up and no reply was stale, so that the next line answers what is still open."""

    def owed(self, waiting: Iterable[Heard]) -> int:
        """The number of messages that the player has not replied to; for a player that skips replies, 1 if the last is
        open, else 0. `waiting` as in `is_behind`."""

    def again(self) -> "Dialect":
        """Return the side of the same player in another game, perhaps in another seat. Message numbers and reply counts
        continue, so that a late reply is never taken for one in the new game."""


def evidence(dialect: Dialect, choice: Choice, came: bytes, stderr: str = "") -> Evidence:
    """Return the evidence of a fault: the last line that came, if one did, and the options."""
    said = bounded(dialect.said(came), LONGEST_SAID) if came else ""
    return Evidence(came=said, offered=tuple(dialect.offered(choice)), stderr=stderr)


class Replies:
    """Matches replies to messages: a reply answers the message whose number it repeats; without a number, the next one
    that was not answered. So a duplicate, late or early reply is never taken for an answer, as long as the player
    repeats numbers; without them, only the number of replies can be compared with the number of messages."""

    def __init__(self) -> None:
        self.due = 0
        self.stale = 0
        self.numbered = False
        """Whether some reply has repeated the number of its message."""
        self.strict = False
        """Whether a line without a number is ignored."""
        self.skips = False
        """Whether some reply had a higher number than the next message: the player skips replies."""
        self._last = 0
        self._given_up: set[int] = set()

    @property
    def clean(self) -> bool:
        """Whether no reply was stale, and no reply that was given up may still come."""
        return not self.stale and not self._given_up

    def expect(self) -> int:
        """Count one more message that must be replied to; return its number."""
        self.due += 1
        return self.due

    def asking(self, number: int) -> None:
        """Declare that the reply to message `number` answers a question. If it does not come in time, it is stale."""
        self._given_up.add(number)

    def reached(self, numbers: Iterable[int]) -> int:
        """The last message that is replied to, after lines with these numbers (0: none; WRONG) are read, too."""
        last = self._last
        for number in numbers:
            last = max(last, number or (0 if self.strict else last + 1))
        return last

    def answers(self, heard: Heard, number: int, wanted: int) -> bool:
        """Take a line that repeats `number` (0: none; WRONG: of no message); whether it is the reply to message
        `wanted`."""
        self.numbered |= number > 0
        number = number or (0 if self.strict else self._last + 1)
        if number <= self._last or number > heard.due:
            self.stale += 1
            return False
        self.skips |= number > self._last + 1
        self._last = number
        if number == wanted:
            self._given_up.discard(number)
            return True
        if number in self._given_up:
            self.stale += 1
            self._given_up.discard(number)
        return False


@mypyc_attr(allow_interpreted_subclasses=True)
class Side:
    """Base class of the dialects: it matches replies to messages."""

    key: ClassVar[str] = ""
    """The key under which a reply repeats the number of its message; empty if replies have no number."""

    def __init__(self) -> None:
        self._replies = Replies()
        self.ours: dict[str, Any] = {}
        """What only this player is told when its game begins."""
        self.past = False
        """Whether the events being told were decided before the player joined."""
        self.meta: Any = None
        """What the last answer said besides; None if nothing."""
        self._defaults: list[dict[str, Any]] = []
        """The defaults that the next message will report."""
        self._asked = (-1, 0)
        """The id of the last question, and the number of its message."""
        self._earlier = 0
        """Number of replies that were due in earlier games."""
        self.me = 0
        """The player's number in this dialect."""

    @property
    def due(self) -> int:
        return self._replies.due

    @property
    def stale(self) -> int:
        return self._replies.stale

    def is_behind(self, waiting: Iterable[Heard]) -> bool:
        """The reply to the last message does not count: it may have to wait for a question."""
        if self.due - self._earlier <= _OPENING:
            return False
        return self._replies.reached(self._number(heard) for heard in waiting) < self.due - 1

    def interjected(self, heard: Heard) -> bytes | None:
        return None

    def said(self, line: bytes) -> str:
        return line[: 4 * LONGEST_SAID].decode("utf-8", "replace")

    def default_played(self, played: DefaultPlayed) -> bytes:
        asked, number = self._asked
        told = {self.key: number} if self.key and asked == played.question else {}
        self._defaults.append({**told, "verdict": played.verdict, "reason": played.reason})
        return b""

    def _also(self, question: Question | None = None) -> dict[str, Any]:
        """What the next message says besides: the time for `question`, and the defaults that were played."""
        also: dict[str, Any] = {"timer": timer(question)} if question and question.allowed is not None else {}
        if self._defaults:
            also["defaults"], self._defaults = self._defaults, []
        return also

    def offered(self, choice: Choice) -> Iterable[str]:
        return map(self.written, choice.options)

    def written(self, action: Action) -> str:
        raise NotImplementedError

    def messages(self, data: bytes) -> list[str]:
        return data.decode().splitlines()

    @property
    def clean(self) -> bool:
        return self._replies.clean

    def owed(self, waiting: Iterable[Heard]) -> int:
        owed = self.due - self._replies.reached(self._number(heard) for heard in waiting)
        return min(owed, 1) if self._replies.skips else owed

    def again(self) -> Self:
        side = type(self)()
        side._replies, side._earlier = self._replies, self.due
        return side

    def _number(self, heard: Heard) -> int:
        return number_in(heard, self.key) if self.key else 0

    def _reply_to(self, number: int, data: bytes = b"") -> Generator[bytes, Heard, bytes]:
        """Send `data`, take lines until one replies to message `number`, and return that line. A line with an invalid
        number answers nothing. If time runs out without a reply, that line becomes the reason."""
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
                        f"the {self.key} of {shown(refused)} is not the number of a message; the question has {number}"
                    ) from None
                raise
        return heard.line


def timer(question: Question) -> dict[str, float]:
    """The time for a question, in seconds: its limit, the bank, both together, and the margin on top."""
    allowed = question.allowed or 0.0
    told = {"limit": allowed - question.bank, "bank": question.bank, "left": allowed, "margin": question.margin}
    return {word: round(seconds, 3) for word, seconds in told.items()}


def read_object(line: bytes) -> dict[str, Any]:
    """Read a line as a JSON object. Raises PlayerUnreadable for anything else."""
    value = read_json(line)
    if not isinstance(value, dict):
        raise PlayerUnreadable(f"{shown(line)} is not a JSON object")
    return value


def read_json(line: bytes) -> Any:
    """Read a line as a JSON value. Raises PlayerUnreadable, with the reason, if it is not JSON or too long."""
    if len(line) > LONGEST_LINE:
        raise PlayerUnreadable(f"a line of more than {LONGEST_LINE} bytes that begins with {shown(line)}")
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PlayerUnreadable(f"{shown(line)} is not JSON: {error}") from None


def shown(line: bytes) -> str:
    """The beginning of a line, for error messages."""
    text = line[: _SHOWN * 4].decode("utf-8", "replace")
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return f"“{text}”" if len(text) <= _SHOWN else f"“{text[:_SHOWN]}…”"


def field(message: dict[str, Any], key: str, kind: type | tuple[type, ...]) -> Any:
    """Return a value of a message. Raises PlayerUnreadable if it is missing or of another type."""
    value = message.get(key)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        names = kind.__name__ if isinstance(kind, type) else " or ".join(one.__name__ for one in kind)
        raise PlayerUnreadable(f"its {key} is {msgspec.json.encode(value).decode()[:_SHOWN]}, not a {names}")
    return value


def number_in(heard: Heard, key: str) -> int:
    """The number under `key` in a line: 0 if there is none or the line cannot be read, WRONG if the value is not an
    integer from 1 up."""
    try:
        value = read_json(heard.line)
    except PlayerUnreadable:
        return 0
    number = value.get(key) if isinstance(value, dict) else None
    if number is None:
        return 0
    return number if type(number) is int and number > 0 else WRONG


def text_of(message: Any) -> str:
    """A message as JSON text."""
    return msgspec.json.encode(message).decode()


def write_line(message: Any) -> bytes:
    return msgspec.json.encode(message) + b"\n"
