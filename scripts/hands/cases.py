"""A case: a hand for our engine with another program's answer, and how ours differs."""

from collections.abc import Iterator
from typing import Any

import msgspec

from jantaku.table.riichi.pieces.melds import Meld, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import NAMES, TERMINALS_AND_HONOURS
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.payments import Liability, base_points, settle
from jantaku.table.riichi.points.scorer import Situation, hand_value, has_yaku
from jantaku.table.riichi.points.yaku import HandValue
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


# --- comparing


def differences(case: Case) -> list[str]:
    """Return every difference in words; empty if both agree."""
    found = _won(case) if isinstance(case, HandCase) else _shape(case)
    try:
        return [f"{what} {ours}, expected {theirs}" for what, ours, theirs in found if ours != theirs]
    except ValueError as error:
        return [f"refused: {error}"]


def _won(case: HandCase) -> Iterator[tuple[str, object, object]]:
    want = case.want
    value = hand_value(case.tehai, case.tile, case.situation, case.rules)
    yield "a yaku by the short way", has_yaku(case.tehai, case.tile, case.situation, case.rules), want.win
    yield "a win", value is not None, want.win
    if value is None or not want.win:
        return
    for what, ours, theirs in (
        ("fu", value.fu, want.fu),
        ("han", value.han, want.han),
        ("yakuman", value.yakuman, want.yakuman),
        ("base points", base_points(value.fu, value.han, value.yakuman, case.rules.score), want.base),
    ):
        if theirs is not None:
            yield what, ours, theirs
    yield from _yaku(case, value)
    yield from _paid(case, value)


def _yaku(case: HandCase, value: HandValue) -> Iterator[tuple[str, object, object]]:
    want = case.want
    if want.yaku is not None:
        ours, theirs = value.yaku, want.yaku
        yield "yaku", ours if want.ordered else tuple(sorted(ours)), theirs if want.ordered else tuple(sorted(theirs))
    if want.names is not None:
        yield "yaku", sorted(name for name, _ in value.yaku), sorted(want.names)


def _paid(case: HandCase, value: HandValue) -> Iterator[tuple[str, object, object]]:
    want, seat = case.want, case.situation.seat
    paid = settle(value, seat, case.loser, case.rules, honba=case.honba, sticks=case.sticks, liable=case.liable)
    yield "sum of payments", sum(paid.total), 1000 * case.sticks
    for what, ours, theirs in (
        ("value", paid.defen, want.defen),
        ("payments", paid.total, want.deltas),
        ("winner's gain", paid.total[seat], want.gain),
    ):
        if theirs is not None:
            yield what, ours, theirs


def _shape(case: ShapeCase) -> Iterator[tuple[str, object, object]]:
    counts = case.tehai.counts
    drawn = sum(counts) % 3 == 2
    if case.shanten is not None:
        theirs = case.shanten
        if case.regular_only:
            theirs = min(theirs, _seven_pairs(counts), _kokushi(counts))
        yield "shanten", shapes.shanten(counts), theirs
        if drawn:
            yield "complete", shapes.is_complete(counts), theirs < 0
            yield "a discard that leaves it tenpai", shapes.tenpai_discards(counts) != 0, theirs <= 0
        else:
            yield "shanten beside the useful tiles", shapes.useful(counts)[0], theirs
    if case.waits is not None and case.waits_left is not None:
        ours = shapes.waits(counts)
        yield "waits", _names(ours), _names(case.waits)
        yield "waits without own fours", _names(ours & ~shapes.own_four(case.tehai)), _names(case.waits_left)


def _seven_pairs(counts: list[int]) -> int:
    kinds, pairs = sum(count > 0 for count in counts), sum(count > 1 for count in counts)
    return 6 - pairs + max(0, 7 - kinds)


def _kokushi(counts: list[int]) -> int:
    ends = [counts[kind] for kind in TERMINALS_AND_HONOURS]
    return 13 - sum(count > 0 for count in ends) - any(count > 1 for count in ends)


def _names(mask: int) -> str:
    return " ".join(name for kind, name in enumerate(NAMES[:34]) if mask >> kind & 1) or "none"
