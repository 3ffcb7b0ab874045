"""The interface of a dialect for a program that is a player: messages as events, actions as replies."""

from collections.abc import Callable
from typing import Protocol

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi.events import Event


class Told(msgspec.Struct, frozen=True):
    """One line from the table: its events, whether a reply is due, and under which number. `again`: the last reply was
    refused, and another is due. `seed`: this player's, sent when a game begins. `narrow`: restricts the choice that
    follows from the events to what the table allows."""

    events: tuple[Event, ...]
    wants_reply: bool
    number: int = 0
    again: bool = False
    seed: int = 0
    narrow: Callable[[Choice], Choice] | None = None


def seed_of(text: str) -> int:
    """Read a seed from a message. Raises BadInput if it is not an integer."""
    try:
        return int(text)
    except ValueError:
        raise BadInput(f"its seed {text[:40]!r} is not a whole number") from None


class Reader(Protocol):
    """Reads the table's lines for one seat, in order, and writes its replies."""

    def read(self, line: bytes) -> Told:
        """Read one line. Raises BadInput for a line that is not of this dialect."""

    def write(self, action: Action | None, number: int, meta: str = "") -> bytes:
        """Write the reply for `action` (None: nothing) to the line of that number; with `meta`, JSON text, if the
        dialect has a field for it."""
