"""Reads the messages of Majiang into events and writes answers as replies: for a program that is a player.

It is the counterpart of `majiang.py`. What a message does not say is inferred: the next message shows whether a
riichi is accepted. Errors are BadInput; the program ends with their message.
"""

from typing import Any

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.ground.port import Action
from jantaku.table.ground.settings import keys
from jantaku.table.languages.facts import DrawFact, Fact, event_of
from jantaku.table.languages.majiang.order import stands
from jantaku.table.languages.majiang.reader import KNOWN, Seat, end_of, fact_of
from jantaku.table.languages.majiang.rule import Item, MajiangRule, from_majiang, reply, reply_2015
from jantaku.table.languages.wire.majiang import UNCONFIRMED, UNCONFIRMED_2015
from jantaku.table.languages.wire.reader import Told, seed_of
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.rules import Rules


class _Ours(msgspec.Struct):
    rules: Rules | None = None
    seed: str = "0"


_KNOWN = KNOWN | {"kaiju", "jieju", "illegal"}
_BESIDE = ("seq", "timer", "defaults")


class _Kaiju(msgspec.Struct):
    player: tuple[str, str, str, str]
    qijia: Seat
    id: Seat | None = None
    rule: Item | None = None
    jantaku: _Ours | None = None


class _Message2015(msgspec.Struct):
    type: str
    data: object


class MajiangReader:
    """Reads 1.x messages for one seat, in order, and writes its replies."""

    unconfirmed = UNCONFIRMED

    def __init__(self) -> None:
        self._declared: int | None = None
        """The seat whose riichi is accepted unless its last discard is won on; None if there is none."""
        self._first_dealer = 0
        self._seed = 0
        self._numbered = False
        """Whether messages that want a reply have numbers."""

    def read(self, line: bytes) -> Told:
        """Read one message. Raises BadInput if the line is not a message."""
        try:
            key, payload, number = self._split(msgspec.json.decode(line))
            if key == "illegal":
                return Told((), wants_reply=True, number=number, again=True)
            happened = self._events(key, payload) if key in _KNOWN else []
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadInput(f"{line[:200]!r} is not a message: {error}") from None
        except BadInput as error:
            raise BadInput(f"{line[:200]!r} is not a message: {error}") from None
        return Told(tuple(happened), self._is_confirmed(key, number), number, seed=self._seed)

    def write(self, action: Action | None, number: int, meta: str = "") -> bytes:
        """Write the reply for `action` (None: nothing) to the message of that number."""
        item = {} if action is None else reply(action)
        return msgspec.json.encode({**item, "seq": number} if number else item) + b"\n"

    def _split(self, message: Any) -> tuple[str, object, int]:
        """Return kind, content and number of a message; unknown keys are skipped."""
        told: Item = shaped(message, dict)
        number = told.get("seq", 0)
        known = [key for key in told if key in _KNOWN] or [key for key in told if key not in _BESIDE][:1]
        if len(known) != 1 or not isinstance(number, int):
            raise BadInput("a message has one key, and perhaps its number under “seq”")
        return known[0], told[known[0]], number

    def _is_confirmed(self, key: str, number: int) -> bool:
        """Whether a message is replied to; one of an unknown kind only if it has a number."""
        self._numbered |= number > 0
        return key not in self.unconfirmed and (number > 0 or (key in _KNOWN and not self._numbered))

    def _events(self, key: str, payload: object) -> list[events.Event]:
        if key == "kaiju":
            return [self._kaiju(shaped(payload, _Kaiju))]
        if key == "jieju":
            end = end_of(payload)
            assert end.ranks is not None and end.tenths is not None, "the shape of the end has them"
            return [events.HanchanEnd(end.scores, end.ranks, end.tenths)]
        fact = fact_of({key: payload}, self._first_dealer)
        if isinstance(fact, DrawFact) and not isinstance(fact.reason, DrawReason):
            raise BadInput(f"there is no draw “{fact.reason}”")
        return [*self._riichi(fact), event_of(fact)]

    def _riichi(self, fact: Fact) -> list[events.Event]:
        """Return the riichi that is accepted because `fact` follows its discard; empty if none is."""
        declared, self._declared = self._declared, None
        if isinstance(fact, events.TileDiscard) and fact.riichi:
            self._declared = fact.seat
        return [events.Riichi(declared)] if declared is not None and stands(fact) else []

    def _kaiju(self, kaiju: _Kaiju) -> events.HanchanStart:
        self._declared, self._first_dealer = None, kaiju.qijia
        self._seed = seed_of(kaiju.jantaku.seed if kaiju.jantaku else "0")
        return events.HanchanStart(kaiju.player, kaiju.qijia, self._rules(kaiju), kaiju.id)

    def _rules(self, kaiju: _Kaiju) -> Rules:
        if kaiju.jantaku is not None and kaiju.jantaku.rules is not None:
            return kaiju.jantaku.rules
        known = {key.partition(".")[0] for key in keys(MajiangRule)}
        return from_majiang({key: value for key, value in (kaiju.rule or {}).items() if key in known})


class MajiangReader2015(MajiangReader):
    """Reads messages of 2015 for one seat. They do not contain rules: `rules` apply."""

    unconfirmed = UNCONFIRMED_2015

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._known_rules = rules

    def write(self, action: Action | None, number: int, meta: str = "") -> bytes:
        """Write the reply for `action`; None means nothing."""
        return msgspec.json.encode(reply_2015(action)) + b"\n"

    def _split(self, message: Any) -> tuple[str, object, int]:
        told = shaped(message, _Message2015)
        return told.type, told.data, 0

    def _is_confirmed(self, key: str, number: int) -> bool:
        return key not in self.unconfirmed

    def _rules(self, kaiju: _Kaiju) -> Rules:
        return self._known_rules
