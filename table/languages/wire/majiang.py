"""Sends Majiang (電脳麻将) messages to a seat and reads its replies: the dialects of 2015 and of majiang-core 1.x.

2015: `{"type": "zimo", "data": {"l": 0, "p": "m1"}}`, replies `{"type": "dapai", "data": "m1_"}`. 1.x: `{"zimo":
{"l": 0, "p": "m1"}, "seq": 7}`, replies `{"dapai": "m1_", "seq": 7}`.

All four players reply to nearly every message, mostly with nothing; `seq` (1.x) numbers the messages that want a
reply. The table needs fewer replies: the reply to the message that a question is about is the answer; all others are
read and dropped.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from jantaku.table.ground.errors import BadInput, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.port import Action, Question
from jantaku.table.ground.settings import did_you_mean
from jantaku.table.languages.majiang.forms import FORM_2015
from jantaku.table.languages.majiang.items import Encoder, writes_decimals
from jantaku.table.languages.majiang.paifu import paifu_of
from jantaku.table.languages.majiang.rule import Item, nearest_majiang, parse_discard, reply, reply_2015
from jantaku.table.languages.wire.dialect import (
    Greeting,
    Side,
    Talk,
    field,
    read_json,
    read_object,
    shown,
    text_of,
    write_line,
)
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.notation import parse_meld

T = TypeVar("T")
REPLIES = ("dapai", "fulou", "gang", "hule", "daopai")
"""The keys of a 1.x reply."""
BESIDE = {"seq", "meta", "log"}
"""What a reply may have that says nothing else: a passing one has no other key."""
UNCONFIRMED = {"kaigang"}
"""Messages of 1.x that get no reply."""
UNCONFIRMED_2015 = {"kaiju", "qipai", "kaigang"}


class Majiang(Side):
    """The 1.x dialect for one seat. Implements `Dialect`."""

    key = "seq"
    unconfirmed = UNCONFIRMED
    shows_due = True
    """Whether a message can show that it wants no reply."""
    nothing_discards = True
    """Whether an empty reply plays the default discard, the tile just drawn or, after a call, the highest, as
    majiang-core does."""

    def __init__(self) -> None:
        super().__init__()
        self._told: list[events.Event] = []
        self._encoder = Encoder()
        self._retries = False
        """Whether a forbidden discard after a call may be corrected in time."""
        self._kept: tuple[int, Item] = (0, {})
        """The number of the last message with a question, and the reply to it."""

    def tell(self, event: events.Event, question: Question | None = None) -> bytes:
        """Return the lines to send. This dialect does not report that a riichi is accepted."""
        self._told.append(event)
        item = self._item(event)
        if item is None:
            return b""
        if self.past and self.shows_due and self._replies.numbered:
            self._replies.strict = True
            return self._message(item, 0)
        number = 0 if item.keys() & self.unconfirmed else self._replies.expect()
        return self._message(item, number, question)

    def greet(self) -> Greeting | None:
        """Wait for the reply to `kaiju`."""
        return self._greet()

    def ask(self, question: Question) -> Talk:
        """Read the reply to the last message. A declaration of tenpai may be in the reply that was read before."""
        number = self.due
        self._asked = question.id, number
        if self._kept[0] == number:
            return self._action(self._kept[1], question)
        self._replies.asking(number)
        line = yield from self._reply_to(number)
        # set before parsing: no second reply to this message will come, even if this one is unreadable
        self._kept = number, {}
        said = self._reply(line)
        self._kept = number, said
        action = self._action(said, question)
        return (yield from self._warned(line, action, question)) if self._retries else action

    def written(self, action: Action) -> str:
        return text_of(reply(action))

    def _warned(self, line: bytes, action: Action, question: Question) -> Talk:
        """Warn a player whose `action`, read from `line`, is a forbidden discard after a call, until it sends another
        in time (S-51). Only a player that repeats numbers is warned: where replies are counted, an extra one would
        shift all others. The same tile is not refused twice."""
        allowed = [option for option in question.options if isinstance(option, actions.Discard)]
        refused: set[Action] = set()
        if not allowed or any(option.tsumogiri for option in allowed):
            return action
        while _repeats(line, self.key) and isinstance(action, actions.Discard) and action not in {*allowed, *refused}:
            refused.add(action)
            number = self._replies.expect()
            self._replies.asking(number)
            words = [reply(option)["dapai"] for option in allowed]
            try:
                warning = self._message({"illegal": reply(action) | {"allowed": words}}, number)
                line = yield from self._reply_to(number, warning)
            except PlayerSilent:
                return action
            action = self._action(self._reply(line), question)
        return action

    def _greet(self) -> Greeting:
        _object_or_null((yield from self._reply_to(self._earlier + 1)))

    def _item(self, event: events.Event) -> Item | None:
        if isinstance(event, events.HanchanStart):
            self._encoder = Encoder(decimals=writes_decimals(event.rules))
            self.me, self._retries = event.you or 0, event.rules.call.kuikae_retry
            return self._kaiju(event)
        item = self._encoder.encode(event)
        if item is None or "lizhi" in item:
            return None
        return {"jieju": self._jieju(item["jieju"])} if "jieju" in item else item

    def _kaiju(self, event: events.HanchanStart) -> Item:
        """Rules that majiang-core cannot express are replaced by the nearest that it can; `jantaku` has all rules."""
        return {
            "kaiju": {
                "id": event.you,
                "rule": nearest_majiang(event.rules),
                "title": "jantaku",
                "player": event.names,
                "qijia": event.first_dealer,
                "jantaku": {"rules": msgspec.to_builtins(event.rules), **self.ours},
            }
        }

    def _jieju(self, result: Item) -> Item:
        """The 牌譜 as this seat saw it: the tiles of the other seats stay hidden."""
        start = self._told[0]
        assert isinstance(start, events.HanchanStart)
        return paifu_of(self._told, start.rules, "jantaku")

    def _message(self, item: Item, number: int, question: Question | None = None) -> bytes:
        numbered = {"seq": number} if number else {}
        return write_line({**item, **numbered, **self._also(question)})

    def _reply(self, line: bytes) -> Item:
        """Read a line as a 1.x reply with one key, or none. Raises PlayerUnreadable for anything else."""
        value = _object_or_null(line) or {}
        given = {key: value[key] for key in REPLIES if key in value}
        if len(given) > 1:
            raise PlayerUnreadable(f"{shown(line)} says {' and '.join(given)} at once")
        unknown = next((key for key in value if key not in BESIDE), None)
        if not given and unknown is not None:
            hint = did_you_mean(unknown, REPLIES) or f"allowed: {', '.join(REPLIES)}, or {{}} for nothing"
            if "type" in value:
                hint = "who replies with a type is seated with ?dialect=mjai or ?dialect=majiang-2015"
            raise PlayerUnreadable(f"{shown(line)}: there is no reply {shown(unknown.encode())}; {hint.rstrip()}")
        return given

    def _action(self, reply: Item, question: Question) -> Action:
        """Return the action that a reply means as an answer to `question`. Raises PlayerUnreadable for unknown
        words."""
        if "dapai" in reply:
            return _read(parse_discard, field(reply, "dapai", str))
        if "fulou" in reply:
            return actions.Call(_read(parse_meld, field(reply, "fulou", str)))
        if "gang" in reply:
            return actions.Kan(_read(parse_meld, field(reply, "gang", str)))
        if reply.get("hule"):
            may_discard = any(isinstance(option, actions.Discard) for option in question.options)
            return actions.TSUMO if may_discard else actions.RON
        declares = actions.TENPAI in question.options
        own_turn = not declares and actions.PASS not in question.options
        if reply.get("daopai") and (declares or own_turn):
            return actions.TENPAI if declares else actions.KYUUSHU
        if own_turn and self.nothing_discards:
            return question.default
        return actions.NOTEN if declares else actions.PASS


class Majiang2015(Majiang):
    """The dialect of 2015 for one seat. Implements `Dialect`."""

    unconfirmed = UNCONFIRMED_2015
    shows_due = False
    nothing_discards = False

    def greet(self) -> Greeting | None:
        """Return None: `kaiju` and `qipai` get no reply."""
        return None

    def ask(self, question: Question) -> Talk:
        """Read the reply to the last message. Tenpai is always declared, as the dialect has no word for it."""
        if actions.TENPAI in question.options:
            return actions.TENPAI
        return (yield from super().ask(question))

    def written(self, action: Action) -> str:
        return text_of(reply_2015(action))

    def _kaiju(self, event: events.HanchanStart) -> Item:
        tiles = event.rules.tiles
        reds = {"m": tiles.red_m, "p": tiles.red_p, "s": tiles.red_s}
        ours = {"jantaku": self.ours} if self.ours else {}
        return {"kaiju": {"player": event.names, "qijia": event.first_dealer, "hongpai": reds, **ours}}

    def _jieju(self, result: Item) -> Item:
        return FORM_2015.end(result)

    def _message(self, item: Item, number: int, question: Question | None = None) -> bytes:
        ((kind, data),) = FORM_2015.item(item).items()
        return write_line({"type": kind, "data": data, **self._also(question)})

    def _reply(self, line: bytes) -> Item:
        value = _object_or_null(line)
        if value is None:
            return {}
        kind = field(value, "type", str)
        if not kind:
            return {}
        if kind == "pingju":
            return {"daopai": "-"}
        if kind not in REPLIES or kind == "daopai":
            raise PlayerUnreadable(f"{shown(line)}: there is no reply {kind}")
        return {kind: "-" if kind == "hule" else value.get("data")}


def _object_or_null(line: bytes) -> dict[str, Any] | None:
    """Read a line as a JSON object or `null`. Raises PlayerUnreadable for anything else."""
    return None if read_json(line) is None else read_object(line)


def _repeats(line: bytes, key: str) -> bool:
    """Whether a reply repeats the number of a message."""
    value = read_json(line)
    return isinstance(value, dict) and key in value


def _read(parse: Callable[[str], T], text: str) -> T:
    """Parse a word of a reply. Raises PlayerUnreadable for unknown words."""
    try:
        return parse(text)
    except BadInput as error:
        raise PlayerUnreadable(str(error)[:200]) from None
