"""The hostile suite: each attack of scripts/attacks is a test. What runs them tells a hole from what is survived."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scripts.attacks import GROUPS, attacks_of
from scripts.attacks.away import WIRES as AWAY
from scripts.attacks.doors import WIRES, Kind
from scripts.attacks.kit import left
from scripts.attacks.kit.attack import Attack, Failed, Skipped, attack
from scripts.attacks.kit.running import run
from scripts.attacks.packages import LINES
from scripts.pace import UNIT

STARTED = "import time; time.sleep(3600)"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of every attack, or of those for every day."""
    if "hostile" in metafunc.fixturenames:
        every = "attacks" in metafunc.config.option.markexpr
        found = [(group, one) for group in GROUPS for one in attacks_of(group) if every or one.quick]
        metafunc.parametrize(("group", "hostile"), [_as_test(*each) for each in found])


def _as_test(group: str, one: Attack) -> Any:
    """Those that measure time run where nothing else of ours does."""
    marks = {"attacks": True, "daily": one.quick, "real_time": one.quick or one.alone}
    had = [getattr(pytest.mark, name) for name, has in marks.items() if has]
    name = f"{group.rpartition('.')[2]}: {one.name}"
    return pytest.param(group, one, id=name, marks=[*had, pytest.mark.timeout(one.seconds + 60)])


def test_an_attack_is_survived(group: str, hostile: Attack) -> None:
    try:
        print(run(group, hostile))
    except Skipped as reason:
        pytest.skip(str(reason))


# --- what runs them


def attacks() -> Iterator[Attack]:
    yield Attack("fails", fails)
    yield Attack("is broken", is_broken)
    yield Attack("is impossible here", is_impossible_here)
    yield Attack("hangs", hangs, seconds=20 * UNIT)
    yield Attack("ends its process", ends_its_process)
    yield Attack("leaves a process", leaves_a_process)
    yield Attack("may leave a process", leaves_a_process, leaves=True)
    yield attack("has a parameter", lambda folder, number: f"{number} {folder.is_dir()}", 7)


def fails(folder: Path) -> None:
    raise Failed("seat 2 was blamed")


def is_broken(folder: Path) -> None:
    raise KeyError("nothing")


def is_impossible_here(folder: Path) -> None:
    raise Skipped("no user namespaces")


def hangs(folder: Path) -> None:
    time.sleep(3600)


def ends_its_process(folder: Path) -> None:
    os._exit(0)


def leaves_a_process(folder: Path) -> None:
    subprocess.Popen([sys.executable, "-c", STARTED], start_new_session=True)


def tried(name: str) -> str:
    return run(__name__, next(one for one in attacks() if one.name == name))


def test_what_returns_is_survived_and_its_remark_is_told() -> None:
    assert tried("has a parameter") == "7 True"


@pytest.mark.parametrize(
    ("name", "evidence"),
    [
        ("fails", "^seat 2 was blamed$"),
        ("is broken", "KeyError: 'nothing'"),
        ("hangs", f"^not over after {20 * UNIT:g} s$"),
        ("ends its process", "ended with 0"),
        ("leaves a process", re.escape(STARTED)),
    ],
)
def test_what_does_not_return_or_leaves_something_is_a_hole_and_told_with_its_evidence(
    name: str, evidence: str
) -> None:
    with pytest.raises(Failed, match=evidence):
        tried(name)


def test_what_the_host_cannot_do_is_skipped_with_the_reason() -> None:
    with pytest.raises(Skipped, match="no user namespaces"):
        tried("is impossible here")


def test_what_may_be_left_is_ended_as_well() -> None:
    assert tried("may leave a process") == ""
    assert [one for one in range(20) if list(left.carrying(f"{os.getpid()}-{one}"))] == []


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_has_attacks_each_with_a_name_of_its_own_and_a_bound(group: str) -> None:
    found = list(attacks_of(group))
    assert found and len({one.name for one in found}) == len(found)
    assert all(one.name and one.name[-1] != "." and 0 < one.seconds <= 400 for one in found)


def test_every_wire_has_a_row_for_every_kind_of_bad_message() -> None:
    for wire, (_, rows) in WIRES.items():
        assert {row.kind for row in rows} == set(Kind), wire
    for wire, away in AWAY.items():
        assert {row.kind for row in away.rows} == set(Kind), wire
    assert set(LINES) == set(Kind) - {Kind.FULL}


def test_the_pages_name_no_group_that_there_is_not() -> None:
    """`-k "bots: or crews:"` takes two groups."""
    pages = [page.read_text("utf-8") for page in (Path(__file__).parents[2] / "docs").glob("*.md")]
    named = {group for text in pages for given in re.findall(r'attacks -k "(.*?)"', text) for group in given.split()}
    assert named - {"or"} and named - {"or"} <= {f"{group.rpartition('.')[2]}:" for group in GROUPS}
