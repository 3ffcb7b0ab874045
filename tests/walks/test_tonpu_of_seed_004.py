"""The example of the showa-yojyo text: a 東風 game of seven kyoku, from the first deal to the final points.

The text fixes the course: 東一局 西家和了 · 東二局 東家和了 · 東二局一本場 北家九種九牌 · 東二局二本場 通常流局 ·
東三局 南家和了 · 東四局 (オーラス) 東家和了 · 東四局一本場 北家トビ. It prints 二本場 at 東三局 too, though by
its own rule a draw adds a honba also where the dealer passes (S-93), which makes three. Both are played here: as
printed with `draw.passed_honba = "keep"`, by the rule with `"add"`. We chose the hands, whom they win from, the one
riichi, and so all points. What the course demands of them: 東 of 東四局 wins without leading, or アガリやめ would end
the game (S-95), and 北 of 東四局 falls below zero (S-92).
"""

import pytest

from jantaku.table.riichi.events import HanchanEnd
from jantaku.table.riichi.flow.hanchan import opening
from jantaku.table.riichi.ruleset import with_settings
from tests.kit.position import Table, rules_of, stack

RULES = rules_of("showa", {"game.length": "tonpu"})
PINFU = "m234678s34588p34"
"""平和 断么九 on p2 and p5: 2 han, 30 fu."""
TERMINALS = "m19p19s19z1234567"


def walls(passed_honba: str) -> Table:
    rules = with_settings(RULES, {"draw.passed_honba": passed_honba})
    wind_dora, one_dora, two_dora = "z1", "m1", "s7"
    seven = [
        stack(RULES, ["", "", PINFU], draws="p5", dora=wind_dora),
        stack(RULES, [PINFU], draws="z7 m1 m9 s1 p5", dora=wind_dora, ura="z2"),
        stack(RULES, ["", "", "", TERMINALS], draws="m2 m3 m4 m5"),
        stack(RULES, ["", PINFU], draws="m9 z7", hidden="p25"),
        stack(RULES, ["", PINFU], draws="p5", dora=one_dora),
        stack(RULES, [PINFU], draws="z7 m1 m9 p5", dora=one_dora),
        stack(RULES, ["", "", PINFU], draws="z7 m1 m9 p5", dora=two_dora),
    ]
    return Table(rules, seven, opening(rules))


def at(t: Table) -> tuple[int, int, int, int]:
    """Round, kyoku, honba, sticks, as a deal announces them (S-20)."""
    return t.start.round_wind, t.start.kyoku, t.start.honba, t.start.sticks


@pytest.mark.parametrize(("passed_honba", "honba"), [("keep", 2), ("add", 3)])
def test_the_tonpu_of_the_text_goes_its_seven_kyoku_to_the_point(passed_honba: str, honba: int) -> None:
    """S-13, S-14, S-20, S-75, S-83, S-87, S-89, S-91 to S-98, S-106, S-107, S-130 to S-133."""
    t, paid = walls(passed_honba), 3900 + 300 * honba
    assert at(t) == (0, 0, 0, 0)
    t.play("東p5_ 西ron")  # 東一局: 西 wins 2000 from 東
    assert t.standing.scores == (18000, 20000, 22000, 20000)

    assert at(t.next_kyoku()) == (0, 1, 0, 0)
    t.play("東z7_* 南m1_ 西m9_ 北s1_ 東tsumo")  # 東二局: ダブル立直 一発 ツモ 平和 断么九, 6000 from each
    assert (t.win.value.fu, t.win.value.han, t.deltas) == (20, 6, (18000, -6000, -6000, -6000))
    assert t.standing.scores == (12000, 38000, 16000, 14000)

    assert at(t.next_kyoku()) == (0, 1, 1, 0)
    t.play(". . . 北kyuushu")  # 東二局一本場: nobody pays, the dealer stays
    assert t.draw.reason == "kyuushu"
    assert t.standing.scores == (12000, 38000, 16000, 14000)

    assert at(t.next_kyoku()) == (0, 1, 2, 0)
    t.play("東m9_ 南z7_*").pass_to_the_end()  # 東二局二本場: 南 alone is tenpai, its stick stays on the table
    assert t.draw.reason == "exhaustive"
    assert t.deltas == (-1000, 2000, -1000, -1000)
    assert t.standing.scores == (11000, 37000, 18000, 13000)

    assert at(t.next_kyoku()) == (0, 2, honba, 1)
    t.play("東p5_ 南ron")  # 東三局: 3900, the honba and the stick
    assert t.deltas == (-paid, paid + 1000, 0, 0)
    assert t.standing.scores == (11000, 37000, 18000 - paid, 14000 + paid)

    assert at(t.next_kyoku()) == (0, 3, 0, 0)
    t.play("東z7_ 南m1_ 西m9_ 北p5_ 東ron")  # 東四局: the dealer wins 5800, but does not lead
    assert t.standing.scores == (11000, 37000, 12200 - paid, 19800 + paid)

    assert at(t.next_kyoku()) == (0, 3, 1, 0)
    t.play("東z7_ 南m1_ 西m9_ 北p5_ 西ron")  # 東四局一本場: 30 fu 4 han are 満貫, and 北 is below zero
    assert t.deltas == (0, 0, 8300, -8300)
    assert t.game.over
    assert t.game.events[-1] == HanchanEnd(
        scores=(11000, 45300, 3900 - paid, 19800 + paid),
        ranks=(3, 1, 4, 2),
        tenths=(-240, 703, -511 - paid // 100, 48 + paid // 100),
    )
