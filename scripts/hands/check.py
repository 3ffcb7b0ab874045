"""Our engine's result for a case, and its differences from the given answer."""

from collections.abc import Iterator

from jantaku.table.riichi.pieces.tiles import NAMES, TERMINALS_AND_HONOURS
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.payments import HandValue, base_points, settle
from jantaku.table.riichi.points.scorer import hand_value, has_yaku
from scripts.hands.cases import Case, HandCase, ShapeCase


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
