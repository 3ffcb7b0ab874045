"""Short helpers for tests: cards from text, rules by letter."""

from jantaku.table.daifugo.cards import parse_cards
from jantaku.table.daifugo.rules import FILES, Rules


def cards(text: str) -> tuple[int, ...]:
    """Return cards in the order of the text."""
    return parse_cards(text)


def rules(letter: str = "A", preset: str = "strict", **texts: str) -> Rules:
    """Return a preset's rules for class `letter`; keys are given with `__` for the dot."""
    keys = {key.replace("__", "."): text for key, text in texts.items()}
    return FILES.with_settings(FILES.preset(preset), {"game.letter": letter, **keys})
