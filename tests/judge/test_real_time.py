"""The simulated machine tells the truth: the same scripts by the system's clock, with its threads, compiled or not.

A busy machine may fail them, so `scripts/test` runs them alone. All else about time is tested in simulated machines.
"""

from collections.abc import Callable

import pytest

from tests.judge import test_cpu_clock, test_deadlines, test_late, test_stalls
from tests.kit.pace import THREADED

pytestmark = pytest.mark.real_time
SCRIPTS: list[Callable[[str], None]] = [
    test_deadlines.test_a_slow_turn_seat_is_cut_off_and_the_default_is_played,
    test_deadlines.test_a_slow_reactor_has_passed_and_the_others_are_heard,
    test_deadlines.test_slow_reactors_take_the_time_of_the_slowest_and_not_the_sum,
    test_deadlines.test_an_answer_within_the_margin_is_played_and_says_so,
    test_deadlines.test_an_answer_after_the_deadline_but_before_the_ruling_is_late,
    test_deadlines.test_the_time_of_hearing_counts,
    test_deadlines.test_every_seat_has_its_own_limits,
    test_deadlines.test_the_autopilot_costs_no_time,
    test_cpu_clock.test_a_player_that_sleeps_is_charged_nothing,
    test_cpu_clock.test_a_player_that_computes_is_charged_what_it_computes,
    test_stalls.test_only_who_keeps_the_lock_is_blamed,
    test_late.test_a_seat_that_is_late_at_the_end_may_come_home_and_hear_it,
]


@pytest.mark.parametrize("mode", THREADED)
@pytest.mark.parametrize("script", SCRIPTS)
def test_it_is_the_same_in_real_time(script: Callable[[str], None], mode: str) -> None:
    script(mode)
