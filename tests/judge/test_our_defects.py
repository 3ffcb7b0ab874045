"""A defect of ours stops the table with a TableFault, is never blamed on a player, and leaves no thread."""

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from jantaku.table.ground.errors import TableFault
from jantaku.table.ground.port import Action, Answer, Choice, Turn
from jantaku.table.judge import shared
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from tests.judge.players import Log, Writer, always, table_threads
from tests.judge.test_starting import Elsewhere
from tests.kit.pace import MODES, THREADED, UNIT
from tests.kit.toy import Event, ToyGame


class Broken(ToyGame):
    """Raises KeyError in one of its methods, from the third turn on."""

    def __init__(self, method: str) -> None:
        super().__init__(turns=6)
        self._method = method

    def _break(self, method: str) -> None:
        if method == self._method and len(self.ruled) == 2:
            raise KeyError("our defect")

    def turn(self) -> Turn | None:
        self._break("turn")
        return super().turn()

    def act(self, action: Action) -> None:
        self._break("act")
        super().act(action)

    def reaction(self, seat: int, action: Action) -> Choice | None:
        self._break("reaction")
        return super().reaction(seat, action)

    def rule(self, responses: Sequence[Action | None]) -> None:
        self._break("rule")
        super().rule(responses)

    def masked(self, index: int, seat: int) -> Event:
        self._break("masked")
        return super().masked(index, seat)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("method", ["turn", "act", "reaction", "rule", "masked"])
@pytest.mark.parametrize("clocked", [False, True])
def test_a_failing_game_stops_this_table_and_says_where(mode: str, method: str, clocked: bool) -> None:
    clock = Clock(turn=20 * UNIT, reaction=20 * UNIT) if clocked and mode != "inline" else None
    log, players = Log(), [always("show") for _ in range(4)]
    judge = Judge(Broken(method), players, mode=mode, clock=clock, watches=[log])
    with pytest.raises(TableFault, match=r"table 1, turn \d: KeyError: 'our defect'") as fault:
        judge.run()
    assert isinstance(fault.value.__cause__, KeyError)
    assert all(answer.verdict.good for answer in log.every)
    assert table_threads() == []


@pytest.mark.parametrize("mode", THREADED)
def test_a_defect_in_the_last_hearing_is_ours_too(mode: str) -> None:
    class AtTheEnd(ToyGame):
        def masked(self, index: int, seat: int) -> Event:
            assert self.events[index] != ("end",), "our defect"
            return super().masked(index, seat)

    with pytest.raises(TableFault, match="AssertionError: our defect"):
        Judge(AtTheEnd(turns=2), [Writer() for _ in range(4)], mode=mode).run()
    assert table_threads() == []


@pytest.mark.parametrize("mode", THREADED)
def test_a_system_exit_of_the_game_does_not_end_a_thread_unseen(mode: str) -> None:
    class Exits(ToyGame):
        def act(self, action: Action) -> None:
            raise SystemExit(2)

    with pytest.raises(TableFault, match="SystemExit: 2"):
        Judge(Exits(), [Writer() for _ in range(4)], mode=mode).run()
    assert table_threads() == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("method", ["events", "answers"])
def test_a_failing_watch_is_our_defect(mode: str, method: str) -> None:
    class Full(Log):
        def events(self, new: Sequence[Any]) -> None:
            self._fail("events")

        def answers(self, turn: int, answers: Sequence[Answer]) -> None:
            self._fail("answers")

        def _fail(self, where: str) -> None:
            if where == method:
                raise OSError("no space left")

    with pytest.raises(TableFault, match="OSError: no space left"):
        Judge(ToyGame(), [Writer() for _ in range(4)], mode=mode, watches=[Full()]).run()
    assert table_threads() == []


@pytest.mark.parametrize("mode", THREADED)
@pytest.mark.parametrize("fails_at", range(4))
def test_a_machine_without_threads_stops_the_table(mode: str, fails_at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    started, start = [0], threading.Thread.start

    def counted(thread: threading.Thread) -> None:
        started[0] += 1
        if started[0] == fails_at + 1:
            raise RuntimeError("can't start new thread")
        start(thread)

    judge = Judge(ToyGame(), [Writer() for _ in range(4)], mode=mode)
    monkeypatch.setattr(threading.Thread, "start", counted)
    monkeypatch.setitem(shared.FUNCTIONS, (threading.Thread, "start"), counted)  # no bot has put it there
    with pytest.raises(TableFault, match="can't start new thread"):
        judge.run()
    monkeypatch.undo()
    for thread in threading.enumerate():  # those of a crew that never came to be end by themselves
        if thread.name.startswith("T1-"):
            thread.join(20 * UNIT)
    assert table_threads() == []


def test_a_judge_is_used_once() -> None:
    judge = Judge(ToyGame(turns=1), [Writer() for _ in range(4)])
    judge.run()
    with pytest.raises(TableFault, match="has run already"):
        judge.run()


@pytest.mark.parametrize("mode", THREADED)
def test_a_defect_while_players_start_stops_the_table_before_anybody_is_asked(mode: str) -> None:
    class NoBeginning(ToyGame):
        def masked(self, index: int, seat: int) -> Event:
            raise KeyError("our defect")

    players = [Elsewhere(), Writer(), Writer(), Writer()]
    with pytest.raises(TableFault, match="table 1, turn 0: KeyError: 'our defect'"):
        Judge(NoBeginning(), players, mode=mode).run()
    assert [player.asked for player in players] == [[], [], [], []] and table_threads() == []
