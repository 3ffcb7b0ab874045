"""The messages of Majiang read back into events, and answers as replies: for a program that is a player.

It is the other side of `majiang.py`. What a message does not say is worked out: that a riichi stands shows in
the next message. Errors are BadInput: here it is the table that is told what is wrong.
"""

from typing import Any

import msgspec

from table.errors import BadInput
from table.port import Action
from table.record.follow import event_of
from table.record.items import DRAW_NAMES, Item, reply
from table.riichi import events
from table.riichi.majiang_rule import MajiangRule, from_majiang
from table.riichi.pieces.melds import Meld
from table.riichi.pieces.notation import parse_meld, parse_tile, parse_tiles
from table.riichi.points.yaku import HandValue
from table.riichi.rules import Rules
from table.settings import keys
from table.wire.majiang import UNCONFIRMED, UNCONFIRMED_2015
from table.wire.told import Told

_REASONS = {name: reason for reason, name in DRAW_NAMES.items()}


class MajiangReader:
    """Reads the messages of 1.x to one seat, in order, and writes its replies."""

    unconfirmed = UNCONFIRMED

    def __init__(self) -> None:
        self._declared: int | None = None
        """The seat whose riichi stands unless the discard just made is won."""
        self._first_dealer = 0

    def read(self, line: bytes) -> Told:
        """One message. BadInput for a line that is none."""
        try:
            key, payload, number = self._split(msgspec.json.decode(line))
            happened = [self._event(key, payload)]
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
            raise BadInput(f"{line[:200]!r} is no message: {type(error).__name__}: {error}") from None
        if self._declared is not None:
            if key != "hule" and payload.get("name") != DRAW_NAMES["sanchahou"]:
                happened.insert(0, events.Riichi(self._declared))
            self._declared = None
        last = happened[-1]
        if isinstance(last, events.Discard) and last.riichi:
            self._declared = last.seat
        return Told(tuple(happened), key not in self.unconfirmed, number)

    def write(self, action: Action | None, number: int) -> bytes:
        """The reply `action`, None for nothing, to the message of that number."""
        item = {} if action is None else reply(action)
        return msgspec.json.encode({**item, "seq": number} if number else item) + b"\n"

    def _split(self, message: Item) -> tuple[str, Any, int]:
        number = message.pop("seq", 0)
        ((key, payload),) = message.items()
        return key, payload, number

    def _event(self, key: str, payload: Any) -> events.Event:
        match key:
            case "kaiju":
                return self._kaiju(payload)
            case "qipai":
                deal = event_of({key: payload})
                assert isinstance(deal, events.KyokuStart)
                return msgspec.structs.replace(deal, dealer=(self._first_dealer + deal.kyoku) % 4)
            case "hule":
                return _hule(payload)
            case "pingju":
                hands = tuple(tuple(_hand(text)[0]) if text else None for text in payload["shoupai"])
                return events.Ryukyoku(_REASONS[payload["name"]], hands, tuple(payload["fenpei"]))
            case "jieju":
                tenths: Any = tuple(round(float(point) * 10) for point in payload["point"])
                return events.HanchanEnd(tuple(payload["defen"]), tuple(payload["rank"]), tenths)
        event = event_of({key: payload})
        if event is None:
            raise ValueError(f"there is no message {key}")
        return event

    def _kaiju(self, kaiju: Item) -> events.HanchanStart:
        self._first_dealer = kaiju["qijia"]
        return events.HanchanStart(tuple(kaiju["player"]), kaiju["qijia"], self._rules(kaiju), kaiju.get("id"))

    def _rules(self, kaiju: Item) -> Rules:
        if "jantaku" in kaiju:
            return msgspec.convert(kaiju["jantaku"]["rules"], Rules)
        known = {key.partition(".")[0] for key in keys(MajiangRule)}
        return from_majiang({key: value for key, value in kaiju["rule"].items() if key in known})


class MajiangReader2015(MajiangReader):
    """Reads the messages of 2015 to one seat. They say nothing of rules: `rules` are those to play by."""

    unconfirmed = UNCONFIRMED_2015

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._known_rules = rules

    def write(self, action: Action | None, number: int) -> bytes:
        """The reply `action`, None for nothing."""
        item = {} if action is None else reply(action)
        kind, data = next(iter(item.items()), ("", None))
        if kind in ("hule", "daopai"):
            kind, data = "pingju" if kind == "daopai" else kind, None
        return msgspec.json.encode({"type": kind, "data": data}) + b"\n"

    def _split(self, message: Item) -> tuple[str, Any, int]:
        return message["type"], message["data"], 0

    def _rules(self, kaiju: Item) -> Rules:
        return self._known_rules


def _hand(text: str) -> tuple[list[int], tuple[Meld, ...]]:
    """The concealed tiles in the order of the text, and the melds."""
    concealed, *melds = text.split(",")
    return parse_tiles(concealed.replace("*", "")), tuple(parse_meld(meld) for meld in melds if meld)


def _hule(hule: Item) -> events.Win:
    (*hand, tile), melds = _hand(hule["shoupai"])
    yakuman = hule.get("damanguan", 0)
    worth = [(yaku["name"], len(yaku["fanshu"]) if yakuman else yaku["fanshu"]) for yaku in hule["hupai"]]
    ura = hule.get("fubaopai")
    return events.Win(
        seat=hule["l"],
        source=hule["baojia"],
        tile=tile,
        hand=tuple(hand),
        melds=melds,
        riichi=int("*" in hule["shoupai"]),
        ura=None if ura is None else tuple(parse_tile(text) for text in ura),
        value=HandValue(tuple(worth), hule.get("fu", 0), hule.get("fanshu", 0), yakuman),
        points=hule["defen"],
        deltas=tuple(hule["fenpei"]),
    )
