"""The interfaces of a dialect: for the table, a talk with a player; for a program, messages as events."""

from collections.abc import Callable, Generator
from typing import Any, Protocol

import msgspec

from jantaku.table.ground.errors import BadInput, PlayerSilent
from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi.events import Event

# A talk: a coroutine in which a dialect converses with a player.
#
# This file is apart from `dialect.py`, which is compiled: mypyc does not keep a struct frozen.


class Heard(msgspec.Struct, frozen=True):
    """One line from a player. `due` is the total number of replies that were due when the line came in."""

    line: bytes
    due: int


Greeting = Generator[bytes, Heard, None]
"""A coroutine that waits until the player has shown that it is ready; see `Talk`."""
Talk = Generator[bytes, Heard, Action]
"""A coroutine for one question. It yields bytes to send (possibly none), receives one line for each, and returns the
answer. It raises PlayerUnreadable for a line that answers the question but cannot be read."""


def converse(talk: Talk | Greeting, send: Callable[[bytes], None], receive: Callable[[], Heard]) -> Any:
    """Run a talk to its answer. PlayerSilent, raised by `receive`, is passed into the talk, which may replace it by a
    more precise reason."""
    try:
        data = next(talk)
        while True:
            send(data)
            try:
                heard = receive()
            except PlayerSilent as silence:
                data = talk.throw(silence)
            else:
                data = talk.send(heard)
    except StopIteration as end:
        return end.value


# The interface of a dialect for a program that is a player: messages as events, actions as replies.


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
