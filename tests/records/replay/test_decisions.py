"""Decisions of a record and what players could do, for people who learn from them."""

from pathlib import Path

import msgspec
import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.read import kyoku_with, load
from jantaku.table.records.replay.decisions import decisions
from jantaku.table.records.replay.offers import offers


def test_every_answer_of_a_journal_is_a_decision_with_its_time_and_options(game_folder: Path) -> None:
    record = load(game_folder / "game-0000.jsonl")
    found = list(decisions(record))
    answers = [answer for turn in record.answers.values() for answer in turn["answers"]]
    assert len(found) == len(answers) > 100
    assert all(decision.told and decision.answer in decision.options for decision in found)
    assert [(d.player, d.answer, d.used) for d in found] == [(a["seat"], a["reply"], a["used"]) for a in answers]
    assert all(len(decision.options) > 1 for decision in found)


def test_a_decision_is_seen_with_the_eyes_of_its_seat(game_folder: Path) -> None:
    """The own hand is whole; nothing in a view tells another's."""
    for decision in decisions(load(game_folder / "game-0000.json")):
        view = decision.view
        tiles = sum(sign.isdigit() for sign in view.hand.split(",")[0])
        assert tiles + 3 * len(view.melds[view.seat]) in (13, 14)
        assert (decision.player - view.seat) % 4 in range(4)
        assert not decision.told


def test_a_paifu_has_the_same_decisions_as_its_journal(game_folder: Path) -> None:
    """Only who passed where somebody else came first is a guess."""
    told = list(decisions(load(game_folder / "game-0000.jsonl")))
    guessed = list(decisions(load(game_folder / "game-0000.json")))
    assert [(d.kyoku, d.event, d.player, d.view) for d in told] == [
        (d.kyoku, d.event, d.player, d.view) for d in guessed
    ]
    assert all(b.answer == {} for a, b in zip(told, guessed, strict=True) if a.answer != b.answer)


def test_without_rules_there_are_no_options(game_folder: Path) -> None:
    record = load(game_folder / "game-0000.2015.json")
    record.rules = None
    with pytest.raises(BadInput, match="by which rules"):
        next(decisions(record))


def test_the_answer_is_the_option_of_its_number(game_folder: Path) -> None:
    for decision in decisions(load(game_folder / "game-0000.jsonl")):
        assert len(decision.numbers) == len(set(decision.numbers)) == len(decision.options)
        assert decision.options[decision.numbers.index(decision.number)] == decision.answer


def test_an_answer_that_is_no_option_is_refused_with_its_place(game_folder: Path) -> None:
    record = load(game_folder / "game-0000.jsonl")
    turn = next(turn for turn in record.answers.values() if "dapai" in turn["answers"][0]["reply"])
    turn["answers"][0]["reply"] = {"dapai": "z9"}
    with pytest.raises(BadInput, match=r"kyoku 1 turn 1: the answer .*z9.* of player . is not one of its options"):
        list(decisions(record))


@pytest.mark.parametrize("ending", ["jsonl", "json", "2015.json"])
def test_they_are_those_of_the_decisions(ending: str, game_folder: Path) -> None:
    record = load(game_folder / f"game-0000.{ending}")
    told = [(one.key, one.kyoku, one.turn, one.player, one.options) for one in offers(record)]
    assert told == [(one.key, one.kyoku, one.turn, one.player, one.options) for one in decisions(record)]
    assert len(told) > 200


def test_without_rules_they_cannot_be_known(game_folder: Path) -> None:
    record = msgspec.structs.replace(load(game_folder / "game-0000.json"), rules=None)
    with pytest.raises(BadInput, match="by which rules"):
        next(offers(record))


def test_a_kyoku_by_itself_has_the_offers_that_it_has_in_its_game(game_folder: Path) -> None:
    """Also when it is played again: no tile is missing from its wall then."""
    path = game_folder / "game-0000.jsonl"
    record = load(path)
    for number in range(1, len(record.log) + 1):
        turns = [line["turn"] for (kyoku, _), line in record.answers.items() if kyoku == number]
        whole = [(one.turn, one.player, one.options) for one in offers(record) if one.kyoku == number]
        for turn in (turns[0], turns[-1]):
            alone = kyoku_with(path, turn)
            assert alone is not None and len(alone.log) == 1
            for _ in range(2):
                assert [(one.turn, one.player, one.options) for one in offers(alone)] == whole


def test_a_turn_that_a_journal_does_not_have_is_in_no_kyoku(game_folder: Path) -> None:
    assert kyoku_with(game_folder / "game-0000.jsonl", 9999) is None
