"""The 牌譜: a whole game as Majiang's JSON, in the form of majiang-core 1.x; `forms.py` has the form of 2015.

Beside Majiang's own keys, `jantaku` has what a replay needs: rules, seed and number of the game.
"""

from collections.abc import Sequence

import msgspec

from jantaku.table.languages.facts import EndFact
from jantaku.table.languages.majiang.items import LINES, Encoder, final_of, writes_decimals
from jantaku.table.languages.majiang.order import by_kyoku, paifu_order
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.riichi import events
from jantaku.table.riichi.rules import Rules


def paifu_of(stream: Sequence[events.Event], rules: Rules, title: str, extra: Item | None = None) -> Item:
    """Return the 1.x 牌譜 of a game, finished or not. `extra` is stored under the key `jantaku`."""
    encoder = Encoder(decimals=writes_decimals(rules))
    items = [item for event in stream if (item := encoder.encode(event)) is not None]
    return _paifu(stream, rules, title, extra, by_kyoku(items))


def paifu_text(stream: Sequence[events.Event], rules: Rules, title: str, extra: Item | None = None) -> bytes:
    """Return the same 牌譜 as JSON text. Frequent events come from a table of finished lines, which is faster."""
    encoder = Encoder()
    log: list[tuple[str, bytes]] = []
    for event in stream:
        line = LINES.get(event)
        if line is not None:
            log.append(("", line))
        elif (item := encoder.encode(event)) is not None:
            log.append((next(iter(item)), msgspec.json.encode(item) + b"\n"))
    kyoku = [b"".join(lines)[:-1].replace(b"\n", b",") for lines in paifu_order(log)]
    text = msgspec.Raw(b"[[" + b"],[".join(kyoku) + b"]]" if kyoku else b"[]")
    return msgspec.json.encode(_paifu(stream, rules, title, extra, text))


def _paifu(stream: Sequence[events.Event], rules: Rules, title: str, extra: Item | None, log: object) -> Item:
    start, end = (stream[0], stream[-1]) if stream else (None, None)
    names, first_dealer = (start.names, start.first_dealer) if isinstance(start, events.HanchanStart) else ((), 0)
    final = EndFact(end.scores, end.ranks, end.tenths) if isinstance(end, events.HanchanEnd) else None
    return paifu(title, names, first_dealer, log, final, extra, decimals=writes_decimals(rules))


def paifu(
    title: str,
    names: Sequence[str],
    first_dealer: int,
    log: object,
    final: EndFact | None,
    extra: Item | None,
    *,
    decimals: bool,
) -> Item:
    """Assemble a 牌譜 from these parts; `final` is None for a game that has not ended."""
    whole: Item = {"title": title, "player": list(names), "qijia": first_dealer, "log": log}
    whole |= {"defen": [], "point": [], "rank": []} if final is None else final_of(final, decimals=decimals)
    return whole | ({"jantaku": extra} if extra else {})
