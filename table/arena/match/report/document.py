"""A report as one HTML file without network access, and without a script unless one is given. Knows nothing of any
game."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from jantaku.table.ground.disk import replace_whole
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import pip_install
from jantaku.table.records.view.guard import digest, policy
from jantaku.table.records.view.page import WholePage


class Markup(str):
    """Text that is HTML already; all other text is escaped."""


class Part(NamedTuple):
    """A part of a report under a heading. Two parts with `beside` stand next to each other if the page is wide
    enough."""

    heading: str
    content: Markup
    note: str | Markup = ""
    beside: bool = False


class Document(NamedTuple):
    """The content of a report: the verdict in sentences, facts by name, and the parts. `style` is added to the style
    sheet. `script` is the page's only script; with one, the page may connect to its own server."""

    title: str
    verdict: Sequence[str]
    facts: Mapping[str, str]
    parts: Sequence[Part]
    style: str = ""
    script: str = ""


def write_report(path: Path, made: Callable[[], Document]) -> str:
    """Write the report. Return why it was not written; empty on success. BadInput if the disk refuses."""
    if find_spec("matplotlib") is None:  # matplotlib comes with the extra `report`
        return f"without {path.name}, which needs matplotlib: {pip_install('report')}"
    content = page_of(made()).content
    try:
        replace_whole(path, content)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from error
    return ""


def page_of(document: Document) -> WholePage:
    """Build the page, with its Content-Security-Policy."""
    title = escape(document.title)
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in document.facts.items())
    verdict = "".join(f"<p>{escape(sentence)}</p>" for sentence in document.verdict)
    style = f"{files('jantaku.table.arena.match.report').joinpath('report.css').read_text('utf-8')}{document.style}\n"
    script = document.script
    allowed = policy([digest(script)] * bool(script), [digest(style)], "'self'" if script else "'none'")
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><style>{style}</style></head><body><main>'
        f'<h1>{title}</h1><div class="verdict">{verdict}</div>{f"<dl>{facts}</dl>" if facts else ""}'
        f"{''.join(map(_part, document.parts))}</main>{f'<script>{script}</script>' if script else ''}</body></html>\n"
    )
    return WholePage(text.encode(), allowed)


def _part(part: Part) -> str:
    kind = ' class="beside"' if part.beside else ""
    note = f"<p>{cell(part.note)}</p>" if part.note else ""
    return f"<section{kind}><h2>{escape(part.heading)}</h2>{note}{part.content}</section>"


def cell(value: object) -> str:
    """Return a value as HTML."""
    return value if isinstance(value, Markup) else escape(str(value))


def marked(tag: str, value: object, **attributes: str) -> Markup:
    """Make an element with that value; `class_` gives its class."""
    told = "".join(f' {name.rstrip("_").replace("_", "-")}="{escape(text)}"' for name, text in attributes.items())
    return Markup(f"<{tag}{told}>{cell(value)}</{tag}>")


def name_of(name: str) -> Markup:
    """Make a name that is cut if there is no room; pointing at it shows the whole name."""
    return marked("span", name, class_="name", title=name)


def table(label: str, heads: Iterable[object], rows: Iterable[Sequence[object]], **attributes: str) -> Markup:
    """Make a table that can be scrolled, with the keyboard as well; the first cell of each row is its head."""
    top = "".join(marked("th", head, scope="col") for head in heads)
    body = "".join(marked("tr", _row(row)) for row in rows)
    inside = marked("table", Markup(f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody>"), **attributes)
    return marked("div", inside, class_="wide", tabindex="0", role="region", aria_label=label)


def _row(row: Sequence[object]) -> Markup:
    head, *cells = row
    return Markup(marked("th", head, scope="row") + "".join(marked("td", one) for one in cells))


def link(path: Path, words: object, report: Path) -> Markup:
    """Make a link to a file, relative to the report; only the words if there is no such file."""
    if not path.is_file():
        return Markup(cell(words))
    return marked("a", words, href=quote(os.fsencode(from_report(path, report))))


def from_report(path: Path, report: Path) -> str:
    """Return the path of a file relative to the report's folder."""
    return Path(os.path.relpath(path, report.parent)).as_posix()
