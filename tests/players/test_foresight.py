"""`scripts/foresight.py`: the hands from which it plays on are those of the game, and of every way the gain is told."""

from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.places import RECORDS
from jantaku.table.records.replay.decisions import decisions
from jantaku.table.records.replay.offers import noted
from jantaku.table.riichi.line import read_line
from scripts import playouts
from scripts.foresight import Asked, TrueWorlds, main, tell, ways
from tests.kit.cases import DATA

GAME = DATA / "logs" / "mortal_two_kyoku.mjson"


def lain(path: Path) -> list[tuple[str, list[list[int]]]]:
    record = read_any(path).record
    hands = noted(record, None, lambda game: lambda _: [list(hand.tiles) for hand in game.kyoku.board.hands])
    return [(one.line, both) for one, both in zip(decisions(record, lined=True), hands, strict=True)]


def test_other_seats_hold_what_they_held_in_the_game_and_only_the_wall_differs() -> None:
    walls = set[tuple[int, ...]]()
    for line, hands in islice(lain(GAME), 0, None, 7):
        position = read_line(line)
        for number in (0, 1):
            kyoku = TrueWorlds(position, "1", hands).draw(number).kyoku()
            walls.add(tuple(kyoku.wall.tiles))
            for seat, hand in enumerate(kyoku.board.hands):
                if seat != position.seat:
                    assert sorted(hand.tiles) == sorted(hands[seat])
    assert len(walls) == 2 * len(lain(GAME)[::7])


def test_every_way_chooses_one_of_the_answers_that_allround_finds_best(capsys: pytest.CaptureFixture[str]) -> None:
    line, hands = next((line, hands) for line, hands in lain(GAME) if " ask=" in line)
    position = read_line(line)
    some = [(0.0, option) for option in position.choice.options[:3]]
    answers = ways(Asked(position, hands, some), 64)
    assert len(answers) >= 8 and all(answer in [one for _, one in some] for answer in answers.values())
    tell({"blindly": [0.5, None, -0.1]}, 3)
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
    assert playouts.main(["--worlds", "1", "--bots", "tsumogiri"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in said] == [f"tsumogiri, {count} options" for count in (2, 7, 13)]
    assert playouts.main(["nothing", "--worlds", "1"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
