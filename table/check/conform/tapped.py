"""A dialect whose lines are recorded, and changed on their way to the player."""

from collections.abc import Callable, Generator
from typing import Any, cast

import msgspec

from jantaku.table.ground.errors import PlayerSilent
from jantaku.table.ground.port import Action, DefaultPlayed, Question
from jantaku.table.languages.wire.dialect import Aside, Dialect, Greeting, Heard, Talk

Change = Callable[[bytes], bytes]
"""Returns what is sent instead of a line, line feed included."""
STRANGE = {"shiny": {"new": [1, "x"]}}
"""A field, or a message, that no program knows."""


def as_it_is(line: bytes) -> bytes:
    """Change nothing."""
    return line


class Tape:
    """The lines of one conversation in order, each with whether the table said it."""

    def __init__(self) -> None:
        self.lines: list[tuple[bool, bytes]] = []


def tapped(dialect: Dialect, change: Change, began: Callable[[Tape], None]) -> Dialect:
    """Wrap a dialect. `began` is called with the tape of each conversation when the program is first addressed."""
    return cast(Dialect, _Tap(dialect, change, began))


class _Tap:
    """Implements `Dialect`; passes on what it does not define to the wrapped dialect."""

    def __init__(self, dialect: Dialect, change: Change, began: Callable[[Tape], None]) -> None:
        self._dialect, self._change, self._began = dialect, change, began
        self._tape = Tape()
        self._is_used = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dialect, name)

    def tell(self, event: Any, question: Question | None = None) -> bytes:
        return self._out(self._dialect.tell(event, question))

    def default_played(self, played: DefaultPlayed) -> bytes:
        return self._out(self._dialect.default_played(played))

    def greet(self) -> Greeting | None:
        self._use()
        greeting = self._dialect.greet()
        return None if greeting is None else cast(Greeting, self._talk(cast(Talk, greeting)))

    def ask(self, question: Question) -> Talk:
        self._use()
        return self._talk(self._dialect.ask(question))

    def again(self) -> Dialect:
        return tapped(self._dialect.again(), self._change, self._began)

    def _use(self) -> None:
        if not self._is_used:
            self._is_used = True
            self._began(self._tape)

    def _talk(self, talk: Talk) -> Generator[bytes, Heard, Action]:
        try:
            data = next(talk)
            while True:
                if isinstance(data, Aside):
                    yield Aside(self._out(data))
                    data = next(talk)
                    continue
                try:
                    heard = yield self._out(data)
                except PlayerSilent as silence:
                    data = talk.throw(silence)
                else:
                    self._tape.lines.append((False, heard.line))
                    data = talk.send(heard)
        except StopIteration as end:
            return cast(Action, end.value)

    def _out(self, data: bytes) -> bytes:
        said = b"".join(self._change(line) for line in data.splitlines(keepends=True))
        self._tape.lines += [(True, line) for line in said.splitlines()]
        return said


def with_strange_fields(line: bytes) -> bytes:
    """Add an unknown field to every message of the line."""
    value = msgspec.json.decode(line)
    if isinstance(value, list):
        return msgspec.json.encode([one | STRANGE for one in value]) + b"\n"
    return msgspec.json.encode(value | STRANGE) + b"\n"


def with_strange_messages(dialect: str) -> Change | None:
    """Return a change that puts an unknown message, to which no reply is due, before every line. None if the dialect
    has no such message."""
    if dialect in ("mjai", "mjai-actions"):
        return lambda line: msgspec.json.encode([{"type": "shiny", "actor": 0}, *msgspec.json.decode(line)]) + b"\n"
    alone = {
        "majiang": STRANGE,
        "mjai-lines": {"type": "shiny", "can_act": False},
        "mjai-lines-actions": {"type": "shiny", "can_act": False},
        "riichilab": {"type": "shiny"},
    }.get(dialect)
    return None if alone is None else lambda line: msgspec.json.encode(alone) + b"\n" + line
