"""A bot's own values of its options, as Mortal and its relatives write them in `meta`: `q_values`, one for each
possible action, and `mask_bits`, whose bits say which of Mortal's 46 actions these are.

Some of our options are the same action there: a tile from the hand and the same tile just drawn, every riichi, chi
with and without a red five, every kan. They have the same value.
"""

from collections.abc import Sequence
from typing import Any

from jantaku.table.languages.majiang.rule import Item

_SUITS = "mpsz"
_IN_A_SUIT = 9
_RED, _RIICHI, _CHI, _PON, _KAN, _WIN, _DRAW, _PASS = 34, 37, 38, 41, 42, 43, 44, 45
"""Numbers of Mortal's actions. The discard of a plain tile has the number of its kind. Chi has three numbers: low,
middle, high."""
_KAN_TILES = 4


def option_values(meta: Any, options: Sequence[Item]) -> list[float | None] | None:
    """By option (a Majiang reply), its value, or None if it has none; None as a whole if `meta` has no values."""
    values = action_values(meta)
    return None if values is None else [values.get(action_number(option)) for option in options]


def action_values(meta: Any) -> dict[int, float] | None:
    """The value by number of action; None if `meta` has no values, or not one for each bit."""
    if not isinstance(meta, dict):
        return None
    values, bits = meta.get("q_values"), meta.get("mask_bits")
    if not isinstance(values, list) or type(bits) is not int or not 0 < bits < 1 << 64:
        return None
    actions = [number for number in range(bits.bit_length()) if bits >> number & 1]
    if len(actions) != len(values) or not all(type(value) in (int, float) for value in values):
        return None
    return dict(zip(actions, values, strict=True))


def action_number(option: Item) -> int:
    """The number of Mortal's action for an option."""
    match option:
        case {"dapai": str(text)}:
            return _RIICHI if "*" in text else _tile(text)
        case {"fulou": str(text)}:
            return _call(text)
        case {"gang": _}:
            return _KAN
        case {"hule": _}:
            return _WIN
        case {"daopai": _}:
            return _DRAW
    return _PASS


def _tile(text: str) -> int:
    suit, digit = _SUITS.index(text[0]), int(text[1])
    return _RED + suit if digit == 0 else suit * _IN_A_SUIT + digit - 1


def _call(text: str) -> int:
    digits = [int(mark) or 5 for mark in text if mark.isdigit()]
    if len(digits) == _KAN_TILES:
        return _KAN
    if len(set(digits)) == 1:
        return _PON
    called = next(number for number, mark in enumerate(text[1:]) if mark in "-=+") - 1
    return _CHI + sorted(digits).index(digits[called])
