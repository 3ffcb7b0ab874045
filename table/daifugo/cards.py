"""Cards as numbers 0..52 in ascending order: 3 < 4 < … < K < A < 2 < joker, within a rank C < D < H < S.

The text is neof5's: suit letter and rank character (`0` is the ten), `JK` is the joker; a set of cards is joined by
single spaces, and the empty text means no card.
"""

from collections.abc import Iterable, Sequence

from jantaku.table.ground.errors import BadInput

SUITS = "CDHS"
RANKS = "34567890JQKA2"
JOKER = 52
CARDS = 53
HIDDEN = -1
"""A card that the observer may not see."""

NAMES = (*(suit + rank for rank in RANKS for suit in SUITS), "JK")
CARD = {name: card for card, name in enumerate(NAMES)}
THREE, TWO = 0, 12
"""The lowest and the highest rank."""
OPENING = CARD["S3"]
"""The seat that is dealt this card leads the first round."""
_JOKER_RANK = 13


class UnknownSuit(BadInput):
    """A card begins with a letter that is not a suit."""


def rank_of(card: int) -> int:
    """The rank of a card: 0 for 3 up to 12 for 2; 13 for the joker."""
    return card >> 2


def suit_of(card: int) -> int:
    """The suit of a card, 0..3 for C D H S. Not valid for the joker."""
    return card & 3


def strength(card: int, revolution: bool) -> int:
    """The strength of a card: higher beats lower, suits never matter (§6.1). A revolution reverses 3…2 and leaves the
    joker on top."""
    rank = card >> 2
    return TWO - rank if revolution and rank < _JOKER_RANK else rank


def naturals(cards: Iterable[int]) -> list[int]:
    """The cards without jokers."""
    return [card for card in cards if card != JOKER]


def cards_text(cards: Iterable[int]) -> str:
    """A set of cards as text, in the given order."""
    return " ".join(NAMES[card] for card in cards)


def parse_cards(text: str) -> tuple[int, ...]:
    """Read a set of cards. Spaces may be missing, and `1` is read as `A`, since clients write both.

    Raises UnknownSuit or BadInput, with the card that is invalid.
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
    """Return `hand` without `cards`; a hidden card of the hand is removed for each card that is not in it. Raises
    ValueError if neither is there."""
    left = list(hand)
    for card in cards:
        left.remove(card if card in left else HIDDEN)
    return left
