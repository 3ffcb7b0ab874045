"""Chance that is the same on every Python and machine: all that a record deals again comes from here."""

import hashlib
from collections.abc import Iterable


class Numbers:
    """Uniform numbers from SHAKE-256 of a text: the same on every Python and machine."""

    def __init__(self, text: str) -> None:
        self._hash = hashlib.shake_256(text.encode())
        self._bytes = b""
        self._at = 0

    def below(self, n: int) -> int:
        """A number 0..n-1. Words that would favour small numbers are thrown away."""
        limit = 2**32 // n * n
        while True:
            word = self._word()
            if word < limit:
                return word % n

    def _word(self) -> int:
        if self._at == len(self._bytes):
            self._bytes = self._hash.digest(len(self._bytes) + 640)  # a longer digest begins with the shorter one
        self._at += 4
        return int.from_bytes(self._bytes[self._at - 4 : self._at], "little")


def shuffled(items: Iterable[int], numbers: Numbers) -> list[int]:
    """Fisher-Yates from the last place down."""
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        pick = numbers.below(last + 1)
        mixed[last], mixed[pick] = mixed[pick], mixed[last]
    return mixed
