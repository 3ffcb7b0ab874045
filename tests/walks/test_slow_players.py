"""Slow, stuck and raising players in real games (S-38, S-39, S-42): cut off, blamed alone, and nobody else notices.

Order is forced with gates; the clock only decides that a seat has had its time.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from jantaku.players.bots.dice import Dice
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.players.broken.crash import Crash
from jantaku.players.broken.stuck import Stuck
from jantaku.table.ground.port import Action, Player, Question, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Result
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.tiles import TILE
from jantaku.table.riichi.ruleset import preset, with_settings
from scripts.pace import SOON, UNIT
from tests.kit.position import table
from tests.kit.simulated import about, now

NAMES = ("A", "B", "C", "D")
LIMIT = Clock(turn=UNIT, reaction=UNIT, margin=UNIT)
MODES = ["per-turn", "resident"]


class Gated(Tsumogiri):
    """Blocks in the questions that `when` picks, until its gate opens; then answers as `does` says."""

    def __init__(self, when: Callable[[Question], bool], does: Callable[[Question], Action]) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.asked: list[Question] = []
        self._when, self._does = when, does

    def answer(self, question: Question) -> Action:
        self.asked.append(question)
        if self._when(question):
            assert self.gate.wait(SOON)
        return self._does(question)


def takes(*wanted: type) -> Callable[[Question], Action]:
    """Answers with the first option of these kinds, else the default."""
    return lambda question: next((each for each in question.options if isinstance(each, wanted)), question.default)


def one_kyoku() -> RiichiGame:
    rules = with_settings(preset("tenhou"), {"game.length": "one"})
    return RiichiGame(rules, walls_from("slow", 0, rules), NAMES)


def judged(game: RiichiGame, players: Sequence[Player], mode: str, **settings: Any) -> Result:
    return Judge(game, players, mode=mode, clock=LIMIT, **settings).run()


def table_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("T1-")]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.simulated
def test_a_turn_player_over_its_time_discards_what_it_drew_and_the_others_do_not_notice(mode: str) -> None:
    """S-39. The same game as with a player that tsumogiris by itself."""
    clean = one_kyoku()
    judged(clean, [Tsumogiri(), Dice(seed=1), Dice(seed=2), Dice(seed=3)], mode)
    game = one_kyoku()
    slow = Gated(lambda question: True, lambda question: question.options[0])
    result = judged(game, [slow, Dice(seed=1), Dice(seed=2), Dice(seed=3)], mode)
    slow.gate.set()
    assert game.events == clean.events
    assert set(result.seats[0].verdicts) == {Verdict.SILENT}
    for seat in (1, 2, 3):
        assert set(result.seats[seat].verdicts) <= {Verdict.OK}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.simulated
def test_a_winner_over_its_time_has_passed_and_is_furiten(mode: str) -> None:
    """S-38 and S-77: 南 could win on 東's z7, says nothing in time, and may not win on 西's z7 in the same go-round."""
    t = table(["m123456p4689s19z7", "m234s234p234567z7", "m123456p4689s19z7"], draws="s5 s5 s6 s6", dora="m9")
    game = t.game
    slow = Gated(lambda question: actions.RON in question.options, takes(actions.Ron))
    dragons = [Gated(lambda _: False, _lets_the_dragon_go) for _ in range(2)]
    watch = _StopAfter(4)
    judge = Judge(game, [dragons[0], slow, dragons[1], Tsumogiri()], mode=mode, clock=LIMIT, watches=[watch])
    watch.judge = judge
    result = judge.run()
    slow.gate.set()
    thrown = [event.seat for event in game.events if isinstance(event, events.TileDiscard) and event.tile == TILE["z7"]]
    assert thrown == [0, 2], "both have discarded 南's winning tile"
    assert not any(isinstance(event, events.Win) for event in game.events)
    assert sum(actions.RON in question.options for question in slow.asked) == 1
    assert result.seats[1].verdicts.get(Verdict.SILENT, 0) >= 1
    assert Verdict.SILENT not in result.seats[0].verdicts


def _lets_the_dragon_go(question: Question) -> Action:
    """Discards z7 from the hand where that is offered."""
    wanted = actions.Discard(TILE["z7"])
    return wanted if wanted in question.options else question.default


class _StopAfter:
    """Stops the judge after so many discards."""

    def __init__(self, discards: int) -> None:
        self.judge: Judge | None = None
        self._left = discards

    def events(self, new: Sequence[Any]) -> None:
        self._left -= sum(isinstance(event, events.TileDiscard) for event in new)
        if self.judge and self._left <= 0:
            self.judge.stop()

    def answers(self, turn: int, answers: Sequence[Any]) -> None:
        """Nothing of them matters."""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.simulated(schedules=1)
def test_a_player_that_never_returns_costs_its_time_once_and_leaves_one_thread(mode: str) -> None:
    """S-38, S-39: a whole hanchan, in the time of one question."""
    rules = preset("tenhou")
    game = RiichiGame(rules, walls_from("stuck", 0, rules), NAMES)
    stuck = Stuck()
    began = now()
    result = judged(game, [Tsumogiri(), stuck, Tsumogiri(), Tsumogiri()], mode)
    assert now() - began == about(3 * UNIT)  # one deadline, and one more limit to come home at the end
    assert game.over
    assert set(result.seats[1].verdicts) == {Verdict.SILENT}
    assert all(set(result.seats[seat].verdicts) <= {Verdict.OK} for seat in (0, 2, 3))
    assert len(result.left_behind) == 1
    stuck.let_go()
    for thread in threading.enumerate():
        if thread.name in result.left_behind:
            thread.join(SOON)
    assert table_threads() == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.simulated
def test_an_answer_that_comes_after_the_next_turn_began_is_refused_and_counted(mode: str) -> None:
    """S-40: the sheet is sealed; what came too late is used for no other question."""
    game = one_kyoku()
    late = Gated(lambda question: len(late.asked) == 1, takes(actions.Tsumo))

    class OpensTheGate:
        """Lets the late answer out once the turn after it has been ruled on."""

        def events(self, new: Sequence[Any]) -> None:
            if sum(isinstance(event, events.TileDiscard) for event in game.events) >= 2:
                late.gate.set()

        def answers(self, turn: int, answers: Sequence[Any]) -> None:
            """Nothing of them matters."""

    result = judged(game, [late, *(Tsumogiri() for _ in range(3))], mode, watches=[OpensTheGate()])
    assert result.seats[0].stale == 1
    assert result.seats[0].verdicts[Verdict.SILENT] >= 1
    assert result.seats[0].verdicts.get(Verdict.OK, 0) >= 1, "at home again it is asked again"
    assert result.left_behind == () and table_threads() == []


@pytest.mark.parametrize("mode", [*MODES, "inline"])
def test_a_player_that_raises_gets_defaults_and_the_blame(mode: str) -> None:
    clean, game = one_kyoku(), one_kyoku()
    Judge(clean, [Tsumogiri() for _ in range(4)], mode="inline").run()
    result = Judge(game, [Tsumogiri(), Tsumogiri(), Crash(), Tsumogiri()], mode=mode).run()
    assert game.events == clean.events
    assert set(result.seats[2].verdicts) == {Verdict.GONE}
    assert all(set(result.seats[seat].verdicts) == {Verdict.OK} for seat in (0, 1, 3))
