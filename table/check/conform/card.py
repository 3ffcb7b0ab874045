"""The card of a dialect: what the server says and expects, drawn from what its code says at a table."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from jantaku.table.check.conform import words as variants
from jantaku.table.check.conform.netplay import LONGEST, NETPLAY, SpokenLine, Wired
from jantaku.table.check.conform.troubles import TROUBLES, Consequence, said, tried
from jantaku.table.check.conform.words import MANNERS, Manner, Schema, Transport, drawn
from jantaku.table.ground import foreign
from jantaku.table.ground.installation import part
from jantaku.table.ground.port import Action, Question
from jantaku.table.languages.wire.dialect import LONGEST_LINE
from jantaku.table.languages.wire.dialects import DIALECTS

FOLDER = Path(__file__).with_name("cards")
DAIFUGO = "daifugo"
"""The card of the second game, whose table is in a wing of its own."""
VERSION = 1
"""Version of the cards' format."""
BASES = {
    "mjai-lines": "mjai",
    "mjai-actions": "mjai",
    "mjai-lines-actions": "mjai-lines",
    "mjsonp": "mjai-actions",
    "riichilab": "mjai",
    "majiang-2015": "majiang",
    NETPLAY: "majiang",
}
"""The card of which each card is a variant."""
_T = TypeVar("_T")
_BESIDE = ("seq", "timer", "defaults")
"""Keys that may stand beside the single key that names a message."""
_LONGEST_EXAMPLE = 600
_CANDIDATES = 50
_SAMPLES = 6


class Message(msgspec.Struct, frozen=True):
    """A kind of message. `reply`: whether a reply is due always, sometimes or never. `answers`: the kinds of reply that
    were allowed after it."""

    when: str
    reply: str
    answers: tuple[str, ...]
    shape: Schema
    example: Any


class Reply(msgspec.Struct, frozen=True):
    """A kind of reply. `sometimes`: keys that may be missing if only one reading remains."""

    says: str
    shape: Schema
    example: Any
    sometimes: tuple[str, ...] = ()


class Card(msgspec.Struct, frozen=True):
    """A whole card. `ours` are keys that only this server sends. `number` is the key under which a reply repeats the
    number of its message; empty if there is none."""

    card: int
    dialect: str
    title: str
    version: str
    transports: tuple[Transport, ...]
    longest_line: int
    longest_meta: int
    number: str
    matching: str
    greeting: bool
    end: str
    messages: dict[str, Message]
    replies: dict[str, Reply]
    ours: dict[str, str]
    troubles: dict[str, Consequence]
    defs: Schema = msgspec.field(name="$defs")


def messages_in(line: bytes) -> list[dict[str, Any]]:
    """Return the messages of a line: its object, or the objects of its array. ValueError for anything else."""
    value = msgspec.json.decode(line)
    found: list[dict[str, Any]] = value if isinstance(value, list) else [value]
    if not all(isinstance(one, dict) for one in found):
        raise ValueError(f"{line[:80]!r} is no message")
    return found


def kind_of(message: dict[str, Any], manner: Manner) -> str:
    """Return the kind of a message or reply."""
    if manner.kind:
        return str(message.get(manner.kind) or "nothing")
    return next((key for key in message if key not in _BESIDE), "nothing")


def made(dialect: str) -> Card:
    """Draw the card of a dialect, of net play or of 大富豪 anew."""
    manner, is_riichi = MANNERS[dialect], dialect != DAIFUGO
    rounds = None if is_riichi else part("check", "conform.rounds")
    side = DIALECTS["majiang" if dialect == NETPLAY else dialect].side() if is_riichi else None
    troubles, conversations = tried(dialect) if rounds is None else rounds.tried()
    heard, needed = _Heard(manner), _Needed(manner)
    for lines in (
        *(said(dialect, needed.trial) if rounds is None else rounds.heard()),
        *([line for line in lines if line.by_table] for lines in conversations),
    ):
        heard.take(lines)
    return Card(
        card=VERSION,
        dialect=dialect,
        title=manner.title,
        version=manner.version,
        transports=manner.transports,
        longest_line=LONGEST_LINE if dialect in DIALECTS else LONGEST,
        longest_meta=foreign.LONGEST_REMARK if is_riichi else 0,
        number=heard.number(getattr(side, "key", "")),
        matching=manner.matching,
        greeting=side is not None and side.greet() is not None,
        end=manner.end,
        messages=dict(heard.messages()),
        replies=dict(heard.replies(needed)),
        ours=dict(manner.ours),
        troubles=troubles,
        defs=manner.naming.defs,
    )


class _Heard:
    """Collects messages and replies by kind."""

    def __init__(self, manner: Manner) -> None:
        self._manner = manner
        self._said: dict[str, list[Any]] = {}
        self._replied: dict[str, set[bool]] = {}
        self._answers: dict[str, set[str]] = {}
        self._replies: dict[str, list[Any]] = {}

    def take(self, lines: Iterable[SpokenLine]) -> None:
        """Take one conversation."""
        for line in lines:
            found = messages_in(line.data)
            kinds = [kind_of(one, self._manner) for one in found]
            into = self._said if line.by_table else self._replies
            for kind, one in zip(kinds, found, strict=True):
                into.setdefault(kind, []).append(one)
            if line.by_table:
                self._replied.setdefault(kinds[-1], set()).add(line.replied)
                self._answers.setdefault(kinds[-1], set()).update(map(self._kind_of_answer, line.asked))

    def _kind_of_answer(self, text: str) -> str:
        return kind_of(_first_in(text), self._manner)

    def messages(self) -> Iterator[tuple[str, Message]]:
        """Yield the kinds of message, in the order of the manner."""
        order = list(self._manner.replies)
        for kind, when in self._manner.messages.items():
            values, replied = self._said[kind], self._replied.get(kind, set())
            reply = "always" if replied == {True} else "sometimes" if True in replied else "never"
            answers = tuple(sorted(self._answers.get(kind, ()), key=order.index))
            yield kind, Message(when, reply, answers, drawn(values, self._manner.naming), self._example(values))

    def replies(self, needed: "_Needed") -> Iterator[tuple[str, Reply]]:
        """Yield the kinds of reply, in the order of the manner."""
        for kind, says in self._manner.replies.items():
            values = self._replies[kind]
            shape = drawn(values, self._manner.naming)
            need = {key: needed.needed(kind, key) for key in shape["properties"] if needed.was_tried(kind)}
            if need:
                shape["required"] = [key for key, when in need.items() if when == "always"]
            sometimes = tuple(key for key, when in need.items() if when == "sometimes")
            yield kind, Reply(says, shape, self._example(values), sometimes)

    def number(self, key: str) -> str:
        """Return the key if messages have a number under it, else an empty text."""
        return key if any(key in one for values in self._said.values() for one in values[:1]) else ""

    def _example(self, values: list[Any]) -> Any:
        """Return the first value that is short enough, else the shortest; opaque objects are emptied."""
        shorter = [_closed(value, self._manner.naming.opaque) for value in values[:_CANDIDATES]]
        sizes = [len(msgspec.json.encode(value)) for value in shorter]
        return shorter[next((at for at, size in enumerate(sizes) if size <= _LONGEST_EXAMPLE), sizes.index(min(sizes)))]


def _closed(value: Any, opaque: frozenset[str]) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: type(inside)() if key in opaque else _closed(inside, opaque) for key, inside in value.items()}


class _Needed:
    """Finds the keys that a reply needs: leaves each one out of some replies and looks whether the table takes the rest
    for the same action."""

    def __init__(self, manner: Manner) -> None:
        self._manner = manner
        self._tried: Counter[tuple[str, bool]] = Counter()
        """Number of replies tried by kind, and by whether the action is the default, which an unusable reply leads to
        as well."""
        self._missed: Counter[tuple[str, bool, str]] = Counter()
        """The same, by the key without which the action changed."""

    def trial(self, wired: Wired, question: Question, action: Action) -> None:
        """Leave out each key of the reply in turn. Implements `Trial`."""
        reply = _first_in(wired.dialect.written(action))
        of = kind_of(reply, self._manner), action == question.default
        if self._tried[of] == _SAMPLES:
            return
        self._tried[of] += 1
        for key in dict.fromkeys((*reply, getattr(wired.dialect, "key", ""))):
            taken = wired.instead(question, action, partial(_without, key))
            self._missed[*of, key] += taken != action

    def was_tried(self, kind: str) -> bool:
        """Return whether a reply of that kind answered a question."""
        return any(self._tried[kind, is_default] for is_default in (False, True))

    def needed(self, kind: str, key: str) -> Literal["always", "sometimes", "never"]:
        """Return when a reply of that kind needs the key."""
        of = kind, not self._tried[kind, False]
        missed = self._missed[*of, key]
        return "never" if not missed else "always" if missed == self._tried[of] else "sometimes"


def _without(key: str, reply: bytes) -> list[bytes | None]:
    said = msgspec.json.decode(reply)
    said.pop(key, None)
    return [msgspec.json.encode(said)]


def _first_in(text: str) -> dict[str, Any]:
    """Return the first reply in a text of one or two: a riichi is written as two."""
    found: dict[str, Any] = json.JSONDecoder().raw_decode(text)[0]
    return found


def written(card: Card) -> bytes:
    """Return the whole card as text."""
    return variants.text_of(msgspec.to_builtins(card))


def filed(dialect: str, cards: Mapping[str, Card]) -> bytes:
    """Return the text of a card's file: the whole card, or its difference from its base."""
    card, base = msgspec.to_builtins(cards[dialect]), BASES.get(dialect)
    if base is None:
        return variants.text_of(card)
    return variants.text_of({"base": base, "differs": variants.difference(msgspec.to_builtins(cards[base]), card)})


@cache
def card_of(dialect: str) -> Card:
    """Return the card of a dialect as published with this version."""
    card, manner = msgspec.convert(_whole(dialect), Card), MANNERS[dialect]
    return msgspec.structs.replace(  # a variant has the keys of its base first
        card,
        messages=_in_order(card.messages, manner.messages),
        replies=_in_order(card.replies, manner.replies),
        troubles=_in_order(card.troubles, TROUBLES if dialect in DIALECTS else card.troubles),
    )


def _in_order(named: dict[str, _T], order: Iterable[str]) -> dict[str, _T]:
    return {name: named[name] for name in order if name in named}


def _whole(dialect: str) -> Any:
    found = msgspec.json.decode((FOLDER / f"{dialect}.json").read_bytes())
    return variants.changed(_whole(found["base"]), found["differs"]) if "base" in found else found
