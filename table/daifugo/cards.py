"""Cards as numbers 0..52 in ascending order: 3 < 4 < … < K < A < 2 < joker, within a rank C < D < H < S.

Text as in neof5: suit letter and rank character (`0` is the ten), `JK` is the joker; a set of cards is joined
by one space, no card is the empty text.
"""

from collections.abc import Iterable, Sequence

from jantaku.table.errors import BadInput

SUITS = "CDHS"
RANKS = "34567890JQKA2"
JOKER = 52
CARDS = 53
HIDDEN = -1
"""A card that the observer may not see."""

NAMES = (*(suit + rank for rank in RANKS for suit in SUITS), "JK")
CARD = {name: card for card, name in enumerate(NAMES)}
THREE, TWO = 0, 12
"""The ranks at the ends of the order."""
OPENING = CARD["S3"]
"""The seat that is dealt it leads the first round."""
_JOKER_RANK = 13


class UnknownSuit(BadInput):
    """A card begins with a letter that is no suit."""


def rank_of(card: int) -> int:
    """0 for 3 up to 12 for 2; 13 for the joker."""
    return card >> 2


def suit_of(card: int) -> int:
    """0..3 for C D H S. Not for the joker."""
    return card & 3


def strength(card: int, revolution: bool) -> int:
    """Higher beats lower, suits never matter (§6.1). A revolution turns 3…2 round and leaves the joker on top."""
    rank = card >> 2
    return TWO - rank if revolution and rank < _JOKER_RANK else rank


def naturals(cards: Iterable[int]) -> list[int]:
    """The cards without jokers."""
    return [card for card in cards if card != JOKER]


def cards_text(cards: Iterable[int]) -> str:
    """A card set as text, in the given order."""
    return " ".join(NAMES[card] for card in cards)


def parse_cards(text: str) -> tuple[int, ...]:
    """A card set from text. Spaces may be left out and `1` is taken for `A`, as clients write both.

    UnknownSuit or BadInput with the card that is not one.
    """
    bare = text.replace(" ", "")
    return tuple(_parse_card(bare[at : at + 2]) for at in range(0, len(bare), 2))


def _parse_card(name: str) -> int:
    if name != "JK" and name[0] not in SUITS:
        raise UnknownSuit(f"card {name!r}: there is no suit {name[0]!r}; allowed are {' '.join(SUITS)} and JK")
    card = CARD.get(name[:1] + name[1:].replace("1", "A"))
    if card is None:
        raise BadInput(f"card {name!r}: the rank is not one of {' '.join(RANKS)}")
    return card


def without(hand: Sequence[int], cards: Iterable[int]) -> list[int]:
    """`hand` with `cards` taken out; hidden cards stand for any card that is not there."""
    left = list(hand)
    for card in cards:
        left.remove(card if card in left else HIDDEN)
    return left
