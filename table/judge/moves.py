"""State machines as data: a table of moves, which the code follows and from which the pages' pictures are drawn."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class Move(NamedTuple):
    """One possible step of a state machine; `why` says when it is taken."""

    before: StrEnum
    after: StrEnum
    why: str


def ways(states: Iterable[StrEnum], moves: Iterable[Move]) -> dict[str, frozenset[str]]:
    """Return for each state the states that it can lead to."""
    listed = list(moves)
    return {state: frozenset(move.after for move in listed if move.before is state) for state in states}
