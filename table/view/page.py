"""The viewer's page: one HTML file with records, styles and code in it, that works from a disk and offline.

The page is assembled from the plain files in `page/`; nothing is built and nothing is loaded from the network. It shows
items of the journal, in the order of play: embedded, or sent by a running table.
"""

import re
from collections.abc import Sequence
from importlib.resources import files

import msgspec

from table.convert.writing import walls_of, writes_points_with_decimals
from table.errors import BadInput
from table.formats.majiang.items import final_of, items_of
from table.formats.majiang.order import with_answers
from table.formats.majiang.words import Item
from table.record.read import Record
from table.replay.offers import offers
from table.riichi.pieces.tiles import NAMES
from table.view.guard import digest, policy

ASSETS = files("table.view") / "page"
_STYLE = re.compile(r'<link rel="stylesheet" href="([\w/]+\.css)">')
_SCRIPT = re.compile(r'<script src="([\w/]+\.js)"></script>')
_BOOK = '{"records": [], "live": null}'
_CHARSET = '<meta charset="utf-8">'


class Entry(msgspec.Struct, frozen=True):
    """One record in the page: its head, and its items or where to fetch them."""

    head: Item
    items: list[Item] | None = None
    path: str | None = None


class Book(msgspec.Struct, frozen=True):
    """Everything that a page is made with. `live` is the WebSocket address of a running table."""

    records: Sequence[Entry] = ()
    live: str | None = None


class WholePage(msgspec.Struct, frozen=True):
    """A page as one file, and its Content-Security-Policy, which is in the file too."""

    content: bytes
    policy: str


def page(book: Book) -> WholePage:
    """The whole page as one file. Only a page without embedded records connects, to its own origin."""
    text = (ASSETS / "index.html").read_text("utf-8")
    styles = {name: f"\n{_asset(name)}" for name in _STYLE.findall(text)}
    scripts = {name: f"\n{_asset(name)}" for name in _SCRIPT.findall(text)}
    connects = book.live is not None or any(entry.path for entry in book.records)
    allowed = policy(
        map(digest, scripts.values()), map(digest, styles.values()), connect="'self'" if connects else "'none'"
    )
    text = text.replace(_CHARSET, f'{_CHARSET}\n<meta http-equiv="Content-Security-Policy" content="{allowed}">', 1)
    text = _STYLE.sub(lambda found: f"<style>{styles[found[1]]}</style>", text)
    text = _SCRIPT.sub(lambda found: f"<script>{scripts[found[1]]}</script>", text)
    # “<” cannot end the script element early when it is written like this, and JSON reads it as before.
    told = msgspec.json.encode(book).decode().replace("<", "\\u003c")
    return WholePage(text.replace(_BOOK, told, 1).encode(), allowed)


def _asset(name: str) -> str:
    return (ASSETS / name).read_text("utf-8")


def head_of(record: Record, notes: Sequence[str] = ()) -> Item:
    """The page's description of a record before its first item."""
    return {
        "file": record.path.name,
        "title": record.title or (f"seed {record.seed} game {record.number}" if record.seed else record.path.name),
        "player": list(record.names),
        "qijia": record.first_dealer,
        "walls": record.school,
        "notes": list(notes),
    }


def stream_of(record: Record) -> tuple[list[Item], list[str]]:
    """The items of a record for the page, with walls, answers and options where they can be known, and notes on what
    cannot be."""
    answers, notes = _turns(record)
    walls = walls_of(record)
    stream: list[Item] = []
    for number, kyoku in enumerate(record.log):
        if number < len(walls):
            wall = walls[number]
            stream.append({"wall": "".join(NAMES[tile] for tile in wall.tiles), "dice": wall.dice})
        stream += with_answers(items_of(kyoku), number + 1, answers)
    if record.final is not None:
        stream.append({"jieju": final_of(record.final, decimals=writes_points_with_decimals(record))})
    return stream, notes


def _turns(record: Record) -> tuple[dict[tuple[int, int], Item], list[str]]:
    """The turns of a record with the options of everybody who was asked."""
    turns: dict[tuple[int, int], Item] = {key: {**turn, "answers": []} for key, turn in record.answers.items()}
    told = {(key, one["seat"]): one for key, turn in record.answers.items() for one in turn["answers"]}
    notes: list[str] = []
    try:
        for one in offers(record):
            turn = turns.setdefault(one.key, {"turn": None, "answers": []})
            answer = told.pop((one.key, one.player), {"seat": one.player, "reply": one.answer})
            turn["answers"].append({**answer, "options": list(one.options)})
    except BadInput as error:
        notes.append(str(error))
    for (key, _), answer in told.items():  # asked beyond the first difference between engine and record
        turns[key]["answers"].append(answer)
    return turns, notes


def entry_of(record: Record, notes: Sequence[str] = ()) -> Entry:
    """A record for embedding into a page."""
    stream, more = stream_of(record)
    return Entry(head_of(record, [*notes, *more]), stream)
