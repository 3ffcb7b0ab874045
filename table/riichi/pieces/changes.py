"""What an event changes on a board: a number for each kind, which is far quicker to branch on than classes."""

from typing import Final

NOTHING: Final = 0
GAME: Final = 1
"""The rules are said."""
DEAL: Final = 2
DRAW: Final = 3
DISCARD: Final = 4
RIICHI: Final = 5
"""It stands: the stick is placed."""
CALL: Final = 6
KAN: Final = 7
NORTH_ASIDE: Final = 8
INDICATOR: Final = 9
WIN: Final = 10
RYUKYOKU: Final = 11
