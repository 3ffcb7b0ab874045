"""The report on fair play. Its sentences claim no more than the numbers show."""

from collections.abc import Sequence
from statistics import median
from typing import Final

import msgspec

from jantaku.table.arena.match.fair.dealings import Conduct, Dealings, conduct_of
from jantaku.table.arena.match.fair.giving import ERROR, FEWEST_PLAYERS, GivingPair, giving_pairs
from jantaku.table.arena.match.fair.timing import TimingPair, timing_pairs
from jantaku.table.arena.match.figures.distributions import binomial_at_most

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
