"""Elements of HTML as text, with everything escaped that is not markup already, and the parts that pages of results and
notebooks are made of.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple


class Markup(str):
    """Text that is HTML already; all other text is escaped."""


class Part(NamedTuple):
    """A part of a page under a heading. Two parts with `beside` stand next to each other if the page is wide
    enough."""

    heading: str
    content: Markup
    note: str | Markup = ""
    beside: bool = False


def cell(value: object) -> str:
    return value if isinstance(value, Markup) else escape(str(value))


def marked(tag: str, value: object, **attributes: str) -> Markup:
    """Make an element with that value; `class_` gives its class."""
    told = "".join(f' {name.rstrip("_").replace("_", "-")}="{escape(text)}"' for name, text in attributes.items())
    return Markup(f"<{tag}{told}>{cell(value)}</{tag}>")


def minus(text: str) -> str:
    """Write a negative figure with a minus sign, which is as wide as a plus; any other text is left as it is."""
    return f"\N{MINUS SIGN}{text[1:]}" if _NEGATIVE.match(text) else text


_NEGATIVE = re.compile(r"-[0-9]")


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
    shown = (minus(one) if type(one) is str else one for one in cells)
    return Markup(marked("th", head, scope="row") + "".join(marked("td", one) for one in shown))


def section(part: Part) -> Markup:
    kind = {"class_": "beside"} if part.beside else {}
    note = marked("p", part.note) if part.note else ""
    return marked("section", Markup(marked("h2", part.heading) + note + part.content), **kind)


def verdict_and_facts(verdict: Iterable[str], facts: Mapping[str, str]) -> Markup:
    """Make the sentences that say how it came out, the first of them large, and facts by name below them."""
    told = "".join(marked("p", sentence) for sentence in verdict)
    named = "".join(marked("dt", name) + marked("dd", value) for name, value in facts.items())
    return Markup(marked("div", Markup(told), class_="verdict") + (marked("dl", Markup(named)) if named else ""))


@cache
def sheet(name: str) -> str:
    """Return a style sheet of this folder without its remarks, such as `colours`."""
    return _REMARK.sub("", Path(__file__).with_name(f"{name}.css").read_text("utf-8"))


_REMARK = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


def framed(title: str, content: Iterable[Markup]) -> Markup:
    """Make the HTML that a notebook shows of an object: it has its styles with it, which touch nothing beside it. It is
    dark where the notebook is (JupyterLab, VS Code, Colab), elsewhere as the reader's system."""
    style = f".jantaku {{\n{sheet('colours').replace(':root', '&')}{sheet('results')}}}\n{sheet('frame')}"
    inside = f"<style>{style}</style>{marked('h2', title)}{''.join(content)}"
    return Markup(f'<div class="jantaku">{inside}</div>')
