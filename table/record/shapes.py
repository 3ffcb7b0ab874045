"""What stands under each key of an item, so that a record is refused at its place before anybody reads a value of it.

Only the shape is held here: which keys and what kind of value, written in which letters. Whether tiles and points can
be is for the follower and the engine. Keys beside these are let through: other programs may write more.
"""

from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from table.errors import BadInput
from table.port import Verdict

Points = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Count = Annotated[int, Meta(ge=0, le=10**4)]
Seat = Annotated[int, Meta(ge=0, le=3)]
Four = tuple[Points, Points, Points, Points]
Decimal = Annotated[str, Meta(pattern=r"^[+-]?\d{1,9}(\.\d+)?\Z")]
Tile = Annotated[str, Meta(pattern=r"^[mpsz][0-9]\Z")]
Discarded = Annotated[str, Meta(pattern=r"^[mpsz][0-9]_?\*?\Z")]
MeldText = Annotated[str, Meta(pattern=r"^[mpsz][-+=0-9]{3,6}\Z")]
Hand = Annotated[str, Meta(pattern=r"^[-+=,*_mpsz0-9]{0,64}\Z")]
"""Letters of a hand with its melds, as Majiang writes it."""


class Qipai(Struct):
    """A deal."""

    zhuangfeng: Count
    jushu: Seat
    changbang: Count
    lizhibang: Count
    defen: Four
    baopai: str
    shoupai: tuple[str, str, str, str]


class _Tile(Struct):
    l: int  # noqa: E741  (the record's word for a seat; the follower says which there are)
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
    shoupai: Hand
    baojia: Seat | None
    defen: Points
    hupai: list[_Yaku]
    fenpei: Four
    fubaopai: list[Tile] | None
    fu: Count | None = None
    fanshu: Count | None = None
    damanguan: Count | None = None


class _Pingju(Struct):
    name: str
    shoupai: tuple[Hand, Hand, Hand, Hand]
    fenpei: Four


class _Item(Struct):
    """An item has one of these; the follower refuses what has more or another."""

    qipai: Qipai | UnsetType = UNSET
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
    point: tuple[Decimal | float, Decimal | float, Decimal | float, Decimal | float]


class _Reply(Struct):
    """What a seat did; nothing of it is to pass."""

    dapai: Discarded | UnsetType = UNSET
    fulou: MeldText | UnsetType = UNSET
    gang: MeldText | UnsetType = UNSET
    hule: str | UnsetType = UNSET
    daopai: str | UnsetType = UNSET


class _Answer(Struct):
    seat: Seat
    question: int
    verdict: Verdict
    used: float
    reply: _Reply
    allowed: float | None = None
    stalled: float = 0.0
    reason: str = ""


class _Turn(Struct):
    turn: int
    answers: list[_Answer]


def refuse_misshapen(value: object, kind: type[Struct], where: str) -> None:
    """BadInput if `value` has not the keys and kinds of value of `kind`. `where` names its place."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: {error}") from None


def refuse_misshapen_log(
    path: Path, log: list[list[dict[str, Any]]], final: object, answers: dict[tuple[int, int], dict[str, Any]]
) -> None:
    """BadInput with the first place of a record that is not as a record is: `log`, `final` and `answers` of one."""
    for kyoku, items in enumerate(log, 1):
        for event, item in enumerate(items, 1):
            refuse_misshapen(item, _Item, f"{path} kyoku {kyoku} event {event}")
    for (kyoku, before), turn in answers.items():
        refuse_misshapen(turn, _Turn, f"{path} kyoku {kyoku}: answers after event {before}")
    if final is not None:
        refuse_misshapen(final, _Final, f"{path}: the end of the game")
