"""What a program that is a player needs from a dialect: messages as events, actions as replies."""

from collections.abc import Callable
from typing import Protocol

import msgspec

from jantaku.table.errors import BadInput
from jantaku.table.port import Action, Choice
from jantaku.table.riichi.events import Event


class Told(msgspec.Struct, frozen=True):
    """One line from the table: its events, whether a reply is due and under which number. `again`: the last reply was
    refused, and another is due. `seed`: of this player, where a game begins and the table tells it. `narrow`: what the
    table says of the choice that follows from the events."""

    events: tuple[Event, ...]
    wants_reply: bool
    number: int = 0
    again: bool = False
    seed: int = 0
    narrow: Callable[[Choice], Choice] | None = None


def seed_of(text: str) -> int:
    """A seed as a message has it. BadInput for what is no whole number."""
    try:
        return int(text)
    except ValueError:
        raise BadInput(f"its seed {text[:40]!r} is not a whole number") from None


class Reader(Protocol):
    """Reads what the table tells one seat, in order, and writes its replies."""

    def read(self, line: bytes) -> Told:
        """Read one line. BadInput for a line that is not of this dialect."""

    def write(self, action: Action | None, number: int, meta: str = "") -> bytes:
        """The reply `action`, None for nothing, to the line of that number; with `meta`, JSON text, where the dialect
        has a word for it."""
