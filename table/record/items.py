"""Events as items of a Majiang (電脳麻将) record: one JSON object with one key each.

`{"zimo": {"l": 0, "p": "m1"}}` and so on, seats `l` of the kyoku. Our journal writes the same items in the
order of the stream, and `lizhi` for a riichi that stands, which Majiang leaves to be inferred.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from table.port import Action
from table.riichi import actions, events
from table.riichi.pieces.notation import MARKS, hand_text, meld_text
from table.riichi.pieces.tehai import Tehai
from table.riichi.pieces.tiles import NAMES, TILES
from table.riichi.points.yaku import PAO_YAKU
from table.riichi.rules import Rules

Item = dict[str, Any]

DRAW_NAMES = {
    "exhaustive": "荒牌平局",
    "nagashi": "流し満貫",
    "kyuushu": "九種九牌",
    "suufon": "四風連打",
    "suucha": "四家立直",
    "suukan": "四開槓",
    "sanchahou": "三家和",
}
"""Majiang's name of each draw."""


DECISIVE = {"qipai", "zimo", "dapai", "fulou", "gang", "gangzimo", "hule", "pingju"}
"""Items whose order every record agrees on. `kaigang` and `lizhi` stand elsewhere or nowhere."""


class Encoder:
    """Turns a stream of full events into items. Draws and discards without riichi may be left out: see `LINES`."""

    def __init__(self, *, decimals: bool = True) -> None:
        self._shown = _Shown()
        self._decimals = decimals

    def encode(self, event: events.Event) -> Item | None:
        """The item of the next event of the stream; None for the start of the game.

        The end becomes `jieju`, its points written as `53.0` with `decimals` and as `53` without.
        """
        if isinstance(event, events.HanchanEnd):
            return jieju_of(event, decimals=self._decimals)
        item = item_of(event, self._shown)
        if type(event) in _TO_FOLLOW:
            self._shown.follow(event)
        return item


class Shown(Protocol):
    """What results show of hands beside their tiles, by seat: melds and riichi. A board is one."""

    @property
    def hands(self) -> Sequence[Tehai]:
        """Of these only the melds are looked at."""

    @property
    def riichi(self) -> Sequence[int]:
        """0 for a seat that has not declared."""


class _Shown:
    """Implements `Shown` and follows the events that change it: no tile has to be known for that."""

    def __init__(self) -> None:
        self.hands = [Tehai() for _ in range(4)]
        self.riichi = [0] * 4

    def follow(self, event: events.Event) -> None:
        """One of `_TO_FOLLOW`."""
        match event:
            case events.Discard(seat, riichi=True):
                self.riichi[seat] = 1
            case events.Call(seat, meld) | events.Kan(seat, meld):
                self.hands[seat].meld(meld)
            case events.KyokuStart():
                self.hands = [Tehai() for _ in range(4)]
                self.riichi = [0] * 4


_TO_FOLLOW = {events.KyokuStart, events.Discard, events.Call, events.Kan}


def item_of(event: events.Event, board: Shown) -> Item | None:
    """The item of an event between the start and the end of a game; `board` as it was before."""
    make = _ITEMS.get(type(event))
    return make(event, board) if make else None


def jieju_of(end: events.HanchanEnd, *, decimals: bool) -> Item:
    """The end of a game. See `Encoder.encode`."""
    points = [f"{tenths / 10:.1f}" if decimals else str(tenths // 10) for tenths in end.tenths]
    return {"jieju": {"defen": list(end.scores), "point": points, "rank": list(end.ranks)}}


def writes_decimals(rules: Rules) -> bool:
    """Whether final points are written with a decimal: where the rules do not round them."""
    return rules.game.score_rounding == "none"


def discard_text(tile: int, tsumogiri: bool, riichi: bool) -> str:
    """A discard as Majiang writes it: `m1`, `m1_`, `m1*`, `m1_*`."""
    return NAMES[tile] + "_" * tsumogiri + "*" * riichi


def reply(action: Action) -> Item:
    """An action in the form of a Majiang 1.x reply; an empty object is a pass."""
    match action:
        case actions.Discard(tile, tsumogiri, riichi):
            return {"dapai": discard_text(tile, tsumogiri, riichi)}
        case actions.Call(meld):
            return {"fulou": meld_text(meld)}
        case actions.Kan(meld):
            return {"gang": meld_text(meld)}
        case actions.Tsumo() | actions.Ron():
            return {"hule": "-"}
        case actions.Kyuushu() | actions.Tenpai():
            return {"daopai": "-"}
        case _:
            return {}


def _qipai(event: events.KyokuStart, board: Shown) -> Item:
    return {
        "qipai": {
            "zhuangfeng": event.round_wind,
            "jushu": event.kyoku,
            "changbang": event.honba,
            "lizhibang": event.sticks,
            "defen": list(event.scores),
            "baopai": NAMES[event.indicator],
            "shoupai": ["" if hand is None else hand_text(hand) for hand in event.hands],
        }
    }


def _zimo(event: events.Draw, board: Shown) -> Item:
    tile = "" if event.tile is None else NAMES[event.tile]
    return {"gangzimo" if event.rinshan else "zimo": {"l": event.seat, "p": tile}}


def _dapai(event: events.Discard, board: Shown) -> Item:
    return {"dapai": {"l": event.seat, "p": discard_text(event.tile, event.tsumogiri, event.riichi)}}


def _meld(event: events.Call | events.Kan, board: Shown) -> Item:
    key = "fulou" if isinstance(event, events.Call) else "gang"
    return {key: {"l": event.seat, "m": meld_text(event.meld)}}


def _lizhi(event: events.Riichi, board: Shown) -> Item:
    return {"lizhi": {"l": event.seat}}


def _kaigang(event: events.Dora, board: Shown) -> Item:
    return {"kaigang": {"baopai": NAMES[event.indicator]}}


def _hule(event: events.Win, board: Shown) -> Item:
    value = event.value
    hule: Item = {
        "l": event.seat,
        "shoupai": hand_text(event.hand, event.melds, last=event.tile, riichi=bool(event.riichi)),
        "baojia": event.source,
        "fubaopai": None if event.ura is None else [NAMES[tile] for tile in event.ura],
    }
    if value.yakuman:
        hule["damanguan"] = value.yakuman
    else:
        hule |= {"fu": value.fu, "fanshu": value.han}
    hule["defen"] = event.points
    hule["hupai"] = [_yaku(event, name, worth) for name, worth in value.yaku]
    hule["fenpei"] = list(event.deltas)
    return {"hule": hule}


def _yaku(event: events.Win, name: str, worth: int) -> Item:
    """One yaku; a yakuman has a star for each unit, and who is liable for it."""
    item: Item = {"name": name, "fanshu": "*" * worth if event.value.yakuman else worth}
    for one in event.liable:
        if PAO_YAKU[one.yakuman] == name:
            item["baojia"] = MARKS[(one.seat - event.seat) % 4]
    return item


def _pingju(event: events.Ryukyoku, board: Shown) -> Item:
    shoupai = [
        "" if shown is None else _shown(shown, board.hands[seat], bool(board.riichi[seat]))
        for seat, shown in enumerate(event.hands)
    ]
    return {"pingju": {"name": DRAW_NAMES[event.reason], "shoupai": shoupai, "fenpei": list(event.deltas)}}


def _shown(tiles: tuple[int, ...], hand: Tehai, riichi: bool) -> str:
    """An opened hand; a tile just drawn stands last."""
    if len(tiles) % 3 != 2:
        return hand_text(tiles, hand.melds, riichi=riichi)
    return hand_text(tiles[:-1], hand.melds, last=tiles[-1], riichi=riichi)


_ITEMS: dict[type, Callable[[Any, Shown], Item]] = {
    events.KyokuStart: _qipai,
    events.Draw: _zimo,
    events.Discard: _dapai,
    events.Riichi: _lizhi,
    events.Call: _meld,
    events.Kan: _meld,
    events.Dora: _kaigang,
    events.Win: _hule,
    events.Ryukyoku: _pingju,
}


LINES: dict[Any, bytes] = {
    event: msgspec.json.encode(Encoder().encode(event)) + b"\n"
    for seat in range(4)
    for event in (
        *(events.Draw(seat, tile, rinshan) for tile in (*range(TILES), None) for rinshan in (False, True)),
        *(events.Discard(seat, tile, tsumogiri) for tile in range(TILES) for tsumogiri in (False, True)),
    )
}
"""The items of draws, hidden ones too, and of discards without riichi as lines of JSON: nearly all that happens."""
