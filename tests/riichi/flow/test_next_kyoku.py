"""After a kyoku: who deals, how many honba, whether the game ends, and with which ranks and points."""

from typing import Any

import pytest

from jantaku.table.riichi.flow.hanchan import by_rank, final, next_standing, opening
from jantaku.table.riichi.flow.outcome import KyokuResult, Standing
from tests.kit.cases import cases, kept_cases
from tests.kit.position import Table, rules_of, table

PINFU = "m234678s34588p34"
EVEN = (25000, 25000, 25000, 25000)
EAST_4, SOUTH_4, WEST_1, WEST_4 = 3, 7, 8, 11


def result(kind: str, *, stays: bool, scores: tuple[int, ...] = EVEN) -> KyokuResult:
    """A kyoku that ended with a `win`, a `draw` or an `abort`; scores by seat."""
    return KyokuResult(scores, 0, dealer_stays=stays, won=kind == "win", abortive=kind == "abort")


def go_on(
    number: int,
    kind: str,
    *,
    stays: bool,
    scores: tuple[int, ...] = EVEN,
    honba: int = 0,
    last: int = SOUTH_4,
    first_dealer: int = 0,
    settings: dict[str, str] | None = None,
) -> tuple[Standing, bool]:
    """What follows a kyoku by the rules of the text, some of them changed."""
    law = rules_of("showa", settings)
    before = Standing(number, honba, 0, (0, 0, 0, 0), last)
    return next_standing(before, result(kind, stays=stays, scores=scores), law, first_dealer)


@kept_cases("kind, stays, number, honba")
def test_honba_and_dealer(kind: str, stays: bool, number: int, honba: int) -> None:
    """S-93, S-94, S-96."""
    after, over = go_on(1, kind, stays=stays, honba=3)
    assert (after.number, after.honba, over) == (number, honba, False)


def test_scores_follow_their_players_when_winds_move() -> None:
    """S-96: in South 2 with first dealer 1 the dealer is player 2."""
    after, _ = go_on(5, "win", stays=False, scores=(40000, 30000, 20000, 10000), first_dealer=1)
    assert after.scores == (20000, 10000, 40000, 30000)


def test_a_dealers_win_keeps_the_deal() -> None:
    """S-91, S-94."""
    t = table([PINFU], draws="p5", honba=2).play("東tsumo")
    assert (t.standing.number, t.standing.honba) == (0, 3)
    t = table(["", PINFU], draws="p5", honba=2).play("東p5_ 南ron")
    assert (t.standing.number, t.standing.honba) == (1, 0)


def test_by_rule_not_even_a_win_keeps_the_deal() -> None:
    """S-94 with `draw.renchan = "none"`."""
    t = table([PINFU], draws="p5", settings={"draw.renchan": "none"}).play("東tsumo")
    assert (t.standing.number, t.standing.honba) == (1, 0)


def test_after_east_four_comes_south_one_and_after_the_last_kyoku_the_end() -> None:
    """S-14, S-97."""
    after, over = go_on(EAST_4, "draw", stays=False, honba=1)
    assert ((after.round_wind, after.kyoku, after.honba), over) == ((1, 0, 2), False)
    assert go_on(SOUTH_4, "draw", stays=False)[1]
    assert go_on(EAST_4, "win", stays=False, last=EAST_4, settings={"game.length": "tonpu"})[1]
    assert not go_on(EAST_4, "win", stays=False)[1]


def test_game_kinds_begin_with_their_points_and_end_in_time() -> None:
    """S-13, S-14: 東風戦 with 20000 as in the text, 半荘戦 with 25000."""
    tonpu = opening(rules_of("showa", {"game.length": "tonpu"}))
    assert (tonpu.scores, tonpu.last) == ((20000,) * 4, EAST_4)
    hanchan = opening(rules_of("showa"))
    assert (hanchan.scores, hanchan.last) == ((25000,) * 4, SOUTH_4)
    assert opening(rules_of("showa", {"game.length": "yonchan"})).last == 15


def test_a_game_of_one_kyoku_ends_after_it_or_with_its_first_win() -> None:
    """Lengths of our own: `one` whatever happens, `until-win` plays a drawn kyoku again."""
    one = {"game.length": "one", "game.agari_yame": "none"}
    assert go_on(0, "win", stays=True, last=0, settings=one)[1]
    assert go_on(0, "draw", stays=True, last=0, settings=one)[1]
    until = one | {"game.length": "until-win"}
    assert go_on(0, "win", stays=True, last=0, settings=until)[1]
    after, over = go_on(0, "draw", stays=False, last=0, settings=until)
    assert (after.number, after.honba, over) == (0, 1, False)


@pytest.mark.parametrize(("points", "over"), [(0, False), (-100, True), (100, False)])
def test_the_game_ends_when_somebody_is_below_zero(points: int, over: bool) -> None:
    """S-92: 0 is alive."""
    scores = (100000 - 50000 - points, points, 25000, 25000)
    assert go_on(0, "win", stays=True, scores=scores)[1] is over
    assert not go_on(0, "win", stays=True, scores=scores, settings={"game.tobi": "false"})[1]


@pytest.mark.parametrize(("points", "over"), [(2900, False), (2800, True)])
def test_a_ron_that_takes_all_but_zero_ends_nothing(points: int, over: bool) -> None:
    """S-91, S-92: 2900 for the dealer's hand; the test is made after sticks and payments."""
    t = table([PINFU], draws="z7 p5", dora="z1", scores=(47100, points, 25000, 25000))
    t.play("東z7_ 南p5_ 東ron")
    assert t.board.scores[1] == points - 2900
    assert t.game.over is over


def test_noten_payments_can_end_the_game() -> None:
    """S-83, S-92."""
    t = table([PINFU], hidden="p25", scores=(49100, 900, 25000, 25000)).pass_to_the_end()
    assert t.board.scores[1] == -100
    assert t.game.over


LEADS, TRAILS, TIED_FIRST = (40000, 20000, 20000, 20000), (20000, 40000, 20000, 20000), (30000, 30000, 20000, 20000)


@pytest.mark.parametrize("kind", ["win", "draw", "abort"])
@cases(
    "rule, ends", ("none", set[str]()), ("win", {"win"}), ("tenpai", {"win", "draw"}), ("any", {"win", "draw", "abort"})
)
def test_a_leading_dealer_who_stays_in_the_last_kyoku_ends_the_game(kind: str, rule: str, ends: set[str]) -> None:
    """S-95: in the text for whatever reason he stays."""
    over = go_on(SOUTH_4, kind, stays=True, scores=LEADS, settings={"game.agari_yame": rule})[1]
    assert over is (kind in ends)


def test_agari_yame_needs_the_last_kyoku_the_lead_and_by_rule_enough_points() -> None:
    """S-95: a tie is a lead for whoever is nearer to the first dealer (S-131)."""
    assert not go_on(6, "win", stays=True, scores=LEADS)[1]
    assert not go_on(SOUTH_4, "win", stays=True, scores=TRAILS)[1]
    # The dealer of South 4 is player 3: he loses the tie against player 0, and wins it where he began.
    assert not go_on(SOUTH_4, "win", stays=True, scores=TIED_FIRST)[1]
    more = {"game.agari_yame_points": "40100"}
    assert not go_on(SOUTH_4, "win", stays=True, scores=LEADS, settings=more)[1]
    assert go_on(SOUTH_4, "win", stays=True, scores=LEADS, settings={"game.agari_yame_points": "40000"})[1]
    assert go_on(EAST_4, "win", stays=True, scores=LEADS, last=EAST_4, settings={"game.length": "tonpu"})[1]


SHORT, ENOUGH = (29000, 26000, 23000, 22000), (31000, 25000, 22000, 22000)


@cases(
    "extension, kind, stays, scores, number, over",
    # The planned last kyoku is over.
    ("none", "win", False, SHORT, SOUTH_4, True),
    ("sudden-death", "win", False, SHORT, SOUTH_4, False),
    ("sudden-death", "win", False, ENOUGH, SOUTH_4, True),
    ("renchan-first", "win", False, SHORT, SOUTH_4, False),
    ("four-kyoku", "win", False, SHORT, SOUTH_4, False),
    # In overtime.
    ("sudden-death", "win", False, ENOUGH, WEST_1, True),
    ("sudden-death", "win", False, SHORT, WEST_1, False),
    ("sudden-death", "win", True, ENOUGH, WEST_1, True),
    ("four-kyoku", "win", False, ENOUGH, WEST_1, False),
    ("four-kyoku", "win", False, SHORT, WEST_4, True),
    ("sudden-death", "win", False, SHORT, WEST_4, True),
    ("renchan-first", "win", False, SHORT, WEST_4, True),
)
def test_a_west_round_follows_where_nobody_has_enough(
    extension: str, kind: str, stays: bool, scores: tuple[int, ...], number: int, over: bool
) -> None:
    """S-14, S-97: the text has none; the other kinds of 西入 by rule, all with an end."""
    last = {"four-kyoku": WEST_4, "renchan-first": number}.get(extension, SOUTH_4) if number > SOUTH_4 else SOUTH_4
    assert go_on(number, kind, stays=stays, scores=scores, last=last, settings={"game.extension": extension})[1] is over


def overtime(extension: str, *steps: tuple[bool, tuple[int, ...]]) -> tuple[int, bool]:
    """From South 4 by (dealer stays, scores by player) to the number of the next kyoku and whether it is over."""
    rules = rules_of("showa", {"game.extension": extension, "game.agari_yame": "none"})
    at, over = Standing(SOUTH_4, 0, 0, (25000,) * 4, SOUTH_4), False
    for stays, scores in steps:
        assert not over
        dealer = at.kyoku
        by_seat = (*scores[dealer:], *scores[:dealer])
        at, over = next_standing(at, result("win", stays=stays, scores=by_seat), rules, 0)
    return at.number, over


def test_sudden_death_ends_as_soon_as_somebody_has_enough_even_while_the_dealer_stays() -> None:
    """S-97 with `sudden-death`."""
    assert overtime("sudden-death", (False, SHORT), (False, SHORT)) == (9, False)
    assert overtime("sudden-death", (False, SHORT), (True, ENOUGH)) == (8, True)


def test_renchan_first_lets_a_dealer_who_stays_play_on() -> None:
    """S-97 with `renchan-first`: the end comes when he passes with somebody above the line."""
    assert overtime("renchan-first", (False, SHORT), (True, ENOUGH)) == (8, False)
    assert overtime("renchan-first", (False, SHORT), (True, ENOUGH), (False, ENOUGH)) == (9, True)


def test_four_kyoku_are_played_to_their_end() -> None:
    """S-97 with `four-kyoku`."""
    four = [(False, SHORT), *[(False, ENOUGH)] * 3]
    assert overtime("four-kyoku", *four) == (WEST_4, False)
    assert overtime("four-kyoku", *four, (False, ENOUGH)) == (12, True)


def test_no_game_goes_on_after_one_extra_round() -> None:
    """S-97: also where nobody ever has enough; a game of all four rounds has no extra round."""
    for extension in ("sudden-death", "renchan-first", "four-kyoku"):
        assert overtime(extension, *[(False, SHORT)] * 5) == (12, True)
    law = {"game.length": "yonchan", "game.extension": "sudden-death"}
    assert go_on(15, "win", stays=False, scores=SHORT, last=15, settings=law)[1]


def test_a_whole_game_by_draws_goes_its_eight_kyoku() -> None:
    """S-14, S-93, S-97: nobody is tenpai, so every dealer passes and the honba mount."""
    t: Table = table(settings={"draw.renchan": "none", "game.tobi": "false", "draw.noten_penalty": "0"})
    seen: list[Any] = []
    while True:
        seen.append((t.start.round_wind, t.start.kyoku, t.start.honba))
        t.pass_to_the_end()
        if t.game.over:
            break
        t.next_kyoku()
    assert seen == [(wind, kyoku, wind * 4 + kyoku) for wind in (0, 1) for kyoku in range(4)]


WHOLE = {"game.score_rounding": "half-up"}
WIDE = WHOLE | {"game.uma": "30.0,10.0,-10.0,-30.0"}


def tenths(
    scores: tuple[int, int, int, int],
    *,
    rules: str = "majiang",
    settings: dict[str, str] | None = None,
    sticks: int = 0,
    first: int = 0,
) -> tuple[int, ...]:
    return final(Standing(8, 0, sticks, scores, 7), rules_of(rules, settings), first).tenths


@cases(
    "scores, settings, sticks, expected",
    ((36700, 25300, 19700, 18300), {}, 0, (467, 53, -203, -317)),
    ((36700, 25300, 19700, 18300), WHOLE, 0, (470, 50, -200, -320)),
    ((30500, 30500, 19500, 19500), WHOLE, 0, (390, 110, -200, -300)),
    ((29600, 29500, 20500, 20400), WIDE, 0, (490, 100, -190, -400)),
    ((29500, 28500, 21500, 18500), WHOLE, 2, (400, 90, -180, -310)),
)
def test_final_points_are_those_of_majiang_core(
    scores: tuple[int, int, int, int], settings: dict[str, str], sticks: int, expected: tuple[int, ...]
) -> None:
    """S-132, S-133: its own examples; rank 1 is what the others leave."""
    assert tenths(scores, settings=settings, sticks=sticks) == expected


def test_equal_points_rank_by_the_order_from_the_first_dealer() -> None:
    """S-131, S-132: all equal, the first dealer is player 2."""
    assert by_rank((25000,) * 4, 2) == [2, 3, 0, 1]
    assert tenths((25000,) * 4, settings=WHOLE, first=2) == (-150, -250, 350, 50)
    assert by_rank((20000, 30000, 20000, 30000), 2) == [3, 1, 2, 0]


@cases("rule, scores", ("first", (33000, 27000, 22000, 20000)), ("lost", (31000, 27000, 22000, 20000)))
def test_sticks_left_on_the_table_go_to_the_leader_by_rule(rule: str, scores: tuple[int, ...]) -> None:
    """S-130."""
    at = Standing(8, 0, 2, (31000, 27000, 22000, 20000), 7)
    end = final(at, rules_of("showa", {"game.leftover_sticks": rule}), 0)
    assert end.scores == scores
    assert end.ranks == (1, 2, 3, 4)


def test_of_two_leaders_the_nearer_to_the_first_dealer_takes_the_sticks() -> None:
    """S-130, S-131."""
    end = final(Standing(8, 0, 1, (20000, 30000, 19000, 30000), 7), rules_of("showa"), 3)
    assert end.scores == (20000, 30000, 19000, 31000)
    assert end.ranks == (3, 2, 4, 1)


def test_the_text_adds_uma_and_oka_to_the_distance_from_the_return_points() -> None:
    """S-132: 30/10 and the oka of 20, here so that the four add up to nothing."""
    found = tenths((41300, 28700, 20100, 9900), rules="showa")
    assert found == (613, 87, -199, -501)
    assert sum(found) == 0


def test_the_scores_that_the_text_prints_add_up_to_twenty_and_can_be_had() -> None:
    """S-132 as printed: (points - 25000 + bonus) / 1000 with a bonus of 50000, 10000, -10000 and -30000."""
    law = {"game.return_points": "25000", "game.uma": "50, 10, -10, -30"}
    found = tenths((41300, 28700, 20100, 9900), rules="showa", settings=law)
    assert found == (663, 137, -149, -451)
    assert sum(found) == 200


def test_a_tonpu_of_the_text_scores_from_its_own_start() -> None:
    """S-13, S-133: 20000 to start, 25000 to return."""
    found = tenths((30000, 22000, 18000, 10000), rules="showa", settings={"game.length": "tonpu"})
    assert found == (550, 70, -170, -450)
    assert sum(found) == 0


@cases(
    "rounding, scores, expected",
    ("none", (55500, 25500, 19500, -500), (655, 55, -205, -505)),
    ("half-up", (55500, 25500, 19500, -500), (640, 60, -200, -500)),
    ("half-away", (55500, 25500, 19500, -500), (650, 60, -200, -510)),
    # 22500 counts as 23, -500 as -1: Tenhou rounds the points, not what comes out at the end.
    ("half-away", (48000, 30000, 22500, -500), (580, 100, -170, -510)),
    ("half-up", (48000, 30000, 22500, -500), (570, 100, -170, -500)),
    # Half a tenth goes to the even one.
    ("none", (47950, 30050, 22150, -150), (580, 100, -178, -502)),
    ("half-away", (45000, 31500, 21400, 2100), (550, 120, -190, -480)),
)
def test_how_an_exact_half_is_rounded_is_a_rule(
    rounding: str, scores: tuple[int, int, int, int], expected: tuple[int, ...]
) -> None:
    """S-132: half-up rounds the final score, half-away the player's points; rank 1 has what is left."""
    assert tenths(scores, settings={"game.score_rounding": rounding}) == expected
    assert sum(expected) == 0


def test_equal_points_may_share_uma_and_oka() -> None:
    """S-131, S-133 with `game.ties = "split"`, as M.League does."""
    found = tenths((35000, 35000, 20000, 10000), rules="mleague")
    uma = rules_of("mleague").game.uma
    oka = 4 * (30000 - 25000) / 1000
    assert found[0] == found[1] == round((35 - 30 + (uma[0] + uma[1] + oka) / 2) * 10)
    assert sum(found) == 0


@pytest.mark.parametrize("rules", ["showa", "tenhou", "mahjongsoul", "mleague", "majiang"])
def test_final_points_add_up_to_nothing_under_every_preset(rules: str) -> None:
    """S-132: within what a rounding of each loses."""
    for scores in ((25000,) * 4, (40100, 30300, 20200, 9400), (61000, 25000, 20000, -6000)):
        assert abs(sum(tenths((scores[0], scores[1], scores[2], scores[3]), rules=rules))) <= 10
