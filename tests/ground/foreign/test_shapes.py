"""A record with a value of the wrong kind is refused at its place, whoever reads it."""

import gzip
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.names import LONGEST_FILE, file_name
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.lines import from_json
from jantaku.table.records.journal.read import load
from tests.kit.cases import cases
from tests.kit.editing import putting


@cases(
    "spoil, said",
    (putting("log", 0, 0, "qipai", "defen", to="much"), "kyoku 1 event 1: Expected `array`, got `str`"),
    (putting("log", 0, 0, "qipai", "changbang", to={}), "kyoku 1 event 1: Expected `int`, got `object`"),
    (putting("log", 0, 1, "zimo", to=None), "kyoku 1 event 2: Expected `object`, got `null`"),
    (putting("log", 0, 1, "zimo", "p", to=5), "kyoku 1 event 2: Expected `str`, got `int`"),
    (putting("log", 1, -1, to={"hule": {"l": 0}}), "Object missing required field `shoupai` - at `$.hule`"),
    (putting("log", 1, -1, to={"pingju": {}}), "Object missing required field `name` - at `$.pingju`"),
    (putting("defen", to=[True]), "the end of the game: Expected `array` of length >= 3"),
    (putting("point", to=["x", "0", "0", "0"]), "the end of the game: "),
    (putting("point", to=[1e300, "0", "0", "0"]), "the end of the game: Expected `float` <= 1000000000.0"),
    (putting("jantaku", to=True), "jantaku: Expected `object`, got `bool`"),
    (putting("jantaku", "seed", to=[]), "jantaku: Expected `str | null`, got `array`"),
)
@pytest.mark.parametrize("read", [load, read_any])
def test_a_value_of_the_wrong_kind_is_refused_with_kyoku_and_event(
    read: Callable[[Path], object], spoil: Callable[[Any], None], said: str, game_folder: Path, tmp_path: Path
) -> None:
    paifu = json.loads((game_folder / "game-0000.json").read_bytes())
    spoil(paifu)
    path = tmp_path / "game.json"
    path.write_text(json.dumps(paifu))
    with pytest.raises(BadInput) as refused:
        read(path)
    assert str(refused.value).startswith(str(path)) and said in str(refused.value)


def test_an_answer_of_the_wrong_kind_is_refused_with_its_kyoku(game_folder: Path, tmp_path: Path) -> None:
    lines = (game_folder / "game-0000.jsonl").read_bytes().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith(b'{"turn"'))
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join([*lines[:at], b'{"turn":1,"answers":[{"seat":9}]}\n', *lines[at + 1 :]]))
    with pytest.raises(BadInput, match=r"kyoku 1: answers after event 2: .*seat"):
        read_any(path)


@cases(
    "change",
    {"verdict": "<b>"},
    {"verdict": "fine"},
    *({"reply": {key: "m1<b>"}} for key in ("dapai", "fulou", "gang")),
    ids=str,
)
def test_what_comes_from_a_closed_list_is_refused_where_it_does_not(
    game_folder: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    lines = (game_folder / "game-0000.jsonl").read_bytes().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith(b'{"turn"'))
    turn = json.loads(lines[at])
    turn["answers"][0].update(change)
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join([*lines[:at], json.dumps(turn).encode() + b"\n", *lines[at + 1 :]]))
    with pytest.raises(BadInput, match=rf"kyoku 1: answers after event 2: .*{next(iter(change))}"):
        read_any(path)


@pytest.mark.parametrize("text", [b"[" * 100_000, b'{"log":' * 100_000, b'"\\ud800"', b'"\xe9"', b"NaN", b"1e999", b""])
def test_what_only_looks_like_json_is_no_json(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_json(text)


@pytest.mark.parametrize("name", ["game.json", "game.jsonl"])
@pytest.mark.parametrize("read", [load, read_any])
def test_endless_brackets_are_refused_and_no_defect(read: Callable[[Path], object], name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"[" * 100_000)
    with pytest.raises(BadInput, match="not JSON"):
        read(path)


@pytest.mark.parametrize("name", ["game-0000.json", "game-0000.jsonl"])
@pytest.mark.parametrize("read", [load, read_any])
def test_a_packed_record_is_read_and_one_that_is_damaged_refused(
    read: Callable[[Path], object], name: str, game_folder: Path, tmp_path: Path
) -> None:
    packed = gzip.compress((game_folder / name).read_bytes())
    path = tmp_path / f"{name}.gz"
    path.write_bytes(packed)
    read(path)
    for damaged in (packed[:-20], packed[:40] + b"x" * 20 + packed[60:], packed[:-8] + b"x" * 8):
        path.write_bytes(damaged)
        with pytest.raises(BadInput, match="packed, but not complete"):
            read(path)


HOSTILE = ["../../../pwn", "/abs/dir/pwn", "", ".", "..", "...", "-rf", "a/b", "a\\b", "a\0b"]
HOSTILE += ["CON ", "名前", "a" * 5000]


@pytest.mark.parametrize("name", ["shanten-1", "bot.py", "Follower", "a_b.c-d", "x" * LONGEST_FILE])
def test_a_name_that_is_a_file_name_already_stays(name: str) -> None:
    assert file_name(name) == name


@pytest.mark.parametrize("name", [*HOSTILE, "\udcff", "a\nb"])
def test_whatever_a_name_holds_it_names_a_file_in_its_folder(name: str) -> None:
    made = file_name(name)
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", made) and len(made) <= LONGEST_FILE
    assert os.path.basename(os.path.normpath(os.path.join("folder", made))) == made


@given(st.text(), st.text())
def test_different_names_are_different_files(a: str, b: str) -> None:
    assert (file_name(a) == file_name(b)) == (a == b)


def test_names_that_differ_in_what_is_left_out_are_different_files() -> None:
    assert len({file_name(name) for name in HOSTILE}) == len(HOSTILE)
