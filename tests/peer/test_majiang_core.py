"""majiang-core, the engine that the records come from, replays ours with the same result, and its Player class allows
what we offer."""

import pytest

from scripts.options import OptionTally, play
from scripts.peers import replayed

GAMES = 18
"""Every table and every number of winners twice; scripts/peers.py plays as many as one likes."""


@pytest.mark.peer
def test_majiang_core_replays_our_games_to_the_same_events_points_and_ranks() -> None:
    code, said = replayed(GAMES)
    assert (code, said) == (0, f"games {GAMES} different 0\n")


@pytest.mark.peer
def test_majiang_core_allows_what_we_offer_at_every_question() -> None:
    """Two whole games of four programs that know nothing but messages; `python -m scripts.options` plays more."""
    tally = OptionTally()
    assert [fault for number in range(2) for fault in play(number, tally)] == []
    assert tally.different == [] and tally.decisions > 1000
