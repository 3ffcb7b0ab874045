"""The 牌譜: a whole game as Majiang's JSON, in the form of majiang-core 1.x or of 2015.

Order: players hear a new dora indicator before the draw or discard that it belongs to, a 牌譜 has it right
behind. `jantaku` beside Majiang's own keys holds what a re-drive needs: rules, seed and number of the game.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from table.record.items import LINES, Encoder, Item, jieju_of, writes_decimals
from table.riichi import events
from table.riichi.rules import Rules

T = TypeVar("T")


def paifu_of(
    stream: Sequence[events.Event], rules: Rules, title: str, extra: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The 1.x 牌譜 of a finished or unfinished game. `extra` is kept under the key `jantaku`."""
    encoder = Encoder(decimals=writes_decimals(rules))
    items = [item for event in stream if (item := encoder.encode(event)) is not None]
    return _paifu(stream, rules, title, extra, by_kyoku(items))


def paifu_text(stream: Sequence[events.Event], rules: Rules, title: str, extra: dict[str, Any] | None = None) -> bytes:
    """The same as JSON, without items that would only be encoded."""
    encoder = Encoder()
    log: list[tuple[str, bytes]] = []
    for event in stream:
        line = LINES.get(event)
        if line is not None:
            log.append(("", line))
        elif (item := encoder.encode(event)) is not None:
            log.append((next(iter(item)), msgspec.json.encode(item) + b"\n"))
    kyoku = [b"".join(lines)[:-1].replace(b"\n", b",") for lines in _in_order(log)]
    text = msgspec.Raw(b"[[" + b"],[".join(kyoku) + b"]]" if kyoku else b"[]")
    return msgspec.json.encode(_paifu(stream, rules, title, extra, text))


def _paifu(
    stream: Sequence[events.Event], rules: Rules, title: str, extra: dict[str, Any] | None, log: object
) -> dict[str, Any]:
    paifu: dict[str, Any] = {"title": title, "player": [], "qijia": 0, "log": log}
    paifu |= {"defen": [], "point": [], "rank": []}
    if extra:
        paifu["jantaku"] = extra
    if stream and isinstance(start := stream[0], events.HanchanStart):
        paifu |= {"player": list(start.names), "qijia": start.first_dealer}
    if stream and isinstance(end := stream[-1], events.HanchanEnd):
        paifu |= jieju_of(end, decimals=writes_decimals(rules))["jieju"]
    return paifu


def by_kyoku(items: Iterable[Item]) -> list[list[Item]]:
    """Items in the order of the stream as the `log` of a 牌譜."""
    return _in_order((next((key for key in _MOVED if key in item), ""), item) for item in items)


_MOVED = ("qipai", "kaigang", "lizhi", "jieju")
"""Items that begin a kyoku, stand elsewhere in a 牌譜, or nowhere."""


def _in_order(told: Iterable[tuple[str, T]]) -> list[list[T]]:
    """What stands under these keys by kyoku, in the order of a 牌譜."""
    log: list[list[T]] = []
    waiting: list[T] = []
    for key, item in told:
        if key == "kaigang":
            waiting.append(item)
        elif key == "qipai":
            log.append([item])
        elif key not in ("lizhi", "jieju"):
            log[-1] += [item, *waiting]
            waiting = []
    return log


def as_2015(paifu: Item) -> Item:
    """The same record as seed 002 had it: no riichi mark on hands, no liable seat, points as numbers."""
    log = [[item_2015(item) for item in kyoku] for kyoku in paifu["log"]]
    point = [as_number(text) for text in paifu["point"]]
    return {**paifu, "log": log, "point": point}


def as_number(point: str) -> float | int:
    """Final points of 1.x as the number of 2015."""
    return int(float(point)) if float(point).is_integer() else float(point)


def item_2015(item: Item) -> Item:
    """One item of a 1.x log in the form of 2015."""
    if "hule" in item:
        hule = item["hule"]
        hupai = [{key: yaku[key] for key in ("name", "fanshu")} for yaku in hule["hupai"]]
        return {"hule": {**hule, "shoupai": _without_riichi(hule["shoupai"]), "hupai": hupai}}
    if "pingju" in item:
        pingju = item["pingju"]
        return {"pingju": {**pingju, "shoupai": [_without_riichi(text) for text in pingju["shoupai"]]}}
    return item


def _without_riichi(text: str) -> str:
    return text.replace("*", "")
