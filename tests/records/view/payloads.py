"""Scripts in many encodings, and games that carry them in every untrusted field."""

import copy
import json
from collections.abc import Callable
from typing import Any

from jantaku.table.records.view.page import Entry
from tests.kit.cases import text_of
from tests.kit.editing import put_at

_GIVEN = json.loads(text_of("pages/payloads.json"))
PAYLOADS: tuple[str, ...] = tuple(_GIVEN["payloads"])
HEAD: dict[str, Any] = _GIVEN["head"]
ITEMS: list[Any] = _GIVEN["items"]
"""An invented game with an item of every kind."""

Put = Callable[[dict[str, Any], list[Any], Any], object]


def _at(number: int, *keys: Any) -> Put:
    """Return a function that puts a payload under these keys of an item."""
    return lambda head, items, payload: put_at(items, number, *keys, to=payload)


_WIN = next(number for number, item in enumerate(ITEMS) if "hule" in item)
FIELDS: dict[str, Put] = {
    **{field: _at(*path) for field, path in _GIVEN["fields"].items()},
    "name": lambda head, items, payload: head.update(player=[payload] * 4),
    "title": lambda head, items, payload: head.update(title=payload),
    "file": lambda head, items, payload: head.update(file=payload),
    "note": lambda head, items, payload: head.update(notes=[payload]),
    "kind of wall": lambda head, items, payload: head.update(walls=payload),
    "key of a reply": lambda head, items, payload: items[14]["answers"][0].update(reply={payload: payload}),
    "meld of a winning hand": lambda head, items, payload: items[_WIN]["hule"].update(shoupai=f"m1,{payload}"),
    "key of an item": lambda head, items, payload: items.insert(5, {payload: {"l": 0}}),
}
"""Untrusted fields, and how a payload gets there; also where a reader refuses it, because the page must be safe by
itself."""


def spoilt(field: str, payload: str) -> Entry:
    head, items = copy.deepcopy(HEAD), copy.deepcopy(ITEMS)
    FIELDS[field](head, items, payload)
    return Entry(head, items)


def book_of(payload: str) -> Entry:
    """Return the game with a payload in every field whose value can be any text."""
    head, items = copy.deepcopy(HEAD), copy.deepcopy(ITEMS)
    for field in ("name", "title", "file", "note", "verdict", "reason", "meld of an option", "yaku", "name of a draw"):
        FIELDS[field](head, items, payload)
    for field in ("discard of a reply", "kan of a reply", "meld of a winning hand", "final points", "new indicator"):
        FIELDS[field](head, items, payload)
    return Entry(head, items)


SERIES_HEAD: dict[str, Any] = _GIVEN["series head"]
SERIES: list[Any] = _GIVEN["series"]
"""An invented 大富豪 series."""
SERIES_FIELDS: dict[str, Put] = {
    **{field: _at(*path) for field, path in _GIVEN["series fields"].items()},
    **{field: FIELDS[field] for field in ("title", "file", "note")},
    "name": lambda head, items, payload: head.update(player=[payload] * 2),
    "key of an item": lambda head, items, payload: items.insert(5, {payload: {"seat": 0}}),
}
"""Untrusted fields of a series, like `FIELDS`."""


def spoilt_series(field: str, payload: str) -> Entry:
    head, items = copy.deepcopy(SERIES_HEAD), copy.deepcopy(SERIES)
    SERIES_FIELDS[field](head, items, payload)
    return Entry(head, items)


_SNAPSHOT: dict[str, Any] = _GIVEN["snapshot"]
MONITOR: dict[str, Callable[[Any], dict[str, Any]]] = {
    "name": lambda payload: {"PlayerInfo": [{**one, "Name": payload} for one in _SNAPSHOT["PlayerInfo"]]},
    "rank": lambda payload: {"PlayerInfo": [{**one, "Ranking": payload} for one in _SNAPSHOT["PlayerInfo"]]},
    "count": lambda payload: {"PlayerInfo": [{**one, "HavingCardCount": payload} for one in _SNAPSHOT["PlayerInfo"]]},
    "place": lambda payload: {"PlayerInfo": [{**one, "OrderOfFinish": payload} for one in _SNAPSHOT["PlayerInfo"]]},
    "kind": lambda payload: {"Kind": payload},
    "trick": lambda payload: {"Ba": [payload]},
    "hand": lambda payload: {"AllDeck": [payload, payload]},
    "history": lambda payload: {"History": [payload, f"0-[{payload}]"]},
    "tweet": lambda payload: {"Kind": "Tweet", "PlayerNum": 0, "Message": payload},
    "tweeter": lambda payload: {"Kind": "Tweet", "PlayerNum": payload, "Message": "x"},
}
"""Fields of the messages that the 大富豪 page gets."""


def person_of(payload: str) -> list[dict[str, Any]]:
    """Return the additional messages for the page on which a person plays."""
    own = {**_SNAPSHOT, "YourNum": 0, "Deck": f"S3 {payload}", "Kind": payload}
    late = {"Kind": "Tweet", "PlayerNum": 0, "Message": "（サーバ処理：タイムアウト）"}
    choice = {"Kind": "Choice", "Question": payload, "Plays": ["S3", payload], "Seconds": payload, "Allowed": payload}
    return [own, choice, {**own, "History": [f"0-[{payload}]"]}, late, {"Kind": "Exception", "Message": payload}]


def notice_of(payload: str) -> dict[str, Any]:
    """Return the notice of a room with a payload in every field."""
    row = {"name": payload, "total": payload, "last": payload, "times": [payload] * 5}
    told = {"room": payload, "letter": "A", "state": payload, "players": [payload] * 2, "seats": payload}
    return {**told, "series": payload, "round": payload, "rounds": payload, "standings": [row, row]}


def monitor_of(field: str, payload: str) -> dict[str, Any]:
    return {**_SNAPSHOT, **MONITOR[field](payload)}
