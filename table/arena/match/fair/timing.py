"""Finds signals by time: does the time that one player takes for a discard go with whether another calls it? Between
programs, time is what messages carry besides their text."""

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import msgspec
import numpy as np

from jantaku.table.arena.match.fair.dealings import Dealings, TimedReaction
from jantaku.table.arena.match.fair.giving import ERROR, FEWEST_PLAYERS

_FEWEST_TAKEN: Final = 30
"""A pair is judged only if the hearer called at least this many discards, and passed at least as many."""


_HABIT: Final = 0.03
"""Standard deviation of the effect among honest pairs, whose habits differ."""


class _Effect(NamedTuple):
    """The chance that a called discard took longer than one that was not called, less 0.5, and the variance of that
    estimate."""

    size: float
    variance: float


class TimingPair(msgspec.Struct, frozen=True):
    """How the times that `teller` took for its discards go with whether `hearer` called them. The hearer could call
    `asked` times and did `called` times. `beyond` is in standard deviations, negative if it called the fast ones."""

    teller: str
    hearer: str
    asked: int
    called: int
    beyond: float
    bound: float
    named: bool


def timing_pairs(played: Iterable[Dealings]) -> list[TimingPair]:
    """Judge every ordered pair of players, the clearest first.

    Times are compared by rank among discards of one kind (a stratified Wilcoxon test). The distance of a pair from the
    median of the same teller with its other hearers is what is judged, because a player may well take longer for tiles
    that any hearer would call.
    """
    reactions: dict[tuple[str, str], list[TimedReaction]] = {}
    for hanchan in played:
        for one in hanchan.reactions:
            pair = hanchan.players[one.discarder], hanchan.players[one.asked]
            if pair[0] != pair[1]:
                reactions.setdefault(pair, []).append(one)
    scores = {pair: _ranked(these) for pair, these in reactions.items()}
    usable = {pair: score for pair, score in scores.items() if score is not None}
    if len(usable) < FEWEST_PLAYERS * (FEWEST_PLAYERS - 1):
        return []
    bound = -NormalDist().inv_cdf(ERROR / (2 * len(usable)))
    left, beyond = dict(usable), dict[tuple[str, str], float]()
    while True:
        judged = {pair: _beyond(pair, left) for pair in left}
        spread = max(1.0, 1.4826 * float(np.median(np.abs([*judged.values()]))))  # robust (median absolute deviation)
        highest = max(judged, key=lambda pair: abs(judged[pair]))
        if abs(judged[highest]) <= bound * spread or len(beyond) >= len(usable) // 4:
            break
        beyond[highest] = judged[highest] / spread
        del left[highest]  # it would make its neighbours seem to stand out
    beyond |= {pair: value / spread for pair, value in judged.items()}
    found = [_pair(pair, reactions[pair], value, bound) for pair, value in beyond.items()]
    return sorted(found, key=lambda one: -abs(one.beyond))


def _beyond(pair: tuple[str, str], effects: Mapping[tuple[str, str], _Effect]) -> float:
    """Return how far a pair is from the median of the same teller's other pairs, in standard deviations."""
    others = [effect for other, effect in effects.items() if other[0] == pair[0] and other != pair]
    if not others:
        return 0.0
    middle = float(np.median([effect.size for effect in others]))
    share = math.pi / (2 * len(others))  # the variance of a median of n is π / 2n times that of one
    variance = effects[pair].variance + share * float(np.mean([effect.variance for effect in others]))
    return (effects[pair].size - middle) / math.sqrt(variance + (1 + share) * _HABIT**2)


def _pair(pair: tuple[str, str], these: Sequence[TimedReaction], beyond: float, bound: float) -> TimingPair:
    return TimingPair(*pair, len(these), sum(one.called for one in these), beyond, bound, abs(beyond) > bound)


def _ranked(reactions: Sequence[TimedReaction]) -> _Effect | None:
    """Estimate how much more often a called discard took longer than one that was not; None if there are too few."""
    kinds: dict[tuple[int, str, int], list[TimedReaction]] = {}
    for one in reactions:
        kinds.setdefault(one.kind, []).append(one)
    if min(sum(one.called for one in reactions), sum(not one.called for one in reactions)) < _FEWEST_TAKEN:
        return None
    total = weight = variance = 0.0
    for these in kinds.values():
        seconds, taken = np.array([one.seconds for one in these]), np.array([one.called for one in these])
        number, yes = len(these), int(taken.sum())
        if not 0 < yes < number:
            continue
        _, inverse, counts = np.unique(seconds, return_inverse=True, return_counts=True)
        ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
        total += float(ranks[taken].sum()) / (number + 1) - yes / 2
        weight += yes * (number - yes) / (number + 1)
        spread = float(ranks.var(ddof=1)) / (number + 1) ** 2
        variance += spread * yes * (number - yes) / number
    return _Effect(total / weight, variance / weight**2) if variance else None
