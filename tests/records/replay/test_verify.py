"""Verifying records: the whole, the truncated, the tampered and the foreign; whatever is changed is named, or is of
what `verify` lists as only told."""

import contextlib
import json
import re
import shutil
from pathlib import Path

import pytest

from jantaku.table.cli.main import main
from jantaku.table.cli.options import RuleOptions
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.entry import game_of_record
from jantaku.table.records.journal.digest import Edited
from jantaku.table.records.journal.killed import no_seeds
from jantaku.table.records.journal.read import load
from jantaku.table.records.journal.verified import Verified
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi.ruleset import preset, with_settings
from tests.kit.cases import kept_cases
from tests.records.replay.tamperings import DAIFUGO, FORMS, RIICHI, Tampering, changed, paifu


def verified(path: Path) -> Verified:
    record = load(path)
    assert record.rules is not None
    return verify(record, record.rules)


@pytest.mark.parametrize("name", ["game-0000.jsonl", "game-0000.json", "game-0000.2015.json"])
def test_every_form_of_a_record_plays_the_same_game_again(game_folder: Path, name: str) -> None:
    done = verified(game_folder / name)
    assert done.difference is None
    assert done.complete
    assert done.rounds >= 4


@pytest.mark.long
def test_a_killed_writer_loses_at_most_the_line_it_was_writing(journal: bytes, tmp_path: Path) -> None:
    """Cut the journal anywhere: what is left reads, and verifies as far as it goes."""
    path = tmp_path / "cut.jsonl"
    header_end, first_deal = journal.index(b"\n"), journal.index(b'{"qipai"')
    step = len(journal) // 60 + 1
    for cut in range(first_deal + 400, len(journal), step):
        path.write_bytes(journal[:cut])
        done = verified(path)
        assert done.difference is None
        assert not done.complete
    assert header_end < first_deal


def test_a_broken_line_in_the_middle_is_named(journal: bytes, tmp_path: Path) -> None:
    lines = journal.split(b"\n")
    lines[6] = lines[6][:-4]
    path = tmp_path / "broken.jsonl"
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(BadInput, match=re.escape(f"{path} line 7: broken, not JSON")):
        load(path)


@kept_cases("way, said")
def test_the_first_difference_is_named_with_its_place(game_folder: Path, tmp_path: Path, way: str, said: str) -> None:
    path = Path(shutil.copy(game_folder / "game-0000.json", tmp_path))
    tampered = changed(path, next(one for one in paifu() if one.name == way), anew=False)
    assert str(verified(tampered).difference).startswith(said)


def test_where_walls_are_told_the_seed_is_only_told(game_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "driven.json"
    whole = json.loads((game_folder / "game-0000.json").read_bytes())
    path.write_text(json.dumps(whole | {"jantaku": whole["jantaku"] | {"driven": True, "seed": "forged"}}))
    found = verified(path)
    assert found.difference is None and found.told == ("names", "the title", "the seed")
    assert "the seed" not in verified(game_folder / "game-0000.json").told


def test_other_rules_than_those_that_were_played_are_noticed(game_folder: Path) -> None:
    record = load(game_folder / "game-0000.json")
    for name, changes in (("tenhou", {"game.start_points": "30000"}), ("showa", {"game.length": "tonpu"})):
        assert verify(record, with_settings(preset(name), changes)).difference is not None


@kept_cases("content, said")
def test_what_is_not_a_record_is_refused_with_its_reason(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "foreign.json"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(BadInput, match=re.escape(said)) as refused:
        load(path)
    assert str(refused.value).startswith(str(path))


def test_a_journal_whose_deal_is_missing_is_refused(game_folder: Path, tmp_path: Path) -> None:
    lines = (game_folder / "game-0000.jsonl").read_bytes().splitlines(keepends=True)
    without = [line for line in lines if b'{"qipai"' not in line]
    twice = [lines[0], *lines]
    for name, told in (("without", without), ("twice", twice)):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(b"".join(told))
        with pytest.raises(BadInput, match="does not begin with"):
            load(path)


def test_a_fifth_copy_of_a_tile_is_refused_with_its_kyoku(game_folder: Path, tmp_path: Path) -> None:
    whole = json.loads((game_folder / "game-0000.json").read_bytes())
    rules = load(game_folder / "game-0000.json").rules
    assert rules is not None
    del whole["jantaku"]
    whole["log"][1][0]["qipai"]["shoupai"][0] = "z1111" + "m123456789"
    whole["log"][1][0]["qipai"]["shoupai"][1] = "z1111" + "p123456789"
    path = tmp_path / "fifth.json"
    path.write_text(json.dumps(whole))
    with pytest.raises(BadInput, match=r"kyoku 2: tile z1 appears 11 times; by these rules there are 4"):
        verify(load(path), rules)


def test_a_record_of_others_is_driven_by_the_tiles_that_it_shows(game_folder: Path, tmp_path: Path) -> None:
    """Without our seed the wall is rebuilt from the record alone."""
    whole = json.loads((game_folder / "game-0000.json").read_bytes())
    rules = load(game_folder / "game-0000.json").rules
    assert rules is not None
    del whole["jantaku"]
    path = tmp_path / "foreign.json"
    path.write_text(json.dumps(whole))
    done = verify(load(path), rules)
    assert done.difference is None and done.complete


WAYS = [(file, way) for file, ways in FORMS.values() for way in ways()]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tampered")
    for words, out in ((RIICHI, folder), (DAIFUGO, folder / "series")):
        with pytest.raises(SystemExit) as left:
            main(["play", *words, "--threads", "inline", "--seed", "8", "--quiet", "--out", str(out)])
        assert left.value.code == 0
    for file in {file for file, _ in WAYS}:
        assert verdict_on(folder / file).difference is None
    return folder


def verdict_on(path: Path) -> Verified:
    return game_of_record(path).compared(path, RuleOptions(rules=None), no_seeds)


@pytest.mark.long
@pytest.mark.parametrize(("file", "way"), WAYS, ids=[f"{file}: {way.name}" for file, way in WAYS])
def test_a_change_is_named_unless_it_is_of_what_is_only_told(records: Path, file: str, way: Tampering) -> None:
    path = records / file
    with contextlib.suppress(BadInput):  # that names it as well
        done = verdict_on(changed(path, way, anew=True))
        assert bool(way.told) == (done.difference is None and done.complete)
        assert "series" not in file or done.difference is None or str(done.difference).startswith("line ")


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "way"), [(file, way) for file, way in WAYS if file.endswith(".jsonl")], ids=lambda one: str(one)[:40]
)
def test_the_digest_names_every_change_of_a_journal(records: Path, file: str, way: Tampering) -> None:
    with contextlib.suppress(BadInput):
        assert "line" in str(verdict_on(changed(records / file, way, anew=False)).difference)


def test_what_is_only_told_is_named_with_its_line(records: Path) -> None:
    """A time that nothing else contradicts, in the middle of a journal."""
    path = records / "game-0000.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    for number in (1, 40, len(lines) // 2, len(lines) - 40):
        at = next(n for n in range(number, len(lines)) if b'"used":' in lines[n])
        changed = [*lines]
        changed[at] = lines[at].replace(b'"used":', b'"used":7')
        other = path.with_name("tampered.jsonl")
        other.write_bytes(b"".join(changed))
        edited = verdict_on(other).difference
        assert isinstance(edited, Edited)
        assert edited.first <= at + 1 <= edited.last <= edited.first + 20


def test_there_are_many_ways() -> None:
    assert len(WAYS) >= 120
