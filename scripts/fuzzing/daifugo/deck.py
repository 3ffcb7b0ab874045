"""Short words for the tests: cards from text, rules by their letter."""

from jantaku.table.daifugo.cards import parse_cards
from jantaku.table.daifugo.rules import FILES, Rules


def cards(text: str) -> tuple[int, ...]:
    """Cards in the order of the text."""
    return parse_cards(text)


def rules(letter: str = "A", preset: str = "strict", **texts: str) -> Rules:
    """A preset's rules, class `letter`; keys are given with `__` for the dot."""
    keys = {key.replace("__", "."): text for key, text in texts.items()}
    return FILES.with_settings(FILES.preset(preset), {"game.letter": letter, **keys})
