"""階級: the worth of a place, and the cards exchanged for it before the next round (§3.3 to §3.5)."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from jantaku.table.daifugo.cards import HIDDEN

DAIFUGO, FUGO, HEIMIN, HINMIN, DAIHINMIN = 2, 1, 0, -1, -2
RANK_NAMES = {DAIFUGO: "大富豪", FUGO: "富豪", HEIMIN: "平民", HINMIN: "貧民", DAIHINMIN: "大貧民"}

_RANK_POINTS = {DAIFUGO: 5, FUGO: 4, HEIMIN: 3, HINMIN: 2, DAIHINMIN: 0}
_PLACE_POINTS = (5, 4, 3, 2, 1, 0)
_CARDS_OF = {DAIFUGO: 2, FUGO: 1}


class Gift(msgspec.Struct, frozen=True):
    """Cards that one seat gives another; other seats do not see them."""

    giver: int
    taker: int
    cards: tuple[int, ...]

    def seen_by(self, seat: int) -> "Gift":
        """The same gift as `seat` may see it."""
        if seat in (self.giver, self.taker):
            return self
        return Gift(self.giver, self.taker, (HIDDEN,) * len(self.cards))


def rank_at(place: int, seats: int) -> int:
    """The rank for place 1..seats. 富豪 and 貧民 exist only with at least four seats."""
    if place in (1, seats):
        return DAIFUGO if place == 1 else DAIHINMIN
    if seats >= 4 and place in (2, seats - 1):
        return FUGO if place == 2 else HINMIN
    return HEIMIN


def points_at(place: int, seats: int, by: Literal["rank", "place"]) -> int:
    """The points of a round for place 1..seats, by the key `series.points`."""
    if by == "rank":
        return _RANK_POINTS[rank_at(place, seats)]
    return 0 if place == seats else _PLACE_POINTS[place - 1]


def gifts(hands: Sequence[Sequence[int]], ranks: Sequence[int]) -> tuple[Gift, ...]:
    """The automatic exchange, 大富豪 and 大貧民 first: the strongest cards go up, the weakest come down, without a
    choice. Both sets are chosen before a card moves, and the joker is the strongest card (§7.1 #9, #10)."""
    found = []
    for upper_rank, count in _CARDS_OF.items():
        if upper_rank not in ranks or -upper_rank not in ranks:
            continue
        upper, lower = ranks.index(upper_rank), ranks.index(-upper_rank)
        found.append(Gift(upper, lower, tuple(sorted(hands[upper])[:count])))
        found.append(Gift(lower, upper, tuple(sorted(hands[lower])[-count:])))
    return tuple(found)
