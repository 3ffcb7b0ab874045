"""Writes the import laws of .importlinter in lines: `python -m scripts.laws` updates docs/architecture.md.

Each contract of the kind `layers` becomes a line, from the highest layer to the lowest: a package may import those on
its right and none on its left. Each contract of the kind `forbidden` becomes a line as well.
"""

import configparser
import re
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAWS = ROOT / ".importlinter"
PAGE = ROOT / "docs" / "architecture.md"
COMMAND = "scripts.laws"


def drawn(settings: str) -> str:
    """Return the laws in the text of an .importlinter, as Markdown."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(settings)
    laws = [parser[name] for name in parser.sections() if name.startswith("importlinter:contract:")]
    layered = [f"- {law['name']}: {_order(law)}" for law in laws if law["type"] == "layers"]
    return "\n".join([*layered, *(f"- {law['name']}" for law in laws if law["type"] == "forbidden")])


def _order(law: Mapping[str, str]) -> str:
    """Return the layers from the highest to the lowest; packages of one layer do not import each other."""
    rows = [re.split(r"[|:]", row) for row in law["layers"].split("\n") if row.strip()]
    return " → ".join(" · ".join(f"`{room.strip()}`" for room in row) for row in rows)


def page_with(page: str, picture: str, command: str = COMMAND) -> str:
    """Return the page with this picture between the two marks of the command that draws it."""
    begin, end = (f"<!-- drawn by {command}: {mark} -->" for mark in ("begin", "end"))
    before, rest = page.split(begin)
    after = rest.split(end)[1]
    return f"{before}{begin}\n{picture}\n{end}{after}"


def bring_up_to_date(page: Path, picture: str, command: str = COMMAND) -> int:
    """Draw the picture into the page; return 1 if it was out of date."""
    return written(page, page_with(page.read_text("utf-8"), picture, command))


def written(page: Path, text: str) -> int:
    """Write this text; return 1 if the page had another one."""
    was_up_to_date = page.read_text("utf-8") == text
    page.write_text(text, "utf-8")
    print(f"{page.relative_to(ROOT)}: {'was' if was_up_to_date else 'brought'} up to date")
    return int(not was_up_to_date)


if __name__ == "__main__":
    sys.exit(bring_up_to_date(PAGE, drawn(LAWS.read_text("utf-8"))))
