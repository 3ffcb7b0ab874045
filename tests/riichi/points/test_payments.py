"""Payments: seat 0 is the dealer; deltas by seat."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.riichi.points.payments import Liability, base_points, limit_name, noten_payments, settle
from jantaku.table.riichi.points.yaku import HandValue
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from tests.kit.cases import cases, kept_cases

MAJIANG = preset("majiang")
DAISANGEN = HandValue((("大三元", 1),), yakuman=1)
WITH_TSUISO = HandValue((("大三元", 1), ("字一色", 1)), yakuman=2)
DOUBLE_WINDS = HandValue((("大四喜", 2),), yakuman=2)


def rules_with(section: str, **changes: Any) -> Rules:
    part = msgspec.structs.replace(getattr(MAJIANG, section), **changes)
    return msgspec.structs.replace(MAJIANG, **{section: part})


def pao(covers: str = "own", honba: str = "discarder") -> Rules:
    return rules_with("call", pao=("daisangen", "daisuushi", "suukantsu"), pao_covers=covers, pao_honba=honba)


def plain(fu: int, han: int) -> HandValue:
    return HandValue((("立直", han),), fu=fu, han=han)


@kept_cases("fu, han, child_ron, dealer_ron, from_child, from_dealer")
def test_payments_follow_the_table(
    fu: int, han: int, child_ron: int, dealer_ron: int, from_child: int, from_dealer: int
) -> None:
    """S-106, S-108."""
    value = plain(fu, han)
    assert settle(value, 1, 2, MAJIANG).hand == (0, child_ron, -child_ron, 0)
    assert settle(value, 0, 3, MAJIANG).hand == (dealer_ron, 0, 0, -dealer_ron)
    child = settle(value, 2, None, MAJIANG)
    gain = 2 * from_child + from_dealer
    assert child.hand == (-from_dealer, -from_child, gain, -from_child)
    assert child.defen == gain
    assert settle(value, 0, None, MAJIANG).hand == (3 * from_dealer, -from_dealer, -from_dealer, -from_dealer)


def test_kiriage_makes_a_mangan_of_what_is_just_below_it() -> None:
    """S-107."""
    kiriage = rules_with("score", kiriage=True)
    for fu, han in ((30, 4), (60, 3), (120, 2)):
        assert settle(plain(fu, han), 1, 0, kiriage).defen == 8000
        assert limit_name(plain(fu, han), kiriage.score) == "満貫"
        assert limit_name(plain(fu, han), MAJIANG.score) == ""
    assert settle(plain(50, 3), 1, 0, kiriage).defen == 6400


def test_thirteen_han_are_sanbaiman_without_kazoe() -> None:
    """S-108."""
    assert limit_name(plain(30, 14), MAJIANG.score) == "数え役満"
    without = rules_with("score", kazoe=False)
    assert limit_name(plain(30, 14), without.score) == "三倍満"
    assert settle(plain(30, 14), 1, 0, without).defen == 24000


@cases(
    "value, name",
    (plain(30, 3), ""),
    (plain(30, 5), "満貫"),
    (plain(30, 7), "跳満"),
    (plain(30, 10), "倍満"),
    (plain(30, 12), "三倍満"),
    (DAISANGEN, "役満"),
    (DOUBLE_WINDS, "ダブル役満"),
    (HandValue((), yakuman=3), "トリプル役満"),
    (HandValue((), yakuman=6), "六倍役満"),
    (HandValue((), yakuman=7), "7倍役満"),
)
def test_limits_have_names(value: HandValue, name: str) -> None:
    assert limit_name(value, MAJIANG.score) == name


def test_honba_is_300_from_the_discarder_or_100_from_each() -> None:
    """S-106."""
    ron = settle(plain(30, 1), 1, 2, MAJIANG, honba=2, sticks=3)
    assert ron.hand == (0, 1000, -1000, 0)
    assert ron.total == (0, 4600, -1600, 0)
    assert ron.defen == 1000
    tsumo = settle(plain(30, 1), 1, None, MAJIANG, honba=2, sticks=1)
    assert tsumo.hand == (-500, 1100, -300, -300)
    assert tsumo.total == (-700, 2700, -500, -500)


@cases(
    "value, liable, loser, covers, honba_by, expected",
    # One yakuman, child 1 wins, seat 3 liable, one honba.
    (DAISANGEN, "daisangen", None, "own", "discarder", (0, 32300, 0, -32300)),
    (DAISANGEN, "daisangen", None, "all", "liable", (0, 32300, 0, -32300)),
    (DAISANGEN, "daisangen", 2, "own", "discarder", (0, 32300, -16300, -16000)),
    (DAISANGEN, "daisangen", 2, "own", "liable", (0, 32300, -16000, -16300)),
    (DAISANGEN, "daisangen", 2, "all", "liable", (0, 32300, -16000, -16300)),
    (DAISANGEN, "daisangen", 3, "own", "liable", (0, 32300, 0, -32300)),
    # With another yakuman, which `own` leaves to everybody.
    (WITH_TSUISO, "daisangen", None, "own", "discarder", (-16100, 64300, -8100, -40100)),
    (WITH_TSUISO, "daisangen", None, "own", "liable", (-16000, 64300, -8000, -40300)),
    (WITH_TSUISO, "daisangen", None, "all", "liable", (0, 64300, 0, -64300)),
    (WITH_TSUISO, "daisangen", 2, "own", "discarder", (0, 64300, -48300, -16000)),
    (WITH_TSUISO, "daisangen", 2, "own", "liable", (0, 64300, -48000, -16300)),
    (WITH_TSUISO, "daisangen", 2, "all", "liable", (0, 64300, -32000, -32300)),
    (DOUBLE_WINDS, "daisuushi", None, "own", "discarder", (0, 64300, 0, -64300)),
    (DOUBLE_WINDS, "daisuushi", 0, "own", "discarder", (-32300, 64300, 0, -32000)),
)
def test_the_liable_seat_pays(
    value: HandValue, liable: Any, loser: int | None, covers: str, honba_by: str, expected: tuple[int, ...]
) -> None:
    """S-60, and what Tenhou and majiang-core do where it is silent."""
    paid = settle(value, 1, loser, pao(covers, honba_by), honba=1, liable=[Liability(liable, 3)])
    assert paid.total == expected
    assert paid.defen == 32000 * value.yakuman


def test_a_dealers_yakuman_is_covered_in_full() -> None:
    paid = settle(DAISANGEN, 0, None, pao(), honba=1, sticks=2, liable=[Liability("daisangen", 2)])
    assert paid.hand == (48000, 0, -48000, 0)
    assert paid.total == (50300, 0, -48300, 0)


def test_two_liable_seats_cover_one_yakuman_each() -> None:
    value = HandValue((("大三元", 1), ("四槓子", 1)), yakuman=2)
    both = [Liability("daisangen", 2), Liability("suukantsu", 3)]
    assert settle(value, 1, None, pao(), liable=both).total == (0, 64000, -32000, -32000)
    assert settle(value, 1, 0, pao(), liable=both).total == (-32000, 64000, -16000, -16000)


def test_liability_covers_no_more_than_is_paid() -> None:
    """A double yakuman that the rules cap at one."""
    capped = HandValue((("大四喜", 2), ("字一色", 1)), yakuman=1)
    assert settle(capped, 1, None, pao(), liable=[Liability("daisuushi", 3)]).total == (0, 32000, 0, -32000)


def test_liability_for_another_yakuman_or_outside_the_rules_is_ignored() -> None:
    tsumo = (-16000, 32000, -8000, -8000)
    assert settle(DAISANGEN, 1, None, pao(), liable=[Liability("daisuushi", 3)]).total == tsumo
    none = rules_with("call", pao=())
    assert settle(DAISANGEN, 1, None, none, liable=[Liability("daisangen", 3)]).total == tsumo


@given(
    winner=st.integers(0, 3),
    loser=st.one_of(st.none(), st.integers(0, 3)),
    liable=st.one_of(st.none(), st.integers(0, 3)),
    value=st.one_of(
        st.builds(plain, st.sampled_from((20, 25, 30, 40, 110)), st.integers(1, 15)),
        st.sampled_from((DAISANGEN, WITH_TSUISO, DOUBLE_WINDS)),
    ),
    covers=st.sampled_from(("own", "all")),
    honba_by=st.sampled_from(("liable", "discarder")),
    honba=st.integers(0, 9),
    sticks=st.integers(0, 9),
)
def test_points_are_only_moved(
    winner: int,
    loser: int | None,
    liable: int | None,
    value: HandValue,
    covers: str,
    honba_by: str,
    honba: int,
    sticks: int,
) -> None:
    loser = None if loser == winner else loser
    seats = [] if liable in (None, winner) else [Liability("daisangen", liable or 0)]
    paid = settle(value, winner, loser, pao(covers, honba_by), honba=honba, sticks=sticks, liable=seats)
    assert sum(paid.hand) == 0
    assert sum(paid.total) == 1000 * sticks
    assert paid.total[winner] == paid.defen + 300 * honba + 1000 * sticks
    assert all(points % 100 == 0 for points in paid.total)
    base = base_points(value.fu, value.han, value.yakuman, MAJIANG.score)
    assert paid.defen >= base * (6 if winner == 0 else 4)


@given(st.lists(st.booleans(), min_size=4, max_size=4), st.integers(0, 12000))
def test_noten_payments_only_move_points(tenpai: list[bool], penalty: int) -> None:
    deltas = noten_payments(tenpai, penalty)
    assert sum(deltas) == 0
    if 0 < sum(tenpai) < 4:
        assert sum(points for points in deltas if points > 0) == penalty
