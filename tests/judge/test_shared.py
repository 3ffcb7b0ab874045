"""A bot that meddles with `threading`, which all threads of the process share."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.port import Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.way import table_fault
from tests.judge.players import Log, Writer, always, table_threads
from tests.kit.pace import MODES, UNIT
from tests.kit.toy import ToyGame

HOOKS: dict[str, Callable[[Any], None]] = {"settrace": threading.settrace, "setprofile": threading.setprofile}


@pytest.fixture(autouse=True)
def threading_as_it_was() -> Iterator[None]:
    hooks = threading.gettrace(), threading.getprofile()
    start = threading.Thread.start
    yield
    threading.Thread.start = start  # type: ignore[method-assign]
    threading.settrace(hooks[0])
    threading.setprofile(hooks[1])


def raising(*given: object) -> None:
    raise RuntimeError("a hook")


def meddler(meddle: Callable[[], object]) -> Writer:
    left = [meddle]

    def answer(question: Question) -> Any:
        if left:
            left.pop()()
        return question.default

    return Writer(answer)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_for_all_threads_that_raises_ends_no_thread_of_another_seat(mode: str, hook: str) -> None:
    clock = None if mode == "inline" else Clock(turn=20 * UNIT, reaction=20 * UNIT)
    for _ in range(2):  # the judge of the next game has a thread as well
        log = Log()
        players = [meddler(lambda: HOOKS[hook](raising)), *(always("show") for _ in range(3))]
        judge = Judge(ToyGame(turns=6), players, mode=mode, clock=clock, watches=[log])
        judge.start()
        assert judge.join().turns == 6
        assert log.every and all(answer.verdict.good for answer in log.every)
    assert table_threads() == []


def never(self: object, timeout: float | None = None) -> bool:
    return True


PLACE = f"test_shared.py line {never.__code__.co_firstlineno}"


@pytest.mark.parametrize("mode", MODES)
def test_who_replaces_a_part_of_threading_is_told_by_its_line_and_it_is_no_defect_of_ours(mode: str) -> None:
    player = meddler(lambda: setattr(threading.Thread, "start", never))

    def two_games() -> None:
        for _ in range(2):  # one without threads goes on to its end, and the next cannot begin
            judge = Judge(ToyGame(turns=6), [player, *(Writer() for _ in range(3))], mode=mode)
            judge.start()
            judge.join()

    with pytest.raises(BadInput, match=rf"threading\.Thread\.start has been replaced by {PLACE}, so no game can be"):
        two_games()


def test_an_error_is_ours_where_threading_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    error = RuntimeError("cannot join thread before it is started")
    assert isinstance(table_fault(1, 2, error), TableFault)
    monkeypatch.setattr(threading.Event, "wait", never)
    told = table_fault(1, 2, error)
    monkeypatch.undo()
    assert isinstance(told, BadInput) and str(told).startswith(f"threading.Event.wait has been replaced by {PLACE}, ")
    assert "table 1, turn 2: RuntimeError: cannot join thread before it is started; play that bot with" in str(told)
