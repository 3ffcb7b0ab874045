"""Both ends of a dialect in one process, the table and a program that answers, with every line kept."""

import contextlib
import copy
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from jantaku.table.ground.errors import PlayerFault, PlayerSilent
from jantaku.table.ground.port import Action, DefaultPlayed, Player, Question, port_of
from jantaku.table.languages.wire.dialect import Dialect, Heard, converse
from jantaku.table.languages.wire.dialects import DIALECTS

Spoil = Callable[[bytes], Sequence[bytes | None]]
"""Returns the lines sent instead of a reply; None in place of a line: the time is over."""


Trial = Callable[["Wired", Question, Action], None]
"""Called before a question is answered with an action, to try other replies."""


class SpokenLine(msgspec.Struct, frozen=True):
    """One line of a transcript. `replied`: whether a line of the table wants a reply. `asked`: how the player would
    write each option, if the line puts a question."""

    by_table: bool
    data: bytes
    replied: bool = False
    asked: tuple[str, ...] = ()


class Wired:
    """A player that says the decisions of `mind` in a dialect. Implements `Player`.

    `spoil` replaces the first reply to a question. A table that is `clocked` tells the time.
    """

    listens = True

    def __init__(
        self, name: str, mind: Player, spoil: Spoil | None = None, *, clocked: bool = False, trial: Trial | None = None
    ) -> None:
        self._name = name
        self.dialect = self._new_side()
        self._done: list[Callable[[Dialect], object]] = []
        """All calls on the dialect so far. `instead` repeats them on a new one, because a compiled dialect cannot be
        copied."""
        self.lines: list[SpokenLine] = []
        self.answered: list[bytes] = []
        """What the table said directly after the spoiled reply."""
        self._reader = DIALECTS[name].reader("tenhou")
        self._mind, self._spoil, self._clocked, self._trial = mind, spoil, clocked, trial
        self._listens = port_of(mind).listens
        self._held: Any = None
        self._inbox: list[Heard | None] = []
        self._due: list[tuple[int, int]] = []
        """For each message without a reply so far: its number, and its index in `lines`."""
        self._spoiled = False

    def _new_side(self) -> Dialect:
        side = DIALECTS[self._name].side()
        side.ours["seed"] = "0"
        return side

    def hear(self, event: Any) -> None:
        if self._listens:
            self._mind.hear(event)
        self._tell_held(None)
        self._held = event

    def defaulted(self, played: DefaultPlayed) -> None:
        data = self._do(lambda dialect: dialect.default_played(played))
        self._read(data)
        if self._spoiled:
            self.answered += data.splitlines()

    def answer(self, question: Question) -> Action:
        if self._clocked:
            question = question.with_time(30.0, bank=20.0, margin=0.1)
        self._tell_held(question)
        action = self._mind.answer(question)
        if self._trial is not None:
            self._trial(self, question, action)
        return self._put(question, action)

    def instead(self, question: Question, action: Action, spoil: Spoil) -> Action | None:
        """Return the action that the table would take the spoiled reply for, None for none. Nothing changes by that."""
        other = copy.copy(self)
        other.dialect, other._reader = self._new_side(), copy.deepcopy(self._reader)
        for do in self._done:
            do(other.dialect)
        other._done, other.lines, other.answered = [], [*self.lines], []
        other._due, other._inbox, other._spoil = [*self._due], [*self._inbox], spoil
        try:
            return other._put(question, action)
        except PlayerFault:
            return None

    def _do(self, do: Callable[[Dialect], bytes]) -> bytes:
        self._done.append(do)
        return do(self.dialect)

    def _put(self, question: Question, action: Action) -> Action:
        self._spoiled = False
        self._inbox = [heard for heard in self._inbox if heard is not None]
        asked = tuple(map(self.dialect.written, question.options))
        came: list[Heard | None] = []
        self._done.append(lambda dialect: _asked_again(dialect, question, came))

        def send(data: bytes) -> None:
            self._read(data)
            if self._spoiled:
                self.answered += data.splitlines()

        def receive() -> Heard:
            nonlocal asked
            self._reply(action, asked)
            asked = ()
            came.append(heard := self._inbox.pop(0) if self._inbox else None)
            if heard is None:
                raise PlayerSilent("no answer in time")
            return heard

        given: Action = converse(self.dialect.ask(question), send, receive)
        return given

    def close(self) -> None:
        """Send the last event."""
        self._tell_held(None)

    def _tell_held(self, question: Question | None) -> None:
        event, self._held = self._held, None
        if event is not None:
            self._read(self._do(lambda dialect: dialect.tell(event, question)))
        if question is None:
            for number, _ in self._due:
                self._say(self._reader.write(None, number))
            self._due = []

    def _read(self, data: bytes) -> None:
        for line in data.splitlines():
            told = self._reader.read(line)
            if told.wants_reply:
                self._due.append((told.number, len(self.lines)))
            self.lines.append(SpokenLine(True, line, told.wants_reply))

    def _reply(self, action: Action, asked: tuple[str, ...]) -> None:
        """Reply to all open messages; the last one, which puts the question, gets `action`."""
        if not self._due:
            return
        *others, (last, at) = self._due
        self._due = []
        for number, _ in others:
            self._say(self._reader.write(None, number))
        reply = self._reader.write(action, last).strip()
        self.lines[at] = msgspec.structs.replace(self.lines[at], asked=(*asked, reply.decode()))
        if self._spoil is None:
            self._say(reply)
            return
        spoil, self._spoil, self._spoiled = self._spoil, None, True
        for line in spoil(reply):
            self._say(line)

    def _say(self, line: bytes | None) -> None:
        if line is not None:
            self.lines.append(SpokenLine(False, line.strip()))
        self._inbox.append(None if line is None else Heard(line.strip(), self.dialect.due))


def _asked_again(dialect: Dialect, question: Question, came: Sequence[Heard | None]) -> None:
    """Repeat a question on a new dialect, with the lines that came for it."""
    lines = iter(came)

    def receive() -> Heard:
        if (heard := next(lines)) is None:
            raise PlayerSilent("no answer in time")
        return heard

    with contextlib.suppress(PlayerFault):
        converse(dialect.ask(question), lambda _: None, receive)
