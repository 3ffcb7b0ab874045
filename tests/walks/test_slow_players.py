"""A player that is too slow at riichi: what it would have said is lost to it by the rules as well (S-38).

What the judge makes of slow, stuck and raising players: tests/judge.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Question, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.tiles import TILE
from tests.kit.modes import THREADED
from tests.kit.pace import SOON, UNIT
from tests.kit.position import table

LIMIT = Clock(turn=UNIT, reaction=UNIT, margin=UNIT)


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
    return lambda question: next((each for each in question.options if isinstance(each, wanted)), question.default)


@pytest.mark.parametrize("mode", THREADED)
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
    def __init__(self, discards: int) -> None:
        self.judge: Judge | None = None
        self._left = discards

    def events(self, new: Sequence[Any]) -> None:
        self._left -= sum(isinstance(event, events.TileDiscard) for event in new)
        if self.judge and self._left <= 0:
            self.judge.stop()

    def answers(self, turn: int, answers: Sequence[Any]) -> None: ...
