"""The bot of `jantaku join`: any class, file, program or folder that can sit at a table, with its faults reported."""

from collections.abc import Callable
from typing import Any

import msgspec

from jantaku.players.adapters.client import maker_of
from jantaku.table.ground.errors import BadInput, PlayerFault, PlayerNotReady
from jantaku.table.ground.foreign.traces import raised_at
from jantaku.table.ground.port import Action, Player, PlayerWrapper, Question, port_of, remote_of
from jantaku.table.play.seating.spec import Terms, terms_of, transport
from jantaku.table.riichi.events import HanchanEnd, HanchanStart

STARTING = 60.0
"""Seconds for a program to become ready."""
THINKING = 600.0
"""Seconds for an answer of a program: the remote table's clock runs out long before."""

Fault = Callable[[str, str], object]
"""Called with a word for the fault, and with the reason."""


def _reason(error: Exception) -> str:
    place = raised_at(error)
    return f"{type(error).__name__}: {error}" + (f" ({place})" if place else "")


class Guarded(PlayerWrapper):
    """A bot whose faults are reported and cost it the default, as at a table. A program is started with each game and
    released at its end."""

    def __init__(self, wrapped: Player, fault: Fault) -> None:
        super().__init__(wrapped)
        self._fault = fault
        self._remote, self._said = remote_of(wrapped), port_of(wrapped).remark
        self._is_its = False
        """Whether the last answer is the bot's own, not a default."""

    def hear(self, event: Any) -> None:
        """Let the bot hear an event. Raises BadInput for a program that cannot be started."""
        try:
            super().hear(event)
        except Exception as error:
            self._fault("gone", f"{_reason(error)}, when it heard {type(event).__name__}")
        if self._remote is not None and isinstance(event, HanchanStart):
            try:
                self._remote.start(STARTING)
            except PlayerNotReady as problem:
                raise BadInput(f"--bot: the program did not become ready: {problem}") from problem
        if isinstance(event, HanchanEnd):
            self.close()

    def answer(self, question: Question) -> Action:
        """Return the bot's answer, or the default if the answer cannot be used."""
        self._is_its = False
        try:
            given: Action = super().answer(question.with_time(THINKING))
        except PlayerFault as fault:
            self._fault("gone", str(fault))
            return question.default
        except Exception as error:
            self._fault("gone", _reason(error))
            return question.default
        if given not in question.options:
            self._fault("illegal", f"{given!r} is not allowed; allowed are {', '.join(map(str, question.options))}")
            return question.default
        self._is_its = True
        return given

    def remark(self) -> object:
        """Return the bot's remark on its last answer; None after a default."""
        return self._said() if self._is_its and self._said is not None else None

    def close(self) -> None:
        if self._remote is not None:
            self._remote.close()


def named_maker(word: str) -> tuple[str, Callable[[int], Player]]:
    """Return a name for the bot, and the function that makes it. Raises BadInput for a word that does not name a
    bot."""
    terms = terms_of(word)
    if terms.scheme == "ws":
        raise BadInput(f"--bot {word}: that seat waits for a client; name a bot, FILE.py:Class or exec:PROGRAM")
    if terms.scheme:
        return terms.label, transport(terms.scheme)(terms, terms.label, None)
    return msgspec.structs.replace(Terms(terms.bot), name=terms.name).label, maker_of(word)
