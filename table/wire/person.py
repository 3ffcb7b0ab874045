"""What the page is told on which a person plays riichi, and what it says back.

It is told the items of the journal as its seat may see them, behind a head with the names and its own number (`you`).
A `choice` says what may be done now, in the form of Majiang's replies, under the number of its question:

    {"choice": {"question": 8, "options": [{"dapai": "m1_"}, {"hule": "-"}], "default": {"dapai": "m1_"}, "timer": {…}}}

and a reply, `{"question": 8, "reply": {"dapai": "m1_"}}`, repeats that number: so a tap that comes late, twice or from
another tab never plays a tile. What cannot be taken is `refused` with one of a few words and changes nothing.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from jantaku.table.errors import PlayerUnreadable
from jantaku.table.formats.majiang.items import Encoder, writes_decimals
from jantaku.table.formats.majiang.words import reply
from jantaku.table.port import Action, DefaultPlayed, Question
from jantaku.table.riichi import events
from jantaku.table.wire.dialect import Greeting, Heard, Side, Talk, field, read_object, text_of, timer, write_line

PERSON = "person"
"""The name of this dialect. Only pages of a server speak it."""
RESTING = write_line({"resting": True})
"""Defaults are played without waiting, until the page says `BACK`."""
BACK = "back"


class Refusal(StrEnum):
    """Why a message of the page was not taken."""

    UNREADABLE = "unreadable"
    LATE = "late"
    """Its question is not open any more, or was answered already."""
    FORBIDDEN = "forbidden"
    """It is none of the options."""


class Why(StrEnum):
    """Why the default was played, for the page to say in the language of its person."""

    TIME_UP = "timeUp"
    UNANSWERED = "unanswered"
    """Nobody waits any more after so many questions in a row without an answer: their `count` is said too."""
    AWAY = "away"
    """No page was connected."""


class Person(Side):
    """One seat's side, for all connections of its person. Implements `Dialect`."""

    def __init__(self) -> None:
        super().__init__()
        self._encoder = Encoder()
        self._open: Question | None = None
        """The question that waits for a reply, until one was taken."""

    def tell(self, event: events.Event, question: Question | None = None) -> bytes:
        """See `Dialect.tell`. What is asked about the event follows by itself."""
        if isinstance(event, events.HanchanStart):
            self._encoder, self.me = Encoder(decimals=writes_decimals(event.rules)), event.you or 0
            return write_line({"player": event.names, "qijia": event.first_dealer, "you": self.me})
        item = self._encoder.encode(event)
        return b"" if item is None else write_line(item)

    def greet(self) -> Greeting | None:
        """A page does not greet."""
        return None

    def is_behind(self, waiting: Iterable[Heard]) -> bool:
        """See `Dialect.is_behind`. Nothing is confirmed."""
        return False

    def owed(self, waiting: Iterable[Heard]) -> int:
        """See `Dialect.owed`."""
        return 0

    def interjected(self, heard: Heard) -> bytes | None:
        """See `Dialect.interjected`: the refusal of every line that is not a reply to the open question."""
        why = self._why_not(heard.line)
        return None if why is None else write_line({"refused": why})

    def ask(self, question: Question) -> Talk:
        """The reply to this question: `interjected` has let no other in but for those to questions given up."""
        self._open = question
        self._replies.expect()
        try:
            heard = yield self.choice(question.seconds)
            while (action := _chosen(heard.line, question)) is None:
                heard = yield b""
        finally:
            self._open = None
        return action

    def choice(self, left: float | None) -> bytes:
        """The open question, with so many seconds left, the margin among them; nothing if there is none."""
        if (asked := self._open) is None:
            return b""
        clock = {} if left is None else {"timer": {**timer(asked), "left": round(max(0.0, left - asked.margin), 3)}}
        told = {"question": asked.id, "options": [reply(option) for option in asked.options]}
        return write_line({"choice": {**told, "default": reply(asked.default), **clock}})

    def told_default(self, played: DefaultPlayed, why: Why, unanswered: int) -> bytes:
        """The default was played for a question. `unanswered`: questions in a row that were."""
        told = {"question": played.question, "verdict": played.verdict, "why": why}
        return write_line({"defaulted": {**told, "count": unanswered} if why is Why.UNANSWERED else told})

    def told_meanwhile(self, defaults: int) -> bytes:
        """How many defaults were played while nobody was there."""
        return write_line({"meanwhile": defaults})

    def told_past(self, past: Iterable[events.Event]) -> bytes:
        """The items of the kyoku that are over."""
        return write_line({"past": [item for event in past if (item := self._encoder.encode(event)) is not None]})

    def written(self, action: Action) -> str:
        """See `Dialect.written`."""
        return text_of(reply(action))

    def _why_not(self, line: bytes) -> Refusal | None:
        asked = self._open
        try:
            number = field(read_object(line), "question", int)
            field(read_object(line), "reply", dict)
        except PlayerUnreadable:
            return Refusal.UNREADABLE
        if asked is None or number != asked.id:
            self._replies.stale += 1
            return Refusal.LATE
        if _chosen(line, asked) is None:
            return Refusal.FORBIDDEN
        self._open = None
        return None


def told_over(game: int, ticket: str, reviewers: Sequence[str]) -> bytes:
    """The game of that number is over: what opens it to those who played, and the bots that may review it."""
    return write_line({"over": {"game": game, "ticket": ticket, "reviewers": reviewers}})


def is_back(text: str) -> bool:
    """Whether the page says that its person is there again."""
    return text == text_of({BACK: True})


def _chosen(line: bytes, asked: Question) -> Action | None:
    """The option that a reply chooses; None if that is to another question or chooses none."""
    said = read_object(line)
    if said["question"] != asked.id:
        return None
    return next((option for option in asked.options if reply(option) == said["reply"]), None)
