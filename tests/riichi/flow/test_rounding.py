"""Final scores: what is rounded, and which way an exact half goes (S-132)."""

import msgspec
import pytest

from jantaku.table.riichi.events import PerSeat
from jantaku.table.riichi.flow.hanchan import final
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset


def rounded(rounding: str) -> Rules:
    rules = preset("tenhou")
    return msgspec.structs.replace(rules, game=msgspec.structs.replace(rules.game, score_rounding=rounding))


@pytest.mark.parametrize(
    ("rounding", "scores", "tenths"),
    [
        # 22500 counts as 23, -500 as -1: Tenhou rounds the points, not what comes out at the end.
        ("half-away", (48000, 30000, 22500, -500), (580, 100, -170, -510)),
        ("half-up", (48000, 30000, 22500, -500), (570, 100, -170, -500)),
        ("none", (48000, 30000, 22500, -500), (580, 100, -175, -505)),
        # Half a tenth goes to the even one.
        ("none", (47950, 30050, 22150, -150), (580, 100, -178, -502)),
        ("half-away", (45000, 31500, 21400, 2100), (550, 120, -190, -480)),
    ],
)
def test_an_exact_half_is_rounded_as_the_rule_says(rounding: str, scores: PerSeat, tenths: PerSeat) -> None:
    end = final(Standing(7, 0, 0, scores, 7), rounded(rounding), 0)
    assert end.tenths == tenths
    assert sum(end.tenths) == 0
