"""`jantaku convert` on folders: what it finds, what it leaves out, and what it says of it."""

import gzip
import shutil
from pathlib import Path

import pytest

from jantaku.table.records.convert.readers import read_any
from jantaku.table.riichi.line import read_line
from jantaku.table.riichi.option_numbers import number_of
from tests.kit.command import Jantaku

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
