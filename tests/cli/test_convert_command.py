"""`jantaku convert`, of files: what it writes, what it says, what it refuses."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from jantaku.table.cli.commands.convert import command
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.convert import completion
from jantaku.table.records.convert.readers import read_any
from tests.kit.cases import cases
from tests.kit.command import Jantaku

LOG = Path(__file__).parents[1] / "data" / "logs" / "mortal_two_kyoku.mjson"


def test_a_log_goes_to_the_format_that_the_name_asks_for(tmp_path: Path) -> None:
    target = tmp_path / "game.json"
    done = CliRunner().invoke(command, [str(LOG), str(target)])
    assert done.exit_code == 0, done.output
    assert [len(kyoku) > 50 for kyoku in json.loads(target.read_text())["log"]] == [True, True]
    assert "the file does not name its rules; tenhou is assumed, which 2 of 2 kyoku fit" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_dash_writes_to_the_standard_output() -> None:
    done = CliRunner().invoke(command, [str(LOG), "-", "--write-as", "tenhou6"])
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
    assert "kept unchanged" in done.output


def test_a_title_and_a_date_are_kept_by_every_format(jantaku: Jantaku, tmp_path: Path) -> None:
    """The documents on the format name both: 「第五期 天鳳名人戦 第一節 A卓 第1戦」, or when the game was played."""
    title, date = "第五期 天鳳名人戦 第一節 A卓 第1戦", "2015-12-24 20:00"
    words = ("--length", "one", "--threads", "inline", "--seed", "1", "--paifu", "2015", "--out", str(tmp_path / "g"))
    assert jantaku("play", *words, "--title", title, "--date", date).code == 0
    names = ("game-0000.json", "game-0000.2015.json", "game-0000.jsonl")
    files = [tmp_path / "g" / name for name in names]
    for form in ("game.json", "game.2015.json", "game.jsonl", "game.mjson", "game.tenhou6.json"):
        assert jantaku("convert", str(files[2]), str(tmp_path / form)).code == 0
        files.append(tmp_path / form)
    for path in files:
        assert read_any(path).record.title == f"{title}\n{date}", path
        ran = jantaku("verify", str(path))
        assert ran.code == 0 and "names, the title" in ran.out
    assert json.loads((tmp_path / "game.tenhou6.json").read_bytes())["title"] == [title, date]


def test_a_record_without_a_title_is_given_one(jantaku: Jantaku, tmp_path: Path) -> None:
    for name, words in (("a.json", ("--title", "A")), ("b.json", ("--date", "B")), ("c.json", ())):
        assert jantaku("convert", str(LOG), str(tmp_path / name), *words).code == 0
    found = [json.loads((tmp_path / name).read_bytes())["title"] for name in ("a.json", "b.json", "c.json")]
    assert found == ["A", "\nB", ""]
    assert jantaku("convert", str(LOG), str(tmp_path / "d.json"), "--title", "two\nlines").code == 2


def test_a_file_with_several_paifu_is_read_game_by_game(jantaku: Jantaku, tmp_path: Path) -> None:
    """As the page of 電脳麻将 saves all of its games."""
    games = []
    for number in (1, 2):
        target = tmp_path / f"{number}.json"
        assert jantaku("convert", str(LOG), str(target)).code == 0
        games.append(json.loads(target.read_text()) | {"title": f"game {number}"})
    (several := tmp_path / "all.json").write_text(json.dumps(games))
    (single := tmp_path / "one.json").write_text(json.dumps(games[:1]))
    verified = jantaku("verify", str(several), str(single))
    assert verified.code == 0, verified
    told = [f"{several}#1: 2 kyoku", f"{several}#2: 2 kyoku", f"{single}: 2 kyoku", "3 records, 0 different"]
    assert [line.startswith(begin) for line, begin in zip(verified.out.splitlines(), told, strict=True)] == [True] * 4
    assert jantaku("convert", str(several), str(tmp_path / "out"), "--write-as", "paifu").code == 0
    titles = [json.loads(path.read_text())["title"] for path in sorted((tmp_path / "out").iterdir())]
    assert titles == ["game 1", "game 2"]
    assert read_any(tmp_path / "all.json#2").record.title == "game 2"
    for name, why in (("all.json", "it holds 2 games; name one of them"), ("all.json#3", "there is no game 3 in it")):
        with pytest.raises(BadInput, match=why):
            read_any(tmp_path / name)
    viewed = jantaku("view", str(several), "--export", str(tmp_path / "page.html"))
    assert (viewed.code, "2 records" in viewed.out) == (0, True)


def test_a_file_with_one_log_of_tenhou6_a_line_is_read_line_by_line(jantaku: Jantaku, tmp_path: Path) -> None:
    """As Mjx keeps single hands."""
    logs = [json.loads((LOG.parent / f"complex_nakis_{n}.tenhou6.json").read_text("utf-8")) for n in (0, 1)]
    (several := tmp_path / "hands.json").write_text("".join(f"{json.dumps(log)}\n" for log in logs))
    verified = jantaku("verify", str(several))
    assert verified.code == 0 and verified.out.splitlines()[-1] == "2 records, 0 different", verified
    assert read_any(tmp_path / "hands.json#2").record.log != read_any(tmp_path / "hands.json#1").record.log


@cases(
    "content, why",
    ('{"publicObservation":{},"who":1}\n{"publicObservation":{},"who":2}\n', "it looks like states of Mjx"),
    ('{"hiddenState":{},"publicObservation":{}}', "it looks like states of Mjx; give the game's mjlog"),
    ('{"a":1}\n{"a":2}\n', "its lines are JSON, but neither journal, mjai nor tenhou6"),
    ('{"log":[', "a truncated or foreign file"),
)
def test_sound_json_of_another_form_is_not_called_a_broken_file(tmp_path: Path, content: str, why: str) -> None:
    (file := tmp_path / "a.json").write_text(content)
    with pytest.raises(BadInput, match=why):
        read_any(file)


def test_of_a_long_log_is_told_how_far_it_is(jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "MANY", 2)
    ran = jantaku("convert", str(LOG), str(tmp_path / "game.json"))
    assert f"records: {LOG}: 2 of 2 kyoku are read" in ran.err
