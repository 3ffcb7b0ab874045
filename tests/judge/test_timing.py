"""The clock's settings are checked when they are made."""

import math

import msgspec
import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.timing import Clock


@pytest.mark.parametrize("value", [-0.1, math.nan, math.inf, 1e300, 86400.1])
@pytest.mark.parametrize("name", ["turn", "reaction", "bank", "increment", "margin", "start"])
def test_a_time_that_cannot_be_meant_is_refused(name: str, value: float) -> None:
    with pytest.raises(BadInput, match=f"clock.{name}: .* seconds from 0 to 86400"):
        msgspec.structs.replace(Clock(turn=1.0), **{name: value})


def test_a_bank_without_a_limit_is_refused() -> None:
    with pytest.raises(BadInput, match=r"clock\.bank: 5\.0 s without"):
        Clock(bank=5.0)


@pytest.mark.parametrize("name", ["turn", "reaction"])
def test_a_limit_of_nothing_is_refused_but_with_a_bank_beside_it(name: str) -> None:
    with pytest.raises(BadInput, match=f"clock.{name}: 0 leaves no time to answer; allowed are seconds above 0"):
        msgspec.structs.replace(Clock(), **{name: 0.0})
    assert msgspec.structs.replace(Clock(turn=1.0, bank=60.0), **{name: 0.0}).runs


def test_the_clock_runs_if_any_limit_is_set() -> None:
    assert not Clock().runs and Clock(turn=1.0).runs and Clock(reaction=0.1).runs
    assert Clock().longest is None and Clock(reaction=2.0).longest == 2.0 and Clock(turn=3, reaction=1).longest == 3
