"""At the points of a game our options are those that majiang-core's own Player class would allow."""

import pytest

from scripts.options import OptionTally, play


@pytest.mark.peer
def test_majiang_core_allows_what_we_offer_at_every_question() -> None:
    """Two whole games of four programs that know nothing but messages; `python -m scripts.options` plays more."""
    tally = OptionTally()
    assert [fault for number in range(2) for fault in play(number, tally)] == []
    assert tally.different == [] and tally.decisions > 1000
