"""What players could do, without what they saw."""

from pathlib import Path

import msgspec
import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.read import kyoku_with, load
from jantaku.table.records.replay.decisions import decisions
from jantaku.table.records.replay.offers import offers


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
