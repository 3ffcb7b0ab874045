"""Shapes, counted with xiangting and, where it has no wheel, with mahjong: both must say the same."""

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from jantaku.table.riichi import points
from jantaku.table.riichi.pieces.tehai import tehai_of
from jantaku.table.riichi.pieces.tiles import KIND, KINDS, TERMINALS_AND_HONOURS, mask_of
from jantaku.table.riichi.points import shapes as selected
from scripts.hands.formats import meld_of, tiles_of
from tests.kit.cases import cases, kept_cases


@pytest.fixture(params=["xiangting", "mahjong"])
def shapes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as it is, and as it is on a machine without xiangting."""
    if request.param == "xiangting":
        return selected
    return without_xiangting(monkeypatch)


def without_xiangting(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module's source imported once more while xiangting cannot be."""
    monkeypatch.setitem(sys.modules, "xiangting", None)
    source = Path(points.__file__).with_name("shapes.py")
    spec = importlib.util.spec_from_file_location("shapes_without_xiangting", source)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def counts_of(text: str) -> list[int]:
    counts = [0] * KINDS
    for tile in tiles_of(text):
        counts[KIND[tile]] += 1
    return counts


def kinds(text: str) -> int:
    return mask_of(tiles_of(text))


def is_complete_by_hand(counts: list[int]) -> bool:
    """The definition itself: sets and a pair, seven pairs, or thirteen orphans."""
    if sum(counts) == 14:
        if all(count in (0, 2) for count in counts):
            return True
        orphans = [counts[kind] for kind in TERMINALS_AND_HONOURS]
        if all(orphans) and sum(orphans) == 14:
            return True
    return any(count >= 2 and only_sets(counts, pair) for pair, count in enumerate(counts))


def only_sets(counts: list[int], pair: int | None) -> bool:
    rest = counts[:]
    if pair is not None:
        rest[pair] -= 2
    first = next((kind for kind, count in enumerate(rest) if count), None)
    if first is None:
        return True
    for others in ((first, first), (first + 1, first + 2)):
        taken = rest[:]
        taken[first] -= 1
        if others[0] != first and (first >= 27 or first % 9 > 6):
            continue
        for kind in others:
            taken[kind] -= 1
        if min(taken) >= 0 and only_sets(taken, None):
            return True
    return False


def waits_by_hand(counts: list[int]) -> int:
    mask = 0
    for kind in range(KINDS):
        if counts[kind] < 4:
            more = counts[:]
            more[kind] += 1
            mask |= is_complete_by_hand(more) << kind
    return mask


def hand_of(rng: random.Random, size: int) -> list[int]:
    """Concealed tiles from few kinds, so that many hands are near tenpai and hold four of a kind."""
    low = rng.randrange(0, 20)
    pool = [kind for kind in range(low, low + rng.choice((5, 9, 14))) for _ in range(4)]
    counts = [0] * KINDS
    for kind in rng.sample(pool, size):
        counts[kind] += 1
    return counts


@kept_cases("hand, waiting")
def test_waits_are_the_kinds_that_complete_the_hand(shapes: ModuleType, hand: str, waiting: str) -> None:
    assert shapes.waits(counts_of(hand)) == kinds(waiting)


@pytest.mark.parametrize("size", [1, 4, 7, 10, 13])
def test_waits_agree_with_the_definition_of_a_complete_hand(shapes: ModuleType, size: int) -> None:
    rng = random.Random(size)
    tenpai = 0
    for _ in range(120):
        counts = hand_of(rng, size)
        expected = waits_by_hand(counts)
        assert shapes.waits(counts) == expected, counts
        tenpai += expected != 0
    assert tenpai > 10  # else the hands above say nothing


@pytest.mark.parametrize("size", [2, 5, 8, 11, 14])
def test_complete_and_tenpai_discards_agree_with_the_definition(shapes: ModuleType, size: int) -> None:
    rng = random.Random(size)
    tenpai = 0
    for _ in range(60):
        counts = hand_of(rng, size)
        expected = 0
        for kind in range(KINDS):
            if counts[kind]:
                less = counts[:]
                less[kind] -= 1
                expected |= (waits_by_hand(less) != 0) << kind
        assert shapes.tenpai_discards(counts) == expected, counts
        assert shapes.is_complete(counts) == is_complete_by_hand(counts), counts
        tenpai += expected != 0
    assert tenpai > 5


def test_both_ways_of_counting_agree_far_from_tenpai_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = without_xiangting(monkeypatch)
    rng = random.Random(7)
    deck = [kind for kind in range(KINDS) for _ in range(4)]
    for _ in range(60):
        size = rng.choice((4, 7, 10, 13, 13))
        counts = [0] * KINDS
        for kind in rng.sample(deck, size):
            counts[kind] += 1
        assert selected.useful(counts) == slow.useful(counts), counts
        counts[next(kind for kind in range(KINDS) if counts[kind] < 4)] += 1
        assert selected.shanten(counts) == slow.shanten(counts), counts
        assert selected.tenpai_discards(counts) == slow.tenpai_discards(counts), counts


def test_what_is_unseen_are_the_copies_that_are_not_seen() -> None:
    seen = [0] * KINDS
    seen[0], seen[33] = 1, 4
    assert selected.unseen(kinds("m1z7p3"), seen) == 3 + 0 + 4


def test_without_xiangting_the_calls_of_mahjong_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    call = "calculate_necessary_tiles"
    assert vars(selected)[call] is getattr(importlib.import_module("xiangting"), call)
    slow = without_xiangting(monkeypatch)
    assert vars(slow)[call] is getattr(importlib.import_module("jantaku.table.riichi.points.slow_shapes"), call)


def test_a_kind_with_four_concealed_copies_is_no_wait(shapes: ModuleType) -> None:
    """S-71: a wait of which one holds all four copies is not tenpai."""
    only_fifth = counts_of("m1111p456789s222")
    assert shapes.waits(only_fifth) == 0
    assert shapes.shanten(only_fifth) == 1
    assert shapes.waits(counts_of("s6677788999")) == kinds("s5678")
    assert shapes.waits(counts_of("s3333456")) == kinds("s6")  # s3 would fit as well


@cases(
    "hand, shanten",
    ("m19p19s19z1234567m1", -1),
    ("m123p456789s11222", -1),
    ("m123p456789s1122", 0),
    ("m147p258s369z12345", 6),
)
def test_shanten_is_zero_at_tenpai_and_minus_one_complete(shapes: ModuleType, hand: str, shanten: int) -> None:
    assert shapes.shanten(counts_of(hand)) == shanten


def test_useful_tiles_lower_the_shanten(shapes: ModuleType) -> None:
    assert shapes.useful(counts_of("m123p456789s1124")) == (0, kinds("s3"))
    shanten, mask = shapes.useful(counts_of("m123p4567s1122z12"))
    counts = counts_of("m123p4567s1122z12")
    for kind in range(KINDS):
        counts[kind] += 1
        assert (shapes.shanten(counts) < shanten) == bool(mask >> kind & 1)
        counts[kind] -= 1


def test_best_discards_leave_the_lowest_shanten(shapes: ModuleType) -> None:
    for hand in ("m147p258s369z12345", "m123p4567s1122z124", "m123p456789s11223", "m123p456789s11222"):
        counts = counts_of(hand)
        after = {}
        for kind in range(KINDS):
            if counts[kind]:
                counts[kind] -= 1
                after[kind] = shapes.shanten(counts)
                counts[kind] += 1
        lowest = min(after.values())
        expected = mask_of(kind for kind, left in after.items() if left == lowest)
        assert shapes.best_discards(counts) == (lowest, expected)


def test_own_four_counts_concealed_tiles_and_melds_together() -> None:
    """S-71: copies in one's own melds are left to the rule `draw.own_four_is_tenpai`."""
    hand = tehai_of(tiles_of("s8"), [meld_of(text) for text in ("s888-", "m888+8", "m999=", "s3333")])
    assert selected.own_four(hand) == kinds("s8m8s3")
    assert selected.waits(hand.counts) == kinds("s8")
    assert selected.own_four(tehai_of(tiles_of("m2346669999"), [meld_of("z111=")])) == kinds("m9")
    assert selected.own_four(tehai_of(tiles_of("m1111p456789s222"))) == kinds("m1")
    with_red = tehai_of(tiles_of("p555s123"), [meld_of("p340-"), meld_of("z111=")])
    assert selected.own_four(with_red) == kinds("p5")


def test_counting_does_not_change_the_hand(shapes: ModuleType) -> None:
    waiting, drawn = counts_of("m123p456789s1122"), counts_of("m123p456789s11223")
    before = waiting[:], drawn[:]
    shapes.waits(waiting)
    shapes.useful(waiting)
    shapes.tenpai_discards(drawn)
    shapes.shanten(drawn)
    assert (waiting, drawn) == before
