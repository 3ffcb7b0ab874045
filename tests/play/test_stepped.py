"""A hanchan that is stepped by hand: questions come in order, claims are hidden, and its record verifies."""

import json
from pathlib import Path

import pytest

from jantaku import BadInput, Hanchan, read_line
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.judge.judge import Judge
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.melds import meld_text
from jantaku.table.riichi.position import begin, stack
from jantaku.table.riichi.ruleset import preset
from tests.kit.command import Jantaku
from tests.riichi.line import CLAIM, OWN, THREE


def test_defaults_all_the_way_are_what_the_judge_makes_of_bots_that_throw_what_they_draw() -> None:
    stepped = Hanchan(seed="7", names=tuple("abcd"))
    while stepped.question:
        stepped.answer()
    rules = preset("tenhou")
    game = RiichiGame(rules, walls_from("7", 0, rules), tuple("abcd"))
    Judge(game, [Tsumogiri() for _ in range(4)], mode="inline").run()
    assert stepped.game.events == game.events
    assert stepped.scores == game.standing.scores and sorted(stepped.ranks) == [1, 2, 3, 4]


def test_a_seat_that_may_claim_sees_nothing_of_what_others_answer() -> None:
    game = Hanchan.at(CLAIM)
    before = str(game.board)
    assert game.question is not None and game.question.words == ("m789-", "pass")
    game.answer("pass")
    assert game.question is not None and game.question.line != CLAIM
    other = Hanchan.at(CLAIM)
    other.answer("m789-")
    assert other.question is not None and other.question.words[0] == "m4" and str(other.board) != before


@pytest.mark.parametrize(("west", "mover", "meld"), [("m333=", 2, "m333="), ("pass", 1, "m3-45")])
def test_claims_are_settled_when_all_are_in(west: str, mover: int, meld: str) -> None:
    rules = preset("tenhou")
    hands = ("m3p12589s12369z34", "m45p123s789z11226", "m33p456s456z55667", "m19p19s19z1234567")
    game = Hanchan.__new__(Hanchan)
    game._start(begin(rules, stack(rules, hands, draws="z5")), "1")
    game._questions.go_on()
    game._ask()
    game.answer("m3")
    assert game.question is not None and (game.question.seat, game.question.words) == (1, ("m3-45", "pass"))
    game.answer("m3-45")
    assert game.question is not None and (game.question.seat, game.question.words) == (2, ("m333=", "pass"))
    game.answer(west)
    assert game.question is not None and game.question.seat == mover
    assert meld_text(game.board.hands[mover].melds[0]) == meld


@pytest.mark.parametrize("line", [OWN, CLAIM, THREE])
def test_it_begins_at_a_line_and_the_record_of_the_rest_verifies(jantaku: Jantaku, tmp_path: Path, line: str) -> None:
    game = Hanchan.at(line, seed="2")
    while game.question and game.question.line != line:
        game.answer()
    assert game.question is not None and game.question.line == line
    assert game.question.seat == read_line(line).seat
    while game.question:
        game.answer()
    path = tmp_path / "rest.json"
    path.write_text(json.dumps(game.paifu), "utf-8")
    ran = jantaku("verify", str(path))
    assert (ran.code, ran.err) == (0, ""), ran.out


def test_bots_play_to_the_end_from_any_turn_and_the_same_each_time() -> None:
    def played(steps: int) -> Hanchan:
        game = Hanchan(seed="3")
        for _ in range(steps):
            game.answer()
        while game.question and "discard" in game.question.line.split()[-1]:
            game.answer()
        game.play("caller", "shanten", Tsumogiri(), "dice")
        return game

    first, again, later = played(0), played(0), played(40)
    assert first.question is None and first.scores == again.scores != later.scores
    assert sorted(later.ranks) == [1, 2, 3, 4]


def test_in_a_notebook_it_is_a_picture_of_the_table() -> None:
    assert Hanchan()._repr_svg_().startswith("<svg ")


def test_what_is_no_answer_or_no_table_is_refused_with_what_is_allowed() -> None:
    game = Hanchan("tenhou-3p", seed="1")
    assert game.question is not None
    with pytest.raises(BadInput, match=f"“z9” is none of the options: {game.question.words[0]} "):
        game.answer("z9")
    with pytest.raises(BadInput, match="2 names given; 3 play by these rules"):
        Hanchan("tenhou-3p", names=("a", "b"))
    with pytest.raises(BadInput, match="2 bots given; allowed is one for all, or 3"):
        game.play("dice", "dice")
    with pytest.raises(BadInput, match="a claim is open; answer it first"):
        Hanchan.at(CLAIM).play("dice")
    game.play("dice")
    with pytest.raises(BadInput, match="the hanchan is over"):
        game.answer()
