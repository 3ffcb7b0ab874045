"""Writes events as items of a Majiang (電脳麻将) record: JSON objects with one key each.

`{"zimo": {"l": 0, "p": "m1"}}` and so on, where `l` is a seat of the kyoku. Our journal writes the same items in the
order of the stream, and also `lizhi` for an accepted riichi, which Majiang leaves to be inferred. Majiang knows only
four seats; in a three-player game every list has three entries, and `penuki` is a north that is set aside (T-76).
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from jantaku.table.languages.facts import NOTHING, DrawFact, EndFact, Fact, Teller, WinFact
from jantaku.table.languages.majiang.rule import Item, draw_name
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.melds import MARKS, Meld, meld_text
from jantaku.table.riichi.pieces.notation import hand_text
from jantaku.table.riichi.pieces.seats import side_of
from jantaku.table.riichi.pieces.tiles import NAMES, NORTH, TILES
from jantaku.table.riichi.points.yaku import PAO_YAKU
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.words import discard_text


class Encoder:
    """Turns a stream of full events into items. Draws and discards without riichi may be skipped: see `LINES`."""

    def __init__(self, *, decimals: bool = True) -> None:
        self._teller = Teller()
        self._decimals = decimals

    def encode(self, event: events.Event) -> Item | None:
        """Return the item of the next event of the stream; None for the start of the game.

        The end becomes `jieju`, with points written as `53.0` if `decimals`, else as `53`.
        """
        if isinstance(event, events.HanchanEnd):
            return {"jieju": final_of(EndFact(event.scores, event.ranks, event.tenths), decimals=self._decimals)}
        return item_of(self._teller.fact(event))


def item_of(fact: Fact) -> Item | None:
    """Return the item of a fact; None for the start and the end of a game. An unknown value of a result gets no key."""
    make = _ITEMS.get(type(fact))
    return make(fact) if make else None


def items_of(kyoku: Iterable[Fact]) -> list[Item]:
    return [item for fact in kyoku if (item := item_of(fact)) is not None]


def final_of(end: EndFact, *, decimals: bool) -> Item:
    """Return the end of a game as an item's value; `decimals` as in `Encoder.encode`."""
    points = [f"{tenths / 10:.1f}" if decimals else str(tenths // 10) for tenths in end.tenths or ()]
    return {"defen": list(end.scores), "point": points, "rank": list(end.ranks or ())}


def writes_decimals(rules: Rules) -> bool:
    """Whether final points are written with a decimal: only if the rules do not round them."""
    return rules.game.score_rounding == "none"


def _qipai(event: events.KyokuStart) -> Item:
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


def _zimo(event: events.Draw) -> Item:
    tile = "" if event.tile is None else NAMES[event.tile]
    return {"gangzimo" if event.rinshan else "zimo": {"l": event.seat, "p": tile}}


def _dapai(event: events.TileDiscard) -> Item:
    return {"dapai": {"l": event.seat, "p": discard_text(event.tile, event.tsumogiri, event.riichi)}}


def _meld(event: events.MeldCall | events.OwnKan) -> Item:
    key = "fulou" if isinstance(event, events.MeldCall) else "gang"
    return {key: {"l": event.seat, "m": meld_text(event.meld)}}


def _lizhi(event: events.Riichi) -> Item:
    return {"lizhi": {"l": event.seat}}


def _penuki(event: events.NorthAside) -> Item:
    return {"penuki": {"l": event.seat, "p": NAMES[NORTH]}}


def _kaigang(event: events.Dora) -> Item:
    return {"kaigang": {"baopai": NAMES[event.indicator]}}


def _hule(win: WinFact) -> Item:
    hule: Item = {
        "l": win.seat,
        "shoupai": hand_text(win.hand or (), win.melds or (), last=win.tile, riichi=bool(win.riichi)),
        "baojia": win.source,
        "fubaopai": [NAMES[tile] for tile in win.ura or ()] or None,
    }
    if win.yakuman:
        hule["damanguan"] = win.yakuman
    else:
        hule |= {key: worth for key, worth in (("fu", win.fu), ("fanshu", win.han)) if worth is not None}
    if win.points is not None:
        hule["defen"] = win.points
    if win.yaku is not None:
        hule["hupai"] = [_yaku(win, name, worth) for name, worth in win.yaku]
    if win.deltas is not None:
        hule["fenpei"] = list(win.deltas)
    return {"hule": hule}


def _yaku(win: WinFact, name: str, worth: int) -> Item:
    """One yaku; a yakuman has a star for each unit and, if there is one, the side of the liable seat."""
    item: Item = {"name": name, "fanshu": "*" * worth if win.yakuman else worth}
    for one in win.liable or ():
        if PAO_YAKU[one.yakuman] == name:
            item["baojia"] = MARKS[side_of(win.seat, one.seat, len(win.deltas or NOTHING))]
    return item


def _pingju(draw: DrawFact) -> Item:
    none = (None,) * len(draw.hands or draw.deltas or NOTHING)
    shown = zip(draw.hands or none, draw.melds or none, draw.riichi or none, strict=True)
    shoupai = [_shown(tiles, melds, riichi) for tiles, melds, riichi in shown]
    pingju = {"name": draw_name(draw.reason), "shoupai": shoupai, "fenpei": list(draw.deltas or ())}
    return {"pingju": pingju if draw.offender is None else {"l": draw.offender, **pingju}}


def _shown(tiles: tuple[int, ...] | None, melds: tuple[Meld, ...] | None, riichi: bool | None) -> str:
    """An opened hand as text, the tile just drawn last; empty for a hand that stays closed."""
    if tiles is None:
        return ""
    drawn = tiles[-1] if len(tiles) % 3 == 2 else None
    return hand_text(tiles if drawn is None else tiles[:-1], melds or (), last=drawn, riichi=bool(riichi))


_ITEMS: dict[type, Callable[[Any], Item]] = {
    events.KyokuStart: _qipai,
    events.Draw: _zimo,
    events.TileDiscard: _dapai,
    events.Riichi: _lizhi,
    events.MeldCall: _meld,
    events.OwnKan: _meld,
    events.NorthAside: _penuki,
    events.Dora: _kaigang,
    WinFact: _hule,
    DrawFact: _pingju,
}


LINES: dict[Any, bytes] = {
    event: msgspec.json.encode(item_of(event)) + b"\n"
    for seat in range(4)
    for event in (
        *events.DRAWS[seat],  # the shared event objects of a game: found by identity, without a comparison
        *(discard for ways in events.DISCARDS[seat] for discard in ways[:2]),
        *(events.Draw(seat, tile, rinshan=True) for tile in range(TILES)),
        *(events.Draw(seat, None, rinshan) for rinshan in (False, True)),
    )
}
"""The JSON lines of draws, hidden ones included, and of discards without riichi: nearly all events of a game."""
