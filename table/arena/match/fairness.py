"""The report on fair play, and signals by time. Its sentences claim no more than the numbers show."""

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist, median
from typing import Final, NamedTuple

import msgspec
import numpy as np

from jantaku.table.arena.match.figures.statistics import binomial_at_most
from jantaku.table.arena.match.payments import (
    ERROR,
    FEWEST_PLAYERS,
    Conduct,
    Dealings,
    GivingPair,
    TimedReaction,
    conduct_of,
    giving_pairs,
)

# Finds signals by time: does the time that one player takes for a discard go with whether another calls it? Between
# programs, time is what messages carry besides their text.

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


# The report on fair play. Its sentences claim no more than the numbers show.

_SHARE: Final = 0.2
"""A player that surely wins at less than this share of the others' rate does not compete."""
_UNPLAYED: Final = 0.1
"""A player does not compete either if the default replaced more than this share of its answers."""


class Competing(msgspec.Struct, frozen=True):
    """Whether a player competes. `win_rate` is per kyoku, `usual` the median rate of the others. `unplayed` is the
    share of its answers that the default replaced, because the answer was missing or wrong. `named`: the report names
    it."""

    name: str
    hanchan: int
    win_rate: float
    usual: float
    unplayed: float
    named: bool


class Fairness(msgspec.Struct, frozen=True):
    """The report. `said` has one sentence for each pair or player that it names."""

    hanchan: int
    giving: tuple[GivingPair, ...]
    timing: tuple[TimingPair, ...]
    competing: tuple[Competing, ...]
    said: tuple[str, ...]
    open: tuple[str, ...]
    """What these hanchan cannot tell, and why."""


def fairness(played: Sequence[Dealings]) -> Fairness:
    """Judge pairs by rons, pairs by times, and every player by its wins and answers."""
    giving, timing, conduct = giving_pairs(played), timing_pairs(played), conduct_of(played)
    competing = [_competing(name, conduct) for name in conduct]
    said = [
        *(_of_giving(pair) for pair in giving if pair.named),
        *(_of_timing(pair) for pair in timing if pair.named),
        *(_of_competing(player) for player in competing if player.named),
    ]
    open_ = []
    if not giving:
        open_.append(f"who pays whom: that takes {FEWEST_PLAYERS} players who met in 100 hanchan each")
    if not timing:
        open_.append(f"signals by time: that takes {FEWEST_PLAYERS} players and 30 calls of each on each")
    return Fairness(len(played), tuple(giving), tuple(timing), tuple(competing), tuple(said), tuple(open_))


def _competing(name: str, conduct: dict[str, Conduct]) -> Competing:
    own = conduct[name]
    others = [one.wins / max(one.kyoku, 1) for other, one in conduct.items() if other != name]
    usual = median(others) if others else 0.0
    few = _few(own, usual * _SHARE, ERROR / len(conduct))
    unplayed = own.unplayed / max(own.answers, 1)
    return Competing(name, own.hanchan, own.wins / max(own.kyoku, 1), usual, unplayed, few or unplayed > _UNPLAYED)


def _few(own: Conduct, rate: float, error: float) -> bool:
    """Return whether a player with that win rate would win so rarely with a chance below `error`."""
    return rate > 0 and binomial_at_most(own.wins, own.kyoku, rate) < error


def _of_giving(pair: GivingPair) -> str:
    rons = f"{pair.rons} times in {pair.hanchan} hanchan, where {pair.rons_expected:.0f} are usual for two like them"
    repeats = f"again in hanchan in which it won nothing {pair.repeats} times, where {pair.repeats_expected:.0f} are"
    return (
        f"{pair.giver} paid {pair.taker} by ron {rons}, and {repeats}. Some pair of an honest pool comes that far from "
        f"the others ({pair.beyond:.1f} standard deviations) with a chance below {ERROR:.0%}. It may be points given "
        "away, or two bots whose habits meet badly: look at the records."
    )


def _of_timing(pair: TimingPair) -> str:
    took = "slow" if pair.beyond > 0 else "fast"
    return (
        f"{pair.hearer} calls the discards of {pair.teller} rather when they come {took}, more than others do "
        f"({abs(pair.beyond):.1f} standard deviations, {pair.called} of {pair.asked} called). It may be a signal, or a "
        "habit that both share: look at the records."
    )


def _of_competing(player: Competing) -> str:
    if player.unplayed > _UNPLAYED:
        return (
            f"{player.name} left {player.unplayed:.1%} of its answers to the default in {player.hanchan} hanchan: "
            "it did not play."
        )
    return (
        f"{player.name} won {player.win_rate:.1%} of its kyoku in {player.hanchan} hanchan, where the others win "
        f"{player.usual:.1%}: it does not compete, whatever the reason."
    )
