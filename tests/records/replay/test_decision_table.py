"""The table of decisions, read back and held against the records."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import lacking, pip_install
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.replay.decision_table import DecisionTable, schema
from scripts.environments import PYTHON
from tests.kit.cases import cases
from tests.kit.pace import SOON
from tests.records.replay.tabled import Again

parquet = pytest.importorskip("pyarrow.parquet", reason="the extra “parquet” is not installed")


def written(path: Path, *records: Record) -> list[dict[str, Any]]:
    with DecisionTable(path) as table:
        for record in records:
            assert table.add(record) is None
    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    assert (len(rows), table.games) == (table.rows, len(records))
    return rows


def test_the_columns_are_those_of_the_docs(game_folder: Path, tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "learning.md").read_text("utf-8")
    listed = page.partition("## Columns")[2].partition("## Is it right?")[0]
    names = [
        name for line in listed.splitlines() if line.startswith("| `") for name in line.split("|")[1].split("`")[1::2]
    ]
    written(tmp_path / "d.parquet", load(game_folder / "game-0000.jsonl"))
    found = parquet.read_schema(tmp_path / "d.parquet")
    assert names == schema(lined=True).names
    assert [name for name in names if name != "line"] == found.names
    assert found.metadata == {b"jantaku.table": b"1", b"jantaku.options": b"1"}


@pytest.mark.parametrize("name", ["game-0000.jsonl", "game-0000.json"])
def test_a_game_played_by_the_answers_of_its_rows_is_the_record(game_folder: Path, tmp_path: Path, name: str) -> None:
    """The engine alone tells options and outcomes here, and its own board what a seat sees."""
    record = load(game_folder / name)
    rows = written(tmp_path / "d.parquet", record)
    again = Again(record, rows)
    again.play()
    done = again.compare()
    assert (done.rows, done.kyoku) == (len(rows), len(record.log))
    assert done.told == (len(rows) if record.answers else 0)
    assert len({row["ended"] for row in rows}) > 1


@cases(
    "column, wrong",
    ("options", lambda row: row["options"][1:]),
    ("answer", lambda row: next(one for one in row["options"] if one != row["answer"])),
    ("hand", lambda row: row["hand"][1:]),
    ("gains", lambda row: [0, 0, 0, 1]),
    ("ranks", lambda row: row["ranks"][::-1]),
    ("player", lambda row: (row["player"] + 1) % 4),
)
def test_a_row_that_was_changed_is_found(
    game_folder: Path, tmp_path: Path, column: str, wrong: Callable[[dict[str, Any]], Any]
) -> None:
    record = load(game_folder / "game-0000.jsonl")
    rows = written(tmp_path / "d.parquet", record)
    rows[40][column] = wrong(rows[40])
    again = Again(record, rows)
    with pytest.raises(AssertionError):  # noqa: PT012 (either of both finds it)
        again.play()
        again.compare()


def test_rows_have_the_verdicts_and_times_of_the_record(game_folder: Path, tmp_path: Path) -> None:
    record = load(game_folder / "game-0000.jsonl")
    told = [answer for turn in record.answers.values() for answer in turn["answers"]]
    rows = written(tmp_path / "d.parquet", record)
    assert sorted((row["player"], row["used"], row["verdict"]) for row in rows) == sorted(
        (answer["seat"], answer["used"], answer["verdict"]) for answer in told
    )


def test_what_the_record_does_not_tell_is_null(game_folder: Path, tmp_path: Path) -> None:
    """Its last kyoku without a result, and no end of the game."""
    record = load(game_folder / "game-0000.jsonl")
    record.final, record.log[-1] = None, record.log[-1][:-1]
    rows = written(tmp_path / "d.parquet", record)
    assert all(row["ranks"] is None and row["final_points"] is None for row in rows)
    assert {row["gains"] is None for row in rows if row["kyoku"] == len(record.log)} == {True}
    assert not any(row["gains"] is None for row in rows if row["kyoku"] < len(record.log))


def test_a_table_appears_only_when_it_is_whole(game_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "d.parquet"
    broken = load(game_folder / "game-0000.jsonl")
    broken.rules = None
    with pytest.raises(BadInput, match="by which rules"):
        written(path, load(game_folder / "game-0000.jsonl"), broken)
    assert list(tmp_path.iterdir()) == []
    path.write_text("mine")
    with pytest.raises(BadInput, match="exists already"):
        DecisionTable(path)
    assert path.read_text() == "mine"


def test_the_public_part_of_a_game_has_no_decisions(game_folder: Path, tmp_path: Path) -> None:
    record = load(game_folder / "game-0000.jsonl")
    record.hidden = "the game is not over"
    with pytest.raises(BadInput, match=r"game-0000\.jsonl: the game is not over; decisions are not known"):
        written(tmp_path / "d.parquet", record)


def test_without_pyarrow_it_is_said_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError) as missing:
        DecisionTable(tmp_path / "d.parquet")
    assert lacking(missing.value.name).endswith(pip_install("parquet"))


def test_a_disk_that_is_full_is_said_in_a_line_and_nothing_is_left(game_folder: Path, tmp_path: Path) -> None:
    # -B: Python would keep what fits of its bytecode, and stumble over it from then on
    command = f"ulimit -f 4; exec {PYTHON} -B -m jantaku convert {game_folder} {tmp_path / 'd.parquet'}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=SOON)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1), ran.stderr
    assert "d.parquet cannot be written: " in ran.stderr and "File too large" in ran.stderr
    assert list(tmp_path.iterdir()) == []
