"""`jantaku convert`, of files and of folders: what it writes, what it says, what it leaves out, what it refuses."""

import gzip
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from jantaku.table.cli.commands.convert import command
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.convert import completion
from jantaku.table.records.convert.readers import read_any
from jantaku.table.riichi.line import read_line
from jantaku.table.riichi.option_numbers import number_of
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


parquet = pytest.importorskip("pyarrow.parquet", reason="the extra “parquet” is not installed")
LOGS = Path(__file__).parents[1] / "data" / "logs"
DATA_LOG = LOGS / "mortal_two_kyoku.mjson"
TENHOU = LOGS / "complex_nakis_0.tenhou6.json"


@pytest.fixture
def tree(game_folder: Path, tmp_path: Path) -> Path:
    """A match as its folder looks like, and logs of others beside it; of one game three records."""
    tree = tmp_path / "tree"
    shutil.copytree(game_folder, tree / "match" / "records")
    for name in ("match.json", "results.json", "journal.jsonl"):
        (tree / "match" / name).write_text("{}")
    (tree / "others" / ".hidden").mkdir(parents=True)
    (tree / "others" / ".hidden" / "x.json").write_text("no record")
    (tree / "others" / "notes.txt").write_text("no record")
    shutil.copy(DATA_LOG, tree / "others")
    shutil.copy(TENHOU, tree / "others")
    return tree


def test_a_tree_of_records_becomes_one_table(jantaku: Jantaku, tree: Path, tmp_path: Path) -> None:
    ran = jantaku("convert", str(tree), str(tmp_path / "d.parquet"))
    table = parquet.read_table(tmp_path / "d.parquet")
    assert (ran.code, ran.out) == (0, ""), ran
    assert ran.err == f"{tmp_path / 'd.parquet'}: {table.num_rows} decisions of 3 games\n"
    files = [tree / "match/records/game-0000.jsonl", tree / "others" / TENHOU.name, tree / "others" / DATA_LOG.name]
    assert list(dict.fromkeys(table["file"].to_pylist())) == [str(path) for path in files]
    assert list(dict.fromkeys(table["game"].to_pylist())) == [0, 1, 2]


def test_a_broken_file_is_named_and_the_others_are_read(jantaku: Jantaku, tree: Path, tmp_path: Path) -> None:
    (tree / "others" / "cut.json").write_bytes(TENHOU.read_bytes()[:100])
    (tree / "others" / "other.jsonl").write_text('{"jantaku": 2, "game": "daifugo", "rules": {}}\n')
    for words in ((str(tmp_path / "d.parquet"),), (str(tmp_path / "o"), "--write-as", "mjai")):
        ran = jantaku("convert", str(tree), *words)
        assert ran.code == 2
        first, second, third, last = ran.err.splitlines()
        assert first.startswith(f"left out: {tree / 'others/cut.json'}: ")
        assert "other.jsonl is a record of 大富豪, read only by " in second
        assert third == "2 of 5 files were left out"
        assert last.endswith((" decisions of 3 games", ": mjai, 3 records"))


def test_rules_that_do_not_fit_are_named_with_the_place(jantaku: Jantaku, tree: Path, tmp_path: Path) -> None:
    """A journal goes by its own rules."""
    words = ("--rules", "tenhou", "--set", "game.start_points=30000")
    ran = jantaku("convert", str(tree / "match"), str(DATA_LOG), str(tmp_path / "d.parquet"), *words)
    assert ran.code == 1, ran
    assert f"{DATA_LOG}: decisions only up to kyoku 1 event " in ran.err
    assert "game-0000" not in ran.err


def test_nothing_is_written_where_nothing_could_be_read(jantaku: Jantaku, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    for name in ("a.json", "b.mjson"):
        (tmp_path / "logs" / name).write_text("no record")
    ran = jantaku("convert", str(tmp_path / "logs"), str(tmp_path / "d.parquet"))
    assert ran.code == 2
    assert ran.err.splitlines()[-1] == "jantaku: none of the 2 files could be read; nothing was written"
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_a_tree_becomes_a_tree_in_another_format(jantaku: Jantaku, tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = jantaku("convert", str(tree), str(out), "--write-as", "mjai")
    assert (ran.code, ran.err) == (0, f"{out}: mjai, 3 records\n")
    found = {str(path.relative_to(out)): read_any(path).record for path in out.rglob("*") if path.is_file()}
    assert sorted(found) == [
        "match/records/game-0000.mjson",
        "others/complex_nakis_0.mjson",
        "others/mortal_two_kyoku.mjson",
    ]
    whole = read_any(tree / "match/records/game-0000.jsonl").record
    assert found["match/records/game-0000.mjson"].final == whole.final


def test_a_packed_log_in_a_folder_is_read(jantaku: Jantaku, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "2009.json.gz").write_bytes(gzip.compress(DATA_LOG.read_bytes()))
    assert jantaku("convert", str(tmp_path / "logs"), str(tmp_path / "d.parquet")).code == 0


def test_help_says_what_a_folder_becomes(jantaku: Jantaku) -> None:
    told = " ".join(jantaku("convert", "--help").out.split())
    assert "files of the same names in the folder OUT" in told and "OUT.parquet becomes a table" in told


def test_a_table_has_the_lines_of_its_questions_where_they_are_asked_for(jantaku: Jantaku, tmp_path: Path) -> None:
    for words, file in (((), "a.parquet"), (("--line",), "b.parquet")):
        assert jantaku("convert", str(DATA_LOG), str(tmp_path / file), *words).code == 0
    bare, lined = (parquet.read_table(tmp_path / file) for file in ("a.parquet", "b.parquet"))
    assert lined.drop_columns("line").equals(bare)
    for line, numbers in zip(lined["line"].to_pylist(), lined["options"].to_pylist(), strict=True):
        assert [number_of(option) for option in read_line(line).choice.options] == numbers
