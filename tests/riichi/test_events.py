"""Events and the names under which bots know them."""

import pytest

from jantaku.table.riichi import events


@pytest.mark.parametrize(("former", "now"), [("Discard", "TileDiscard"), ("Call", "MeldCall"), ("Kan", "OwnKan")])
def test_a_former_name_still_works_and_says_what_it_is_called_now(former: str, now: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"the event {former} is called {now}"):
        assert getattr(events, former) is getattr(events, now)


def test_another_name_is_none() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Throw'"):
        getattr(events, "Throw")  # noqa: B009
