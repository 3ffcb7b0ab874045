"""Several seats want the same tile: who wins, who pays, whose are the sticks, who deals next (S-35 to S-37, S-43).

Points are computed here from a table of hand values; nothing of the engine's arithmetic is used.
"""

from collections.abc import Sequence
from itertools import product

import pytest

from jantaku.table.riichi.pieces.seats import WINDS
from tests.kit.position import Table, table

PINFU, CLOSED, PAIRS = "m234678s34588p34", "m34522s234678p46", "p5226677m4488s55"
"""Hands that p5 completes: 平和 断么九; 断么九 with a closed wait; 七対子 断么九."""
FURITEN = "m56799s567p34678"
"""A hand that p5 would complete."""
IDLE = "m159p19s19z123456"
FEEDS_NOBODY = "p55m199p19s19z1234"
KOKUSHI = ("m119p19s19z234567", "m199p19s19z234567", "m19p119s19z234567")
"""Hands that z1 completes, as the thirteenth kind."""
FOUR_EAST = "z111m2468p2468s2468"[:16]
YAKUMAN = (13, 0)

CHILD = {(2, 30): 2000, (3, 30): 3900, (4, 30): 7700, (3, 25): 3200, (4, 25): 6400, (1, 40): 1300, (2, 40): 2600}
DEALER = {(2, 30): 2900, (3, 30): 5800, (4, 30): 11600, (3, 25): 4800, (4, 25): 9600, (1, 40): 2000, (2, 40): 3900}
CHILD |= {(3, 40): 5200, YAKUMAN: 32000}
DEALER |= {(3, 40): 7700, YAKUMAN: 48000}
"""What a ron pays by han and fu (S-106, S-108)."""
WORTH = {PINFU: (2, 30), CLOSED: (1, 40), PAIRS: (3, 25)}
"""Han and fu of each hand without riichi or 槍槓, which add a han each."""

PLAIN = dict.fromkeys(("dora.ura", "riichi.ippatsu", "game.tobi", "abort.suucha", "score.kiriage"), "false")
Terms = tuple[int, str, str, int]
HONBA = ((0, "nearest"), (2, "nearest"), (2, "each"))
TERMS: list[Terms] = [(*honba, stick, old) for honba, stick, old in product(HONBA, ("nearest", "own-first"), (0, 1, 3))]
"""Honba, who is paid it, who gets sticks, sticks on the table."""
SOME_TERMS = TERMS[::5]
"""For a discard or kan of 南, which only adds that the dealer is among those who claim."""


def worth(hand: str, riichi: bool, chankan: bool) -> tuple[int, int]:
    if hand in KOKUSHI:
        return YAKUMAN
    han, fu = WORTH[hand]
    return han + riichi + chankan, fu


def expected(
    source: int, worths: dict[int, tuple[int, int]], winners: Sequence[int], riichi: set[int], terms: Terms
) -> tuple[int, ...]:
    """Deltas of the kyoku by seat, the sticks placed in it included."""
    honba, honba_rule, stick_rule, old = terms
    deltas = [-1000 if seat in riichi else 0 for seat in range(4)]
    for place, seat in enumerate(winners):
        pays = (DEALER if seat == 0 else CHILD)[worths[seat]]
        if honba_rule == "each" or place == 0:
            pays += 300 * honba
        deltas[seat] += pays
        deltas[source] -= pays
    if winners:
        deltas[winners[0]] += 1000 * old
    for declarer in riichi if winners else ():
        after = [seat % 4 for seat in range(declarer, declarer + 4)]
        to = next(seat for seat in after if seat in winners) if stick_rule == "own-first" else winners[0]
        deltas[to] += 1000
    return tuple(deltas)


def settings(max_winners: int, sanchahou: bool, terms: Terms) -> dict[str, str]:
    ron = {"ron.max_winners": str(max_winners), "ron.sanchahou": str(sanchahou).lower()}
    return PLAIN | ron | {"ron.honba": terms[1], "ron.sticks": terms[2]}


def ruled(claims: Sequence[int], max_winners: int, sanchahou: bool) -> Sequence[int]:
    """Who wins: nobody where three claims abort, else the nearest (S-36, S-37)."""
    return [] if sanchahou and len(claims) == 3 else claims[:max_winners]


def said(seats: Sequence[int], word: str) -> str:
    return " ".join(WINDS[seat] + word for seat in seats)


def discards(draws: str, first: int, riichi: set[int]) -> str:
    """From seat `first` on everybody discards what he draws; those in `riichi` declare it."""
    words = []
    for place in range(len(draws) // 2):
        seat = (first + place) % 4
        words.append(f"{WINDS[seat]}{draws[2 * place : 2 * place + 2]}_{'*' * (seat in riichi)}")
    return " ".join(words)


def check(t: Table, claims: Sequence[int], winners: Sequence[int], wanted: tuple[int, ...], sticks: int) -> None:
    """Winners, points, sticks, and who deals next (S-88, S-89, S-93, S-94). `sticks` are all on the table."""
    left = 0 if winners else sticks
    assert [win.seat for win in t.wins] == list(winners)
    assert t.deltas == wanted
    assert t.board.sticks == left
    dealer_stays = 0 in winners
    assert t.standing.number == (0 if dealer_stays else 1)
    assert t.standing.honba == (t.start.honba + 1 if dealer_stays or not winners else 0)
    assert t.standing.sticks == left
    if not winners:
        assert t.draw.reason == "sanchahou"
        assert [seat for seat in range(4) if t.draw.hands[seat]] == sorted(claims)


@pytest.mark.long
@pytest.mark.parametrize("source", [0, 1])
@pytest.mark.parametrize("sanchahou", [False, True])
@pytest.mark.parametrize("max_winners", [1, 2, 3])
@pytest.mark.parametrize("places", [(1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (1, 2, 3)])
def test_rons_on_a_discard(places: tuple[int, ...], max_winners: int, sanchahou: bool, source: int) -> None:
    """S-35 to S-37, S-43, S-75, S-88, S-106, S-109."""
    hands = {(source + place) % 4: hand for place, hand in zip((1, 2, 3), (PINFU, CLOSED, PAIRS), strict=True)}
    claims = [(source + place) % 4 for place in places]
    second = "z7z6z5z1" + "z4"[: 2 * source]
    draws = "z3z1z2z4" + second + "p5"
    for terms, riichi in product(SOME_TERMS if source else TERMS, (set(), {claims[-1]}, set(hands))):
        rules = settings(max_winners, sanchahou, terms)
        dealt = [hands.get(seat, IDLE) for seat in range(4)]
        t = table(dealt, draws=draws, dora="z1", settings=rules, honba=terms[0], sticks=terms[3])
        t.play(f"{discards(draws[:8], 0, set())} {discards(second[:8], 0, riichi)} {'. ' * source}")
        t.play(f"{WINDS[source]}p5_ {said(claims, 'ron')}")
        winners = ruled(claims, max_winners, sanchahou)
        worths = {seat: worth(hand, seat in riichi, False) for seat, hand in hands.items()}
        check(t, claims, winners, expected(source, worths, winners, riichi, terms), terms[3] + len(riichi))


@pytest.mark.parametrize("source", [0, 1])
@pytest.mark.parametrize("sanchahou", [False, True])
@pytest.mark.parametrize("max_winners", [1, 2, 3])
@pytest.mark.parametrize("places", [(2,), (3,), (2, 3)])
def test_rons_on_a_kakan(places: tuple[int, ...], max_winners: int, sanchahou: bool, source: int) -> None:
    """S-56, S-58: who fed the pon has the tile in its river, so that three claims cannot meet."""
    fed, near, far = ((source + place) % 4 for place in (1, 2, 3))
    hands = {near: PINFU, far: CLOSED}
    dealt = [{**hands, source: FEEDS_NOBODY, fed: FURITEN}[seat] for seat in range(4)]
    claims = [(source + place) % 4 for place in places]
    draws = "z5"[: 2 * source] + "z6p5z3z4z7p5"
    for terms, riichi in product(SOME_TERMS if source else TERMS, (set(), {claims[-1]}, {near, far})):
        rules = settings(max_winners, sanchahou, terms)
        t = table(dealt, draws=draws, dora="z1", settings=rules, honba=terms[0], sticks=terms[3])
        t.play(f"{'. ' * source} . {WINDS[fed]}p5_ {WINDS[source]}p555+ {WINDS[source]}m1")
        t.play(discards("z3z4z7", fed, riichi)).act(f"{WINDS[source]}p555+5")
        assert t.offers(WINDS[fed]) == []
        t.play(said(claims, "ron"))
        winners = ruled(claims, max_winners, sanchahou)
        worths = {seat: worth(hand, seat in riichi, True) for seat, hand in hands.items()}
        check(t, claims, winners, expected(source, worths, winners, riichi, terms), terms[3] + len(riichi))
        assert t.indicators == ["z1"]  # a robbed kan opens nothing


@pytest.mark.parametrize("source", [0, 1])
@pytest.mark.parametrize("sanchahou", [False, True])
@pytest.mark.parametrize("max_winners", [1, 2, 3])
@pytest.mark.parametrize("places", [(1,), (3,), (1, 3), (1, 2, 3)])
def test_kokushi_robs_an_ankan(places: tuple[int, ...], max_winners: int, sanchahou: bool, source: int) -> None:
    """S-57, S-58: the yaku 槍槓 is not added, and the rules of a robbed kan decide."""
    hands = {(source + place) % 4: hand for place, hand in zip((1, 2, 3), KOKUSHI, strict=True)}
    claims = [(source + place) % 4 for place in places]
    draws = "m4m5m6m7" + "m3"[: 2 * source] + "z1"
    for terms, riichi in product(SOME_TERMS if source else TERMS, (set(), {claims[-1]})):
        rules = settings(max_winners, sanchahou, terms)
        dealt = [hands.get(seat, FOUR_EAST) for seat in range(4)]
        t = table(dealt, draws=draws, dora="p5", settings=rules, honba=terms[0], sticks=terms[3])
        t.play(f"{discards(draws[:8], 0, riichi)} {'. ' * source}")
        t.play(f"{WINDS[source]}z1111 {said(claims, 'ron')}")
        winners = ruled(claims, max_winners, sanchahou)
        worths = dict.fromkeys(hands, YAKUMAN)
        check(t, claims, winners, expected(source, worths, winners, riichi, terms), terms[3] + len(riichi))
        assert all([name for name, _ in win.value.yaku] == ["国士無双"] for win in t.wins)


def test_a_robbed_kan_may_have_rules_of_its_own() -> None:
    """`ron.chankan_max_winners` and `ron.chankan_sanchahou` where they differ from a discard's (S-36, S-37)."""
    draws = "m4m5m6m7z1"
    own = {"ron.max_winners": "1", "ron.sanchahou": "true"}
    several = own | {"ron.chankan_max_winners": "3", "ron.chankan_sanchahou": "false"}
    for rules, winners in ((own, 0), (several, 3)):
        t = table([FOUR_EAST, *KOKUSHI], draws=draws, dora="p5", settings=PLAIN | rules)
        t.play(". . . . 東z1111 南ron 西ron 北ron")
        assert len(t.wins) == winners


@pytest.mark.parametrize("allowed", [False, True])
def test_only_where_the_rules_allow_it_kokushi_robs_an_ankan(allowed: bool) -> None:
    """S-57; who may not rob it is not furiten by it either."""
    rule = {"call.kokushi_ankan": str(allowed).lower()}
    t = table([FOUR_EAST, KOKUSHI[0]], draws="m4m5m6m7z1", dora="p5", settings=rule)
    t.play(". . . .").act("東z1111")
    assert t.offers("南") == (["ron", "pass"] if allowed else [])


def test_no_hand_but_kokushi_robs_an_ankan() -> None:
    """S-57: 南 waits for p2 with 平和 and 断么九."""
    t = table(["p222m2468p68s2467", PINFU], draws="m9m1m1m1p2", dora="z1").play(". . . .")
    assert t.act("東p2222").offers("南") == []
    t = table(["p222m2468p68s2467", PINFU], draws="m9m1m1m1p2", dora="z1").play(". . . .")
    assert "ron" in t.act("東p2_").offers("南")
