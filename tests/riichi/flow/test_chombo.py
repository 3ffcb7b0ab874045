"""Chombo: who pays, what becomes of the sticks, who deals next. Numbers: EMA's rules of 2016 (3.4.6), riichi.wiki, and
for the other values of the keys RiichiLab and M.League."""

import pytest

from jantaku.table.riichi.events import ChomboDraw, HanchanEnd
from jantaku.table.riichi.flow.hanchan import final
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.position import standing_at
from tests.kit.cases import cases
from tests.kit.position import Table, rules_of, stack, table

RIICHILAB = {"chombo.sticks": "stay", "chombo.honba": "add"}
READY, PAIR = "m234678s34588p34", "z77"


def offence(t: Table) -> tuple[str, int]:
    draw = t.draw
    assert isinstance(draw, ChomboDraw)
    return draw.reason, draw.offender


def after(t: Table) -> tuple[int, int, int]:
    """Number of the next kyoku, its honba, and the sticks on the table."""
    return t.standing.number, t.standing.honba, t.standing.sticks


@cases(
    "words, offender, deltas",
    ("東chombo", 0, (-12000, 4000, 4000, 4000)),
    (". 南chombo", 1, (4000, -8000, 2000, 2000)),
    (". . . 北chombo", 3, (4000, 2000, 2000, -8000)),
)
def test_the_offender_pays_a_mangan_and_there_is_a_new_deal(words: str, offender: int, deltas: tuple[int, ...]) -> None:
    """Without honba in the payment, with as many honba as before, by the same dealer: another wall."""
    t = table(honba=2, number=1, sticks=1).play(words)
    assert (offence(t), t.deltas, after(t)) == (("chombo", offender), deltas, (1, 2, 1))
    first = t.game.walls[0].tiles
    assert t.next_kyoku().start.dealer == 0 and t.game.walls[1].tiles != first
    t.play(words)
    assert len({wall.tiles for wall in t.game.walls}) == 3
    assert t.standing.chombos[offender] == 2


def test_what_the_offender_would_have_discarded_is_not() -> None:
    assert table().play("東chombo").trace == ["Draw", "ChomboDraw"]


@cases(
    "settings, deltas, following",
    ({}, (4000, 2000, 2000, -8000), (0, 0, 1)),
    (RIICHILAB, (3000, 2000, 2000, -8000), (0, 1, 2)),
    ({"chombo.payment": "none"}, (0, 0, 0, 0), (0, 0, 1)),
)
def test_sticks_of_this_kyoku_are_returned_or_stay_and_older_ones_stay(
    settings: dict[str, str], deltas: tuple[int, ...], following: tuple[int, int, int]
) -> None:
    t = table([READY], draws="z7", sticks=1, settings=settings).play("東z7_* . . 北chombo")
    assert t.deltas == deltas
    assert after(t) == following


def test_a_riichi_whose_discard_is_answered_by_chombo_does_not_stand() -> None:
    t = table([READY, PAIR], draws="z7").play("東z7_* 南chombo")
    assert t.trace[-2:] == ["TileDiscard", "ChomboDraw"]
    assert (t.deltas, after(t)) == ((4000, -8000, 2000, 2000), (0, 0, 0))


def test_who_wins_goes_before_a_chombo() -> None:
    """EMA 3.4.6: a chombo at the same time as a win is void."""
    t = table(["", READY, "p55"], draws="p5").play("東p5_ 南ron 西chombo")
    assert t.win.seat == 1 and t.trace[-1] == "Win"


def test_of_several_at_once_the_lowest_player_pays() -> None:
    """smly/RiichiEnv#62. In East 2 player 0 is 北, who comes last in turn order."""
    law = rules_of("tenhou")
    hands = ["", "m1122p5678s99z12", "", "m3344p77s156z1223"]
    t = Table(law, [stack(law, hands, draws="p7")], standing_at(law, number=1), first_dealer=0)
    t.play("東p7_ 南chombo 北chombo")
    assert offence(t) == ("chombo", 3)
    assert t.standing.chombos == (1, 0, 0, 0)


def test_after_the_last_discard_it_is_noten() -> None:
    """The tiles are played: who cannot declare tenpai does not."""
    t = table([READY], hidden="p25", settings={"draw.declare_tenpai": "true"}).pass_until(0)
    t.play(". . 東chombo")
    assert (t.draw.reason, t.deltas) == ("exhaustive", (0, 0, 0, 0))


def test_a_chombo_may_end_the_game_below_zero_but_is_no_agari_yame() -> None:
    law = {"game.agari_yame": "any", "game.agari_yame_points": "0"}
    leading = (40000, 20000, 20000, 20000)
    assert not table(number=7, scores=leading, settings=law).play(". 南chombo").game.over
    broke = table(number=7, scores=(40000, 7000, 30000, 23000), settings=law).play(". 南chombo")
    assert isinstance(broke.game.events[-1], HanchanEnd)


@pytest.mark.parametrize("length", ["one", "until-win"])
def test_the_shortest_games_end_with_their_kyoku_or_deal_it_again(length: str) -> None:
    assert table(settings={"game.length": length}).play("東chombo").game.over is (length == "one")


def test_m_league_takes_20_of_the_final_score_for_each() -> None:
    """Nobody gains them, and ranks are by the points."""
    t = table(rules="mleague").play("東chombo")
    assert (t.deltas, after(t)) == ((0, 0, 0, 0), (0, 0, 0))
    scores = (42000, 28000, 18000, 12000)
    ends = [final(Standing(8, 0, 0, scores, 7, chombos=c), rules_of("mleague"), 0) for c in ((0,) * 4, (2, 0, 1, 0))]
    assert [end.tenths for end in ends] == [(620, 80, -220, -480), (220, 80, -420, -480)]
    assert ends[0].ranks == ends[1].ranks == (1, 2, 3, 4)
