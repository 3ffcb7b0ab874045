"""Common part of the broken remote players: it follows the game from messages and recognises the moment of the vice."""

from collections.abc import Callable
from typing import Any

from jantaku.players.adapters.client import Mind, choice_after
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Choice
from jantaku.table.languages.wire.dialects import DIALECTS
from tests.broken.catalogue import Vice, ViceMoment
from tests.broken.programs import Saying


class Waiting:
    """Plays the default, and misbehaves at one moment. `send` writes at once."""

    def __init__(
        self, vice: Vice, moment: ViceMoment, dialect: str, send: Callable[[bytes], object], too_long: float
    ) -> None:
        self._vice, self._moment, self._dialect = vice, moment, dialect
        self._send, self._too_long = send, too_long
        self._choice: Choice | None = None
        self._mind, self._reader = Mind(Tsumogiri()), DIALECTS[dialect].reader("majiang")

    def take(self, line: bytes, client: Any = None) -> bytes:
        """Process a message and return the bytes to send. `client` is the connection, if it came over one."""
        told = self._reader.read(line)
        choice = self._choice = choice_after(told, self._choice, self._mind)
        asked = choice if told.wants_reply else None
        now = self._moment.is_now(told.events, asked)
        reply = self._reader.write(self._mind.decide(choice), told.number) if told.wants_reply else b""
        if not now:
            return reply
        due = Saying(
            reply=reply,
            options=() if choice is None else choice.options,
            too_long=self._too_long,
            number=told.number,
            reader=self._reader,
            dialect=self._dialect,
            send=self._send,
            client=client,
        )
        said: bytes | None = self._vice.does(due)
        return said or b""
