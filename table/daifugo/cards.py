"""Cards as numbers 0..52 in ascending order, and sets of cards as plays (§6.2, §6.3)."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import msgspec

from jantaku.table.ground.errors import BadInput

# Cards as numbers 0..52 in ascending order: 3 < 4 < … < K < A < 2 < joker, within a rank C < D < H < S.
#
# The text is neof5's: suit letter and rank character (`0` is the ten), `JK` is the joker; a set of cards is joined by
# single spaces, and the empty text means no card.

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


# Classifies a set of cards (one rank, a kaidan or neither), and lists every play in a hand (§6.2, §6.3).

SHORTEST_KAIDAN = 3
REVOLUTION = 4
"""The fewest cards of a play that causes a revolution."""
_RANKS = 13


def is_one_rank(cards: Sequence[int]) -> bool:
    """Whether all cards are of one rank, jokers apart. True for no cards."""
    return len({rank_of(card) for card in naturals(cards)}) <= 1


def representative(cards: Sequence[int]) -> int | None:
    """The card that gives a set of one rank its strength: a natural one, else the joker; None for no cards."""
    return next(iter(naturals(cards)), JOKER if cards else None)


def is_kaidan(cards: Sequence[int]) -> bool:
    """Whether the cards are a run of one suit in the order 3…2; jokers fill gaps or extend an end."""
    real = naturals(cards)
    ranks = {rank_of(card) for card in real}
    if len(cards) < SHORTEST_KAIDAN or not real or len(ranks) < len(real):
        return False
    # Any run fits into the 13 ranks, so a joker that fills no gap always fits at one of the ends.
    return len({suit_of(card) for card in real}) == 1 and max(ranks) - min(ranks) < len(cards) <= _RANKS


def one_rank_plays(hand: Iterable[int]) -> list[tuple[int, ...]]:
    """Every play of one rank that the hand contains, each sorted, including those with the joker and the joker
    alone."""
    cards = sorted(hand)
    joker: tuple[int, ...] = (JOKER,) if cards and cards[-1] == JOKER else ()
    found: list[tuple[int, ...]] = [joker] if joker else []
    by_rank: dict[int, list[int]] = {}
    for card in naturals(cards):
        by_rank.setdefault(rank_of(card), []).append(card)
    for group in by_rank.values():
        for size in range(1, len(group) + 1):
            for some in combinations(group, size):
                found.append(some)
                if joker:
                    found.append(some + joker)
    return found


def kaidan_plays(hand: Iterable[int]) -> list[tuple[int, ...]]:
    """Every kaidan that the hand contains, each sorted, with the joker in any place."""
    cards = set(hand)
    found: set[tuple[int, ...]] = set()
    for suit in range(len(SUITS)):
        for low in range(_RANKS):
            _runs_from(low, suit, cards, found)
    return sorted(found)


def _runs_from(low: int, suit: int, cards: set[int], found: set[tuple[int, ...]]) -> None:
    """Add the kaidan that begin at rank `low`; the joker takes one place of a run at most."""
    run: list[int] = []
    gap = False
    for rank in range(low, _RANKS):
        card = rank << 2 | suit
        if card in cards:
            run.append(card)
        elif gap or JOKER not in cards:
            return
        else:
            gap = True
            run.append(JOKER)
        if len(run) < SHORTEST_KAIDAN:
            continue
        if gap:
            found.add(tuple(sorted(run)))
        else:
            found.add(tuple(run))
            if JOKER in cards:
                found.update((*run[:at], *run[at + 1 :], JOKER) for at in range(len(run)))


# What a seat may do: play cards or pass. Actions are values: equal actions are the same action.


class Put(msgspec.Struct, frozen=True, gc=False):
    """Play `cards`, in ascending order; without cards: pass."""

    cards: tuple[int, ...] = ()

    def __str__(self) -> str:
        whole = isinstance(self.cards, tuple) and all(card in range(CARDS) for card in self.cards)
        return f"Put {' '.join(NAMES[card] for card in self.cards) or 'nothing' if whole else repr(self.cards)}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def twin(self) -> "Put":
        """An equal copy; see `jantaku.table.ground.choice.Choice`. The pass is a constant."""
        return Put(self.cards) if self.cards else self


PASS = Put()
