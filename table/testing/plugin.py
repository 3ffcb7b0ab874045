"""The pytest plugin `jantaku`; `jantaku.table.testing` describes what it offers.

Every test run in an environment with jantaku loads this file, so it imports the game only on use.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from jantaku.table.testing.hampered import release_all

if TYPE_CHECKING:
    from jantaku.table.testing.tables import Tables


@pytest.fixture
def jantaku_table() -> "Iterator[Tables]":
    """Seats bots and plays (`jantaku_table(MyBot(), "shanten", limit=0.2)`), or asks one about a position
    (`jantaku_table.ask(MyBot(), hands=["m123…"])`); see `jantaku.table.testing`."""
    from jantaku.table.testing.tables import Tables

    tables = Tables()
    yield tables
    tables.close()


def pytest_report_header() -> list[str]:
    from jantaku.table.ground.installation import second_copy

    told = second_copy()
    return [f"jantaku: {told}"] if told else []


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    """Release waiting wrappers before the fixtures of the test are torn down."""
    release_all()
