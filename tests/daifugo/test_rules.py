"""Presets and rule files of 大富豪."""

import pytest

from jantaku.table.daifugo.rules import FILES, Rules
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.settings import difference, keys


def test_every_key_says_what_it_means() -> None:
    assert all(key.text and key.required for key in keys(Rules).values())


def test_the_presets_differ_where_page_and_tournament_did() -> None:
    """§7.3, §8."""
    changed = {name for name, _, _ in difference(FILES.preset("strict"), FILES.preset("neof5"))}
    room = {"room.turn_limit", "room.agari_in_history", "room.swapped", "room.full"}
    assert changed == room | {"kaidan.length", "series.points", "series.carry"}


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"game.seats": "7"}, "game.seats = 7 is not allowed; allowed: a whole number from 2 to 6"),
        ({"game.letter": "C"}, 'game.letter = "C" is not allowed; allowed: "A" or "B"'),
        ({"kaidan.lenght": "any"}, "there is no key kaidan.lenght; did you mean kaidan.length?"),
    ],
)
def test_a_value_that_cannot_be_is_refused(texts: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        FILES.with_settings(FILES.preset("strict"), texts)
    assert said in str(caught.value)
