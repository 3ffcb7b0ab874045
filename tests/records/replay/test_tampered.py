"""Whatever is changed in a record is named, or is of what `verify` lists as only told."""

import contextlib
from pathlib import Path

import pytest

from jantaku.table.cli.main import main
from jantaku.table.cli.options import RuleOptions
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.entry import game_of_record
from jantaku.table.records.journal.digest import Edited
from jantaku.table.records.journal.killed import no_seeds
from jantaku.table.records.journal.verified import Verified
from tests.records.replay.tamperings import DAIFUGO, FORMS, RIICHI, Tampering, changed

WAYS = [(file, way) for file, ways in FORMS.values() for way in ways()]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tampered")
    for words, out in ((RIICHI, folder), (DAIFUGO, folder / "series")):
        with pytest.raises(SystemExit) as left:
            main(["play", *words, "--threads", "inline", "--seed", "8", "--quiet", "--out", str(out)])
        assert left.value.code == 0
    for file in {file for file, _ in WAYS}:
        assert verified(folder / file).difference is None
    return folder


def verified(path: Path) -> Verified:
    return game_of_record(path).compared(path, RuleOptions(rules=None), no_seeds)


@pytest.mark.long
@pytest.mark.parametrize(("file", "way"), WAYS, ids=[f"{file}: {way.name}" for file, way in WAYS])
def test_a_change_is_named_unless_it_is_of_what_is_only_told(records: Path, file: str, way: Tampering) -> None:
    path = records / file
    with contextlib.suppress(BadInput):  # that names it as well
        done = verified(changed(path, way, anew=True))
        assert bool(way.told) == (done.difference is None and done.complete)
        assert "series" not in file or done.difference is None or str(done.difference).startswith("line ")


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "way"), [(file, way) for file, way in WAYS if file.endswith(".jsonl")], ids=lambda one: str(one)[:40]
)
def test_the_digest_names_every_change_of_a_journal(records: Path, file: str, way: Tampering) -> None:
    with contextlib.suppress(BadInput):
        assert "line" in str(verified(changed(records / file, way, anew=False)).difference)


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
        edited = verified(other).difference
        assert isinstance(edited, Edited)
        assert edited.first <= at + 1 <= edited.last <= edited.first + 20


def test_there_are_many_ways() -> None:
    assert len(WAYS) >= 120
