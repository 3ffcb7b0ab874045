"""Records in format 1, read and verified for good; and files that are packed to fill the memory, marked, or cut off
by a full disk."""

import gzip
import hashlib
import json
import resource
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Annotated, Any, Literal

import msgspec
import pytest

from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.lost import lost
from jantaku.table.arena.match.plan import MatchPlan
from jantaku.table.arena.match.records import plan_in
from jantaku.table.arena.match.store import JOURNAL
from jantaku.table.daifugo.journals import record as daifugo
from jantaku.table.daifugo.rules import Rules as DaifugoRules
from jantaku.table.ground.disk import replace_whole
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.presets import digest, key
from jantaku.table.ground.settings import build, keys
from jantaku.table.languages.wire.majiang_reader import MajiangReader
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.lines import LARGEST, content_of, read_lines, write_whole
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.events import HanchanStart
from jantaku.table.riichi.rules import Rules, ScoreRules
from scripts.environments import PYTHON
from tests.kit.command import Jantaku
from tests.kit.pace import SOON

FOLDER = Path(__file__).parents[2] / "data" / "records-1"
RIICHI = sorted(path for path in FOLDER.rglob("*") if path.match("game-*.json*") and "daifugo" not in path.parts)
FIRST_KEYS = FOLDER / "keys.json"
"""The rule keys of both games when these records were written."""


def test_there_are_records_of_every_kind() -> None:
    kinds = {path.parent.name + "".join(path.suffixes) for path in RIICHI}
    assert {"tonpu.jsonl", "tonpu.json", "tonpu.2015.json", "hanchan.jsonl.gz", "driven.jsonl"} <= kinds
    assert sum(path.parent.name == "records" for path in RIICHI) == 8


@pytest.mark.long
@pytest.mark.parametrize(
    "path", [*RIICHI, FOLDER / "converted.jsonl"], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_records_in_format_1_verify(path: Path) -> None:
    record = load(path)
    assert record.rules is not None
    done = verify(record, record.rules)
    assert done.difference is None
    assert done.complete
    assert read_any(path).record.log


def test_a_daifugo_journal_in_format_1_verifies() -> None:
    record = daifugo.load(FOLDER / "daifugo" / "game-0000.jsonl")
    done = daifugo.verify(record, record.rules)
    assert done.difference is None
    assert done.complete


def test_a_match_folder_is_read_as_the_one_that_it_is() -> None:
    folder = FOLDER / "match"
    plan = plan_in(folder)
    head, *lines = (folder / JOURNAL).read_bytes().splitlines()
    assert json.loads(head)["plan"] == plan.digest
    assert json.loads(lines[0])["rules"] == plan.rules_digest == digest(plan.rules)
    assert not lost(folder / "records", [msgspec.json.decode(line, type=HanchanSummary) for line in lines])


class _Score(ScoreRules, frozen=True):
    renhou: Annotated[Literal["none", "mangan", "yakuman"], key("a key of tomorrow")] = "none"


class _Rules(Rules, frozen=True):
    score: _Score


class _Plan(MatchPlan, frozen=True, kw_only=True):
    rules: _Rules


def test_records_and_match_files_are_read_when_a_key_has_come_that_they_do_not_know() -> None:
    raw = json.loads((FOLDER / "tonpu" / "game-0000.jsonl").read_bytes().splitlines()[0])["rules"]
    rules = msgspec.convert(raw, _Rules)
    assert rules.score.renhou == "none"
    assert digest(rules) == digest(msgspec.convert(raw, Rules)) == hashlib.sha256(_compact(raw)).hexdigest()[:12]
    text = (FOLDER / "match" / "match.json").read_bytes()
    plan = msgspec.json.decode(text, type=_Plan)
    assert plan.encoded() == text
    assert plan.digest == msgspec.json.decode(text, type=MatchPlan).digest


def test_another_value_than_that_of_absence_is_written_and_counts() -> None:
    raw = json.loads((FOLDER / "tonpu" / "game-0000.jsonl").read_bytes().splitlines()[0])["rules"]
    rules = msgspec.convert(raw, _Rules)
    other = msgspec.structs.replace(rules, score=msgspec.structs.replace(rules.score, renhou="mangan"))
    assert msgspec.to_builtins(other)["score"]["renhou"] == "mangan"
    assert digest(other) != digest(rules)


def _compact(raw: dict[str, Any]) -> bytes:
    return json.dumps(raw, separators=(",", ":")).encode()


def test_every_key_that_was_not_there_from_the_first_has_a_value_for_its_absence() -> None:
    first = json.loads(FIRST_KEYS.read_bytes())
    for game, kind in (("riichi", Rules), ("daifugo", DaifugoRules)):
        assert [name for name, one in keys(kind).items() if one.required and name not in first[game]] == []
        assert set(first[game]) <= set(keys(kind)), "a key that records name is never taken away"


def test_a_preset_names_every_key_all_the_same() -> None:
    sections = msgspec.structs.asdict(ruleset.preset("tenhou"))  # with the keys that records leave out
    told = {name: msgspec.structs.asdict(section) for name, section in sections.items()}
    layer = {f"{name}.{key}": value for name, section in told.items() for key, value in section.items()}
    assert build(_Rules, layer, "rules").score.renhou == "none"
    with pytest.raises(BadInput, match=r"preset tenhou: not given: score\.renhou"):
        build(_Rules, layer, "preset tenhou", every=True)


def test_a_message_of_before_is_read() -> None:
    """Clients are told the rules with the first message of a game."""
    raw = json.loads((FOLDER / "tonpu" / "game-0000.jsonl").read_bytes().splitlines()[0])["rules"]
    told = {"kaiju": {"player": list("abcd"), "qijia": 0, "hongpai": {}, "rule": {}, "jantaku": {"rules": raw}}}
    (event,) = MajiangReader().read(json.dumps(told).encode()).events
    assert isinstance(event, HanchanStart)
    assert event.rules == msgspec.convert(raw, Rules)


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
