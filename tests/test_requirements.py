"""Every requirement of the text is held by a test, or is none of the table's."""

import re
from pathlib import Path

import pytest

from tests.kit.cases import cases
from tests.requirements import NOT_OURS, citations, main, numbers_in, requirements

ROOT = Path(__file__).parents[1]


def test_every_requirement_is_cited_by_a_test() -> None:
    cited = citations()
    assert [one.number for one in requirements() if one.number not in cited and one.tag not in NOT_OURS] == []


def test_every_number_that_a_test_cites_exists() -> None:
    known = {one.number for one in requirements()}
    assert {number: tests for number, tests in citations().items() if number not in known} == {}


def test_the_list_is_complete_and_its_tags_are_known() -> None:
    """The text counts 1-8, 10-14, 20-28, 30-45, 50-61, 70-98, 100-110, 120-126 and 130-133."""
    ranges = ((1, 8), (10, 14), (20, 28), (30, 45), (50, 61), (70, 98), (100, 110), (120, 126), (130, 133))
    assert [one.number for one in requirements()] == [
        f"S-{number:02d}" for first, last in ranges for number in range(first, last + 1)
    ]
    assert {one.tag for one in requirements()} == set("ROPATU")
    assert all(one.subject for one in requirements())


@cases(
    "text, numbers",
    ("S-36, S-37", {"S-36", "S-37"}),
    ("S-40 to S-43.", {"S-40", "S-41", "S-42", "S-43"}),
    ("S-1 and S-100", {"S-01", "S-100"}),
    ("S-01 to S-133", set()),
    ("nothing", set()),
)
def test_numbers_are_read_from_docstrings_and_comments(text: str, numbers: set[str]) -> None:
    assert numbers_in(text) == numbers


def test_the_table_names_tests_and_what_is_the_viewers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    table = capsys.readouterr().out
    assert "riichi/law/test_ron_matrix.py::test_rons_on_a_discard" in table
    assert "S-33   U  rivers lie in three rows of six\n          viewer" in table
    assert "NO TEST" not in table


def sources() -> list[Path]:
    folders = ("table", "players", "scripts", "tests")
    return [path for folder in folders for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts]


def test_every_section_of_the_daifugo_protocol_that_is_cited_stands_on_its_page() -> None:
    headings = re.findall(r"^##+ ([\d.]+?)\.? ", (ROOT / "docs" / "daifugo.md").read_text("utf-8"), re.MULTILINE)
    cited = {number for path in sources() for number in re.findall(r"§(\d+(?:\.\d+)?)", path.read_text("utf-8"))}
    assert cited and cited <= set(headings)


def test_every_requirement_that_code_cites_exists() -> None:
    known = {one.number for one in requirements()}
    texts = [path.read_text("utf-8") for path in sources() if path.name != Path(__file__).name]
    cited = {number for text in texts for number in numbers_in(text)}
    assert cited <= known
