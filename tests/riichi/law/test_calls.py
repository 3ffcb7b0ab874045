"""Calls of a discard: who may call what, whose turn is next, and what may not be discarded then."""

from jantaku.table.riichi.pieces.tiles import run_kinds
from tests.kit.cases import cases
from tests.kit.position import table

FREE = {"call.kuikae": "free"}
SUJI = {"call.kuikae": "suji"}


def test_only_the_next_seat_may_chi_and_anybody_may_pon() -> None:
    """S-34, S-44: 南, 西 and 北 hold the same run; only 南 is offered it, and 西 the pon."""
    t = table(["z4", "m46p147s147z11223", "m5546", "m46p147s147z23344"], draws="m5").act("東m5_")
    assert t.offers("南") == ["m45-6", "pass"]
    assert t.offers("西") == ["m555=", "pass"]
    assert t.offers("北") == []


def test_a_closed_triplet_offers_daiminkan_and_pon() -> None:
    """S-44."""
    t = table(["z1", "", "", "p888"], draws="p8").act("東p8_")
    assert t.offers("北") == ["p8888+", "p888+", "pass"]


def test_every_run_is_offered_lowest_first() -> None:
    """S-44, S-52: red and plain fives are different tiles."""
    t = table(["z1", "m4067p147s147z123"], rules="tenhou", draws="m5").act("東m5_")
    assert t.offers("南") == ["m45-6", "m5-67", "pass"]
    t = table(["z1", "m305p147s147z1234"], rules="tenhou", draws="m4").act("東m4_")
    assert t.offers("南") == ["m34-0", "m34-5", "pass"]
    t = table(["z1", "", "m055"], rules="tenhou", draws="m5").act("東m5_")
    assert t.offers("西") == ["m5505=", "m505=", "m555=", "pass"]


@cases(
    "held, reds, offered",
    ("m055", 1, ["m5505=", "m505=", "m555="]),
    ("m005", 2, ["m5005=", "m005=", "m505="]),
    ("m000", 3, ["m0005=", "m005="]),
)
def test_every_pon_is_offered_once_however_many_red_fives_there_are(held: str, reds: int, offered: list[str]) -> None:
    """S-44, S-52."""
    t = table(["z1", "", held], rules="tenhou", settings={"tiles.red_m": str(reds)}, draws="m5").act("東m5_")
    assert t.offers("西") == [*offered, "pass"]


def test_a_discard_can_be_called_only_until_the_next_draw() -> None:
    """S-34: z5 of 東 is out of reach once 南 has drawn and discarded."""
    t = table(["z1", "", "z55"], draws="z5 z6").act("東z5_")
    assert t.offers("西") == ["z555=", "pass"]
    assert t.act("南z6_").offers("西") == []


def test_nobody_calls_a_discard_of_his_own() -> None:
    t = table(["z55"], draws="z5").act("東z5_")
    assert t.offers("東") == []


def test_the_turn_after_a_call_is_that_of_the_seat_after_the_caller() -> None:
    """S-54: 南 and 西 lose their turns; the caller discards without having drawn."""
    t = table(["z1", "", "", "z55z1"], draws="z5").play("東z5_ 北z555+")
    assert t.turn == "北"
    assert t.board.hands[3].size == 11
    assert all(not offer.endswith(("_", "*")) for offer in t.offers("北"))
    assert t.play("北z1").turn == "東"


def test_a_call_is_no_draw_so_that_nothing_but_a_discard_follows() -> None:
    """S-54, S-56, S-57: no kan, no win and no abort right after a pon."""
    t = table(["z1", "", "z55m1111"], draws="z5").play("東z5_ 西z555=")
    assert all(len(offer) == 2 for offer in t.offers("西"))


def test_the_last_discard_cannot_be_called() -> None:
    """S-44, S-82: nor has its drawer any kan; a ron is possible."""
    hands = ["z555", "m1", "z77", "m234678s34588p34"]
    t = table(hands, last="z5 p5", hidden="z57p25").pass_until(1)
    assert t.turn == "東"
    assert "z5555" in t.offers("東")
    t.play("東z5_")
    assert t.act("南p5_").offers("北") == ["ron", "pass"]
    t = table(["m1", "z555", "z77"], last="z6 z7", hidden="z57").pass_until(0)
    assert t.act("南z7_").offers("西") == []
    t = table(["m1", "z555"], last="z6 z5", hidden="z5").pass_until(0)
    assert "z5555" not in t.offers("南")


@cases(
    "hand, tile, meld, forbidden",
    ("m4556789z112233", "m3", "m3-45", {"m3", "m6"}),  # smallest called: plus 3
    ("m4523789z112233", "m6", "m456-", {"m6", "m3"}),  # largest called: minus 3
    ("m4625789z112233", "m5", "m45-6", {"m5"}),  # the middle: no other end
    ("m1236789z112233", "m3", "m123-", {"m3"}),  # nothing below the 1
    ("m8967412z112233", "m7", "m7-89", {"m7"}),  # nothing above the 9
    ("m5546789z112233", "m5", "m555-", {"m5"}),  # pon
)
def test_kuikae_is_forbidden(hand: str, tile: str, meld: str, forbidden: set[str]) -> None:
    """S-50: the called kind and, of a two-sided run, its other end; other suits and kinds are free."""
    held = {hand[0] + rank for rank in hand[1 : hand.index("z")]} | {"z1", "z2", "z3"}
    for settings, banned in (({}, forbidden), (SUJI, {tile}), (FREE, set[str]())):
        t = table(["z4", hand], draws=tile, settings=settings).play(f"東{tile}_ 南{meld}")
        assert set(t.offers("南")) == held - _used_up(hand, meld) - banned


def _used_up(hand: str, meld: str) -> set[str]:
    """Tiles of which the meld has taken the last copy."""
    suit, ranks = hand[0], list(hand[1 : hand.index("z")])
    called = meld[meld.index("-") - 1]
    own = [rank for rank in meld[1:] if rank.isdigit()]
    own.remove(called)
    for rank in own:
        ranks.remove(rank)
    return {suit + rank for rank in own} - {suit + rank for rank in ranks}


@cases(
    "hand, tile, meld, neighbour",
    ("m8924p1s147z11223", "m7", "m7-89", "p1"),
    ("p1258m9s147z11223", "p3", "p123-", "m9"),
)
def test_kuikae_does_not_reach_into_the_next_suit(hand: str, tile: str, meld: str, neighbour: str) -> None:
    """S-50: no tile lies beyond the 9 or before the 1."""
    t = table(["z4", hand], draws=tile).play(f"東{tile}_ 南{meld}")
    assert neighbour in t.offers("南")


def test_kuikae_counts_a_red_five_as_a_five() -> None:
    """S-50."""
    t = table(["z1", "m4605z112233"], rules="tenhou", draws="m5").play("東m5_ 南m45-6")
    assert not {"m0", "m5"} & set(t.offers("南"))


def test_what_is_played_in_silence_after_a_call_is_no_kuikae_and_the_call_stands() -> None:
    """S-51, S-39: the default is one of the allowed discards."""
    t = table(["z1", "m46m9955p1234567"], draws="m5").play("東m5_ 南m45-6 .")
    assert t.board.hands[1].melds
    assert t.board.rivers[1].tiles != [4]


def test_a_chi_that_leaves_nothing_to_discard_is_not_offered() -> None:
    """S-50: with m1234 left, m1-23 would leave m1 and m4, both forbidden."""
    words = "東z4_ 南z5_ 東z555+ 東z1 南z6_ 東z666+ 東z2 南z7_ 東z777+ 東z3 . . "
    hand, draws = "z556677m1234z123", "z4 z5 z6 z7 m9 m9 m1"
    t = table([hand], draws=draws).play(words)
    assert t.act("北m1_").offers("東") == ["ron", "pass"]
    t = table([hand], draws=draws, settings=SUJI).play(words)
    assert t.act("北m1_").offers("東") == ["ron", "m1-23", "pass"]


def test_the_kinds_that_a_seat_could_chi_are_found_by_masks_as_by_search() -> None:
    """S-07, S-44: the bit masks against a plain search over all pairs."""
    for low in range(27):
        for high in range(low + 1, 27):
            wanted = {
                kind
                for kind in range(27)
                if len({kind, low, high}) == 3
                and max(kind, low, high) - min(kind, low, high) == 2
                and kind // 9 == low // 9 == high // 9
            }
            assert run_kinds(1 << low | 1 << high) == sum(1 << kind for kind in wanted)
    assert run_kinds(0b1111111 << 27) == 0
