"""Players that have to become ready before the first turn: all at once, within a limit, or there is no game."""

import threading
from typing import Any

import pytest

from jantaku.table.ground.errors import PlayerNotReady, PlayersNotReady
from jantaku.table.ground.port import Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import START, Clock
from jantaku.table.judge.turn.threaded import HOMEWARD
from tests.judge.players import Writer, join_table_threads, play
from tests.kit.pace import MODES, SOON, THREADED, UNIT
from tests.kit.simulated import about, now, sleep
from tests.kit.toy import ToyGame


class Elsewhere(Writer):
    """A player of the kind that becomes ready; `start` does what it is told."""

    stale = 2

    def __init__(self, starts: Any = None) -> None:
        super().__init__()
        self._starts = starts or (lambda seconds: None)
        self.given: list[float | None] = []

    def start(self, seconds: float | None) -> None:
        self.given.append(seconds)
        self._starts(seconds)

    def close(self) -> None:
        raise AssertionError("the judge closes nobody")


def not_ready(seconds: float | None) -> None:
    raise PlayerNotReady("exit code 1")


@pytest.mark.parametrize("mode", MODES)
def test_a_player_starts_once_after_the_first_events_and_before_the_first_question(mode: str) -> None:
    player = Elsewhere()
    player._starts = lambda seconds: player.diary.append(("start", seconds))
    result, _ = play(ToyGame(turns=5), [player, Writer(), Writer(), Writer()], mode=mode)
    kinds = [kind for kind, _ in player.diary]
    assert player.given == [START] and kinds[:3] == ["hear", "hear", "start"] and "asked" in kinds
    assert result.seats[0].stale == 2, "what it counts itself is in the report"


@pytest.mark.parametrize("mode", MODES)
def test_a_player_that_does_not_start_is_not_asked(mode: str) -> None:
    player = Elsewhere(not_ready)
    _, log = play(ToyGame(turns=5), [Writer(), player, Writer(), Writer()], mode=mode)
    assert {answer.verdict for answer in log.of(1)} == {Verdict.START_FAILED} and player.asked == []
    assert {answer.reason for answer in log.of(1)} == {"exit code 1"}
    assert {answer.verdict for answer in log.every if answer.seat != 1} == {Verdict.OK}


@pytest.mark.parametrize("mode", MODES)
def test_where_all_must_start_there_is_no_game(mode: str) -> None:
    game, watched = ToyGame(turns=5), Elsewhere()
    judge = Judge(game, [Writer(), Elsewhere(not_ready), watched, Elsewhere(not_ready)], mode=mode, must_start=True)
    before = len(game.events)
    with pytest.raises(PlayersNotReady) as missing:
        judge.run()
    assert missing.value.missing == ((1, "exit code 1"), (3, "exit code 1"))
    assert len(game.events) == before and watched.asked == []
    join_table_threads()


@pytest.mark.simulated
@pytest.mark.parametrize("mode", THREADED)
def test_players_start_all_at_once_and_none_longer_than_the_limit(mode: str) -> None:
    free, began = threading.Event(), now()
    stuck = [Elsewhere(lambda seconds: free.wait()) for _ in range(3)]
    clock = Clock(turn=10 * UNIT, reaction=10 * UNIT, start=2 * UNIT)
    _, log = play(ToyGame(turns=8), [Writer(), *stuck], mode=mode, clock=clock)
    assert now() - began == about(2 * UNIT + clock.margin + 3 * HOMEWARD)
    assert {answer.seat for answer in log.every if answer.verdict is Verdict.START_FAILED} == {1, 2, 3}
    assert {answer.reason for answer in log.of(1)} == {f"not ready after {2 * UNIT:.1f} s"}
    free.set()
    join_table_threads()


@pytest.mark.parametrize("mode", THREADED)
def test_players_that_start_slowly_do_not_wait_for_each_other(mode: str) -> None:
    together = threading.Barrier(4)
    players = [Elsewhere(lambda seconds: together.wait(SOON) and None) for _ in range(4)]
    result, _ = play(ToyGame(turns=4), players, mode=mode)
    assert all(set(report.verdicts) == {Verdict.OK} for report in result.seats)


class Warm(Writer):
    """A bot of this process that loads what it needs before it is asked."""

    def __init__(self, warms: Any = None) -> None:
        super().__init__()
        self._warms = warms or (lambda: None)

    def warm_up(self) -> None:
        self.threads.add(threading.current_thread().name)
        self.diary.append(("warm", now()))
        self._warms()


@pytest.mark.parametrize("mode", MODES)
def test_a_bot_warms_up_once_before_it_hears_and_in_the_thread_that_asks_it(mode: str) -> None:
    bot = Warm()
    play(ToyGame(turns=5), [bot, Writer(), Writer(), Writer()], mode=mode)
    kinds = [kind for kind, _ in bot.diary]
    assert kinds[0] == "warm" and kinds.count("warm") == 1 and "asked" in kinds
    if mode == "resident":
        assert bot.threads == {"T1-s0"}


@pytest.mark.simulated
@pytest.mark.parametrize("mode", THREADED)
def test_a_bot_that_loads_for_twelve_seconds_as_it_warms_up_loses_no_answer(mode: str) -> None:
    """Four of them load at the same time."""
    bots, began = [Warm(lambda: sleep(12.0)) for _ in range(4)], now()
    result, _ = play(ToyGame(turns=8), bots, mode=mode, clock=Clock(turn=UNIT, reaction=UNIT))
    assert {verdict for report in result.seats for verdict in report.verdicts} == {Verdict.OK}
    assert now() - began == about(12.0)
    join_table_threads()


@pytest.mark.simulated
@pytest.mark.parametrize("mode", THREADED)
def test_a_warm_up_without_end_is_a_failed_start_and_holds_nobody_up(mode: str) -> None:
    free, began = threading.Event(), now()
    clock = Clock(turn=UNIT, reaction=UNIT, start=2 * UNIT)
    _, log = play(ToyGame(turns=8), [Warm(free.wait), Writer(), Writer(), Writer()], mode=mode, clock=clock)
    assert now() - began == about(2 * UNIT + clock.margin)
    assert {answer.verdict for answer in log.of(0)} == {Verdict.START_FAILED}
    assert {answer.reason for answer in log.of(0)} == {f"not ready after {2 * UNIT:.1f} s"}
    assert {answer.verdict for answer in log.every if answer.seat != 0} == {Verdict.OK}
    free.set()
    join_table_threads()


@pytest.mark.parametrize("mode", MODES)
def test_a_warm_up_that_raises_is_a_failed_start_with_its_place(mode: str) -> None:
    def warms() -> None:
        raise OSError("no such model")

    _, log = play(ToyGame(turns=5), [Warm(warms), Writer(), Writer(), Writer()], mode=mode)
    (reason,) = {answer.reason for answer in log.of(0)}
    assert {answer.verdict for answer in log.of(0)} == {Verdict.START_FAILED}
    assert reason.startswith("OSError: no such model (while it warmed up, at test_starting.py line ")
