"""The doors by which programs come to a table: what they are tried with, and whole hanchan through each.

At each door: JANTAKU_HANCHAN (100) hanchan from number JANTAKU_FIRST (0), JANTAKU_TABLES (2) at once; JANTAKU_SLOW (5)
more with programs that think; JANTAKU_TIMES (50) moments of JANTAKU_SEED (1) at which a client or a program goes.
"""

import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from scripts.doors import pipes, playing, returning
from scripts.doors.hand import complete, swapped, waits
from scripts.doors.serving import Tally
from scripts.environments import PYTHON
from tests.kit.command import Jantaku


@pytest.mark.parametrize(
    ("tiles", "wins"),
    [
        ("1m 2m 3m 4m 5mr 6m 7m 8m 9m E E E P P", True),
        ("1m 1m 2m 2m 3m 3m 5p 5pr 6p 6p 7p 7p N N", True),
        ("1m 1m 4m 4m 8s 8s 5p 5pr 9p 9p E E N N", True),
        ("1m 1m 1m 1m 8s 8s 5p 5pr 9p 9p E E N N", False),
        ("1m 2m 4m 4m 5mr 6m 7m 8m 9m E E E P P", False),
    ],
)
def test_it_knows_a_complete_hand(tiles: str, wins: bool) -> None:
    assert complete(tiles.split()) is wins


def test_it_knows_what_it_waits_for() -> None:
    assert waits(["2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "E", "E", "E", "P", "P"]) == {"1m", "4m", "7m"}
    assert waits(["1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "P", "F", "C"]) == set()


@pytest.mark.parametrize(
    ("kind", "called", "consumed", "barred"),
    [
        ("chi", "4m", ["5mr", "6m"], {"4m", "7m"}),
        ("chi", "5pr", ["4p", "6p"], {"5p"}),
        ("chi", "3s", ["1s", "2s"], {"3s", "0s"}),
        ("pon", "5s", ["5s", "5sr"], {"5s"}),
    ],
)
def test_it_knows_what_a_call_bars(kind: str, called: str, consumed: list[str], barred: set[str]) -> None:
    assert swapped({"type": kind, "pai": called, "consumed": consumed}) == barred


def test_four_of_it_play_without_a_fault_from_a_folder_a_zip_and_over_pipes(jantaku: Jantaku, tmp_path: Path) -> None:
    specs = (pipes.akagi, pipes.submission, pipes.mortal, pipes.lines("mjai-lines-actions"))
    players = ",".join(spec(tmp_path) for spec in specs)
    ran = jantaku("play", "--players", players, "--length", "one", "--seed", "7", "--out", str(tmp_path / "out"))
    assert ran.code == 0, ran
    tally = Tally(tmp_path / "out", ran.out)
    assert (tally.games, tally.verified, tally.told()) == (1, 1, "none") and tally.decisions > 50


def test_a_fault_is_counted_by_whose_it_is_and_so_is_a_return(jantaku: Jantaku, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    dies = f"exec:{PYTHON} {shlex.quote(str(pipes.HAND))} {{id}}?dialect=mjai&name=dies&restart=next-kyoku"
    dies += f"&env.JANTAKU_DOORS_END=0.1 1 {notes}"
    words = ("--length", "tonpu", "--seed", "7", "--out", str(tmp_path / "out"))
    jantaku("play", "--players", f"{dies},shanten,caller,dice", *words)
    tally = Tally(tmp_path / "out")
    assert notes.read_text().split() == ["started", "died", "started"]
    assert set(tally.faults) == {("dies", "gone")} and tally.returns == {"dies": 1} and tally.verified == 1


# --- whole hanchan

HANCHAN, FIRST, SLOW, TABLES, TIMES, SEED = (
    int(os.environ.get(f"JANTAKU_{name}", usual))
    for name, usual in (("HANCHAN", 100), ("FIRST", 0), ("SLOW", 5), ("TABLES", 2), ("TIMES", 50), ("SEED", 1))
)
PACKAGES = pytest.mark.skipif("JANTAKU_PACKAGES" not in os.environ, reason="JANTAKU_PACKAGES=1 fetches them")
HOURS = pytest.mark.timeout(24 * 3600)


def _as_test(door: playing.Door) -> Any:
    return pytest.param(door, id=door.name, marks=[PACKAGES] if door.name == "mjai-bots" else [])


def as_it_should_be(row: tuple[str, bool]) -> None:
    told, good = row
    print(told)
    assert good, told


@pytest.mark.doors
@HOURS
@pytest.mark.parametrize("door", [_as_test(door) for door in playing.DOORS])
def test_whole_hanchan_come_through_a_door_without_a_fault(door: playing.Door, tmp_path: Path) -> None:
    as_it_should_be(playing.play(door, tmp_path, numbers=range(FIRST, FIRST + HANCHAN), tables=TABLES))


@pytest.mark.doors
@HOURS
@pytest.mark.parametrize("door", [_as_test(door) for door in playing.DOORS if door.may_be_slow])
def test_programs_that_think_for_seconds_come_through_a_door(door: playing.Door, tmp_path: Path) -> None:
    numbers = range(FIRST, FIRST + SLOW)
    as_it_should_be(playing.play(door, tmp_path, numbers=numbers, tables=SLOW, pauses=playing.SLOW))


@pytest.mark.doors
@HOURS
@pytest.mark.parametrize("name", returning.names())
def test_what_breaks_off_at_any_moment_comes_back(name: str, tmp_path: Path) -> None:
    as_it_should_be(returning.attempt(name, tmp_path, times=TIMES, seed=SEED))
