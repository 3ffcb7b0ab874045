"""Broken players in whole games, a few of the table that `python -m scripts.faults` prints."""

from collections.abc import Iterator
from typing import Any

import pytest

from players.bots.tsumogiri import Tsumogiri
from scripts import faults
from scripts.faults import Case, cases
from table import log

FEW = {
    ("in-process", "Raises", "between"),
    ("in-process", "Hangs", "reaction"),
    ("in-process", "Cheats", "turn"),
    ("isolated", "Vanishes", "turn"),
    ("isolated", "ThinksTooLong", "reaction"),
    ("isolated", "AnswersNonsense", "turn"),
    ("exec", "exits", "start"),
    ("exec", "killed", "between"),
    ("exec", "leaves_a_child_at_the_pipe", "turn"),
    ("exec", "closes_its_output", "reaction"),
    ("exec", "hangs", "turn"),
    ("exec", "writes_a_long_line", "reaction"),
    ("exec", "writes_deep_json", "turn"),
    ("exec", "answers_before_it_is_asked", "reaction"),
    ("exec", "cheats", "turn"),
}


@pytest.fixture(scope="module")
def clean() -> list[Any]:
    """All that happens with a player that plays the defaults."""
    return faults.play(Tsumogiri())[0]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    log.configure("error")
    yield
    log.configure()


@pytest.mark.parametrize(
    "case",
    [case for case in cases() if (case.transport, case.vice, case.moment) in FEW],
    ids=lambda case: f"{case.transport} {case.vice} {case.moment}",
)
def test_a_broken_player_is_blamed_exactly_and_nobody_else_notices(case: Case, clean: list[Any]) -> None:
    """Verdict, blame, nothing left running. That it is in time is measured by the script, on an idle machine."""
    report = faults.run(case, clean)
    assert set(report.wrong(case)) <= {"time"}, report


def test_every_vice_is_tried() -> None:
    assert len(FEW & {(case.transport, case.vice, case.moment) for case in cases()}) == len(FEW)
    assert len(list(cases())) > 150
