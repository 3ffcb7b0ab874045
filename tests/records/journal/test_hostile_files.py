"""Files that are packed to fill the memory, marked, or cut off by a full disk."""

import gzip
import json
import resource
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

from jantaku.table.daifugo.journals import record as daifugo
from jantaku.table.ground.disk import replace_whole
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.lines import LARGEST, content_of, read_lines, write_whole
from scripts.environments import PYTHON
from tests.kit.command import Jantaku
from tests.kit.pace import SOON

MIB = 1 << 20


def bomb(path: Path) -> Path:
    """Some 300 KB that unpack to more than any record has."""
    with gzip.open(path, "wb") as file:
        for _ in range(LARGEST // MIB + 40):
            file.write(bytes(MIB))
    return path


@pytest.mark.long
def test_what_unpacks_to_more_than_a_record_can_be_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    path = bomb(tmp_path / "bomb.jsonl.gz")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BadInput, match="too large for a record: more than 256 MiB unpacked"):
        content_of(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 3 * LARGEST // 1024


def test_a_byte_order_mark_is_no_part_of_a_record(game_folder: Path, tmp_path: Path) -> None:
    for name in ("game-0000.jsonl", "game-0000.json"):
        marked = tmp_path / name
        marked.write_bytes(b"\xef\xbb\xbf" + (game_folder / name).read_bytes())
        assert read_any(marked).record.log == read_any(game_folder / name).record.log


@pytest.mark.parametrize("number", [-5, 0, True, None, "1", 1.5, [1]])
def test_a_format_is_a_number_from_1_on(tmp_path: Path, number: object) -> None:
    content = json.dumps({"jantaku": number, "rules": {}}).encode() + b"\n"
    with pytest.raises(BadInput, match=r"line 1: jantaku is .*; it is the format's number, from 1"):
        read_lines(tmp_path / "a.jsonl", content)


def test_a_packed_journal_of_daifugo_is_known(tmp_path: Path) -> None:
    journal = Path(__file__).parents[2] / "data" / "records-1" / "daifugo" / "game-0000.jsonl"
    packed = tmp_path / "game.jsonl.gz"
    packed.write_bytes(gzip.compress(journal.read_bytes()))
    assert daifugo.load(packed).lines == daifugo.load(journal).lines


@pytest.mark.parametrize("write", [write_whole, replace_whole])
def test_nothing_is_left_of_a_file_that_did_not_fit(tmp_path: Path, write: FunctionType) -> None:
    code = f"""if True:
        import resource, signal, sys
        from pathlib import Path
        from {write.__module__} import {write.__name__} as write
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            write(Path(sys.argv[1]) / "out", bytes(2000))
        except Exception as error:
            sys.exit(7)
    """
    assert subprocess.run([sys.executable, "-B", "-c", code, str(tmp_path)], check=False).returncode == 7
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@pytest.mark.parametrize("game", ["riichi", "daifugo"])
def test_a_disk_that_is_full_ends_play_with_a_line(tmp_path: Path, game: str) -> None:
    words = ["play", "--game", game, "--out", str(tmp_path / "out"), "--quiet"]
    limited = f"ulimit -f 16; exec {PYTHON} -B -m jantaku {' '.join(words)}"
    ran = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, check=False, timeout=SOON)
    assert ran.returncode == 2, ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1
    assert "cannot be written: File too large" in ran.stderr
    assert not list(tmp_path.rglob("*.part"))


def test_a_match_does_not_write_through_a_link_that_leads_nowhere(jantaku: Jantaku, tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "journal.jsonl").symlink_to(elsewhere)
    ran = jantaku("match", "--players", "dice,dice,dice,dice", "--sets", "1", "--out", str(folder))
    assert ran.code == 2
    assert "is not empty (it holds journal.jsonl)" in ran.err
    assert not elsewhere.exists()
