"""The site of docs/: what is drawn into its pages is what the program says, and it builds without a warning."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import jantaku
from jantaku.table.daifugo.plays import Put
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.riichi import actions
from jantaku.table.riichi.pieces.melds import Meld
from scripts import rulepages, shown, transcripts
from scripts.laws import page_with

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
OUTSIDE = {"index.md", "tour.md", "contributing.md", "changelog.md"}
"""The page with the links, and those that show a file outside of docs/."""


@pytest.mark.parametrize("page", list(rulepages.pages()), ids=lambda page: page.stem)
def test_the_pages_of_the_rules_show_every_key_as_the_rules_have_it(page: Path) -> None:
    text = page.read_text("utf-8")
    assert page_with(text, rulepages.pages()[page], rulepages.COMMAND) == text, "run python -m scripts.rulepages"


def test_the_transcripts_are_what_table_and_player_say() -> None:
    text = transcripts.PAGE.read_text("utf-8")
    assert page_with(text, transcripts.drawn(), transcripts.COMMAND) == text, "run python -m scripts.transcripts"


@pytest.mark.parametrize("page", shown.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_examples_and_the_reference_as_the_code_has_them(page: Path) -> None:
    assert shown.drawn(page) == page.read_text("utf-8"), "run python -m scripts.shown"


def test_every_title_of_the_left_column_fits_on_a_line() -> None:
    """A line of the left column holds 30 letters, of which a Japanese one takes two."""
    contents = re.findall(r"^<!-- contents: .* -->\n((?:.+\n)+)", (DOCS / "index.md").read_text("utf-8"), re.MULTILINE)
    pages = re.findall(r"\]\((?!\.\./)([\w./-]+\.md)\)", "".join(contents))
    assert {f"{page.relative_to(DOCS)}" for page in DOCS.glob("*.md")} - OUTSIDE <= {*pages}
    titles = [(DOCS / page).read_text("utf-8").splitlines()[0].removeprefix("# ") for page in pages]
    assert len(titles) > 40
    assert [title for title in titles if sum(1 + (ord(letter) > 0x2E80) for letter in title) > 30] == []


def test_every_page_is_complete_where_its_markdown_is_read() -> None:
    """A directive of the site is a block of words anywhere else."""
    directives = {
        page.name: found
        for page in DOCS.rglob("*.md")
        if (found := re.findall(r"^`{3,}\{[^}]*\}", page.read_text("utf-8"), re.MULTILINE))
    }
    assert directives == {}


def test_the_reference_says_how_each_name_is_called_and_what_it_does() -> None:
    players = (DOCS / "api" / "players.md").read_text("utf-8")
    assert "\nDiscard(tile: int, tsumogiri: bool = False, riichi: bool = False)\n```\n\nDiscard `tile`; " in players
    assert "\nRiichiPlayer(*, seed: int = 0)\n" in players and "\n- `hand: Tehai`: The own tiles and melds." in players
    assert "\n- `plays(question: Question) -> list[Put]`: " in players
    assert "find_all(question: Question, *kinds: type[A]) -> list[A]" in players
    shapes = (DOCS / "api" / "shapes.md").read_text("utf-8")
    assert "\nuseful(counts: list[int]) -> tuple[int, int]\n" in shapes
    said = "".join(page.read_text("utf-8") for page in (shown.INDEX, DOCS / "library.md", DOCS / "analysing.md"))
    assert [name for name in jantaku.__all__ if not re.search(rf"\b{name}\b", said) and name != "events"] == []


def test_the_first_bot_has_a_table_of_every_action_and_its_fields() -> None:
    page = shown.ACTIONS.read_text("utf-8")
    for kind in (*get_args(actions.RiichiAction), Meld, Put):
        fields = ", ".join(f"`{name}`" for name in kind.__struct_fields__) or "—"
        (row,) = re.findall(rf"^\| `{kind.__name__}` \| (.*?) \| [^|]+ \|$", page, re.MULTILINE)
        assert re.sub(r"(`\w+)[^`]*`", r"\1`", row) == fields


def test_every_dialect_has_a_transcript() -> None:
    text = transcripts.PAGE.read_text("utf-8")
    assert [name for name in DIALECTS if f"## {name}\n" not in text] == []


@pytest.mark.parametrize("name", ["mjai", "mjai-actions", "mjai-lines", "mjai-lines-actions", "mjsonp"])
def test_a_transcript_shows_both_questions_of_a_riichi_with_what_may_be_replied(name: str) -> None:
    page = transcripts.PAGE.read_text("utf-8").split(f"## {name}\n")[1].split("\n## ")[0].splitlines()
    declared = next(at for at, line in enumerate(page) if line.startswith('← {"type":"reach"'))
    again = next(at for at in range(declared + 1, len(page)) if page[at].startswith("←"))
    assert page[again].startswith('← {"type":"dahai"')
    assert not [line for line in page[declared:again] if " lines …" in line]
    asked, asked_again = page[declared - 1], page[again - 1]
    says_actions = name in ("mjai-actions", "mjai-lines-actions", "mjsonp")
    assert '"type":"tsumo","actor":0,"pai":"8m"' in asked
    assert ('"possible_actions":[{"type":"reach"' in asked) == says_actions
    assert '"type":"reach"' in asked_again and ('"cannot_dahai":["6m"' in asked_again) == says_actions


def built(source: Path, target: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The site of a folder, as scripts/docs builds it."""
    if importlib.util.find_spec("sphinx") is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("needs sphinx: pip install -e .[docs]")
    command = [sys.executable, "-m", "sphinx", "-E", "-W", "--keep-going", "-q", "-d", f"{target}.trees"]
    return subprocess.run(
        [*command, "-c", str(DOCS), *options, str(source), str(target)], capture_output=True, text=True, cwd=ROOT
    )


@pytest.mark.long
@pytest.mark.site
@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_can_be_searched_offline(tmp_path: Path) -> None:
    ran = built(DOCS, tmp_path / "site")
    assert ran.returncode == 0, ran.stderr
    assert {page.stem for page in DOCS.glob("*.md")} <= {page.stem for page in (tmp_path / "site").glob("*.html")}
    index = (tmp_path / "site" / "searchindex.js").read_text("utf-8")
    assert "atamahan" in index  # words stand there by their stems
    assert "copybutton.js" in (tmp_path / "site" / "index.html").read_text("utf-8")
    for page in (tmp_path / "site").rglob("*.html"):
        assert "//cdn" not in page.read_text("utf-8"), page


@pytest.mark.site
def test_a_link_that_leads_nowhere_fails_the_build(tmp_path: Path) -> None:
    lines = {
        "missing.md": "[a page](missing.md)",
        "absent": "[a heading](#absent)",
        "nowhere": "[a heading of another page](other.md#nowhere)",
        "lost.png": "![a picture](lost.png)",
    }
    source = tmp_path / "pages"
    source.mkdir()
    text = "\n\n".join(lines.values())
    (source / "start.md").write_text(f"# Start\n\n{text}\n\n```{{toctree}}\nother\n```\n", "utf-8")
    (source / "other.md").write_text("# Other\n", "utf-8")
    ran = built(source, tmp_path / "site", "-D", "root_doc=start")
    assert ran.returncode != 0
    assert [words for words in lines if words not in ran.stderr] == []
