"""Plays: sets of cards of one rank or in a kaidan (§6.2, §6.3), and what a seat may do with them."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import msgspec

from jantaku.table.daifugo.cards import CARDS, JOKER, NAMES, SUITS, naturals, rank_of, suit_of

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
