"""Threads may be switched anywhere: the same game comes out, whatever the interpreter's switch interval.

What the judge's threads share is guarded by its own locks and not by the interpreter's; `docs/threads.md` names them.
"""

import random
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from jantaku.players.bots.dice import Dice
from jantaku.table.ground.port import Answer
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Watch
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.ruleset import preset
from tests.kit.modes import THREADED
from tests.kit.pace import SOON

TENHOU = preset("tenhou")
RELAXED = Clock(turn=SOON, reaction=SOON)


class Shuffler:
    """Looks on, and lets the interpreter switch threads after another random time in every turn. A `Watch`."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.turns = 0

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        self.turns += 1
        sys.setswitchinterval(10 ** self._chance.uniform(-7, -2.5))

    def events(self, new: Sequence[Any]) -> None: ...


@pytest.fixture
def interval() -> Iterator[None]:
    """What was set is set again after the test."""
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


def played(seed: int, mode: str, *watches: Watch, clock: Clock | None = None) -> list[Any]:
    game = RiichiGame(TENHOU, walls_from(f"switch {seed}", 0, TENHOU), ("a", "b", "c", "d"))
    Judge(game, [Dice(seed=seat) for seat in range(4)], mode=mode, clock=clock, watches=watches).run()
    return game.events


@pytest.mark.long
@pytest.mark.usefixtures("interval")
@pytest.mark.parametrize("mode", THREADED)
def test_a_game_is_the_same_however_threads_are_switched(mode: str) -> None:
    for seed in range(2):
        shuffler = Shuffler(seed)
        assert played(seed, mode, shuffler, clock=RELAXED) == played(seed, "inline")
        assert shuffler.turns > 100


@pytest.mark.usefixtures("interval")
def test_many_tables_at_once_play_as_each_alone() -> None:
    sys.setswitchinterval(1e-6)
    found: dict[int, list[Any]] = {}
    tables = [
        threading.Thread(target=lambda seed=seed: found.update({seed: played(seed, "resident")})) for seed in range(6)
    ]
    for table in tables:
        table.start()
    for table in tables:
        table.join(SOON)
    assert found == {seed: played(seed, "inline") for seed in range(6)}
