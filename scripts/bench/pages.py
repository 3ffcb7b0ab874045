"""The figures of speed on the pages: docs/speed.json has them, `python -m scripts.bench --pages` writes both."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from jantaku.table.ground.errors import BadInput
from scripts.bench.commands import COMMANDS, LOOPS
from scripts.bench.measuring import ROOT
from scripts.bench.peers import RIVALS
from scripts.bench.policies import POLICIES

Figures = dict[str, float]
FILE = ROOT / "docs" / "speed.json"
RATIO = "{} beside the fastest other"
ENGINES = (
    *("inline", *RIVALS["inline"], RATIO.format("inline")),
    *("board", *RIVALS["board"], RATIO.format("board")),
    *("board-play", "board-match"),
    *("three", *RIVALS["three"], RATIO.format("three")),
)
"""What stands in the rows of the table of engines."""
MODES = (
    ("play", "play --threads resident", "play --threads inline"),
    ("match --threads per-turn", "match", "match --threads inline"),
)
"""What stands in the rows of the table of modes."""
FIRST = "match, compiled", "match, plain", "riichienv's loop"
TEXTS = {
    "README.md": (
        "takes {} CPU seconds compiled, {} in plain Python. riichienv's own loop, without threads and clock, takes {}"
    ),
    "docs/README.ja.md": (
        "コンパイルすれば CPU {} 秒、Python のままなら {} 秒かかります。 "
        "スレッドも時計もない riichienv 自身のループは {} 秒です"
    ),
}
"""Sentences with the figures of `FIRST`."""


def figures_of(lines: Iterable[Mapping[str, Any]]) -> Figures:
    """Return the figures of a run's JSON lines by their names."""
    found: Figures = {}
    for line in lines:
        if "typed" in line:
            found[", ".join(filter(None, (line["typed"], line["core"])))] = line["cpu_s"]
        elif "row" in line:
            found[f"{line['row']} {line['policy']}"] = line["hanchan_per_cpu_s"]
        elif " : " in line.get("ratio", ""):
            name = f"{RATIO.format(line['ratio'].partition(' : ')[0])} {line['policy']}"
            found[name] = min(line["value"], found.get(name, line["value"]))
    return found


def kept() -> Figures:
    found: Figures = json.loads(FILE.read_text("utf-8"))
    return found


def write(lines: Iterable[Mapping[str, Any]]) -> None:
    """Put the figures of a run into docs/speed.json, and all figures on the pages. BadInput if one is missing."""
    found = kept() | figures_of(lines)
    pages = {page: page_with(page, page.read_text("utf-8"), found) for page in pages_with_figures()}
    FILE.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
    for page, text in pages.items():
        page.write_text(text, "utf-8")


def pages_with_figures() -> list[Path]:
    return [ROOT / name for name in (*TEXTS, "docs/speed.md", "docs/verdicts.md")]


def page_with(page: Path, text: str, figures: Figures) -> str:
    """Return a page with these figures in the place of its own."""
    name = str(page.relative_to(ROOT))
    try:
        if name == "docs/speed.md":
            text = _table(text, "| typed | compiled |", [_typed(typed, figures) for typed in (*COMMANDS, *LOOPS)])
            return _table(text, "| | T | W | R |", [_engine(row, figures) for row in ENGINES])
        if name == "docs/verdicts.md":
            return _table(text, "| | `per-turn` |", [[_mode(one, figures) for one in row] for row in MODES])
        return _sentence(text, TEXTS[name], [f"{figures[one]:.1f}" for one in FIRST])
    except KeyError as missing:
        raise BadInput(f"{FILE.relative_to(ROOT)}: {missing} was not measured, and {name} has it") from None


def _typed(typed: str, figures: Figures) -> list[str]:
    if typed in LOOPS:
        return ["", f"{figures[typed]:.1f}"]
    return [f"{figures[f'{typed}, {core}']:.1f}" for core in ("compiled", "plain")]


def _engine(row: str, figures: Figures) -> list[str]:
    digits = 1 if row.endswith("other") else 0
    return [f"{figures[f'{row} {policy}']:.{digits}f}" for policy in POLICIES]


def _mode(typed: str, figures: Figures) -> str:
    return f"{figures[f'{typed}, compiled']:.1f} ({figures[f'{typed}, plain']:.1f})"


def _table(text: str, head: str, rows: list[list[str]]) -> str:
    """Put the last cells of the rows into the table that begins with `head`. BadInput if it has other rows."""
    before, found, after = text.partition(head)
    first, rule, *lines = after.split("\n")
    if not found or len(lines) <= len(rows) or lines[len(rows)].startswith("|"):
        raise BadInput(f"the table {head} … has other rows than the benchmark")
    return "\n".join([before + found + first, rule, *_filled(lines, rows), *lines[len(rows) :]])


def _filled(lines: list[str], rows: list[list[str]]) -> Iterator[str]:
    for line, cells in zip(lines, rows, strict=False):
        named = line.split("|")[: -1 - len(cells)]
        yield "|".join([*named, *(f" {cell} " if cell else " " for cell in cells), ""])


def _sentence(text: str, said: str, numbers: list[str]) -> str:
    """Put the numbers into the sentence, which is somewhere on the page, broken into lines anyhow."""
    words = re.escape(said).replace(r"\{\}", r")\d+(?:\.\d+)?(").replace(r"\ ", r"\s+")
    found = re.search(f"({words})", text)
    if found is None:
        raise BadInput(f"a page has no sentence {said}")
    between = iter(found.groups())
    sentence = next(between) + "".join(number + part for number, part in zip(numbers, between, strict=True))
    return text[: found.start()] + sentence + text[found.end() :]
