"""A moment of a series in the terminal."""

import json
from pathlib import Path

import pytest

from jantaku.table.daifugo import events
from jantaku.table.daifugo.cards import cards_text
from jantaku.table.daifugo.journals.record import Record, game_of
from tests.kit.command import Jantaku
from tests.records.view.series import played


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return played(tmp_path_factory.mktemp("series"), 3, seats=4, letter="B", rounds=3)


@pytest.mark.long
def test_every_moment_of_a_round_is_the_one_that_was_played(jantaku: Jantaku, record: Record) -> None:
    """The engine plays the same series again."""
    game, number, turns = game_of(record, record.rules), 2, 0
    while game.board.round <= number and (turn := game.turn()) is not None:
        if game.board.round == number:
            shown = json.loads(jantaku("show", str(record.path), "--kyoku", "2", "--turn", str(turns), "--json").out)
            assert shown["hands"] == [cards_text(sorted(hand)) for hand in game.board.hands]
            board = game.board
            wanted = [board.revolution, board.ranks, board.points, board.places, len(board.pile), turns]
            assert [shown[key] for key in ("revolution", "ranks", "points", "places", "gone", "turn")] == wanted
            laid = [one["cards"] for one in shown["trick"] if one["cards"]]
            assert laid == [cards_text(cards) for cards in game.board.trick]
            turns += 1
        answers = (line["answers"][0]["reply"] for _, line in record.lines if "turn" in line)
        reply = list(answers)[sum(isinstance(event, events.Play) for event in game.events)]
        action = next(option for option in turn.choice.options if cards_text(getattr(option, "cards", ())) == reply)
        game.act(action)
        game.rule((None,) * game.seats)
    assert turns > 30


def test_the_table_is_drawn_with_names_ranks_hands_and_trick(jantaku: Jantaku, record: Record) -> None:
    ran = jantaku("show", str(record.path), "--kyoku", "3", "--turn", "2")
    assert (ran.code, ran.err) == (0, "")
    assert all(name in ran.out for name in record.header.player)
    assert all(mark in ran.out for mark in ("round 3", "大富豪", "大貧民", "場", "♠", "♥", "points"))
    assert ran.out.splitlines()[-1].startswith("round 3 turn 2: {")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--svg",), "there is no picture of this game; leave --svg away to print it as text"),
        (("--kyoku", "4"), "has no round 4; it has 3"),
        (("--turn", "999"), "round 1 has no turn 999; it has "),
        (("--read-as", "paifu"), "is a journal of 大富豪, which has no other format"),
    ],
)
def test_a_moment_that_is_not_there_is_told_in_a_line(
    jantaku: Jantaku, record: Record, words: tuple[str, ...], said: str
) -> None:
    ran = jantaku("show", str(record.path), *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1) and said in ran.err


def test_a_record_without_a_move_is_shown_as_dealt(jantaku: Jantaku, record: Record, tmp_path: Path) -> None:
    begun = tmp_path / "begun.jsonl"
    begun.write_text("".join(record.path.read_text("utf-8").splitlines(keepends=True)[:4]), "utf-8")
    assert json.loads(jantaku("show", str(begun), "--json").out)["turn"] == 0
