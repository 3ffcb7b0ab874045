"""What exporters of Mahjong Soul write otherwise than tenhou.net/6: the width of three players, words, sticks.

The common ones agree on the form and differ in details: hands and lists of three have three entries or an empty fourth
place; the title's second line is a date or seconds; yaku and draws are named in the words of the game, in some of them
in English.
"""

import re
from collections.abc import Sequence
from typing import Any

from jantaku.table.languages.tenhou6.order import CIRCLE, OUR_YAKU
from jantaku.table.riichi.pieces.board import STICK
from jantaku.table.riichi.pieces.seats import THREE, WINDS
from jantaku.table.riichi.points.payments import RANK

MAHJONG_SOUL = re.compile(r"\d{6}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The id of a game of Mahjong Soul, which its exporters write as `ref`."""
ELEMENTS = 17
"""Elements of a hand."""
_SHORT = ELEMENTS - 3
"""Elements of a hand of three without the empty fourth place."""
_NAMES = OUR_YAKU | {"国士無双十三面待ち": "国士無双十三面"}
_OWN_WIND, _ROUND_WIND = "役牌:自風牌", "役牌:場風牌"


def is_short(hand: object) -> bool:
    """Whether this is a hand of three without the fourth place."""
    return isinstance(hand, list) and len(hand) == _SHORT


def widened(hand: list[Any]) -> list[Any]:
    """Return a hand of three as tenhou.net/6 has it, with an empty fourth place."""
    if is_short(hand):
        hand = [*hand[:-1], [], [], [], hand[-1]]
    head, scores, *rest, result = hand
    if isinstance(result, list):
        result = [result[0], *map(_padded, result[1:])] if result else result
    return [head, _padded(scores), *rest, result]


def _padded(values: Any) -> Any:
    """Points of three with a 0 at the fourth place; anything else as it is."""
    if isinstance(values, list) and len(values) == THREE and all(isinstance(value, int | float) for value in values):
        return [*values, *[0] * (CIRCLE - THREE)]
    return values


def yaku_name(name: str, seat: int, round_wind: int) -> str | None:
    """Our name of a yaku of the winner `seat`; None for a name that is not known. A yaku of the own wind is named after
    the seat: an exporter of Mahjong Soul writes another wind."""
    if name == _ROUND_WIND:
        return f"場風 {WINDS[round_wind]}"
    if name == _OWN_WIND or name.startswith("自風 "):
        return f"自風 {WINDS[seat]}"
    name = _NAMES.get(name, name)
    return name if name in RANK else None


def without_refused_stick(deltas: Sequence[int], seat: int, sticks: int) -> tuple[int, ...]:
    """The payments of a win by `seat` on a riichi's discard, when `sticks` lie on the table: an exporter counts the
    stick of that riichi, which is never paid."""
    too_many = sum(deltas) == (sticks + 1) * STICK
    return tuple(delta - STICK * (too_many and at == seat) for at, delta in enumerate(deltas))
