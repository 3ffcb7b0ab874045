"""Writes the English names of yaku and draws into the viewer: `python -m scripts.names` updates riichi/words.js."""

import re
import sys

from jantaku.table.riichi.points.names import DRAWS, YAKU
from scripts.laws import ROOT, written

PAGE = ROOT / "table" / "records" / "view" / "page" / "riichi" / "words.js"
_TABLE = re.compile(r"(?<=const NAMES_ENGLISH = \{\n).*?(?=^\};)", re.DOTALL | re.MULTILINE)


def drawn(page: str) -> str:
    """Return the page's text with the names of the library."""
    return _TABLE.sub("".join(f'    {_key(one.ja)}: "{one.en}",\n' for one in (*YAKU, *DRAWS)), page, count=1)


def _key(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'


if __name__ == "__main__":
    sys.exit(written(PAGE, drawn(PAGE.read_text("utf-8"))))
