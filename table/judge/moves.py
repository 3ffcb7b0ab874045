"""State machines as data: a table of moves, which the code goes by and which the pages about it are drawn from."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class Move(NamedTuple):
    """One step that is possible, and when it is taken."""

    before: StrEnum
    after: StrEnum
    why: str


def ways(states: Iterable[StrEnum], moves: Iterable[Move]) -> dict[str, frozenset[str]]:
    """Where each state can lead."""
    listed = list(moves)
    return {state: frozenset(move.after for move in listed if move.before is state) for state in states}
