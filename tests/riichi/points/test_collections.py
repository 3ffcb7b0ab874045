"""Other people's hands with their answers (tests/data/hands), and the command that compares them."""

import gzip
import json
from pathlib import Path

import pytest

from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.tiles import NAMES
from scripts.hands.__main__ import main
from scripts.hands.formats import meld_of
from tests.kit.cases import cases

DATA = Path(__file__).parents[2] / "data" / "hands"
FILES = sorted(DATA.glob("*.jsonl"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_hand_agrees_with_the_answer_that_came_with_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = len(file.read_text("utf-8").splitlines())
    assert main([str(file)]) == 0
    out = capsys.readouterr().out
    told = f"{file}  {hands} hands  {hands} identical  0 different  0 skipped"
    assert out.splitlines() == [told, f"TOTAL {hands} hands 0 different"]


def test_the_collections_are_there() -> None:
    assert len(FILES) == 5


@cases("key, wrong, words")
def test_a_wrong_answer_is_shown_with_its_id(
    key: str, wrong: object, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (DATA / "majiang_core_hule.jsonl").read_text("utf-8").splitlines()
    record = json.loads(lines[0])
    assert record["id"] == 0
    record["out"][key] = wrong
    file = tmp_path / "wrong.jsonl.gz"
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.write("\n".join([lines[1], json.dumps(record)]))
    assert main([str(file)]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"{file}  2 hands  1 identical  1 different  0 skipped"
    assert printed[1].startswith("    0: ")
    assert words in printed[1]
    assert printed[-1] == "TOTAL 2 hands 1 different"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no such file"),
        ("", "holds no hands"),
        ('{"id": 1,\n', "line 1: not JSON"),
        ('{"id": 1, "in": {}}\n', "line 1: the key or tile 'out' is missing or unknown"),
        ('{"id": 1, "colour": "red"}\n', "line 1: not a hand that this command reads (unknown keys colour, id)"),
        ("[1]\n", "line 1: not a hand"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line(
    content: str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hands.jsonl"
    if content is not None:
        file.write_text(content, "utf-8")
    assert main([str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"hands: {file}")
    assert words in printed.err
    assert printed.err.count("\n") == 1


def test_half_a_compressed_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = gzip.compress((DATA / "majiang_core_hule.jsonl").read_bytes())
    file = tmp_path / "half.jsonl.gz"
    file.write_bytes(packed[: len(packed) // 2])
    assert main([str(file)]) == 2
    assert "broken after line" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "kind", "source", "own", "called", "added"),
    [
        ("m34-0", MeldKind.CHI, 3, "m3 m0", "m4", None),
        ("z777=", MeldKind.PON, 2, "z7 z7", "z7", None),
        ("p550+", MeldKind.PON, 1, "p5 p5", "p0", None),
        ("p5550+", MeldKind.DAIMINKAN, 1, "p5 p5 p5", "p0", None),
        ("s555=0", MeldKind.KAKAN, 2, "s5 s5", "s5", "s0"),
        ("s1111", MeldKind.ANKAN, 0, "s1 s1 s1 s1", None, None),
    ],
)
def test_melds_are_read_in_majiangs_notation(
    text: str, kind: MeldKind, source: int, own: str, called: str | None, added: str | None
) -> None:
    meld = meld_of(text)
    assert (meld.kind, meld.source) == (kind, source)
    assert " ".join(NAMES[tile] for tile in meld.own) == own
    assert (meld.called is None and called is None) or (meld.called is not None and NAMES[meld.called] == called)
    assert (meld.added is None and added is None) or (meld.added is not None and NAMES[meld.added] == added)
