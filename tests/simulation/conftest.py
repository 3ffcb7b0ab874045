"""Every test here may make worlds. In the end it is said how many schedules were played."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.simulation.replacements import simulation


@pytest.fixture(scope="package", autouse=True)
def _simulation() -> Iterator[None]:
    with simulation():
        yield


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Of tests that tell what they have played: how much of each game in all, and the seconds of their processes."""
    schedules, turns, seconds = Counter[str](), Counter[str](), Counter[str]()
    for report in terminalreporter.getreports("passed"):
        for name, told in report.user_properties:
            if name == "schedules":
                game, count, played, took = told
                schedules[game] += count
                turns[game] += played
                seconds[game] += took
    for game, count in schedules.items():
        terminalreporter.write_line(
            f"{game}: {count} schedules of {turns[game]} turns in {seconds[game]:.0f} s, 0 differ from the model"
        )
