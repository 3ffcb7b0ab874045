"""What presets cannot express as keys and values: decisions where their sources are silent or contradictory, settings
that change with the length of the game, and the field's words by which people search for a rule key."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from jantaku.table.ground.settings import Layer


class _Choices(msgspec.Struct):
    choices: Mapping[str, tuple[str, ...]]
    lengths: Mapping[str, Mapping[str, Layer]]
    words: Mapping[str, str]


_TOLD = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=_Choices)
CHOICES, LENGTHS = _TOLD.choices, _TOLD.lengths
WORDS = {word: key for key, words in _TOLD.words.items() for word in words.split()}
"""For each word of the field, the rule key that covers it."""
