"""Deterministic randomness: the same on every Python version and machine. All that a replay deals again comes from
here."""

import hashlib
import struct
from collections.abc import Iterable
from typing import Final

_BLOCK: Final = 160
"""How many words are drawn at once: enough for the two dice and a wall."""
_WORDS: Final = 1 << 32


class Numbers:
    """Uniform numbers from SHAKE-256 of a text."""

    def __init__(self, text: str) -> None:
        self._hash = hashlib.shake_256(text.encode())
        self._words: tuple[int, ...] = ()
        self._at = 0

    def below(self, n: int) -> int:
        """Return a uniform number 0..n-1, by rejection sampling: words that would favour small numbers are skipped."""
        limit = _WORDS - _WORDS % n
        while True:
            if self._at == len(self._words):
                self._draw()
            word = self._words[self._at]
            self._at += 1
            if word < limit:
                return word % n

    def _draw(self) -> None:
        size = len(self._words) + _BLOCK  # a longer digest begins with the shorter one
        self._words = struct.unpack(f"<{size}I", self._hash.digest(4 * size))


def shuffled(items: Iterable[int], numbers: Numbers) -> list[int]:
    """Return the items in a random order: Fisher-Yates from the last place down."""
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        pick = numbers.below(last + 1)
        mixed[last], mixed[pick] = mixed[pick], mixed[last]
    return mixed
