"""A report as one HTML file without network access, and without a script unless one is given. Knows nothing of any
game."""

import os
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from jantaku.table.drawing.elements import (
    Markup,
    Part,
    cell,
    marked,
    section,
    sheet,
    verdict_and_facts,
)
from jantaku.table.ground.disk import replace_whole
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.view.guard import digest, policy
from jantaku.table.records.view.page import WholePage


class Document(NamedTuple):
    """The content of a report: the verdict in sentences, facts by name, and the parts. `script` is the page's only
    script; with one, the page is live, as the style sheet knows it, and may connect to its own server."""

    title: str
    verdict: Sequence[str]
    facts: Mapping[str, str]
    parts: Sequence[Part]
    script: str = ""


def write_report(path: Path, made: Document) -> None:
    """Write the report. BadInput if the disk refuses."""
    try:
        replace_whole(path, page_of(made).content)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from error


_SIGNS = {"system": "◐", "light": "☀", "dark": "☾"}
_THEMES = "".join(f'<option value="{theme}">{sign} {theme}</option>' for theme, sign in _SIGNS.items())
"""The reader's choice of colours: the style sheet looks at what is chosen, no script does."""


def page_of(document: Document) -> WholePage:
    """Build the page, with its Content-Security-Policy."""
    title = escape(document.title)
    verdict = marked("section", verdict_and_facts(document.verdict, document.facts), id="verdict", aria_label="Verdict")
    style = f"{sheet('colours')}{sheet('results')}{sheet('page')}\n"
    script = document.script
    allowed = policy([digest(script)] * bool(script), [digest(style)], "'self'" if script else "'none'")
    kind, run = (' class="live"', f"<script>{script}</script>") if script else ("", "")
    text = (
        f'<!doctype html><html lang="en"{kind}><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><style>{style}</style></head><body>'
        f'<header><span class="brand" lang="ja">雀卓</span><h1>{title}</h1>'
        f'<select aria-label="Colours">{_THEMES}</select></header><main>{verdict}'
        f"{''.join(map(section, document.parts))}</main>{run}</body></html>\n"
    )
    return WholePage(text.encode(), allowed)


def link(path: Path, words: object, report: Path) -> Markup:
    """Make a link to a file, relative to the report; only the words if there is no such file."""
    if not path.is_file():
        return Markup(cell(words))
    return marked("a", words, href=quote(os.fsencode(from_report(path, report))))


def from_report(path: Path, report: Path) -> str:
    """Return the path of a file relative to the report's folder."""
    return Path(os.path.relpath(path, report.parent)).as_posix()
