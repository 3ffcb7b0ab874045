"""The words of Majiang (電脳麻将): replies, discards and names of draws. `pieces/notation` has tiles and hands."""

import re
from typing import Any

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action
from jantaku.table.riichi import actions
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.pieces.melds import meld_text
from jantaku.table.riichi.pieces.tiles import NAMES, NORTH, TILE
from jantaku.table.riichi.words import discard_text

Item = dict[str, Any]
"""One event or one reply: a JSON object with one key."""

DRAW_NAMES: dict[DrawReason, str] = {
    DrawReason.EXHAUSTIVE: "荒牌平局",
    DrawReason.NAGASHI: "流し満貫",
    DrawReason.KYUUSHU: "九種九牌",
    DrawReason.SUUFON: "四風連打",
    DrawReason.SUUCHA: "四家立直",
    DrawReason.SUUKAN: "四開槓",
    DrawReason.SANCHAHOU: "三家和",
    DrawReason.CHOMBO: "チョンボ",
}
"""The name of each draw. Majiang itself has no chombo."""
DRAW_REASONS: dict[str, DrawReason] = {name: reason for reason, name in DRAW_NAMES.items()}

DECISIVE = {"qipai", "zimo", "dapai", "fulou", "gang", "penuki", "gangzimo", "hule", "pingju"}
"""Items whose order is the same in every record. `kaigang` and `lizhi` may stand elsewhere or be missing."""

CHOMBO: Item = {"chombo": "-"}
"""A journal's reply for an unusable answer that ends the kyoku."""

_DISCARD = re.compile(r"([mps][0-9]|z[1-7])(_?)(\*?)")


def draw_name(reason: str | None) -> str:
    """The name of a draw; a reason that is not ours stays unchanged."""
    return DRAW_NAMES[reason] if isinstance(reason, DrawReason) else reason or ""


def parse_discard(text: str) -> actions.Discard:
    """Read a discard, the inverse of `discard_text`. Raises BadInput for any other text."""
    match = _DISCARD.fullmatch(text)
    if match is None:
        raise BadInput(f"“{text}” is not a discard: they look like m1, m1_, m1* or m1_*")
    return actions.Discard(TILE[match[1]], bool(match[2]), bool(match[3]))


def reply(action: Action) -> Item:
    """Return an action as a Majiang 1.x reply; an empty object is a pass."""
    match action:
        case actions.Discard(tile, tsumogiri, riichi):
            return {"dapai": discard_text(tile, tsumogiri, riichi)}
        case actions.Call(meld):
            return {"fulou": meld_text(meld)}
        case actions.Kan(meld):
            return {"gang": meld_text(meld)}
        case actions.SetAside():
            return {"penuki": NAMES[NORTH]}
        case actions.Tsumo() | actions.Ron():
            return {"hule": "-"}
        case actions.Kyuushu() | actions.Tenpai():
            return {"daopai": "-"}
        case actions.Chombo():
            return CHOMBO
        case _:
            return {}


def reply_2015(action: Action) -> Item:
    """Return an action as a reply of 2015."""
    kind, data = next(iter(reply(action).items()), ("", None))
    if kind in ("hule", "daopai"):
        kind, data = "pingju" if kind == "daopai" else kind, None
    return {"type": kind, "data": data}
