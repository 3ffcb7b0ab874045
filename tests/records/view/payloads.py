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
    "name": lambda head, items, payload: head.update(player=[payload] * 4),
    "title": lambda head, items, payload: head.update(title=payload),
    "file": lambda head, items, payload: head.update(file=payload),
    "note": lambda head, items, payload: head.update(notes=[payload]),
    "kind of wall": lambda head, items, payload: head.update(walls=payload),
    "wall": _at(0, "wall"),
    "indicator": _at(1, "qipai", "baopai"),
    "hand": _at(1, "qipai", "shoupai", 0),
    "tile drawn": _at(2, "zimo", "p"),
    "verdict": _at(3, "answers", 0, "verdict"),
    "reason": _at(3, "answers", 0, "reason"),
    "discard of a reply": _at(3, "answers", 0, "reply", "dapai"),
    "meld of a reply": _at(3, "answers", 0, "reply", "fulou"),
    "kan of a reply": _at(14, "answers", 0, "reply", "gang"),
    "win of a reply": _at(14, "answers", 0, "reply", "hule"),
    "key of a reply": lambda head, items, payload: items[14]["answers"][0].update(reply={payload: payload}),
    "meld of an option": _at(3, "answers", 0, "options", 1, "fulou"),
    "discard of an option": _at(3, "answers", 0, "options", 0, "dapai"),
    "tile discarded": _at(4, "dapai", "p"),
    "meld": _at(5, "fulou", "m"),
    "kan": _at(8, "gang", "m"),
    "new indicator": _at(9, "kaigang", "baopai"),
    "rinshan tile": _at(10, "gangzimo", "p"),
    "winning hand": _at(_WIN, "hule", "shoupai"),
    "meld of a winning hand": lambda head, items, payload: items[_WIN]["hule"].update(shoupai=f"m1,{payload}"),
    "yaku": _at(_WIN, "hule", "hupai", 0, "name"),
    "han": _at(_WIN, "hule", "hupai", 1, "fanshu"),
    "ura": _at(_WIN, "hule", "fubaopai", 0),
    "fu": _at(_WIN, "hule", "fu"),
    "han in all": _at(_WIN, "hule", "fanshu"),
    "yakuman": _at(_WIN, "hule", "damanguan"),
    "points of a win": _at(_WIN, "hule", "defen"),
    "name of a draw": _at(_WIN + 1, "pingju", "name"),
    "hand of a draw": _at(_WIN + 1, "pingju", "shoupai", 0),
    "payment": _at(_WIN + 1, "pingju", "fenpei", 0),
    "final points": _at(_WIN + 2, "jieju", "point", 0),
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
    **{field: FIELDS[field] for field in ("title", "file", "note")},
    "name": lambda head, items, payload: head.update(player=[payload] * 2),
    "number of the round": _at(0, "round", "number"),
    "rank": _at(0, "round", "ranks", 0),
    "hand": _at(1, "deal", 0),
    "leader": _at(2, "leader"),
    "giver": _at(3, "exchange", 0, "giver"),
    "gift": _at(3, "exchange", 0, "cards"),
    "verdict": _at(4, "answers", 0, "verdict"),
    "reason": _at(4, "answers", 0, "reason"),
    "reply": _at(4, "answers", 0, "reply"),
    "option": _at(4, "answers", 0, "options", 0),
    "cards of a play": _at(5, "play", "cards"),
    "seat of a play": _at(5, "play", "seat"),
    "foul": _at(8, "agari", "foul"),
    "place of who goes out": _at(8, "agari", "place"),
    "new rank": _at(9, "finish", "ranks", 0),
    "points": _at(9, "finish", "points", 0),
    "final points": _at(10, "end", "points", 0),
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
