"""A talk of a dialect with a player: its parts, and how it is led.

Apart from `dialect.py`, which is compiled: mypyc keeps no struct frozen, and makes no kind of bytes.
"""

from collections.abc import Callable, Generator
from typing import Any

import msgspec

from jantaku.table.errors import PlayerSilent
from jantaku.table.port import Action


class Heard(msgspec.Struct, frozen=True):
    """One line from a player. `due` is the number of replies that the player owed in all when the line came in."""

    line: bytes
    due: int
    waited: float = 0.0
    """Seconds from the open question to this line, where the transport measures them."""


class Aside(bytes):
    """Bytes of a talk that are sent and not waited for."""


Greeting = Generator[bytes, Heard, None]
"""A coroutine that waits until the player has shown that it is ready; see `Talk`."""
Talk = Generator[bytes, Heard, Action]
"""A coroutine for one question: yields bytes to be sent (perhaps none), receives one line each time, but for an `Aside`
nothing, returns the answer. Raises PlayerUnreadable for a line that answers the question and cannot be read."""


def converse(talk: Talk | Greeting, send: Callable[[bytes], None], receive: Callable[[], Heard]) -> Any:
    """Run a talk of a dialect to its answer. PlayerSilent, raised by `receive`, is passed into the dialect, which may
    know what was received instead."""
    try:
        data = next(talk)
        while True:
            send(data)
            if isinstance(data, Aside):
                data = next(talk)
                continue
            try:
                heard = receive()
            except PlayerSilent as silence:
                data = talk.throw(silence)
            else:
                data = talk.send(heard)
    except StopIteration as end:
        return end.value
