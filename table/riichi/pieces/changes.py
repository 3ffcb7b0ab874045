"""The kinds of change that an event makes to a board, as numbers: branching on a number is far quicker than on a
class."""

from typing import Final

NOTHING: Final = 0
GAME: Final = 1
"""The rules become known."""
DEAL: Final = 2
DRAW: Final = 3
DISCARD: Final = 4
RIICHI: Final = 5
"""A riichi is accepted: the stick is placed."""
CALL: Final = 6
KAN: Final = 7
NORTH_ASIDE: Final = 8
INDICATOR: Final = 9
WIN: Final = 10
RYUKYOKU: Final = 11
