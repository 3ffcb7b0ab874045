"""An agent as Kaggle's environments run it: a file whose last callable is `agent(observation, configuration)`."""

import inspect
import json
import operator
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from jantaku.players.adapters.process import Launch, isolated
from jantaku.table import installation
from jantaku.table.errors import BadInput, PlayerUnreadable
from jantaku.table.formats.mjai.replies import replies
from jantaku.table.formats.mjai.words import Line
from jantaku.table.port import Action, Question
from jantaku.table.riichi.actions import Discard
from jantaku.table.riichi.events import Event
from jantaku.table.seating.spec import Terms
from jantaku.table.wire.dialect import Heard
from jantaku.table.wire.mjai import Mjai

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_MOST = 2
"""An agent is given so many arguments: what it sees, and how the game is run."""


class Structure(dict[str, Any]):
    """A dictionary whose keys are attributes as well."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class KaggleAgent:
    """The agent of a file, as a bot. It is told mjai, and answers with the number of a legal action, `{"submission":
    NUMBER}`, or an mjai object. The file is executed anew for every game, before the clock runs.
    """

    game = "riichi"

    def __init__(self, file: str, *, seed: int = 0) -> None:
        self._agent = agent_in(file)
        self._takes = _arguments(self._agent)
        self._configuration = {"seed": seed, "__raw_path__": file}
        self._side = _Side()
        self._step = 0

    def hear(self, event: Event) -> None:
        """See `Player.hear`."""
        self._side.hear(event)

    def answer(self, question: Question) -> Action:
        """See `Player.answer`. What is neither a number of a legal action nor mjai is handed back as it is."""
        options, given, talk = question.options, None, self._side.ask(question)
        try:
            line = next(talk)
            while True:
                asked_again = options is not question.options
                given = self._act(question, self._side.heard(line), self._side.objects(options, bare=asked_again))
                number = _number_in(given)
                if number is not None:
                    return options[number] if 0 <= number < len(options) else given
                line = talk.send(Heard(_line_of(given), self._side.due))
                options = tuple(one for one in options if isinstance(one, Discard) and one.riichi)
        except StopIteration as end:
            action: Action = end.value
            return action
        except PlayerUnreadable:
            return given

    def remark(self) -> object:
        """See `Port.remark`: the `meta` of an mjai object."""
        return self._side.meta

    def _act(self, question: Question, events: list[Line], legal: list[Line]) -> Any:
        observation = Structure(
            step=self._step,
            remainingOverageTime=question.bank,
            playerId=self._side.me,
            events=events,
            legalActions=legal,
            possible_actions=legal,
        )
        self._step += 1
        configuration = Structure(self._configuration, actTimeout=question.limit)
        return self._agent(*(observation, configuration)[: self._takes])


class _Side(Mjai):
    """What the seat hears, as mjai. Every reply is to what was sent last."""

    def __init__(self) -> None:
        super().__init__()
        self._heard: list[Line] = []

    def hear(self, event: Event) -> None:
        """Keep what is told of an event."""
        self._heard += _lines_in(self.tell(event))

    def heard(self, last: bytes) -> list[Line]:
        """All that was told since the last time, and `last`."""
        lines, self._heard = [*self._heard, *_lines_in(last)], []
        return lines

    def objects(self, options: Iterable[Action], *, bare: bool) -> list[Line]:
        """The options, one object each: a riichi is a `reach` with its discard, or that alone (`bare`)."""
        found = []
        for option in options:
            lines = replies(option, self.me, self._board)
            found.append(lines[-1] if bare else {**lines[-1], "type": lines[0]["type"]})
        return found

    def _number(self, heard: Heard) -> int:
        return heard.due


def kaggle(terms: Terms, name: str, logs: Path | None) -> Launch:
    """The transport of `kaggle:FILE`: the agent has a process of its own, in the folder of the file."""
    file = installation.here(Path(terms.bot.partition(":")[2]))
    if not file.is_file():
        raise BadInput(f"player {name}: there is no file {file}")
    cwd = str(file.parent) if terms.cwd is None else terms.cwd
    bot, args = f"{__name__}:{KaggleAgent.__name__}", {"file": str(file)}
    return isolated(msgspec.structs.replace(terms, bot=bot, args=args, isolate="process", cwd=cwd), name, logs)


def agent_in(file: str) -> Callable[..., Any]:
    """The last callable that is left when a file has been executed in an empty namespace. BadInput if there is none."""
    space: dict[str, Any] = {}
    folder = os.path.dirname(file)
    sys.path.append(folder)
    try:
        exec(compile(Path(file).read_bytes(), file, "exec"), space)
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
    found = [value for name, value in space.items() if name != "__builtins__" and callable(value)]
    if not found:
        raise BadInput(f"no agent: the last callable of {file} is to be agent(observation, configuration)")
    agent: Callable[..., Any] = found[-1]
    return agent


def _arguments(agent: Callable[..., Any]) -> int:
    """How many arguments an agent takes: at most two, by their places."""
    parameters = inspect.signature(agent).parameters.values()
    takes_all = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    return _MOST if takes_all else min(_MOST, sum(one.kind in _POSITIONAL for one in parameters))


def _number_in(given: Any) -> int | None:
    """The number of an action that an agent has given, numpy's included; None for anything else."""
    if isinstance(given, dict) and "submission" in given:
        given = given["submission"]
    is_number = hasattr(type(given), "__index__") and not isinstance(given, bool)
    return operator.index(given) if is_number else None


def _line_of(given: Any) -> bytes:
    """What an agent has given as a line of mjai, which it may not be. PlayerUnreadable for what leads into itself."""
    try:
        return json.dumps(given, default=repr, skipkeys=True).encode()
    except (ValueError, RecursionError):
        raise PlayerUnreadable("its answer leads into itself") from None


def _lines_in(data: bytes) -> list[Line]:
    return [line for one in data.splitlines() for line in msgspec.json.decode(one)]
