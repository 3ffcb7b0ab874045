"""Players for the toy game, and what the judge's tests need around them."""

import contextlib
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jantaku.table.ground.port import Action, Answer, Player, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Result
from tests.kit.pace import SOON
from tests.kit.toy import ToyGame

Diary = list[tuple[str, Any]]


class Writer:
    """Writes down all that it hears and is asked, and answers what `does` says for the question's number."""

    def __init__(self, does: Callable[[Question], Any] | None = None) -> None:
        self.diary: Diary = []
        self.threads: set[str] = set()
        self._does = does or (lambda question: question.default)
        self._inside = threading.Lock()

    def hear(self, event: Any) -> None:
        with self._alone():
            self.diary.append(("hear", event))

    def answer(self, question: Question) -> Action:
        with self._alone():
            self.threads.add(threading.current_thread().name)
            self.diary.append(("asked", question.id))
            given: Action = self._does(question)
            return given

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        assert self._inside.acquire(blocking=False), "one player object was entered twice at once"
        try:
            yield
        finally:
            self._inside.release()

    @property
    def asked(self) -> list[int]:
        return [what for kind, what in self.diary if kind == "asked"]

    @property
    def heard(self) -> list[Any]:
        return [what for kind, what in self.diary if kind == "hear"]


def dice(seed: int) -> Writer:
    """A player whose answers depend on its seed only."""
    chance = random.Random(seed)
    return Writer(lambda question: chance.choice(question.options))


def always(*wishes: Any) -> Writer:
    """A player that answers with the first of its wishes that is an option, else the default."""
    return Writer(lambda question: next((wish for wish in wishes if wish in question.options), question.default))


class Log:
    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.told: list[tuple[int, tuple[Answer, ...]]] = []
        self.threads: set[str] = set()

    def events(self, new: Sequence[Any]) -> None:
        assert new
        self.threads.add(threading.current_thread().name)
        self.seen.extend(new)

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        assert answers
        self.told.append((turn, tuple(answers)))

    @property
    def every(self) -> list[Answer]:
        return [answer for _, answers in self.told for answer in answers]

    def of(self, seat: int) -> list[Answer]:
        return [answer for answer in self.every if answer.seat == seat]


def play(game: ToyGame, players: Sequence[Player], **settings: Any) -> tuple[Result, Log]:
    log = Log()
    return Judge(game, players, watches=[log], **settings).run(), log


def table_threads(table: int = 1) -> list[str]:
    """The names of the threads of one table that run now. `is_alive` may lie after an interrupted join."""
    return sorted(thread.name for thread in threading.enumerate() if thread.name.startswith(f"T{table}-"))


def join_table_threads(table: int = 1) -> None:
    """Wait for the threads of one table that were let go, and see that they end."""
    for thread in threading.enumerate():
        if thread.name.startswith(f"T{table}-"):
            thread.join(SOON)
    assert table_threads(table) == []
