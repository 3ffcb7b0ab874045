"""Elements of HTML as text, with everything escaped that is not markup already, and the parts that pages of results and
notebooks are made of.

Players have faces on pages and in plots: a colour each, and with many players a shape.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32


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
    """Return a value as HTML."""
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
    """Make the element of a part."""
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
    """Return a style sheet of this folder without its remarks: `colours`, `results` or `page`."""
    return _REMARK.sub("", Path(__file__).with_name(f"{name}.css").read_text("utf-8"))


_REMARK = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


# What a notebook shows of an object: parts in a panel of its own, so that it can be read on a notebook of any colour.

_FRAME = """.jantaku {
    padding: 0.7rem 1rem;
    border-radius: 8px;
    background: var(--panel);
    color: var(--text);
    font: 14px / 1.5 var(--letters);
}
.jantaku table {
    margin: 0;
}
.jantaku tbody tr {
    background: none;
}
.jantaku section {
    margin-top: 0.8rem;
}
.jantaku .beside {
    display: inline-block;
    width: min(100%, 24rem);
    margin-right: 1rem;
    vertical-align: top;
}
:is(body[data-jp-theme-light="false"], .vscode-dark, html[theme="dark"]) .jantaku {
    color-scheme: dark;
}
:is(body[data-jp-theme-light="true"], .vscode-light, html[theme="light"]) .jantaku {
    color-scheme: light;
}
"""


def framed(title: str, content: Iterable[Markup]) -> Markup:
    """Make the HTML that a notebook shows of an object: it has its styles with it, which touch nothing beside it. It is
    dark where the notebook is (JupyterLab, VS Code, Colab), elsewhere as the reader's system."""
    style = f".jantaku {{\n{sheet('colours').replace(':root', '&')}{sheet('results')}}}\n{_FRAME}"
    inside = f"<style>{style}</style>{marked('h2', title)}{''.join(content)}"
    return Markup(f'<div class="jantaku">{inside}</div>')


COLOURS: Final = 8
"""The classes `c0` to `c7` of the style sheet."""
SHAPES: Final = 3
"""Round, and the classes `k1` and `k2`: square and on a corner; in plots a whole line, dashes and dots."""


class Face(NamedTuple):
    """The numbers of a player's colour and shape."""

    colour: int
    shape: int

    @property
    def classes(self) -> str:
        """The classes of an element in this colour and shape."""
        return f"c{self.colour}" + (f" k{self.shape}" if self.shape else "")


def faces_of(names: Iterable[str]) -> Mapping[str, Face]:
    """Give each player its face, which depends on the names alone: so it is the same on every page of these players. A
    name has a colour of its own, and takes the next that is free if another name has it; versions of a bot (`NAME@2`)
    begin at the same colour. From the ninth player on shapes differ, from the 25th on faces repeat."""
    found: dict[str, Face] = {}
    free = set[Face]()
    for name in sorted(set(names)):
        free = free or {Face(colour, shape) for colour in range(COLOURS) for shape in range(SHAPES)}
        first = crc32(name.partition("@")[0].encode(errors="surrogatepass"))
        wanted = (Face((first + step) % COLOURS, shape) for shape in range(SHAPES) for step in range(COLOURS))
        found[name] = next(face for face in wanted if face in free)
        free.discard(found[name])
    return found


def colours_of(names: Sequence[str], beside: Iterable[str] = ()) -> list[int]:
    """Return the number of each one's colour, on a page that names those `beside` them as well."""
    faces = faces_of([*names, *beside])
    return [faces[name].colour for name in names]


class FacedNames:
    """Names of these players as HTML, with their faces."""

    def __init__(self, names: Iterable[str]) -> None:
        self._faces = faces_of(names)

    def whole(self, name: str) -> Markup:
        """Make a name with its face; it breaks where there is no room."""
        return Markup(self._face(name) + cell(name))

    def short(self, name: str) -> Markup:
        """Make a name with its face; it is cut where there is no room."""
        return Markup(self._face(name) + name_of(name))

    def placed(self, place: int, name: str) -> Markup:
        """Make a name with its face and its place before them."""
        return marked("span", Markup(f"{place}. {self.short(name)}"), class_="kept")

    def crossed(self, names: Sequence[str]) -> tuple[list[Markup], list[Markup]]:
        """Make the heads of the columns and of the rows of a table of each of them against each; of many players the
        columns have the numbers of the rows."""
        sides = [self.short(name) for name in names]
        if len(names) <= COLOURS:
            return sides, sides
        columns = [marked("span", number, title=name) for number, name in enumerate(names, 1)]
        return columns, [self.placed(number, name) for number, name in enumerate(names, 1)]

    def _face(self, name: str) -> Markup:
        return marked("span", "", class_=f"face {self._faces[name].classes}", aria_hidden="true")
