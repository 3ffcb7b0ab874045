"""Reviews beside their records: written, found again, shown, and refused where they do not belong together."""

import json
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.cli.commands.many import found_in
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.entry import Reading, game_of_record
from jantaku.table.records.journal.killed import no_seeds
from jantaku.table.records.journal.lines import content_of
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.reviewed import agreements, read_review, record_of, review_text
from tests.kit.cases import kept_cases
from tests.kit.command import Jantaku

RECORD = str(Path("..", "games", "game-0000.jsonl"))
"""How a review names its record, from the folder of the review."""


@pytest.fixture
def review(game_folder: Path, tmp_path: Path, jantaku: Jantaku) -> Path:
    record = tmp_path / "games" / "game-0000.jsonl"
    record.parent.mkdir()
    record.write_bytes((game_folder / "game-0000.jsonl").read_bytes())
    path = tmp_path / "reviews" / "game.review.jsonl"
    path.parent.mkdir()
    words = ("--by", "tsumogiri", "--threads", "inline", "--out", str(path), "--json")
    assert jantaku("review", str(record), *words).code == 0
    return path


def shown(path: Path) -> Any:
    from jantaku.table.cli.options import RuleOptions

    reading = Reading(RuleOptions(rules=None, changes=(), length=None), None, no_seeds)
    return game_of_record(path).viewed(path, reading).entry()


def test_a_review_is_read_as_it_was_written_and_finds_its_record(review: Path) -> None:
    content = content_of(review)
    whole = read_review(review, content)
    assert review_text(whole) == content
    assert whole.head.record == RECORD
    assert record_of(review, whole.head).samefile(review.parent.parent / "games" / "game-0000.jsonl")
    assert agreements(whole.decisions)["all"].decisions == len(whole.decisions)


def test_every_answer_of_the_page_has_what_the_reviewer_would_have_done(review: Path) -> None:
    whole, entry = read_review(review, content_of(review)), shown(review)
    answers = [answer for item in entry.items for answer in item.get("answers", ())]
    assert entry.head["review"] == "tsumogiri"
    assert len(answers) == len(whole.decisions)
    assert sum(answer["review"]["agrees"] is False for answer in answers) == len(whole.differences) > 0
    assert all(answer["review"]["reply"] in answer["options"] for answer in answers)


def test_a_folder_of_records_passes_reviews_over(review: Path) -> None:
    folder = review.parent.parent
    assert [one.path.name for one in found_in(folder)] == ["game-0000.jsonl"]


def test_a_record_that_is_gone_or_another_by_now_is_said(review: Path, jantaku: Jantaku) -> None:
    record = review.parent.parent / "games" / "game-0000.jsonl"
    record.write_bytes(record.read_bytes() + b"\n")
    told = jantaku("view", str(review), "--export", str(review.parent / "page.html"))
    assert (told.code, "is not the record that was reviewed; review it again" in told.err) == (2, True)
    record.unlink()
    told = jantaku("view", str(review), "--export", str(review.parent / "page.html"))
    assert (told.code, f"its record {RECORD} is not there" in told.err) == (2, True)


@pytest.mark.long
@kept_cases("line, change, why", (2, None, "line 3: broken, not JSON"))
def test_a_broken_review_is_refused_with_the_line(review: Path, line: int, change: Any, why: str) -> None:
    lines = review.read_text("utf-8").splitlines()
    lines[line] = "{" if change is None else json.dumps({**json.loads(lines[line]), **change})
    with pytest.raises(BadInput, match=why):
        read_review(review, "\n".join(lines).encode())


def test_a_review_is_no_record(review: Path) -> None:
    with pytest.raises(BadInput):
        load(review)
