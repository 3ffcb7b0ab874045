"""`scripts/worlds/foresight.py` plays on from the hands of the game, and tells what each way to choose gains."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from jantaku.table.records.journal.places import RECORDS
from jantaku.table.riichi.line import read_line
from scripts.worlds import speed
from scripts.worlds.foresight import Asked, TrueWorlds, main, tell, ways
from scripts.worlds.questions import truths
from tests.kit.cases import DATA

GAME = DATA / "logs" / "mortal_two_kyoku.mjson"


def test_other_seats_hold_what_they_held_in_the_game_and_only_the_wall_differs() -> None:
    walls = set[tuple[int, ...]]()
    some = list(truths([GAME]))[::7]
    for one in some:
        position, hands = read_line(one.line), one.hands
        for number in (0, 1):
            kyoku = TrueWorlds(position, "1", hands).draw(number).kyoku()
            walls.add(tuple(kyoku.wall.tiles))
            for seat, hand in enumerate(kyoku.board.hands):
                if seat != position.seat:
                    assert sorted(hand.tiles) == sorted(hands[seat])
    assert len(walls) == 2 * len(some)


def test_every_way_chooses_one_of_the_answers_that_allround_finds_best(capsys: pytest.CaptureFixture[str]) -> None:
    one = next(truths([GAME]))
    position = read_line(one.line)
    some = [(0.0, option) for option in position.choice.options[:3]]
    answers = ways(Asked(position, one.hands, some), 64)
    assert len(answers) >= 8 and all(answer in [option for _, option in some] for answer in answers.values())
    tell({"blindly": [0.5, None, -0.1] * 10}, 30)
    assert "another answer 67%, better by +0.1333 ± " in capsys.readouterr().out


def test_a_folder_without_questions_is_refused_in_a_line(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, [str(tmp_path)])
    assert ran.exit_code == 1
    assert ran.output == "Error: no question: DIR is a match of allround, as jantaku match writes it\n"


def test_a_broken_record_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / RECORDS).mkdir()
    (tmp_path / RECORDS / "game-0000.jsonl").write_text("{]", "utf-8")
    ran = CliRunner().invoke(main, [str(tmp_path)])
    assert ran.exit_code == 1 and len(ran.output.splitlines()) == 1 and "game-0000.jsonl" in ran.output


def test_playouts_a_second_are_told_for_each_position_and_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert speed.main(["--worlds", "1", "--bots", "tsumogiri"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in said] == [f"tsumogiri, {count} options" for count in (2, 7, 13)]
    assert speed.main(["nothing", "--worlds", "1"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
