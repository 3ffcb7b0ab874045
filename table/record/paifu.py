"""The 牌譜: a whole game as Majiang's JSON, in the form of majiang-core 1.x or of 2015.

Order: players hear a new dora indicator before the draw or discard that it belongs to, a 牌譜 has it right
behind. `jantaku` beside Majiang's own keys holds what a re-drive needs: rules, seed and number of the game.
"""

from collections.abc import Iterable
from typing import Any

from table.record.items import Encoder, Item, writes_decimals
from table.riichi import events
from table.riichi.rules import Rules


def paifu_of(
    stream: Iterable[events.Event], rules: Rules, title: str, extra: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The 1.x 牌譜 of a finished or unfinished game. `extra` is kept under the key `jantaku`."""
    encoder = Encoder(decimals=writes_decimals(rules))
    paifu: dict[str, Any] = {"title": title, "player": [], "qijia": 0, "log": []}
    paifu |= {"defen": [], "point": [], "rank": []}
    if extra:
        paifu["jantaku"] = extra
    items = []
    for event in stream:
        if isinstance(event, events.HanchanStart):
            paifu |= {"player": list(event.names), "qijia": event.first_dealer}
        item = encoder.encode(event)
        if item is not None:
            items.append(item)
    paifu["log"] = by_kyoku(items)
    if items and "jieju" in items[-1]:
        paifu |= items[-1]["jieju"]
    return paifu


def by_kyoku(items: Iterable[Item]) -> list[list[Item]]:
    """Items in the order of the stream as the `log` of a 牌譜."""
    log: list[list[Item]] = []
    waiting: list[Item] = []
    for item in items:
        if "kaigang" in item:
            waiting.append(item)
        elif "qipai" in item:
            log.append([item])
        elif not item.keys() & {"lizhi", "jieju"}:
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
