"""Our own events, questions and actions as lines of JSON: for a Python player in a process of its own.

Nothing is said in other words here, so it needs no translation and loses nothing. Numbers tie each reply to its
question. A table's line holds `event` or `question`, a player's `ready`, `option`, `action`, `raised` or
`nonsense`.
"""

from typing import Any, TypeVar

import msgspec

from table.errors import PlayerFault, PlayerUnreadable
from table.port import Action, Choice, Question
from table.riichi import actions, events
from table.wire.dialect import Greeting, Replies, Talk, field, number_in, read_object, write_line

T = TypeVar("T")

_EVENTS: dict[str, Any] = {kind.__name__: kind for kind in events.Event.__subclasses__()}
_ACTIONS: dict[str, Any] = {kind.__name__: kind for kind in actions.RiichiAction.__args__}


class Native:
    """One seat's side. Implements `Dialect`."""

    def __init__(self) -> None:
        self._replies = Replies()
        self._greeting = self._replies.expect()
        self._me = 0

    @property
    def due(self) -> int:
        """See `Dialect.due`."""
        return self._replies.due

    @property
    def stale(self) -> int:
        """See `Dialect.stale`."""
        return self._replies.stale

    @property
    def me(self) -> int:
        """See `Dialect.me`: the player id."""
        return self._me

    def tell(self, event: events.Event) -> bytes:
        """See `Dialect.tell`."""
        if isinstance(event, events.HanchanStart):
            self._me = event.you or 0
        return write_line({"event": _named(event)})

    def greet(self) -> Greeting | None:
        """The player's `ready`."""
        return self._greet()

    def ask(self, question: Question) -> Talk:
        """The question with all its options; the reply names one of them."""
        number = self._replies.expect()
        self._replies.asking(number)
        heard = yield write_line({"number": number, "question": _question(question)})
        while not self._replies.answers(heard, number_in(heard, "number"), number):
            heard = yield b""
        return _answer(read_object(heard.line), question)

    def _greet(self) -> Greeting:
        heard = yield b""
        while not self._replies.answers(heard, number_in(heard, "number"), self._greeting):
            heard = yield b""
        read_object(heard.line)


def read_table(line: bytes) -> tuple[int, events.Event | Question]:
    """A table's line as the player reads it: (number, question) or (0, event)."""
    message = read_object(line)
    if "event" in message:
        return 0, _from_named(message["event"], _EVENTS)
    told = message["question"]
    options = tuple(_from_named(option, _ACTIONS) for option in told["options"])
    choice = Choice(options, options[told["default"]])
    return message["number"], Question(told["id"], told["seat"], choice, told["allowed"], told["margin"])


def write_ready() -> bytes:
    """The player is there and may be asked."""
    return write_line({"number": 1, "ready": True})


def write_answer(number: int, question: Question, given: object) -> bytes:
    """What the player answered, whatever it is."""
    if not isinstance(given, actions.RiichiAction):
        return write_line({"number": number, "nonsense": repr(given)[:200]})
    if given in question.options:
        return write_line({"number": number, "option": question.options.index(given)})
    return write_line({"number": number, "action": _named(given)})


def write_fault(number: int, fault: BaseException, when: str = "") -> bytes:
    """That the player raised instead of answering."""
    text = " ".join(f"{type(fault).__name__}: {fault}".split())[:200]
    return write_line({"number": number, "raised": text + when})


def _question(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "seat": question.seat,
        "options": [_named(option) for option in question.options],
        "default": question.options.index(question.default),
        "allowed": question.allowed,
        "margin": question.margin,
    }


def _answer(reply: dict[str, Any], question: Question) -> Action:
    if "raised" in reply:
        raise PlayerFault(field(reply, "raised", str))
    if "nonsense" in reply:
        raise PlayerUnreadable(f"{field(reply, 'nonsense', str)} is not an action of this game")
    if "option" in reply:
        number: int = field(reply, "option", int)
        if not 0 <= number < len(question.options):
            raise PlayerUnreadable(f"there is no option {number}; they are 0 to {len(question.options) - 1}")
        return question.options[number]
    try:
        action: Action = _from_named(reply.get("action"), _ACTIONS)
    except (msgspec.ValidationError, ValueError, TypeError, KeyError) as error:
        raise PlayerUnreadable(f"its action cannot be read: {error}") from None
    return action


def _named(thing: Any) -> list[Any]:
    return [type(thing).__name__, msgspec.to_builtins(thing)]


def _from_named(value: Any, kinds: dict[str, Any]) -> Any:
    name, fields = value
    return msgspec.convert(fields, kinds[name])
