"""Parses items of Majiang: every value is validated against its shape, then converted to an event or a fact.

Unknown keys are ignored: other programs may write more. Whether tiles and points are possible is checked by the
follower and the engine.
"""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from table.errors import BadInput
from table.foreign.shapes import shaped
from table.formats.facts import DrawFact, EndFact, Fact, Melds, Tiles, WinFact, sorted_hands, with_drawn_last
from table.formats.majiang.words import DRAW_REASONS, parse_discard
from table.riichi import events
from table.riichi.events import DrawReason
from table.riichi.pieces.melds import MARKS
from table.riichi.pieces.notation import parse_meld, parse_tile, parse_tiles
from table.riichi.pieces.seats import after
from table.riichi.pieces.tiles import sort_tiles
from table.riichi.points.payments import Liability
from table.riichi.points.yaku import PAO_YAKU

Points = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Count = Annotated[int, Meta(ge=0, le=10**4)]
Seat = Annotated[int, Meta(ge=0, le=3)]
Four = tuple[Points, Points, Points, Points]
Decimal = Annotated[str, Meta(pattern=r"^[+-]?\d{1,9}(\.\d+)?\Z")]

Point = Decimal | Annotated[float, Meta(ge=-1e9, le=1e9)]

_LIABLE = {name: yakuman for yakuman, name in PAO_YAKU.items()}
_REASONS = DRAW_REASONS | {"三家和了": DrawReason.SANCHAHOU}
"""By a draw's name; also the name in records that were converted from Tenhou's."""


class _Qipai(Struct):
    zhuangfeng: Count
    jushu: Seat
    changbang: Count
    lizhibang: Count
    defen: Four
    baopai: str
    shoupai: tuple[str, str, str, str]


class _Tile(Struct):
    l: int  # noqa: E741  (the record's word for a seat)
    p: str


class _Meld(Struct):
    l: int  # noqa: E741
    m: str


class _Indicator(Struct):
    baopai: str


class _Seat(Struct):
    l: int  # noqa: E741


class _Yaku(Struct):
    name: str
    fanshu: int | str
    baojia: str | None = None


class _Hule(Struct):
    l: Seat  # noqa: E741
    shoupai: str
    baojia: Seat | None
    fubaopai: list[str] | None
    fenpei: Four
    defen: Points | None = None
    hupai: list[_Yaku] | None = None
    fu: Count | None = None
    fanshu: Count | None = None
    damanguan: Count | None = None


class _Pingju(Struct):
    name: str
    shoupai: tuple[str, str, str, str]
    fenpei: Four
    l: Seat | None = None  # noqa: E741  (the record's word for a seat; ours, for whose chombo it is)


class _Item(Struct):
    qipai: _Qipai | UnsetType = UNSET
    zimo: _Tile | UnsetType = UNSET
    gangzimo: _Tile | UnsetType = UNSET
    dapai: _Tile | UnsetType = UNSET
    fulou: _Meld | UnsetType = UNSET
    gang: _Meld | UnsetType = UNSET
    kaigang: _Indicator | UnsetType = UNSET
    lizhi: _Seat | UnsetType = UNSET
    hule: _Hule | UnsetType = UNSET
    pingju: _Pingju | UnsetType = UNSET


class _Final(Struct):
    defen: Four
    rank: tuple[Count, Count, Count, Count]
    point: tuple[Point, Point, Point, Point]


def fact_of(item: object, first_dealer: int = 0) -> Fact:
    """The fact in an item; `first_dealer` is a player id. Raises BadInput."""
    told = shaped(item, _Item)
    keys = list(item) if isinstance(item, dict) else []
    if len(keys) != 1:
        raise BadInput(f"an item has one key, this has {', '.join(keys) or 'none'}")
    (key,) = keys
    read = _READERS.get(key)
    if read is None:
        raise BadInput(f"“{key}” is no item of a record")
    value = getattr(told, key)
    if not 0 <= (getattr(value, "l", 0) or 0) <= 3:
        raise BadInput(f"seat {value.l}; seats are 0 to 3")
    fact = read(value)
    if isinstance(fact, events.KyokuStart):
        return msgspec.structs.replace(fact, dealer=after(first_dealer, fact.kyoku))
    return fact


def end_of(value: object) -> EndFact:
    """The end of a game from `defen`, `rank` and `point`. Raises BadInput."""
    told = shaped(value, _Final)
    a, b, c, d = (round(float(point) * 10) for point in told.point)
    return EndFact(told.defen, told.rank, (a, b, c, d))


def _deal(qipai: _Qipai) -> events.KyokuStart:
    return events.KyokuStart(
        dealer=0,
        round_wind=qipai.zhuangfeng,
        kyoku=qipai.jushu,
        honba=qipai.changbang,
        sticks=qipai.lizhibang,
        scores=qipai.defen,
        indicator=parse_tile(qipai.baopai),
        hands=sorted_hands(parse_tiles(text) if text else None for text in qipai.shoupai),
    )


def _draw(zimo: _Tile, *, rinshan: bool) -> events.Draw:
    return events.Draw(zimo.l, parse_tile(zimo.p) if zimo.p else None, rinshan)


def _discard(dapai: _Tile) -> events.TileDiscard:
    discard = parse_discard(dapai.p)
    return events.TileDiscard(dapai.l, discard.tile, discard.tsumogiri, discard.riichi)


def _win(hule: _Hule) -> WinFact:
    tiles, melds = _hand(hule.shoupai)
    if not tiles:
        raise BadInput(f"“{hule.shoupai}” has no tile that is won on")
    told = hule.hupai
    return WinFact(
        seat=hule.l,
        source=hule.baojia,
        deltas=hule.fenpei,
        tile=tiles[-1],
        hand=tuple(sort_tiles(tiles[:-1])),
        melds=melds,
        riichi="*" in hule.shoupai,
        ura=tuple(parse_tile(text) for text in hule.fubaopai or ()),
        fu=0 if hule.damanguan else hule.fu,
        han=0 if hule.damanguan else hule.fanshu,
        yakuman=hule.damanguan or (None if hule.fanshu is None else 0),
        yaku=None if told is None else tuple((yaku.name, _worth(yaku.fanshu)) for yaku in told),
        points=hule.defen,
        liable=tuple(_liability(hule.l, yaku) for yaku in told or () if yaku.baojia),
    )


def _worth(fanshu: int | str) -> int:
    """Han, or units of a yakuman: its stars."""
    return len(fanshu) if isinstance(fanshu, str) else fanshu


def _liability(seat: int, yaku: _Yaku) -> Liability:
    if yaku.name not in _LIABLE or yaku.baojia not in tuple(MARKS[1:]):
        raise BadInput(f"“{yaku.baojia}” is not liable for {yaku.name}")
    return Liability(_LIABLE[yaku.name], after(seat, MARKS.index(yaku.baojia)))


def _drawn(pingju: _Pingju) -> DrawFact:
    hands = [_hand(text) if text else None for text in pingju.shoupai]
    return DrawFact(
        reason=_REASONS.get(pingju.name, pingju.name),
        deltas=pingju.fenpei,
        hands=tuple(hand and with_drawn_last(hand[0]) for hand in hands),
        melds=tuple(hand and hand[1] for hand in hands),
        riichi=tuple("*" in text if text else None for text in pingju.shoupai),
        offender=pingju.l if _REASONS.get(pingju.name) is DrawReason.CHOMBO else None,
    )


def _hand(text: str) -> tuple[Tiles, Melds]:
    """The concealed tiles in the order of the text, and the melds."""
    concealed, *melds = text.split(",")
    return tuple(parse_tiles(concealed.replace("*", ""))), tuple(parse_meld(meld) for meld in melds if meld)


_READERS: dict[str, Callable[[Any], Fact]] = {
    "qipai": _deal,
    "zimo": lambda zimo: _draw(zimo, rinshan=False),
    "gangzimo": lambda zimo: _draw(zimo, rinshan=True),
    "dapai": _discard,
    "fulou": lambda fulou: events.MeldCall(fulou.l, parse_meld(fulou.m)),
    "gang": lambda gang: events.OwnKan(gang.l, parse_meld(gang.m)),
    "kaigang": lambda kaigang: events.Dora(parse_tile(kaigang.baopai)),
    "lizhi": lambda lizhi: events.Riichi(lizhi.l),
    "hule": _win,
    "pingju": _drawn,
}
KNOWN = frozenset(_READERS)
"""The keys of items that are read."""
