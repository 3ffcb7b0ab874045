"""Scripted persons (`scripts.people.person`) play on the page in a headless Chromium, with bots and each other.

JANTAKU_HANCHAN (50) hanchan: a half with one person, a third with two, the rest with four, alternately on phones and
desktops, who click at random what is offered and what is not. JANTAKU_TIMES (200) pages are killed at random moments
and opened again. JANTAKU_SEED (1) is what clicks, moments and walls depend on.
"""

import os
from pathlib import Path

import pytest

from scripts.people import playing

HANCHAN, TIMES, SEED = (
    int(os.environ.get(f"JANTAKU_{name}", usual)) for name, usual in (("HANCHAN", 50), ("TIMES", 200), ("SEED", 1))
)
SHARES = {1: HANCHAN // 2, 2: HANCHAN // 3, 4: HANCHAN - HANCHAN // 2 - HANCHAN // 3}
pytestmark = [pytest.mark.people, pytest.mark.timeout(24 * 3600)]


def as_it_should_be(row: tuple[str, bool]) -> None:
    told, good = row
    print(told)
    assert good, told


@pytest.mark.parametrize("persons", SHARES)
def test_persons_play_whole_hanchan_without_a_fault(persons: int, tmp_path: Path) -> None:
    as_it_should_be(playing.play(persons, tmp_path, hanchan=SHARES[persons], seed=SEED))


def test_a_page_that_is_killed_at_any_moment_comes_back_to_its_question(tmp_path: Path) -> None:
    as_it_should_be(playing.come_back(tmp_path, times=TIMES, seed=SEED))


def test_a_hanchan_is_played_by_keyboard_alone(tmp_path: Path) -> None:
    as_it_should_be(playing.by_keyboard(tmp_path, seed=SEED))
