"""Our own events, questions and actions as lines of JSON: for a Python player in a process of its own.

The classes are encoded directly, without translation or loss. Numbers tie each reply to its question. A line of the
table has `event`, `question`, `defaulted`, or `again` with the seed of the bot to make for another game; a line of the
player has `ready`, `option`, `action`, `raised` or `nonsense`, and an answer may have `meta`, see `Port.remark`.
"""

from functools import lru_cache
from typing import Any, Self, TypeVar

import msgspec

from jantaku.table.ground.errors import PlayerFault, PlayerUnreadable
from jantaku.table.ground.foreign.traces import trace_of
from jantaku.table.ground.port import Action, Choice, DefaultPlayed, Question
from jantaku.table.languages.wire.dialect import Greeting, Side, Talk, field, read_object, shown, write_line
from jantaku.table.riichi import actions, events

T = TypeVar("T")

_EVENTS: dict[str, Any] = {
    "HanchanStart": events.HanchanStart,
    "KyokuStart": events.KyokuStart,
    "Draw": events.Draw,
    "Discard": events.TileDiscard,
    "Riichi": events.Riichi,
    "Call": events.MeldCall,
    "Kan": events.OwnKan,
    "NorthAside": events.NorthAside,
    "Dora": events.Dora,
    "Win": events.Win,
    "Ryukyoku": events.Ryukyoku,
    "Chombo": events.ChomboDraw,
    "HanchanEnd": events.HanchanEnd,
}
_ACTIONS: dict[str, Any] = {
    "Discard": actions.Discard,
    "Tsumo": actions.Tsumo,
    "Ron": actions.Ron,
    "Call": actions.Call,
    "Kan": actions.Kan,
    "SetAside": actions.SetAside,
    "Kyuushu": actions.Kyuushu,
    "Pass": actions.Pass,
    "Tenpai": actions.Tenpai,
    "Noten": actions.Noten,
}
_WORDS = {kind: word for kinds in (_EVENTS, _ACTIONS) for word, kind in kinds.items()}
"""The names on the wire are listed here, so that they stay when a class is renamed."""
_KEPT = 1024  # size of the caches of options, nearly all of which recur


class _Asked(msgspec.Struct):
    """A question as written on the wire; `default` is the index of an option."""

    id: int
    seat: int
    options: list[msgspec.Raw]
    default: int
    allowed: float | None
    margin: float
    bank: float = 0.0


class _Told(msgspec.Struct):
    event: Any = None
    number: int = 0
    question: _Asked | None = None
    again: str | None = None
    defaulted: DefaultPlayed | None = None


_TOLD = msgspec.json.Decoder(_Told)


class Again(msgspec.Struct, frozen=True):
    """Another game begins, for a bot made with this seed."""

    seed: int


class Native(Side):
    """One seat's side. Implements `Dialect`."""

    key = "number"

    def __init__(self) -> None:
        super().__init__()
        self._greeting = self._replies.expect()

    def again(self) -> Self:
        side = super().again()
        side._greeting = side._replies.expect()
        return side

    def default_played(self, played: DefaultPlayed) -> bytes:
        return write_line({"defaulted": played})

    def tell(self, event: events.Event, question: Question | None = None) -> bytes:
        line = write_line({"event": _named(event)})
        if isinstance(event, events.HanchanStart):
            self.me = event.you or 0
            if self._earlier:
                return write_line({"number": self._greeting, "again": self.ours["seed"]}) + line
        return line

    def greet(self) -> Greeting | None:
        """Wait for the player's `ready`."""
        return self._greet()

    def ask(self, question: Question) -> Talk:
        """Send the question with all its options; the reply names one of them."""
        self.meta = None
        number = self._replies.expect()
        self._replies.asking(number)
        line = yield from self._reply_to(number, write_line({"number": number, "question": _question(question)}))
        reply = read_object(line)
        self.meta = reply.get("meta")
        return _answer(reply, question)

    def written(self, action: Action) -> str:
        """Return the action's repr: a Python bot handles objects."""
        return repr(action)

    def messages(self, data: bytes) -> list[str]:
        """Return the events as reprs of objects. A question's options are listed elsewhere."""
        told = [read_table(line)[1] for line in data.splitlines()]
        return [repr(one) for one in told if isinstance(one, tuple(_EVENTS.values()))]

    def said(self, line: bytes) -> str:
        """Return the repr of the action in a reply, or of the object in its place; empty for an exception, whose
        traceback says more."""
        try:
            reply = read_object(line)
            if "action" in reply:
                return repr(_action(reply))
        except PlayerUnreadable:
            return super().said(line)
        return str(reply.get("nonsense", ""))

    def _greet(self) -> Greeting:
        read_object((yield from self._reply_to(self._greeting)))


def read_table(line: bytes) -> tuple[int, events.Event | Question | Again | DefaultPlayed]:
    """Read a line of the table: (number, question), (number, another game), (0, a default that was played) or (0,
    event)."""
    told = _TOLD.decode(line)
    if told.defaulted is not None:
        return 0, told.defaulted
    if told.again is not None:
        return told.number, Again(int(told.again))
    asked = told.question
    if asked is None:
        return 0, _from_named(told.event, _EVENTS)
    options = tuple(_option_of(bytes(text)) for text in asked.options)
    choice = Choice(options, options[asked.default])
    return told.number, Question(asked.id, asked.seat, choice, asked.allowed, asked.margin, bank=asked.bank)


def write_ready(number: int = 1) -> bytes:
    """The player's greeting, after which it may be asked. `number` belongs to the line that begins another game."""
    return write_line({"number": number, "ready": True})


def write_answer(number: int, question: Question, given: object, remark: str = "") -> bytes:
    """Write the player's answer, whatever object it is, and its remark as JSON text."""
    said: dict[str, Any] = {"number": number, **({"meta": msgspec.Raw(remark.encode())} if remark else {})}
    if not isinstance(given, actions.RiichiAction):
        return write_line({**said, "nonsense": repr(given)[:200]})
    if given in question.options:
        return write_line({**said, "option": question.options.index(given)})
    return write_line({**said, "action": _named(given)})


def write_fault(number: int, fault: BaseException, when: str = "") -> bytes:
    """Write that the player raised an exception instead of answering."""
    return write_line({"number": number, "raised": raised(fault) + when, "trace": trace_of(fault)})


def raised(fault: BaseException) -> str:
    """The exception in one short line."""
    return " ".join(f"{type(fault).__name__}: {fault}".split())[:200]


def _question(question: Question) -> _Asked:
    options = question.options
    texts = [_text_of(option) for option in options]
    default, bank = options.index(question.default), question.bank
    return _Asked(question.id, question.seat, texts, default, question.allowed, question.margin, bank)


@lru_cache(_KEPT)
def _text_of(option: Action) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(_named(option)))


@lru_cache(_KEPT)
def _option_of(text: bytes) -> Action:
    option: Action = _from_named(msgspec.json.decode(text), _ACTIONS)
    return option


def _answer(reply: dict[str, Any], question: Question) -> Action:
    if "raised" in reply:
        trace = reply.get("trace")
        raise PlayerFault(field(reply, "raised", str), trace=trace if isinstance(trace, str) else "")
    if "nonsense" in reply:
        raise PlayerUnreadable(f"{field(reply, 'nonsense', str)} is not an action of this game")
    if "option" in reply:
        number: int = field(reply, "option", int)
        if not 0 <= number < len(question.options):
            raise PlayerUnreadable(f"there is no option {number}; they are 0 to {len(question.options) - 1}")
        return question.options[number]
    return _action(reply)


def _action(reply: dict[str, Any]) -> Action:
    """Return the action in a reply that was not one of the options. Raises PlayerUnreadable if it cannot be read."""
    try:
        name, fields = msgspec.convert(reply.get("action"), tuple[str, dict[str, Any]])
        if name not in _ACTIONS:
            raise PlayerUnreadable(f"its action cannot be read: {shown(name.encode(errors='replace'))} is none")
        action: Action = msgspec.convert(fields, _ACTIONS[name])
    except msgspec.ValidationError as error:
        raise PlayerUnreadable(f"its action cannot be read: {error}") from None
    return action


def _named(thing: Any) -> list[Any]:
    kind = type(thing)
    return [_WORDS.get(kind, kind.__name__), msgspec.to_builtins(thing)]


def _from_named(value: Any, kinds: dict[str, Any]) -> Any:
    name, fields = value
    return msgspec.convert(fields, kinds[name])
