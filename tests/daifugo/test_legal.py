"""Legality: rows 20 to 50 of neof5's own cases (§9.4, §9.5), corrections of §7.1, and a second judge."""

import pytest

from jantaku.table.daifugo.cards import CARD, cards_text, strength
from jantaku.table.daifugo.legal import Foul, Reason, foul, legal_plays, refusal, weakest_single, why_not
from jantaku.table.daifugo.plays import is_kaidan, is_one_rank, representative
from tests.daifugo.check import check_legality, check_offers
from tests.daifugo.walk import cards, rules
from tests.kit.cases import cases, kept_cases

OK, DIFF, CNT, WEAK = None, Reason.RANKS_DIFFER, Reason.COUNT_DIFFERS, Reason.NOT_STRONGER
NO_KAIDAN, BA_NO_KAIDAN = Reason.NOT_KAIDAN, Reason.TRICK_IS_NO_KAIDAN
LENGTHS = ("same", "any")
"""All rows hold whichever way a kaidan's length is judged (§9)."""


def compared(first: str, second: str, revolution: bool) -> int:
    a, b = strength(CARD[first], revolution), strength(CARD[second], revolution)
    return (a > b) - (a < b)


@kept_cases("first, second, normal, turned")
def test_no_suit_matters_and_a_revolution_spares_the_joker(first: str, second: str, normal: int, turned: int) -> None:
    """§9 rows 20 to 22."""
    assert (compared(first, second, False), compared(first, second, True)) == (normal, turned)


@kept_cases("text, card")
def test_the_first_natural_card_stands_for_a_set_of_one_rank(text: str, card: str) -> None:
    """§9 rows 23 to 27."""
    assert is_one_rank(cards(text)) and representative(cards(text)) == CARD[card]


@pytest.mark.parametrize("text", ["HA H2", "HA H2 S2", "HQ D2 S2 C2"])
def test_cards_of_two_ranks_are_no_set(text: str) -> None:
    """§9 rows 25 to 27."""
    assert not is_one_rank(cards(text))


def test_no_card_is_of_one_rank_and_nothing_stands_for_it() -> None:
    """§9 row 23."""
    assert is_one_rank(()) and representative(()) is None


CLASS_A: list[tuple[int, str, bool, dict[str, Reason | None]]] = [
    # row, trick, revolution, {play: refusal}
    (28, "", False, {"": OK}),
    (29, "", False, {"CA": OK}),
    (30, "", False, {"CA SA": OK, "CA S2": DIFF}),
    (31, "", False, {"CK SK HK": OK, "CK SK HQ": DIFF}),
    (32, "", False, {"C3 S3 H3 D3": OK, "C3 S3 H4 D3": DIFF}),
    (33, "JK", False, {"": OK}),
    (34, "H3", False, {"C4": OK, "C3": WEAK, "JK": OK}),
    (35, "D4 S4", False, {"C5 S5": OK, "JK S5": OK, "C4 S4": WEAK, "C5": CNT, "JK": CNT}),
    (
        36,
        "JK SK HK",
        False,
        {"CA SA HA": OK, "CA JK HA": OK, "CQ SQ HQ": WEAK, "CQ JK HQ": WEAK, "CA SA": CNT, "JK": CNT},
    ),
    (
        37,
        "DA SA JK DA",
        False,
        {"C2 S2 H2 D2": OK, "C2 S2 H2 JK": OK, "CQ SQ HQ DQ": WEAK, "CQ JK HQ DQ": WEAK, "C2 S2": CNT, "JK": CNT},
    ),
    (38, "C5", True, {"C4": OK, "C5": WEAK, "C6": WEAK, "C2": WEAK, "JK": OK}),
    (39, "D2 S2", True, {"CA SA": OK, "C3 S3": OK, "C3 JK": OK, "C2 D2": WEAK, "C2 JK": WEAK, "C5": CNT, "JK": CNT}),
]


@pytest.mark.parametrize(
    ("row", "top", "revolution", "play", "word"),
    [(row, top, turned, play, word) for row, top, turned, plays in CLASS_A for play, word in plays.items()],
)
@pytest.mark.parametrize("letter", ["A", "B"])
def test_class_a(row: int, top: str, revolution: bool, play: str, word: Reason | None, letter: str) -> None:
    """§9 rows 28 to 39. Class B rules alike wherever no kaidan is played."""
    assert refusal(rules(letter), cards(top), cards(play), revolution) is word


@cases(
    "row, text, yes",
    *[(40, text, True) for text in ("C3 C4 C5", "C6 C4 C5", "CK CQ CJ", "CA C2 CK", "CA CQ CK")],
    (41, "C3 C4", False),
    *[(42, text, False) for text in ("C3 D4 C5", "D6 C4 C5", "CK CQ HJ", "SA C2 CK", "CA CQ DK", "CA JK DK")],
    *[(43, text, False) for text in ("C3 C4 C6", "C6 C4 C7", "CA C2 CQ", "CA C2 C3")],
    *[(44, text, True) for text in ("C3 C4 JK", "JK C4 C6", "CA JK CQ", "CA C2 JK", "CA C2 JK JK", "CA CJ JK JK")],
    *[(44, text, False) for text in ("CA C3 JK", "C4 C2 JK")],
    (0, "C3 C3 C4", False),  # §7.1 #2
)
def test_what_a_kaidan_is(row: int, text: str, yes: bool) -> None:
    """§9 rows 40 to 44."""
    assert is_kaidan(cards(text)) is yes


CLASS_B: list[tuple[int, str, dict[str, Reason | None]]] = [
    (45, "", dict.fromkeys(["C3 C4 C5", "C6 C4 C5", "CK CQ CJ", "CA C2 CK", "CA CQ CK", "CA C2 JK CK"], OK)),
    (46, "C4 D4 H4", {"C6 C7 C5": BA_NO_KAIDAN, "C6 C7 C5 C8": BA_NO_KAIDAN}),
    (
        47,
        "H5 H6 H7",
        {
            **dict.fromkeys(["S8 S9 S0", "D8 D9 D0", "CK CQ CJ", "C8 C9 JK", "JK D9 D0", "JK S2 SK"], OK),
            "C8 H8 S8": NO_KAIDAN,
            **dict.fromkeys(["C6 C7 C8", "S7 S8 S9", "C9 C7 C8", "JK C7 C8"], WEAK),
        },
    ),
    (
        48,
        "S5 S6 S7 JK",
        {
            **dict.fromkeys(["S8 S9 S0 SJ", "D8 D9 D0 DJ", "CK CQ CJ CA", "C8 C9 JK C0", "JK D9 D0 D8"], OK),
            "JK S2 SK SQ": OK,
            "C8 H8 S8 S8": NO_KAIDAN,
            **dict.fromkeys(["C6 C7 C8 C9", "C9 C7 C8 C0", "JK C7 C8 C0"], WEAK),
        },
    ),
]


@pytest.mark.parametrize(
    ("row", "top", "play", "word"),
    [(row, top, play, word) for row, top, plays in CLASS_B for play, word in plays.items()],
)
@pytest.mark.parametrize("length", LENGTHS)
def test_class_b(row: int, top: str, play: str, word: Reason | None, length: str) -> None:
    """§9 rows 45 to 48."""
    assert refusal(rules("B", kaidan__length=length), cards(top), cards(play), False) is word


FINISHES = [
    (49, False, None, ["C3", "JK D4", "HA JK DA", "HQ HK HA", "DA JK DQ DK", "C4 C5 C3"]),
    (49, False, Foul.JOKER, ["JK", "JK JK"]),
    (49, False, Foul.HIGHEST, ["H2", "D2 S2", "D2 JK C2", "D2 DA DK"]),
    (50, True, None, ["C2", "JK DA", "H4 JK D4", "H6 H4 H5", "D5 JK D4 D6", "D2 DA DK"]),
    (50, True, Foul.JOKER, ["JK", "JK JK"]),
    (50, True, Foul.HIGHEST, ["H3", "D3 S3", "D3 JK C3", "C4 C5 C3"]),
]


@pytest.mark.parametrize(
    ("row", "revolution", "why", "play"), [(*head, play) for *head, plays in FINISHES for play in plays]
)
def test_forbidden_finishes(row: int, revolution: bool, why: Foul | None, play: str) -> None:
    """§9 rows 49 and 50; class A forbids none."""
    assert foul(rules("B"), cards(play), revolution) is why
    assert foul(rules("A"), cards(play), revolution) is None


@pytest.mark.parametrize("play", ["S2 H2", "S3 S3", "S2 S2"])
def test_every_card_must_be_in_the_hand_and_each_only_once(play: str) -> None:
    """§7.1 #1, #2, #13."""
    assert why_not(rules("A"), cards("S3 S2 JK"), (), cards(play), False) is Reason.NOT_IN_HAND


def test_the_reasons_come_in_the_documented_order() -> None:
    """§5.2: a leader's pass, cards not held, then what is wrong with the cards."""
    hand, table = cards("S3 H4"), rules("A")
    assert why_not(table, hand, (), (), False) is Reason.LEADER_PASSES
    assert why_not(table, hand, cards("H9"), (), False) is None
    assert why_not(table, hand, cards("H9"), cards("D3 D5"), False) is Reason.NOT_IN_HAND
    assert why_not(table, hand, cards("H9"), cards("S3 H4"), False) is DIFF


@pytest.mark.parametrize(("top", "play"), [("S5 S6 S7", "C6 C7 C8"), ("S9 S0 SJ", "H0 HJ HQ")])
def test_a_kaidan_in_a_revolution_is_compared_under_the_order_that_stands(top: str, play: str) -> None:
    """§7.1 #11: both were accepted although weaker."""
    table = rules("B", "neof5")
    assert refusal(table, cards(top), cards(play), True) is WEAK
    assert refusal(table, cards("S5 S6 S7"), cards("C3 C4 JK"), True) is OK


def test_the_length_of_a_kaidan_counts_where_the_rules_say_so() -> None:
    """§7.1 #12 and §8."""
    top, longer, shorter = cards("S3 S4 S5 S6"), cards("H7 H8 H9 H0 HJ"), cards("H7 H8 H9")
    assert [refusal(rules("B", "strict"), top, play, False) for play in (longer, shorter)] == [CNT, CNT]
    assert [refusal(rules("B", "neof5"), top, play, False) for play in (longer, shorter)] == [OK, OK]


def test_a_single_joker_cannot_be_beaten() -> None:
    """§6.2."""
    assert legal_plays(rules("B"), cards("S2 H2 C3"), cards("JK"), False) == [()]
    assert legal_plays(rules("B"), cards("S2 H2 C3"), cards("JK"), True) == [()]


def test_a_leader_who_says_nothing_plays_the_weakest_card_and_the_joker_last() -> None:
    """§8: leader timeout."""
    hand = cards("C4 H2 JK")
    assert cards_text(weakest_single(hand, False)) == "C4"
    assert cards_text(weakest_single(hand, True)) == "H2"
    assert cards_text(weakest_single(cards("JK"), True)) == "JK"


def test_five_cards_of_one_rank_may_be_played() -> None:
    """§6.2: four of a kind and the joker."""
    assert tuple(sorted(cards("C3 D3 H3 S3 JK"))) in legal_plays(rules("A"), cards("C3 D3 H3 S3 JK"), (), False)


def test_both_judges_give_the_same_reason() -> None:
    assert check_legality(4000, seed=1) == 4000


def test_what_is_offered_is_what_trying_all_subsets_finds() -> None:
    assert check_offers(150, seed=2) == 150
