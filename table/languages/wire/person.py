"""The messages between the table and the page on which a person plays riichi.

The page gets the items of the journal as its seat may see them, after a head with the names and its own number (`you`).
A `choice` has the number of its question and the options as Majiang replies:

    {"choice": {"question": 8, "options": [{"dapai": "m1_"}, {"hule": "-"}], "default": {"dapai": "m1_"}, "timer": {…}}}

A reply, `{"question": 8, "reply": {"dapai": "m1_"}}`, repeats that number: so a tap that comes late, twice or from
another tab never plays a tile. A message that cannot be used is `refused` with a word of `Refusal` and has no
effect. `{"facts": 7}` asks at any time what can be worked out of the own hand; the answer,
`{"facts": {"wish": 7, …}}`, repeats the number.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from jantaku.table.ground.errors import PlayerUnreadable
from jantaku.table.ground.port import Action, DefaultPlayed, Question
from jantaku.table.languages.majiang.items import Encoder, writes_decimals
from jantaku.table.languages.majiang.rule import reply
from jantaku.table.languages.wire.dialect import (
    Greeting,
    Heard,
    Side,
    Talk,
    field,
    read_object,
    text_of,
    timer,
    write_line,
)
from jantaku.table.riichi import events

PERSON = "person"
"""The name of this dialect. Only pages of a server speak it."""
RESTING = write_line({"resting": True})
"""Says that defaults are played without waiting, until the page sends `BACK`."""
BACK = "back"


class Refusal(StrEnum):
    """Why a message of the page was refused."""

    UNREADABLE = "unreadable"
    LATE = "late"
    """Its question is closed, or was answered already."""
    FORBIDDEN = "forbidden"
    """Its reply is not one of the options."""


class Why(StrEnum):
    """Why a default was played; the page says it in the language of its person."""

    TIME_UP = "timeUp"
    UNANSWERED = "unanswered"
    """Several questions in a row were not answered, so that the table does not wait; the message has their `count`."""
    AWAY = "away"
    """No page was connected."""


class Person(Side):
    """One seat's side, for all connections of its person. Implements `Dialect`."""

    def __init__(self) -> None:
        super().__init__()
        self._encoder = Encoder()
        self._open: Question | None = None
        """The question that waits for a reply; None after a reply was accepted."""

    def tell(self, event: events.Event, question: Question | None = None) -> bytes:
        """Return the lines to send. A question about the event follows in a message of its own."""
        if isinstance(event, events.HanchanStart):
            self._encoder, self.me = Encoder(decimals=writes_decimals(event.rules)), event.you or 0
            return write_line({"player": event.names, "qijia": event.first_dealer, "you": self.me})
        item = self._encoder.encode(event)
        return b"" if item is None else write_line(item)

    def greet(self) -> Greeting | None:
        """Return None: a page does not greet."""
        return None

    def is_behind(self, waiting: Iterable[Heard]) -> bool:
        """Return False: a page confirms nothing."""
        return False

    def owed(self, waiting: Iterable[Heard]) -> int:
        return 0

    def interjected(self, heard: Heard) -> bytes | None:
        """Return the refusal of a line that is not a reply to the open question; None for such a reply."""
        why = self._why_not(heard.line)
        return None if why is None else write_line({"refused": why})

    def ask(self, question: Question) -> Talk:
        """Return the reply to this question. `interjected` has refused all other lines, except replies to questions
        given up."""
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
        """The open question, with the seconds left (`left` includes the margin); empty if there is none."""
        if (asked := self._open) is None:
            return b""
        clock = {} if left is None else {"timer": {**timer(asked), "left": round(max(0.0, left - asked.margin), 3)}}
        told = {"question": asked.id, "options": [reply(option) for option in asked.options]}
        return write_line({"choice": {**told, "default": reply(asked.default), **clock}})

    def told_default(self, played: DefaultPlayed, why: Why, unanswered: int) -> bytes:
        """Report that a default was played. `unanswered` is the number of questions in a row without an answer."""
        told = {"question": played.question, "verdict": played.verdict, "why": why}
        return write_line({"defaulted": {**told, "count": unanswered} if why is Why.UNANSWERED else told})

    def told_meanwhile(self, defaults: int) -> bytes:
        """Report how many defaults were played while no page was connected."""
        return write_line({"meanwhile": defaults})

    def told_past(self, past: Iterable[events.Event]) -> bytes:
        """The items of the kyoku that are over."""
        return write_line({"past": [item for event in past if (item := self._encoder.encode(event)) is not None]})

    def written(self, action: Action) -> str:
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
    """Report that game `game` is over: the ticket that opens it for its players, and the bots that may review it."""
    return write_line({"over": {"game": game, "ticket": ticket, "reviewers": reviewers}})


def is_back(text: str) -> bool:
    """Whether the page says that its person is back."""
    return text == text_of({BACK: True})


class _Wish(msgspec.Struct, forbid_unknown_fields=True):
    facts: Annotated[int, Meta(ge=0, le=1_000_000)]


_WISH = msgspec.json.Decoder(_Wish)


def wish_in(text: str) -> int | None:
    """The number of a wish for facts; None for any other message."""
    try:
        return _WISH.decode(text).facts
    except ValueError:
        return None


def told_facts(wish: int, facts: object) -> bytes:
    """Answer a wish for facts, which are null where the table gives no hints."""
    return write_line({"facts": {"wish": wish, "told": facts}})


def _chosen(line: bytes, asked: Question) -> Action | None:
    """The option that a reply chooses; None if it answers another question or chooses none."""
    said = read_object(line)
    if said["question"] != asked.id:
        return None
    return next((option for option in asked.options if reply(option) == said["reply"]), None)
