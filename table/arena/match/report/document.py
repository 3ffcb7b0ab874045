"""A report as one HTML file without network access and without a script. Knows nothing of any game."""

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


class Document(NamedTuple):
    """The content of a report: the verdict in sentences, facts by name, and the parts."""

    title: str
    verdict: Sequence[str]
    facts: Mapping[str, str]
    parts: Sequence[Part]


def write_report(path: Path, made: Document) -> None:
    """Write the report. BadInput if the disk refuses."""
    try:
        replace_whole(path, page_of(made))
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from error


_SIGNS = {"system": "◐", "light": "☀", "dark": "☾"}
_THEMES = "".join(f'<option value="{theme}">{sign} {theme}</option>' for theme, sign in _SIGNS.items())
"""The reader's choice of colours: the style sheet looks at what is chosen, no script does."""


def page_of(document: Document) -> bytes:
    """Build the page, which names its Content-Security-Policy."""
    title = escape(document.title)
    verdict = marked("section", verdict_and_facts(document.verdict, document.facts), id="verdict", aria_label="Verdict")
    style = f"{sheet('colours')}{sheet('results')}{sheet('page')}\n"
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(styles=[digest(style)])}"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><style>{style}</style></head><body>'
        f'<header><span class="brand" lang="ja">雀卓</span><h1>{title}</h1>'
        f'<select aria-label="Colours">{_THEMES}</select></header><main>{verdict}'
        f"{''.join(map(section, document.parts))}</main></body></html>\n"
    )
    return text.encode()


def link(path: Path, words: object, report: Path) -> Markup:
    """Make a link to a file, relative to the report; only the words if there is no such file."""
    if not path.is_file():
        return Markup(cell(words))
    return marked("a", words, href=quote(os.fsencode(from_report(path, report))))


def from_report(path: Path, report: Path) -> str:
    """Return the path of a file relative to the report's folder."""
    return Path(os.path.relpath(path, report.parent)).as_posix()
