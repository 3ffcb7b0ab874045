"""What every dialect offers to its transport, and how a reply is matched to the message that it answers.

A dialect is one seat's side of one conversation: it knows no process, no socket and no clock. The transport sends what
`tell` and the talks produce, and passes in each line received, with the number of replies that were due at that moment.
"""

from collections.abc import Generator, Iterable
from typing import Any, ClassVar, Protocol, Self

import msgspec

from jantaku.table.compiled import mypyc_attr
from jantaku.table.errors import PlayerSilent, PlayerUnreadable
from jantaku.table.foreign.traces import bounded
from jantaku.table.port import Action, Choice, DefaultPlayed, Evidence, Question
from jantaku.table.wire.talk import Aside as Aside
from jantaku.table.wire.talk import Greeting as Greeting
from jantaku.table.wire.talk import Heard as Heard
from jantaku.table.wire.talk import Talk as Talk
from jantaku.table.wire.talk import converse as converse

LONGEST_LINE = 1 << 20
"""Bytes of one line from a player. No dialect has lines nearly as long."""
LONGEST_SAID = 1000
"""Characters of a player's line that are kept as evidence."""
KEPT = 8
"""How much of what was sent last a transport keeps for `Port.sent`, in pieces of at least a message."""
_SHOWN = 80  # characters of a line that an error repeats
WRONG = -1
"""Stands for a number that no message has: negative, zero, or not a whole number at all."""
_OPENING = 3  # messages before the first question of a game that is played from its beginning


class Dialect(Protocol):
    """One seat's side of a conversation. A new one for every game, and for every program started in it."""

    ours: dict[str, Any]
    """What the player alone is told when its game begins: `seed`, the text of the seed that it was given."""
    past: bool
    """Whether what is told now was decided before the player came: no reply is wanted to it where the dialect can say
    so, and the player has shown that it reads that."""
    meta: Any
    """What its last answer said besides, see `Port.remark`."""

    @property
    def due(self) -> int:
        """Number of replies that the player owes in all: for questions, and for every message where the dialect has all
        of them confirmed."""

    @property
    def stale(self) -> int:
        """Replies that answered nothing, or a question that was given up."""

    @property
    def me(self) -> int:
        """The number of the seat's player in this dialect, known once the game was told."""

    def tell(self, event: Any, question: Question | None = None) -> bytes:
        """Whole lines to be sent now that the seat hears `event`. `question`: what it will be asked about it at once,
        so that the message can say how much time there is."""

    def default_played(self, played: DefaultPlayed) -> bytes:
        """Whole lines to be sent now that a default was played for the player; where there are none, the next message
        says it."""

    def greet(self) -> Greeting | None:
        """Wait for the player's greeting; None where the dialect has none before the first question."""

    def interjected(self, heard: Heard) -> bytes | None:
        """What to say at once to a line that comes while no question is open; None: it waits for the next question."""

    def is_behind(self, waiting: Iterable[Heard]) -> bool:
        """Whether a player that joined a running game is still working through what it was sent, as far as the dialect
        shows. `waiting` are lines that were received and not read yet."""

    def ask(self, question: Question) -> Talk:
        """Put a question about the last event."""

    def written(self, action: Action) -> str:
        """How the player would say `action`, one of those that it is asked to choose from now."""

    def said(self, line: bytes) -> str:
        """What the player said with `line`, for its author."""

    def offered(self, choice: Choice) -> Iterable[str]:
        """How the player would say each option of the question that it was asked last, whose choice is `choice`."""

    def messages(self, data: bytes) -> list[str]:
        """Whole lines that were sent as their reader has them, a text for each message, for the player's author."""

    @property
    def clean(self) -> bool:
        """Whether no question was given up and no reply was stale: what comes now is a reply to what is still open."""

    def owed(self, waiting: Iterable[Heard]) -> int:
        """To how many messages the player has to reply yet; of one that leaves replies out, whether to the last.
        `waiting` as in `is_behind`."""

    def again(self) -> "Dialect":
        """The side of the same player in another game, perhaps in another seat. Its messages are numbered on, and
        replies counted on: so none to an earlier game is ever taken for one to this."""


def evidence(dialect: Dialect, choice: Choice, came: bytes, stderr: str = "") -> Evidence:
    """What a fault leaves behind of the line that came last, if one did, and of the options."""
    said = bounded(dialect.said(came), LONGEST_SAID) if came else ""
    return Evidence(came=said, offered=tuple(dialect.offered(choice)), stderr=stderr)


class Replies:
    """Matches replies to messages: a reply answers the message whose number it repeats, else the next one that was not
    answered.

    So a duplicate, late or early reply is never taken for an answer, as long as the player repeats numbers; without
    them only the number of replies can be compared with the number of messages.
    """

    def __init__(self) -> None:
        self.due = 0
        self.stale = 0
        self.numbered = False
        """Whether one of them has repeated the number of its message."""
        self.strict = False
        """Whether one without a number is no reply."""
        self.skips = False
        """Whether the number of one was higher than that of the next message: the player leaves replies out."""
        self._last = 0
        self._given_up: set[int] = set()

    @property
    def clean(self) -> bool:
        """Whether no reply was stale, and none that was given up may come yet."""
        return not self.stale and not self._given_up

    def expect(self) -> int:
        """One more message that has to be replied to; its number."""
        self.due += 1
        return self.due

    def asking(self, number: int) -> None:
        """The reply to message `number` answers a question. If none comes in time it is stale."""
        self._given_up.add(number)

    def reached(self, numbers: Iterable[int]) -> int:
        """The last message that is replied to when lines that repeat these numbers (0: none; WRONG) are taken, too."""
        last = self._last
        for number in numbers:
            last = max(last, number or (0 if self.strict else last + 1))
        return last

    def answers(self, heard: Heard, number: int, wanted: int) -> bool:
        """Whether a line that repeats `number` (0: it has none; WRONG: one of no message) is the reply to message
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
    """Common part of all dialects: how replies find their messages. Base class of the implementations of `Dialect`."""

    key: ClassVar[str] = ""
    """The key under which a reply repeats the number of its message; empty where no reply does."""

    def __init__(self) -> None:
        self._replies = Replies()
        self.ours: dict[str, Any] = {}
        """See `Dialect.ours`."""
        self.past = False
        """See `Dialect.past`."""
        self.meta: Any = None
        """See `Dialect.meta`."""
        self._defaults: list[dict[str, Any]] = []
        """The defaults that the next message tells of."""
        self._asked = (-1, 0)
        """The last question, and the number of its message."""
        self._earlier = 0
        """Number of replies that were due in earlier games."""
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
        if self.due - self._earlier <= _OPENING:
            return False
        return self._replies.reached(self._number(heard) for heard in waiting) < self.due - 1

    def interjected(self, heard: Heard) -> bytes | None:
        """See `Dialect.interjected`."""
        return None

    def said(self, line: bytes) -> str:
        """See `Dialect.said`."""
        return line[: 4 * LONGEST_SAID].decode("utf-8", "replace")

    def default_played(self, played: DefaultPlayed) -> bytes:
        """See `Dialect.default_played`."""
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
        """See `Dialect.offered`."""
        return map(self.written, choice.options)

    def written(self, action: Action) -> str:
        """See `Dialect.written`."""
        raise NotImplementedError

    def messages(self, data: bytes) -> list[str]:
        """See `Dialect.messages`."""
        return data.decode().splitlines()

    @property
    def clean(self) -> bool:
        """See `Dialect.clean`."""
        return self._replies.clean

    def owed(self, waiting: Iterable[Heard]) -> int:
        """See `Dialect.owed`."""
        owed = self.due - self._replies.reached(self._number(heard) for heard in waiting)
        return min(owed, 1) if self._replies.skips else owed

    def again(self) -> Self:
        """See `Dialect.again`."""
        side = type(self)()
        side._replies, side._earlier = self._replies, self.due
        return side

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


def timer(question: Question) -> dict[str, float]:
    """The time for a question, in seconds: its limit, the bank, both together, and the margin granted on top."""
    allowed = question.allowed or 0.0
    told = {"limit": allowed - question.bank, "bank": question.bank, "left": allowed, "margin": question.margin}
    return {word: round(seconds, 3) for word, seconds in told.items()}


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
    """The beginning of a line, for errors."""
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


def text_of(message: Any) -> str:
    """A message as text."""
    return msgspec.json.encode(message).decode()


def write_line(message: Any) -> bytes:
    """A message as one line of JSON."""
    return msgspec.json.encode(message) + b"\n"
