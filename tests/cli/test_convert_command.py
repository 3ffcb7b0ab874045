"""`jantaku convert`: what it writes, what it says, what it refuses."""

import json
from pathlib import Path

from click.testing import CliRunner

from table.cli.looking.convert import command
from table.errors import BadInput

LOG = Path(__file__).parents[1] / "data" / "logs" / "mortal_two_kyoku.mjson"


def test_a_log_goes_to_the_format_that_the_name_asks_for(tmp_path: Path) -> None:
    target = tmp_path / "game.json"
    done = CliRunner().invoke(command, [str(LOG), str(target)])
    assert done.exit_code == 0, done.output
    assert [len(kyoku) > 50 for kyoku in json.loads(target.read_text())["log"]] == [True, True]
    assert "rules not told; tenhou assumed, which 2 of 2 kyoku agree with" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_dash_writes_to_the_standard_output() -> None:
    done = CliRunner().invoke(command, [str(LOG), "-", "--to", "tenhou6"])
    assert done.exit_code == 0
    assert len(json.loads(done.stdout)["log"]) == 2


def test_what_the_format_cannot_hold_is_said(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, [str(LOG), str(tmp_path / "game.mjson"), "--dialect", "mortal"])
    assert "not in mjai: fu, han and yaku of wins" in done.output


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "game.json"
    target.write_text("mine")
    done = CliRunner().invoke(command, [str(LOG), str(target)])
    assert isinstance(done.exception, BadInput)
    assert target.read_text() == "mine"


def test_rules_that_differ_are_named_and_the_log_is_kept_as_it_is(tmp_path: Path) -> None:
    target = tmp_path / "game.json"
    words = [str(LOG), str(target), "--rules", "tenhou", "--set", "tiles.red_p=0"]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0
    assert "kept as it is" in done.output
