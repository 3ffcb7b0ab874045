"""A talk: a coroutine in which a dialect converses with a player.

This file is apart from `dialect.py`, which is compiled: mypyc does not keep a struct frozen.
"""

from collections.abc import Callable, Generator
from typing import Any

import msgspec

from jantaku.table.ground.errors import PlayerSilent
from jantaku.table.ground.port import Action


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
