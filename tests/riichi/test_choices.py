"""What belongs to presets beside their keys: the points of a length, and the field's words for keys."""

from pathlib import Path

import pytest

from jantaku.table.ground import settings
from jantaku.table.riichi import choices, ruleset
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset


@pytest.mark.parametrize(
    ("text", "length", "points"),
    [
        ('preset = "showa"\n[game]\nlength = "tonpu"', None, (20000, 25000)),
        ('preset = "showa"\n[game]\nlength = "tonpu"', "hanchan", (25000, 30000)),
        ('preset = "showa"\n[game]\nstart_points = 30000', "tonpu", (30000, 25000)),
        ('preset = "showa"\n[ron]\nmax_winners = 2', "tonpu", (20000, 25000)),
        ('preset = "tenhou"', "tonpu", (25000, 30000)),
    ],
)
def test_a_tonpu_of_showa_starts_with_its_own_points_unless_they_are_set(
    tmp_path: Path, text: str, length: str | None, points: tuple[int, int]
) -> None:
    """S-13."""
    (tmp_path / "mine.toml").write_text(text)
    found = ruleset.read(tmp_path / "mine.toml")
    texts = {} if length is None else {"game.length": length}
    game = ruleset.with_settings(found, texts).game
    assert (game.start_points, game.return_points) == points


def test_every_word_of_the_field_leads_to_keys_that_there_are() -> None:
    for word, meaning in choices.WORDS.items():
        for part in meaning.replace(",", " and ").split(" and "):
            name, _, value = part.partition(" = ")
            assert name.strip() in settings.keys(Rules), word
            if value:
                ruleset.with_settings(preset("tenhou"), {name.strip(): value})
