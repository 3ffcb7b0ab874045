"""Programs of any dialect without a process: what one is sent it answers at once."""

from collections.abc import Callable
from typing import Any

from jantaku.players.adapters.client import Mind, choice_after
from jantaku.table.ground.errors import BadInput, PlayerGone, PlayerNotReady
from jantaku.table.ground.port import Action, Question
from jantaku.table.languages.wire.dialect import Dialect, Heard, converse
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.play.roster import Entrant
from tests.check.exam.defective import Sound

Program = Callable[[bytes], bytes]
"""What it says to a line: lines, perhaps none. Raises BadInput where it breaks."""


def sound(dialect: str) -> Program:
    """One of ours."""
    mind, reader = Mind(Sound()), DIALECTS[dialect].reader("tenhou")
    choice: Any = None

    def program(line: bytes) -> bytes:
        nonlocal choice
        told = reader.read(line)
        choice = choice_after(told, choice, mind)
        return reader.write(mind.decide(choice), told.number) if told.wants_reply else b""

    return program


class Spoken:
    """What makes the player that `made()` is, as `jantaku.players.adapters.process.Launch` does."""

    def __init__(self, dialect: str, made: Callable[[], Program]) -> None:
        self.dialect: Callable[[], Dialect] = DIALECTS[dialect].side
        self._made = made

    def __call__(self, seed: int) -> "Talking":
        return Talking(self.dialect(), self._made())


def entrant(dialect: str, made: Callable[[], Program] | None = None) -> Entrant:
    """The program as a player of a match; by default a sound one."""
    return Entrant("program", "exec:program", Spoken(dialect, made or (lambda: sound(dialect))))


class Talking:
    """One game of such a program. Implements `Remote`."""

    listens = True

    def __init__(self, dialect: Dialect, program: Program) -> None:
        self._dialect, self._program = dialect, program
        self._inbox: list[Heard] = []
        self._held: Any = None
        self._broken = ""

    @property
    def stale(self) -> int:
        """See `Remote.stale`."""
        return self._dialect.stale

    def start(self, seconds: float | None) -> None:
        """See `Remote.start`."""
        self._tell_held(None)
        greeting = self._dialect.greet()
        try:
            if greeting is not None:
                converse(greeting, self._send, self._receive)
        except PlayerGone as gone:
            raise PlayerNotReady(str(gone)) from None

    def close(self) -> None:
        """See `Remote.close`."""

    def hear(self, event: Any) -> None:
        """See `Player.hear`."""
        self._tell_held(None)
        self._held = event

    def answer(self, question: Question) -> Action:
        """See `Player.answer`."""
        self._tell_held(question)
        given: Action = converse(self._dialect.ask(question), self._send, self._receive)
        return given

    def retell(self, events: Any) -> list[str]:
        """See `Port.retell`."""
        return [str(event) for event in events]

    def _tell_held(self, question: Question | None) -> None:
        event, self._held = self._held, None
        if event is not None:
            self._send(self._dialect.tell(event, question))

    def _send(self, data: bytes) -> None:
        for line in data.splitlines():
            try:
                said = b"" if self._broken else self._program(line)
            except BadInput as error:
                self._broken, said = str(error), b""
            self._inbox += [Heard(one, self._dialect.due) for one in said.splitlines()]

    def _receive(self) -> Heard:
        if not self._inbox:
            raise PlayerGone(self._broken or "it says nothing")
        return self._inbox.pop(0)
