"""Whole games by scripts, under one schedule after another: each equals the model, and no law is broken.

`scripts/checks interleavings` plays many, the tests of every day a few: `JANTAKU_SCHEDULES` games of the toy game in
all, and `JANTAKU_KYOKU` whole kyoku.
"""

import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.table.judge.mode import Mode
from jantaku.table.records.journal.header import GAME, Header
from jantaku.table.records.journal.lines import FORMAT
from jantaku.table.records.journal.writer import Journal
from tests.kit.cases import cases
from tests.kit.pace import THREADED
from tests.simulation.acting import Played, digest, play, rules
from tests.simulation.again import quiet, retold, tried
from tests.simulation.drawn import schedule_of, script_of
from tests.simulation.laws import differences, of_the_table, outcomes
from tests.simulation.scripted import Script, read

pytestmark = pytest.mark.pure
TOYS, KYOKU = int(os.environ.get("JANTAKU_SCHEDULES", "800")), int(os.environ.get("JANTAKU_KYOKU", "24"))
WHOLE = {"toy": TOYS, "clocks": TOYS // 10, "riichi": KYOKU}
EACH = {"toy": 8, "clocks": 8, "riichi": 3}
"""Schedules of each script."""
BLOCK = {"toy": 1000, "clocks": 1000, "riichi": 50}
"""Schedules of one test."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with quiet():
        yield


def blocks(game: str) -> list[tuple[str, range]]:
    return [(game, range(at, min(at + BLOCK[game], WHOLE[game]))) for at in range(0, WHOLE[game], BLOCK[game])]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("game", "numbers"), [*blocks("toy"), *blocks("clocks"), *blocks("riichi")], ids=str)
def test_whole_games_equal_the_model(game: str, numbers: range, record_property: Callable[[str, object], None]) -> None:
    began, turns = time.perf_counter(), 0
    for number in numbers:
        found = tried(script_of(number // EACH[game], game), number)
        if isinstance(found, str):
            pytest.fail(found, pytrace=False)
        turns += found.result.turns
    record_property("schedules", (game, len(numbers), turns, time.perf_counter() - began))


@cases(
    "line",
    # per-turn took a seat for busy that had come home before the action, and resident asked it
    "toy:2 mode={mode} turn=2 reaction=1 margin=0 "
    "| option:2 | default, thinks:1 option:2 | late:0.25, option:1 | default",
)
def test_a_seat_is_asked_in_every_mode_if_it_is_home_when_the_turn_has_its_action(line: str) -> None:
    told = set[str]()
    for mode in ("per-turn", "resident"):
        for number in range(20):
            played = tried(read(line.format(mode=mode)), number)
            assert isinstance(played, Played), played
            told.add(str(played.record.turns))
    assert len(told) == 1 and "claim to question 10 by seat 2" in told.pop()


def test_per_turn_and_resident_play_the_same_game_where_nobody_is_slow_to_hear() -> None:
    """A seat without a decision hears at once in one, and at its next question in the other: that may take its time."""
    equal = 0
    for number in range(120):
        script = script_of(number)
        if script.mode is not Mode.INLINE and not any(part.hears for part in script.parts):
            both = [replace(script, mode=mode) for mode in (Mode.PER_TURN, Mode.RESIDENT)]
            if all(len(outcomes(one)) == 1 for one in both):
                one, other = (of_the_table(play(script, schedule_of(number))) for script in both)
                assert list(differences(one | {"left": 0}, other | {"left": 0})) == [], (
                    script
                )  # threads have other names
                equal += 1
    assert equal > 40


def test_a_seed_repeats_a_game_to_the_byte_and_its_story_too() -> None:
    for number in range(0, 200, 9):
        script = script_of(number)
        one, other = (play(script, schedule_of(number)) for _ in range(2))
        assert digest(one) == digest(other)
    assert retold(script, number) == retold(script, number)


def test_a_story_has_the_words_of_the_log_and_each_hand_over() -> None:
    told = "\n".join(retold(read("toy:1 seats=3 turn=1 reaction=1 | after:margin | default | default"), 3))
    assert "1.101 s" in told and "main: event made" in told and "main: settled" in told and "by='judge'" in told
    assert re.search(r"0\.000 s  main before \w+: .* goes on", told) and "before wait: T1-s1-t1 goes on" in told


TROUBLED = (
    "riichi:5 seats=4 mode={mode} turn=2 reaction=1 bank=1 max_faults=0 | default "
    "| thinks:0.2509765625 option:1, default | default, thinks:1.501953125 option:2 "
    "| late:0.2568359375, default, default, default, option:0"
)


@pytest.mark.parametrize("mode", THREADED)
def test_the_journal_of_a_kyoku_is_the_same_to_the_byte_under_every_schedule(mode: str, tmp_path: Path) -> None:
    """Its times as well: they are the world's."""
    script = read(TROUBLED.format(mode=mode))
    assert len(outcomes(script)) == 1
    files = {journal_of(script, seed, tmp_path / f"{seed}.jsonl") for seed in range(12)}
    assert len(files) == 1 and b'"verdict":"silent"' in files.pop()


def journal_of(script: Script, seed: int, path: Path) -> bytes:
    """The journal of a game under that schedule, written by what writes those of `jantaku play`."""
    kind = msgspec.to_builtins(rules(script.seats))
    made = list[Journal]()

    def watching(game: Any) -> list[Journal]:
        names = game.events[0].names
        made.append(Journal(path, Header(FORMAT, "1", GAME, kind, "5", 0, names, 0), game, buffered=True))
        return made

    play(script, schedule_of(seed), watching)
    made[0].close()
    return path.read_bytes()


def test_a_question_tells_the_bank_of_its_own_time_though_a_round_begins_before_it_is_put() -> None:
    """A seat on autopilot is not waited for: while it hears what it missed, a round begins and fills its bank."""
    line = (
        "toy:5 seats=3 mode=resident turn=0.5 reaction=0.5 bank=1 margin=0 max_faults=1 bank_per=round "
        "| option:2, thinks:0.4501953125 | thinks:0.01953125, thinks:0.400390625 | hear:4 thinks:0.30078125, late:0.25"
    )
    for number in range(20):
        played = tried(read(line), number)
        assert isinstance(played, Played), played
        assert [(told.allowed, told.bank) for told in played.actors[2].asked][:2] == [(1.5, 1.0), (0.5, 0.0)]
