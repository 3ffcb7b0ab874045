"""A case: a hand for our engine, and another program's answer."""

from typing import Any

import msgspec

from jantaku.table.riichi.pieces.melds import Meld, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.points.payments import Liability
from jantaku.table.riichi.points.scorer import Situation
from jantaku.table.riichi.rules import Rules

Record = dict[str, Any]
"""One line of a collection."""

ALL_DOUBLE = ("daisuushi", "suuankou_tanki", "kokushi_13", "chuuren_9")
"""All yakuman that `score.double_yakuman` may name."""


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to compare with; None for unknown parts.

    `yaku` are names with han or units, in the expected order if `ordered`; `names` if only the names are known. `gain`
    is what the winner gets in total.
    """

    win: bool = True
    fu: int | None = None
    han: int | None = None
    yakuman: int | None = None
    yaku: tuple[tuple[str, int], ...] | None = None
    names: frozenset[str] | None = None
    ordered: bool = False
    base: int | None = None
    defen: int | None = None
    gain: int | None = None
    deltas: tuple[int, ...] | None = None


class HandCase(msgspec.Struct, frozen=True, kw_only=True):
    """One won hand. `loser` is None for a tsumo; if no deltas are known, it is any other seat."""

    tehai: Tehai
    tile: int
    situation: Situation
    loser: int | None
    rules: Rules
    want: Expected
    honba: int = 0
    sticks: int = 0
    liable: tuple[Liability, ...] = ()


class ShapeCase(msgspec.Struct, frozen=True, kw_only=True):
    """One hand's shanten and waits. `waits_left` leaves out kinds of which the owner holds all four copies."""

    tehai: Tehai
    shanten: int | None
    regular_only: bool = False
    waits: int | None = None
    waits_left: int | None = None


Case = HandCase | ShapeCase
"""The result of reading a line."""


def with_score(rules: Rules, **changes: Any) -> Rules:
    """Return the rules with other `score` keys."""
    return msgspec.structs.replace(rules, score=msgspec.structs.replace(rules.score, **changes))


def plain_meld(kind: str, tiles: list[int], source: int, *, called: int | None = None) -> Meld:
    """Make a meld from its kind's name. A kakan's `called` is the added tile, else `called` is the tile taken."""
    if kind == "ankan":
        return ankan(*tiles)
    own = tiles[:]
    last = own.pop(own.index(called) if called is not None else -1)
    if kind == "chi":
        return chi(last, *own)
    if kind == "pon":
        return pon(last, source, *own)
    if kind in ("minkan", "daiminkan"):
        return daiminkan(last, source, *own)
    return kakan(pon(own[0], source, *own[1:]), last)
