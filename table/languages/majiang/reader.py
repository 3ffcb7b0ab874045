"""Parses the items of a 牌譜: every value is validated against its shape, then converted to an event or a fact.

Unknown keys are ignored: other programs may write more. The follower and the engine check whether tiles and points are
possible.
"""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.languages.facts import DrawFact, EndFact, Fact, Melds, Tiles, WinFact, sorted_hands, with_drawn_last
from jantaku.table.languages.majiang.rule import DRAW_REASONS, parse_discard
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.pieces.melds import MARKS
from jantaku.table.riichi.pieces.notation import parse_meld, parse_tile, parse_tiles
from jantaku.table.riichi.pieces.seats import SEATS, THREE, after, at_side
from jantaku.table.riichi.pieces.tiles import NAMES, NORTH, sort_tiles
from jantaku.table.riichi.points.payments import Liability
from jantaku.table.riichi.points.yaku import PAO_YAKU

Points = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Count = Annotated[int, Meta(ge=0, le=10**4)]
Seat = Annotated[int, Meta(ge=0, le=3)]
_Seats = Meta(min_length=THREE, max_length=SEATS)
PointsOfSeats = Annotated[tuple[Points, ...], _Seats]
_Hands = Annotated[tuple[str, ...], _Seats]
Decimal = Annotated[str, Meta(pattern=r"^[+-]?\d{1,9}(\.\d+)?\Z")]

Point = Decimal | Annotated[float, Meta(ge=-1e9, le=1e9)]

_LIABLE = {name: yakuman for yakuman, name in PAO_YAKU.items()}
_REASONS = DRAW_REASONS | {"三家和了": DrawReason.SANCHAHOU}
"""For each name of a draw, its reason; includes the name in records that were converted from Tenhou's."""


class _Qipai(Struct):
    zhuangfeng: Count
    jushu: Seat
    changbang: Count
    lizhibang: Count
    defen: PointsOfSeats
    baopai: str
    shoupai: _Hands


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
    fenpei: PointsOfSeats
    defen: Points | None = None
    hupai: list[_Yaku] | None = None
    fu: Count | None = None
    fanshu: Count | None = None
    damanguan: Count | None = None


class _Pingju(Struct):
    name: str
    shoupai: _Hands
    fenpei: PointsOfSeats
    l: Seat | None = None  # noqa: E741  (the record's word for a seat; only in our records: the offender of a chombo)


class _Item(Struct):
    qipai: _Qipai | UnsetType = UNSET
    zimo: _Tile | UnsetType = UNSET
    gangzimo: _Tile | UnsetType = UNSET
    dapai: _Tile | UnsetType = UNSET
    fulou: _Meld | UnsetType = UNSET
    gang: _Meld | UnsetType = UNSET
    penuki: _Tile | UnsetType = UNSET
    kaigang: _Indicator | UnsetType = UNSET
    lizhi: _Seat | UnsetType = UNSET
    hule: _Hule | UnsetType = UNSET
    pingju: _Pingju | UnsetType = UNSET


class _Final(Struct):
    defen: PointsOfSeats
    rank: Annotated[tuple[Count, ...], _Seats]
    point: Annotated[tuple[Point, ...], _Seats]


def fact_of(item: object, first_dealer: int = 0, seats: int = SEATS) -> Fact:
    """Read the fact in an item of a game with `seats`; `first_dealer` is a player id. Raises BadInput for an invalid
    item."""
    told = shaped(item, _Item)
    keys = list(item) if isinstance(item, dict) else []
    if len(keys) != 1:
        raise BadInput(f"an item has one key, this has {', '.join(keys) or 'none'}")
    (key,) = keys
    read = _READERS.get(key)
    if read is None:
        raise BadInput(f"“{key}” is no item of a record")
    value = getattr(told, key)
    _refuse_other_seats(value, seats)
    if key == "penuki" and seats != THREE:
        raise BadInput("a north is set aside (“penuki”) where four play")
    fact = read(value)
    if isinstance(fact, events.KyokuStart):
        return msgspec.structs.replace(fact, dealer=after(first_dealer, fact.kyoku, seats))
    return fact


def _refuse_other_seats(value: Struct, seats: int) -> None:
    for name in ("l", "baojia", "jushu"):
        seat = getattr(value, name, None)
        if seat is not None and not 0 <= seat < seats:
            raise BadInput(f"{'seat' if name == 'l' else name} {seat}; where {seats} play it is 0 to {seats - 1}")
    for name in ("defen", "shoupai", "fenpei"):
        told = getattr(value, name, None)
        if isinstance(told, tuple) and len(told) != seats:
            raise BadInput(f"{name} has {len(told)} entries; {seats} play")


def end_of(value: object) -> EndFact:
    """Read the end of a game from `defen`, `rank` and `point`. Raises BadInput for invalid values."""
    told = shaped(value, _Final)
    return EndFact(told.defen, told.rank, tuple([round(float(point) * 10) for point in told.point]))


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


def _aside(penuki: _Tile) -> events.NorthAside:
    if penuki.p != NAMES[NORTH]:
        raise BadInput(f"“{penuki.p}” is set aside; only {NAMES[NORTH]} may be")
    return events.NorthAside(penuki.l)


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
        liable=tuple(_liability(hule.l, yaku, len(hule.fenpei)) for yaku in told or () if yaku.baojia),
    )


def _worth(fanshu: int | str) -> int:
    """The han of a yaku, or the units of a yakuman: its number of stars."""
    return len(fanshu) if isinstance(fanshu, str) else fanshu


def _liability(seat: int, yaku: _Yaku, seats: int) -> Liability:
    if yaku.name not in _LIABLE or yaku.baojia not in tuple(MARKS[1:]):
        raise BadInput(f"“{yaku.baojia}” is not liable for {yaku.name}")
    return Liability(_LIABLE[yaku.name], at_side(seat, MARKS.index(yaku.baojia), seats))


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
    """Split a hand into its concealed tiles, in the order of the text, and its melds."""
    concealed, *melds = text.split(",")
    return tuple(parse_tiles(concealed.replace("*", ""))), tuple(parse_meld(meld) for meld in melds if meld)


_READERS: dict[str, Callable[[Any], Fact]] = {
    "qipai": _deal,
    "zimo": lambda zimo: _draw(zimo, rinshan=False),
    "gangzimo": lambda zimo: _draw(zimo, rinshan=True),
    "dapai": _discard,
    "fulou": lambda fulou: events.MeldCall(fulou.l, parse_meld(fulou.m)),
    "gang": lambda gang: events.OwnKan(gang.l, parse_meld(gang.m)),
    "penuki": _aside,
    "kaigang": lambda kaigang: events.Dora(parse_tile(kaigang.baopai)),
    "lizhi": lambda lizhi: events.Riichi(lizhi.l),
    "hule": _win,
    "pingju": _drawn,
}
KNOWN = frozenset(_READERS)
"""The keys of all items that can be read."""
