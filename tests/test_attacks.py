"""The hostile suite: what runs it tells a hole from what was survived, and the quick part of it is survived."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.attacks import GROUPS
from scripts.attacks.__main__ import attacks_of
from scripts.attacks.away import WIRES as AWAY
from scripts.attacks.doors import WIRES, Kind
from scripts.attacks.kit import left
from scripts.attacks.kit.attack import Attack, Failed, Row, Skipped, Verdict, attack
from scripts.attacks.kit.running import run
from scripts.attacks.packages import PROGRAMS
from scripts.pace import UNIT


def tried(run_it: Callable[[Path], str | None], **terms: bool | float) -> Row:
    (row,) = run([("group", Attack("tried", run_it, **terms))], 1)  # type: ignore[arg-type]
    return row


def fails(folder: Path) -> None:
    raise Failed("seat 2 was blamed")


def is_impossible_here(folder: Path) -> None:
    raise Skipped("no user namespaces")


def hangs(folder: Path) -> None:
    os.write(1, b"so far")
    time.sleep(3600)


def ends_its_process(folder: Path) -> None:
    os._exit(0)


def leaves_a_process(folder: Path) -> None:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)


def test_what_returns_is_survived_and_its_remark_is_told() -> None:
    row = tried(lambda folder: f"{folder.is_dir()}")
    assert (row.verdict, row.told) == (Verdict.SURVIVED, "True")


def test_a_hole_is_told_with_its_evidence() -> None:
    assert (tried(fails).verdict, tried(fails).told) == (Verdict.FAILED, "seat 2 was blamed")


def test_what_the_host_cannot_do_is_skipped_with_the_reason() -> None:
    assert (tried(is_impossible_here).verdict, tried(is_impossible_here).told) == (
        Verdict.SKIPPED,
        "no user namespaces",
    )


def test_an_attack_that_is_broken_itself_is_not_survived() -> None:
    def broken(folder: Path) -> None:
        raise KeyError("nothing")

    assert tried(broken).verdict is Verdict.FAILED
    assert "KeyError: 'nothing'" in tried(broken).told


def test_what_hangs_is_ended_and_has_failed() -> None:
    row = tried(hangs, seconds=20 * UNIT)
    assert row.verdict is Verdict.FAILED
    assert row.told == f"not over after {20 * UNIT:g} s\nso far"


def test_an_attack_whose_process_ends_has_failed() -> None:
    assert "ended with 0" in tried(ends_its_process).told


def test_a_process_that_is_left_is_a_failure_unless_it_may_be_and_is_ended_either_way() -> None:
    row = tried(leaves_a_process)
    assert row.verdict is Verdict.FAILED
    assert "time.sleep(3600)" in row.told
    assert tried(leaves_a_process, leaves=True).verdict is Verdict.SURVIVED
    assert [one for one in range(20) if list(left.carrying(f"{os.getpid()}-{one}"))] == []


def test_an_attack_takes_parameters_and_several_run_at_once() -> None:
    chosen = [("group", attack(f"number {one}", lambda folder, number: f"{number}", one)) for one in range(8)]
    assert sorted(row.told for row in run(chosen, 4)) == [f"{one}" for one in range(8)]


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_has_attacks_each_with_a_name_of_its_own_and_a_bound(group: str) -> None:
    found = list(attacks_of(group))
    assert found
    assert all(one.name and one.name[-1] != "." and 0 < one.seconds <= 400 for one in found)


def test_every_wire_has_a_row_for_every_kind_of_bad_message() -> None:
    for wire, (_, rows) in WIRES.items():
        assert {row.kind for row in rows} == set(Kind), wire
    for wire, away in AWAY.items():
        assert {row.kind for row in away.rows} == set(Kind), wire
    for transport, programs in PROGRAMS.items():
        assert {row.kind for row in programs} == set(Kind) - {Kind.FULL}, transport


def test_the_page_on_trust_names_no_group_that_there_is_not() -> None:
    text = (Path(__file__).parents[1] / "docs" / "trust.md").read_text("utf-8")
    named = {group for groups in re.findall(r"--only ([\w,]+)", text) for group in groups.split(",")}
    assert named and named <= set(GROUPS)


@pytest.mark.real_time
def test_the_quick_attacks_are_survived() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "scripts.attacks", "--quick", "--json"], capture_output=True, text=True, check=False
    )
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [row for row in rows if row["verdict"] == "failed"] == []
    assert rows
    assert (ran.returncode, ran.stderr) == (0, "")
