"""Cards, the board and ranks: rows 1 to 13 of neof5's own cases (§9.1 to §9.3); presets and rule files."""

import pytest

from jantaku.table.daifugo.cards import CARD, CARDS, HIDDEN, JOKER, NAMES, UnknownSuit, cards_text, parse_cards, without
from jantaku.table.daifugo.events import Agari, Board, Deal, Nagare, Play, RoundEnd, RoundStart, SeriesStart
from jantaku.table.daifugo.ranks import gifts, points_at, rank_at
from jantaku.table.daifugo.rules import FILES, Rules
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.settings import difference, keys
from tests.daifugo.walk import cards
from tests.kit.cases import cases


def test_the_deck_has_thirteen_cards_of_each_suit_and_one_joker() -> None:
    """§9 row 1."""
    assert CARDS == len(NAMES) == len(set(NAMES)) == 53
    assert [sum(name[0] == suit and name != "JK" for name in NAMES) for suit in "CDHS"] == [13] * 4
    assert NAMES.count("JK") == 1


@pytest.mark.parametrize("text", ["CA", "C5", "D7", "H0", "HJ", "SQ", "SK", "JK", "HQ"])
def test_a_card_has_one_text_and_the_text_one_card(text: str) -> None:
    """§9 rows 2 and 3."""
    assert cards_text([CARD[text]]) == text
    assert parse_cards(text) == (CARD[text],)


def test_a_set_keeps_the_order_of_its_text() -> None:
    """§9 row 4 (there read from character offset 2, which leaves these seven)."""
    assert cards_text(cards("CA C5 D7 JK SA SK HJ HQ"[2:])) == "C5 D7 JK SA SK HJ HQ"
    assert cards("") == ()
    assert cards("C5D7JK SA") == cards("C5 D7 JK SA")
    assert cards("H1") == cards("HA")


@cases("text, kind", ("X3", UnknownSuit), ("S3 x", UnknownSuit), ("SZ", BadInput), ("S", BadInput))
def test_what_is_no_card_is_refused(text: str, kind: type[BadInput]) -> None:
    with pytest.raises(kind, match="card "):
        parse_cards(text)


def test_cards_sort_by_rank_then_clubs_diamonds_hearts_spades() -> None:
    """§9 rows 5 and 6."""
    assert CARD["JK"] == JOKER and CARD["HA"] != CARD["DA"] and CARD["CJ"] != CARD["C0"]
    pairs = ["C3 C4", "C3 C2", "HK HA", "C4 JK", "HA SA", "C2 D2", "SA C2", "D3 HQ"]
    assert all(weak < strong for weak, strong in map(cards, pairs))


def test_taking_out_cards_uses_hidden_ones_for_what_is_not_seen() -> None:
    assert without([HIDDEN, HIDDEN, 5], (5, 7)) == [HIDDEN]


# --- §9.2


def board(*names: str) -> Board:
    fresh = Board()
    SeriesStart(names, "A").apply(fresh)
    RoundStart(1, (0,) * len(names)).apply(fresh)
    return fresh


def test_a_new_board_is_empty() -> None:
    """§9 row 7."""
    new = board("a", "b")
    assert (new.trick, new.revolution, new.turn, new.pile) == ([], False, 0, [])
    assert (new.hands, new.ranks, new.places) == ([[], []], [0, 0], [0, 0])


def test_a_finished_trick_goes_to_the_pile() -> None:
    """§9 row 8."""
    at = board("a", "b")
    Deal((cards("HK D3 H3 S5 C5"), ())).apply(at)
    for plays, left in ((["HK"], 1), (["D3 H3", "S5 C5"], 5)):
        for play in plays:
            Play(0, cards(play)).apply(at)
        assert len(at.trick) == len(plays)
        Nagare().apply(at)
        assert (at.trick, len(at.pile)) == ([], left)
    RoundStart(2, (0, 0)).apply(at)
    assert (at.trick, at.pile, at.history) == ([], [], [])


def test_a_new_round_forgets_all_but_the_ranks() -> None:
    """§9 row 9."""
    at = board("a", "b")
    Deal((cards("SA"), cards("C3 C4"))).apply(at)
    assert at.hands[0] == list(cards("SA"))
    Play(0, cards("SA")).apply(at)
    Agari(0, 1).apply(at)
    RoundEnd((1, 2), (2, -2), (5, 0)).apply(at)
    assert (at.places, at.ranks, at.hands[0]) == ([1, 2], [2, -2], [])
    RoundStart(2, tuple(at.ranks)).apply(at)
    assert (at.places, at.ranks, at.hands, at.points) == ([0, 0], [2, -2], [[], []], [5, 0])


# --- §9.3


@cases(
    "seats, ranks",
    (2, [2, -2]),
    (3, [2, 0, -2]),
    (4, [2, 1, -1, -2]),
    (5, [2, 1, 0, -1, -2]),
    (6, [2, 1, 0, 0, -1, -2]),
)
def test_ranks_follow_from_places(seats: int, ranks: list[int]) -> None:
    """§9 row 11."""
    assert [rank_at(place, seats) for place in range(1, seats + 1)] == ranks


@cases(
    "upper, lower, given, taken",
    ("HA D3 DK", "C0 SQ H4", "D3", "SQ"),
    ("H2 S4 D4 DK C4 H5 S6 S7 H7", "C0 H9 S6 S2 SQ SJ JK SA H3", "C4", "JK"),
)
def test_one_card_is_exchanged_between_fugo_and_hinmin(upper: str, lower: str, given: str, taken: str) -> None:
    """§9 rows 12 and 13."""
    down, up = gifts([cards(upper), cards(lower)], [1, -1])
    assert (down.giver, down.taker, cards_text(down.cards)) == (0, 1, given)
    assert (up.giver, up.taker, cards_text(up.cards)) == (1, 0, taken)


def test_both_sets_are_chosen_before_a_card_moves() -> None:
    """§7.1 #10: a better upper hand does not get its own cards back; §7.1 #9: the joker goes up even behind 3s."""
    down, up = gifts([cards("S2 H2 C3 C4"), cards("H3 JK D3 C5")], [2, -2])
    assert (cards_text(down.cards), cards_text(up.cards)) == ("C3 C4", "C5 JK")


def test_three_players_exchange_two_cards_and_nobody_one() -> None:
    """§3.3."""
    assert [len(gift.cards) for gift in gifts([cards("C3 C4"), cards("C5"), cards("C6 C7")], [2, 0, -2])] == [2, 2]
    assert gifts([cards("C3"), cards("C5")], [0, 0]) == ()


def test_points_by_rank_and_by_place_differ_but_with_five() -> None:
    """§3.5, §8: page by place, code by rank; identical for 5."""
    by = {n: [[points_at(p, n, kind) for p in range(1, n + 1)] for kind in ("rank", "place")] for n in (3, 4, 5, 6)}
    assert by[5] == [[5, 4, 3, 2, 0]] * 2
    assert by[3] == [[5, 3, 0], [5, 4, 0]] and by[4] == [[5, 4, 2, 0], [5, 4, 3, 0]]
    assert by[6] == [[5, 4, 3, 3, 2, 0], [5, 4, 3, 2, 1, 0]]


def test_every_key_says_what_it_means() -> None:
    assert all(key.text and key.required for key in keys(Rules).values())


def test_the_presets_differ_where_page_and_tournament_did() -> None:
    """§7.3, §8."""
    changed = {name for name, _, _ in difference(FILES.preset("strict"), FILES.preset("neof5"))}
    room = {"room.turn_limit", "room.agari_in_history", "room.swapped", "room.full"}
    assert changed == room | {"kaidan.length", "series.points", "series.carry"}


@cases(
    "texts, said",
    ({"game.seats": "7"}, "game.seats = 7 is not allowed; allowed: a whole number from 2 to 6"),
    ({"game.letter": "C"}, 'game.letter = "C" is not allowed; allowed: "A" or "B"'),
    ({"kaidan.lenght": "any"}, "there is no key kaidan.lenght; did you mean kaidan.length?"),
)
def test_a_value_that_cannot_be_is_refused(texts: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        FILES.with_settings(FILES.preset("strict"), texts)
    assert said in str(caught.value)
