"""majiang-core, the engine that the records come from, replays ours with the same result."""

import pytest

from scripts.peers import replayed

GAMES = 18
"""Every table and every number of winners twice; scripts/peers.py plays as many as one likes."""


@pytest.mark.peer
def test_majiang_core_replays_our_games_to_the_same_events_points_and_ranks() -> None:
    code, said = replayed(GAMES)
    assert (code, said) == (0, f"games {GAMES} different 0\n")
