"""Journals of 大富豪: written, read, driven, and every difference found."""

from pathlib import Path
from typing import Any

import pytest

from jantaku.table.daifugo.journals.record import load, verify
from jantaku.table.daifugo.rules import FILES
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.lines import content_of, game_in
from tests.daifugo.check import changed, check_game
from tests.daifugo.walk import rules
from tests.kit.cases import cases

Lines = list[dict[str, Any]]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    check_game(rules("B", series__rounds="2"), seed=3, folder=tmp_path)
    return tmp_path / "fuzz-3.jsonl"


def verified(path: Path) -> str:
    record = load(path)
    return str(verify(record, record.rules).difference)


def test_a_record_is_known_by_its_header(journal: Path, tmp_path: Path) -> None:
    assert game_in(content_of(journal)) == "daifugo"
    assert game_in(b'{"game": "riichi"}\n') == "riichi"
    assert [game_in(text) for text in (b"", b"{", b"[1]", b'{"game": 1}', b'{"log": []}')] == [None] * 5


def test_a_record_that_breaks_off_verifies_as_far_as_it_goes(journal: Path) -> None:
    """A kill loses at most the line that was being written."""
    whole = journal.read_bytes()
    part = journal.with_name("part.jsonl")
    part.write_bytes(whole[: len(whole) * 2 // 3])
    record = load(part)
    done = verify(record, record.rules)
    assert done.difference is None and not done.complete


def test_a_fixed_deal_is_taken_from_the_record(journal: Path) -> None:
    def drive(lines: Lines) -> None:
        lines[0] |= {"driven": True, "seed": "another"}
        del lines[0]["commit"]

    path = changed(journal, drive)
    assert verified(path) == "None"
    told = [verify(record, record.rules).told for record in map(load, (path, journal))]
    assert ["the seed" in one for one in told] == [True, False]


@cases(
    "content, said",
    ("", "the header line is missing"),
    ('{"game": "daifugo", "jantaku": 99}\n', "written in format 99; this jantaku reads up to 2"),
    ('{"game": "daifugo", "jantaku": 1}\n', "line 1: Object missing required field"),
    ('{"game": "daifugo", "jantaku": 1}\nnonsense\n', "line 2: broken, not JSON"),
    ('{"game": "daifugo", "jantaku": 1}\n[]\n', "line 2: not a JSON object"),
)
def test_what_is_no_record_is_refused_with_its_place(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    with pytest.raises(BadInput, match=said):
        load(path)


def test_a_card_that_is_none_is_refused_with_its_line(journal: Path) -> None:
    def spoil(lines: Lines) -> None:
        next(line for line in lines if "play" in line)["play"]["cards"] = "XX"

    path = changed(journal, spoil)
    with pytest.raises(BadInput, match=r"changed\.jsonl line \d+: card 'XX'"):
        verified(path)


def test_other_rules_are_a_difference(journal: Path) -> None:
    record = load(journal)
    other = FILES.with_settings(record.rules, {"series.rounds": "3"})
    assert "end" in str(verify(record, other).difference)
