"""What log lines call actions and rulings."""

import pytest

from jantaku.table.riichi.actions import PASS, RON, Discard
from jantaku.table.riichi.pieces.tiles import TILE
from jantaku.table.riichi.words import RiichiWords
from tests.kit.position import Table, table

WAIT_FOR_P5 = [f"p46m123s123{dragons}{pair}" for dragons, pair in (("z555", "s99"), ("z666", "p99"), ("z777", "m99"))]


def _ruled(t: Table, script: str) -> tuple[str, str]:
    """What is ruled on the words of `script`, as it is told."""
    t.act(script)
    responses, before = tuple(t._responses), len(t.game.events)
    t.play("")
    return t.game.words.ruling(0, responses, t.game.events[before:])


def test_a_round_is_a_kyoku_and_a_discard_is_written_as_in_a_record() -> None:
    words = RiichiWords(("a", "b", "c", "d"))
    assert words.round == "kyoku"
    assert [words.action(action) for action in (Discard(TILE["m1"], True, True), RON, PASS)] == ["m1_*", "ron", "pass"]


@pytest.mark.parametrize("most", [1, 2])
def test_a_ron_says_who_wins_of_how_many_claims(most: int) -> None:
    t = table(["", *WAIT_FOR_P5[:2]], draws="p5", settings={"ron.max_winners": str(most)})
    ruled = _ruled(t, "東p5_ 南ron 西ron")
    either = ("ron by 1", "2 claims, the nearest 1 win"), ("ron by 1, 2", "2 claims, the nearest 2 win")
    assert ruled == either[most - 1]


@pytest.mark.parametrize(
    ("hands", "script", "ruled"),
    [
        (["", WAIT_FOR_P5[0]], "東p5_ 南ron", ("ron by 1", "one claim")),
        (["", *WAIT_FOR_P5], "東p5_ 南ron 西ron 北ron", ("draw, sanchahou", "3 claims abort")),
        (["", "p46", "p55"], "東p5_ 南p45-6 西p555=", ("pon by 2", "pon and kan go before chi")),
        (["", "p46", "p55"], "東p5_ 南p45-6", ("chi by 1", "one claim")),
        (["", "p46", "p55"], "東p5_", ("next draw", "nobody claims")),
        ([WAIT_FOR_P5[0]], "東tsumo", ("tsumo by 0", "wins on its own draw")),
        (["m19s19p19z1234567"], "東kyuushu", ("draw, kyuushu", "by the rules")),
    ],
)
def test_a_ruling_says_what_came_of_it_and_why(hands: list[str], script: str, ruled: tuple[str, str]) -> None:
    assert _ruled(table(hands, draws="p5", rules="tenhou"), script) == ruled
