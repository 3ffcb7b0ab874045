"""Files that somebody names are read up to a bound, and only where they are files."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jantaku.table.arena.match.records import read_runs
from jantaku.table.daifugo.journals import record as daifugo
from jantaku.table.ground import settings
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import bytes_of
from jantaku.table.records.convert.readers import driving
from jantaku.table.records.journal.read import load
from tests.kit.cases import cases


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"12345")
    assert bytes_of(path, 5) == b"12345"
    with pytest.raises(BadInput, match="is larger than"):
        bytes_of(path, 4)


@pytest.mark.timeout(60)
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match="is not a regular file"):
        bytes_of(tmp_path / "pipe", 5)


def test_a_device_without_end_is_no_file() -> None:
    with pytest.raises(BadInput, match="/dev/zero: cannot be read: it is not a regular file"):
        bytes_of("/dev/zero", 5)


def test_a_link_to_a_file_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").symlink_to("a")
    assert bytes_of(tmp_path / "b", 5) == b"1"


@cases(
    "name, what",
    ("none", "no such file"),
    ("a\0b", "cannot be read"),
    ("loop", "cannot be read"),
    (".", "is a folder; a file is needed"),
)
def test_a_name_that_cannot_be_read_is_said(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(BadInput, match=what):
        bytes_of(tmp_path / name, 5)


@pytest.mark.parametrize("text", [".".join(["a"] * 50_000) + " = 1", "[" + ".".join(["a"] * 50_000) + "]"])
def test_a_key_of_many_parts_is_refused_before_it_costs_anything(tmp_path: Path, text: str) -> None:
    (tmp_path / "deep.toml").write_text(text)
    began = time.process_time()
    with pytest.raises(BadInput, match="nested more than"):
        settings.read_toml(tmp_path / "deep.toml")
    assert time.process_time() - began < 5


@pytest.mark.timeout(60)
@pytest.mark.parametrize("read", [load, daifugo.load, driving, lambda path: read_runs({path.parent: [path]})])
def test_no_reader_of_records_waits_for_a_pipe(tmp_path: Path, read: Callable[[Path], object]) -> None:
    os.mkfifo(tmp_path / "game-0000.jsonl")
    with pytest.raises(BadInput, match="is not a regular file"):
        read(tmp_path / "game-0000.jsonl")


def test_a_command_in_a_folder_that_has_been_removed_says_so(tmp_path: Path) -> None:
    script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" -m jantaku bots'
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    words = ["sh", "-c", script, sys.executable]
    ran = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "jantaku: the working folder has been removed; change to one that exists\n"
