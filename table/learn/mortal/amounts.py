"""The values of the planes, as float32: everything that is computed is in tables made once for each version.

An exponential is computed in float64 from a float32 argument and rounded once: numpy's own float32 `exp` is one unit
off in the last place for some arguments, and differs between machines.
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
MOST: Final = 127
"""Amounts above this are written like this one; no game has them."""
FAR: Final = 128
"""An age at which a discard is not seen any more; ages below are written."""
RICH: Final = 100_000
"""Points from which on the share is 1."""


def _exp(argument: Floats) -> Floats:
    return np.exp(argument.astype(np.float64)).astype(np.float32)


def _bells(numbers: Floats, cap: int, parts: int) -> Floats:
    """By number, how near it is to each inner part of the cap: shape (numbers, parts - 1, 1)."""
    width = np.float32(cap) / np.float32(parts)
    centres = np.arange(1, parts, dtype=np.float32) * width
    apart: Floats = numbers[:, None] - centres
    argument: Floats = (-(apart * apart) / (np.float32(2) * width * width)).astype(np.float32)
    return _exp(argument)[:, :, None]


def _counted() -> Floats:
    return np.arange(MOST + 1, dtype=np.float32)


def _thermometer(cap: int) -> Floats:
    """By number, `cap` planes of which the first are 1, as many as the number says: shape (numbers, cap, 1)."""
    return (_counted()[:, None] > np.arange(cap)).astype(np.float32)[:, :, None]


@cache
def amounts(version: int, cap: int, parts: int, *, ratio: bool = False) -> Floats:
    """By number from 0 to MOST, the values of its planes: shape (MOST + 1, planes, 1)."""
    if version == 1:
        return _thermometer(cap)
    bells = _bells(_counted(), cap, parts)
    if not ratio:
        return bells
    share = np.minimum(_counted(), np.float32(cap)) / np.float32(cap)
    return np.concatenate([share[:, None, None], bells], axis=1)


@cache
def points(version: int, score: int) -> Floats:
    """The values of the planes of a seat's points: shape (planes, 1). Points below 0 are all zeros."""
    share = np.float32(min(max(score, 0), RICH)) / np.float32(RICH)
    if version == 1:
        return np.array([[share]], np.float32)
    if score < 0:
        return np.zeros((10, 1), np.float32)
    return np.concatenate([[[share]], _bells(np.array([score // 100], np.float32), 500, 10)[0]]).astype(np.float32)


def _ages() -> Floats:
    values = np.zeros(2 * FAR, np.float32)
    values[:FAR] = _exp(np.float32(-0.2) * np.arange(FAR, dtype=np.float32))
    return values


AGES: Final = _ages()
"""By age of a discard, its value; 0 from FAR on."""
LEFT: Final = np.arange(MOST + 1, dtype=np.float32) / np.float32(69)
"""By number of tiles left, its value."""
SEVENTHS: Final = np.minimum(_counted(), 7) / np.float32(7)
"""By number of kyoku played, how far the hanchan is."""
QUARTER: Final = np.float32(0.25)
"""What each copy seen adds."""
