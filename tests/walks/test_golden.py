"""The same seed, players and rules give the same bytes on every Python, in every mode, wherever threads are
switched."""

import hashlib
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.players.bots.dice import Dice
from jantaku.table.ground.port import Answer
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Watch
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.majiang.paifu import paifu_of
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import enlist
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.ruleset import preset
from tests.kit.cases import cases
from tests.kit.pace import MODES, SOON, THREADED

SEED = "golden"
PLAYERS = ("shanten", "caller", "dice", "tsumogiri")
DIGESTS = {"tenhou": "5abf7b1161399bfd", "showa": "9a6d945464d3a45d", "mahjongsoul": "79aaff927937edc5"}


def played(preset_name: str, mode: str) -> bytes:
    rules = preset(preset_name)
    entrants = enlist(PLAYERS)
    first_dealer, order = seat_draw(SEED, 0)
    a, b, c, d = (entrants[place].name for place in order)
    game = RiichiGame(rules, walls_from(SEED, 0, rules), (a, b, c, d), first_dealer)
    players = [entrants[place].make(seeds.of_bot(SEED, 0, place)) for place in order]
    Judge(game, players, mode=mode).run()
    return msgspec.json.encode(paifu_of(game.events, rules, preset_name))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", DIGESTS)
def test_a_seeded_game_has_the_same_bytes_everywhere(name: str, mode: str) -> None:
    assert hashlib.sha256(played(name, mode)).hexdigest()[:16] == DIGESTS[name]


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


def events_of(seed: int, mode: str, *watches: Watch, clock: Clock | None = None) -> list[Any]:
    game = RiichiGame(TENHOU, walls_from(f"switch {seed}", 0, TENHOU), ("a", "b", "c", "d"))
    Judge(game, [Dice(seed=seat) for seat in range(4)], mode=mode, clock=clock, watches=watches).run()
    return game.events


@pytest.mark.long
@pytest.mark.usefixtures("interval")
@pytest.mark.parametrize("mode", THREADED)
def test_a_game_is_the_same_however_threads_are_switched(mode: str) -> None:
    for seed in range(2):
        shuffler = Shuffler(seed)
        assert events_of(seed, mode, shuffler, clock=RELAXED) == events_of(seed, "inline")
        assert shuffler.turns > 100


@pytest.mark.usefixtures("interval")
def test_many_tables_at_once_play_as_each_alone() -> None:
    sys.setswitchinterval(1e-6)
    found: dict[int, list[Any]] = {}
    tables = [
        threading.Thread(target=lambda seed=seed: found.update({seed: events_of(seed, "resident")}))
        for seed in range(6)
    ]
    for table in tables:
        table.start()
    for table in tables:
        table.join(SOON)
    assert found == {seed: events_of(seed, "inline") for seed in range(6)}


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The 牌譜 of a game as this process's own host plays it."""
    return played_in(tmp_path_factory.mktemp("home"))


def played_in(folder: Path, *flags: str, **env: str) -> bytes:
    words = ("--seed", SEED, "--length", "one", "--threads", "inline", "--players", ",".join(PLAYERS), "--out", "out")
    subprocess.run(
        [sys.executable, *flags, "-m", "jantaku", "play", *words], cwd=folder, env={**os.environ, **env}, check=True
    )
    return (folder / "out" / "game-0000.json").read_bytes()


@pytest.mark.long
@cases(
    "flags, env",
    ((), {"LC_ALL": "tr_TR.UTF-8"}),
    ((), {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    ((), {"TZ": "Pacific/Kiritimati"}),
    (("-OO",), {}),
    (("-X", "utf8"), {}),
)
def test_a_seeded_game_has_the_same_bytes_on_any_host(
    flags: tuple[str, ...], env: dict[str, str], at_home: bytes, tmp_path: Path
) -> None:
    assert played_in(tmp_path, *flags, **env) == at_home
