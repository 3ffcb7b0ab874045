"""The viewer's page: one HTML file that contains records, styles and code, and works from a disk and offline.

The page is assembled from the plain files in `page/`, which are the same for every game, and those in the folder of
the game; nothing is built, and nothing is loaded from the network. It shows items of the journal, in the order of
play: embedded, or sent by a running table.
"""

import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

import msgspec

from jantaku.table.records.journal.lines import Line
from jantaku.table.records.view.guard import digest, policy

ASSETS = files("jantaku.table.records.view") / "page"
_COLOURS = "colours.css"
"""The colours of all pages, which notebooks and pages of results have as well: not among the files of the viewer."""
_STYLE = re.compile(r'<link rel="stylesheet" href="([\w/]+\.css)">')
_SCRIPT = re.compile(r'<script src="([\w/]+\.js)"></script>')
_OF_THE_GAME = re.compile(r"<!-- (styles|scripts) of the game -->")
_BOOK = '{"records": [], "live": null}'
_CHARSET = '<meta charset="utf-8">'


class Entry(msgspec.Struct, frozen=True):
    """One record in the page: its head, and its items or the path to fetch them from."""

    head: Line
    items: list[Line] | None = None
    path: str | None = None


class Viewed(NamedTuple):
    """A record of any game for a page. `stream()` returns its items, and notes on what cannot be known."""

    head: Line
    stream: Callable[[], tuple[list[Line], list[str]]]
    hidden: str = ""
    """Why only the public part of the record could be read; empty for a whole record."""

    def entry(self) -> Entry:
        items, notes = self.stream()
        return Entry({**self.head, "notes": [*self.head["notes"], *notes]}, items)


class Book(msgspec.Struct, frozen=True):
    """Everything that a page is made from. `live` is the WebSocket address of a running table."""

    records: Sequence[Entry] = ()
    live: str | None = None
    troubles: Sequence[str] = ()
    """Why files are missing among the records."""
    opens: int = 0
    """The most bytes of a file that the page's server reads; 0 if it reads none."""


class WholePage(msgspec.Struct, frozen=True):
    """A page as one file, and its Content-Security-Policy, which is also in the file."""

    content: bytes
    policy: str


def page(book: Book, game: str = "riichi") -> WholePage:
    """Assemble the page of a game as one file. Only a page from a server may connect, and only to its own origin."""
    own = sorted(f"{game}/{file.name}" for file in folder_of(game).iterdir())
    tags = {
        "styles": [f'<link rel="stylesheet" href="{name}">' for name in own if name.endswith(".css")],
        "scripts": [f'<script src="{name}"></script>' for name in own if name.endswith(".js")],
    }
    text = _OF_THE_GAME.sub(lambda found: "\n".join(tags[found[1]]), _asset("index.html"))
    styles = {name: f"\n{_asset(name)}" for name in _STYLE.findall(text)}
    scripts = {name: f"\n{_asset(name)}" for name in _SCRIPT.findall(text)}
    connects = book.live is not None or book.opens > 0 or any(entry.path for entry in book.records)
    allowed = policy(
        map(digest, scripts.values()), map(digest, styles.values()), connect="'self'" if connects else "'none'"
    )
    text = text.replace(_CHARSET, f'{_CHARSET}\n<meta http-equiv="Content-Security-Policy" content="{allowed}">', 1)
    text = _STYLE.sub(lambda found: f"<style>{styles[found[1]]}</style>", text)
    text = _SCRIPT.sub(lambda found: f"<script>{scripts[found[1]]}</script>", text)
    # `<` as an escape cannot end the script element early, and JSON reads it the same
    told = msgspec.json.encode(book).decode().replace("<", "\\u003c")
    return WholePage(text.replace(_BOOK, told, 1).encode(), allowed)


def asset(name: str) -> Traversable:
    """Return a file of the page by its name there: `viewer.js`, or with the game before it, `riichi/draw.js`."""
    if name == _COLOURS:
        return files("jantaku.table.drawing") / name
    game, slash, file = name.partition("/")
    return folder_of(game) / file if slash else ASSETS / name


def folder_of(name: str, pages: Traversable = ASSETS, own: str = "viewer") -> Traversable:
    """Return a folder of the page, or of other `pages`; a game with a wing of its own keeps it there, as `own`."""
    inside = pages / name
    return inside if inside.is_dir() else files("jantaku.table") / name / own


def _asset(name: str) -> str:
    return asset(name).read_text("utf-8")
