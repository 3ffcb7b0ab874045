"""The verdict on many games in plain sentences: which player is better and by how much, or what is undecided and how
many more sets would decide it.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

import msgspec

from jantaku.table.arena.match.figures.adjusted import worth
from jantaku.table.arena.match.figures.looks import ERROR, Looks, unseen
from jantaku.table.arena.match.figures.statistics import (
    FARTHEST,
    Figures,
    Interval,
    LuckFigures,
    Pair,
    sets_to_decide,
)
from jantaku.table.arena.match.figures.stops import NAME as NAME
from jantaku.table.arena.match.figures.stops import Sprt
from jantaku.table.drawing.columns import shortened
from jantaku.table.judge.faults import OUT_OF_TIME

NAMED = 3
"""Most players named in a sentence."""
LONGEST_NAME = 32
"""Most letters of a name in a sentence."""
SOME = 1.05
"""Up to this worth of a hanchan, taking luck out is no help."""


class Scale(NamedTuple):
    """A scale on which players are compared: its unit, its digits, the lead of `a` in a pair, and the largest possible
    lead (infinite if there is no bound)."""

    unit: str
    digits: int
    lead: Callable[[Pair], Interval]
    farthest: float = math.inf


class ComparedPlayers(NamedTuple):
    """Results of players: their names from the best down; the difference of every two that met; the number of sets
    played, and the word for such a set; the scales, the first of which decides; and how often somebody looked."""

    names: Sequence[str]
    pairs: Sequence[Pair]
    played: int
    sets: str
    scales: tuple[Scale, Scale]
    looks: Looks = Looks.ONCE

    def leads(self, name: str, other: str) -> Sequence[Interval]:
        """Return by how much `name` is ahead of `other` on each scale; empty if they have not met."""
        for pair in self.pairs:
            if {pair.a, pair.b} == {name, other}:
                found = [scale.lead(pair) for scale in self.scales]
                return found if pair.a == name else [lead.reversed for lead in found]
        return ()


RANKS = Scale("ranks", 3, lambda pair: pair.rank.reversed, 3.0)


def hanchan_compared(figures: Figures, unit: str = "hanchan") -> ComparedPlayers:
    """Compare the players of a match by their ranks. `unit`: what a game is called."""
    names = [player.name for player in figures.best_first]
    ranks = RANKS._replace(farthest=max(len(player.ranks) for player in figures.players) - 1.0)
    scales = (ranks, Scale(f"points a {unit}", 1, lambda pair: pair.points))
    return ComparedPlayers(names, figures.pairs, figures.sets, "wall sets", scales, figures.looks)


def no_luck(found: LuckFigures | msgspec.UnsetType, sets: str) -> str:
    """Say why luck is not taken out; empty if it is, or was not asked for. `sets`: the word for the independent
    games."""
    if not found or found.known:
        return ""
    if found.why:
        return f"Luck is not taken out: {found.why}."
    return f"Luck is taken out of {found.FEWEST} {sets} or more; these are {found.sets}."


def lost_to_clock(figures: Figures, unit: str = "hanchan") -> str:
    """Name the players that lost answers to the clock, with how many, and say whether the verdict stands without these
    wall sets; empty if no player did."""
    found = figures.on_time
    if found is msgspec.UNSET:
        return ""
    words = {player.name: {w: n for w, n in player.faults.items() if w in OUT_OF_TIME} for player in figures.players}
    losers = [f"{_said(name)} {sum(lost.values())} ({faults_text(lost)})" for name, lost in words.items() if lost]
    said = f"Answers lost to the clock: {'; '.join(losers)}, in {found.hanchan} of {figures.games} {unit}."
    if not found.sets:
        return f"{said} Each wall set has such a {unit}, so the verdict without them is unknown."
    whole = hanchan_compared(figures, unit)
    rest = whole._replace(names=found.names, pairs=found.pairs, played=found.sets)
    stands = "stands" if _beaten(rest) == _beaten(whole) else "would be different"
    return f"{said} Without the {found.lost} wall sets with such a {unit} the verdict {stands}: {verdict(rest)}"


def remarks(figures: Figures, unit: str = "hanchan") -> Sequence[str]:
    """Say what the verdict leaves open: what it is without luck, see `lost_to_clock`, which players often play alike,
    and which do better against one opponent than against all."""
    said = without_luck(figures, unit), lost_to_clock(figures, unit), *_alike(figures), *_beyond(figures)
    return [told for told in said if told]


def without_luck(figures: Figures, unit: str = "hanchan") -> str:
    """Say the verdict without luck, or why there is none; empty if luck was not asked for. `unit`: what a game is
    called."""
    found = figures.luck
    if not found or not found.known:
        return no_luck(found, "wall sets")
    by_name = {player.name: player.rank_adjusted for player in found.players}
    players = tuple(msgspec.structs.replace(one, rank=by_name[one.name]) for one in figures.players)
    adjusted = msgspec.structs.replace(figures, players=players, pairs=found.pairs)
    worths = (worth(*both) for one in found.players for both in one.both)
    vain = "" if any(one and one > SOME for one in worths) else " No interval is narrower for that."
    by = "" if found.learned else " in three rough sums"
    return f"Without luck{by}: {verdict(hanchan_compared(adjusted, unit))}{vain}"


def _alike(figures: Figures) -> Iterator[str]:
    for pair in figures.pairs:
        if pair.divergent is not None and pair.divergent < 1:
            games = f"the games of {_said(pair.a)} and {_said(pair.b)}"
            yield f"In {1 - pair.divergent:.1%} of the wall sets {games} are the same, whichever of the two sits where."


def _beyond(figures: Figures) -> Iterator[str]:
    """Name the pairs whose results leave what is expected of them, with an error of 5 % for all pairs together."""
    usual, wide = (NormalDist().inv_cdf(1 - ERROR / 2 / tried) for tried in (1, max(len(figures.pairs), 1)))
    for pair in figures.pairs:
        if (beyond := pair.beyond) is None or not beyond.half:
            continue
        a, b, more = (pair.a, pair.b, beyond) if beyond.mean > 0 else (pair.b, pair.a, beyond.reversed)
        if Interval(more.mean, beyond.half * wide / usual).decided:
            than = f"by {more.text(3)} ranks than their results against all players predict"
            yield f"{_said(a)} does better against {_said(b)} {than}."


def distance(lead: Interval, scale: Scale) -> str:
    """Write a lead as `0.113 ± 0.089 ranks ahead of`, or `behind`."""
    amount = Interval(abs(lead.mean), lead.half).text(scale.digits)
    return f"{amount} {scale.unit} {'behind' if lead.mean < 0 else 'ahead of'}"


def verdict(compared: ComparedPlayers) -> str:
    """Say in one to three sentences which player is better and by how much, or that it is undecided."""
    first, *others = compared.names
    if not others:
        return f"{_said(first)} played alone: there is nothing to compare."
    if compared.played < (fewest := compared.looks.fewest):
        return f"Undecided: below {fewest} {compared.sets} there is no interval, and these are {compared.played}."
    leads = {other: found[0] for other in others if (found := compared.leads(first, other))}
    alike = [other for other, lead in leads.items() if lead.half == 0 and not _is_sure(lead, compared)]
    if alike:  # without spread there is no measure of chance
        far = f"{_said(first)} is {distance(leads[alike[0]], compared.scales[0])} {_said(alike[0])}"
        return f"Undecided: {far}, but all {compared.played} {compared.sets} had the same result; play more."
    beaten = _beaten(compared)[1:]
    rest = [other for other in others if other not in beaten]
    if not rest:
        return _decided(first, beaten, leads[beaten[0]], compared.scales[0])
    better = f" {_said(first)} is better than {_listed(beaten)}." if beaten else ""
    return f"{_undecided(first, rest, leads, compared)}{better}"


def _beaten(compared: ComparedPlayers) -> Sequence[str]:
    """The leader, and the players than which it is better."""
    first, *others = compared.names
    leads = {other: found[0] for other in others if (found := compared.leads(first, other))}
    return [first, *(name for name, lead in leads.items() if lead.mean > 0 and (lead.decided or lead.half == 0))]


def _is_sure(lead: Interval, compared: ComparedPlayers) -> bool:
    """Return whether sets with equal results suffice. What they have not shown may still happen in ln(1 / 0.05) of them
    (the “rule of three”), with the worst result there is."""
    share = unseen(ERROR, 1.0) / compared.played
    return lead.mean * (1 - share) > (compared.scales[0].farthest * share)


def pace(test: Sprt, sets: int) -> str:
    """Say how far an undecided sequential test is after `sets` sets; empty if it is decided."""
    if test.accepted:
        return ""
    bound = test.upper if test.llr > 0 else test.lower
    if abs(test.llr) >= abs(bound):
        return "It has crossed a bound, but is not judged before its least number of wall sets."
    if not test.llr:
        return "It leans to neither side."
    more = math.ceil((bound / test.llr - 1) * sets)
    return f"At this pace about {_rounded(max(more, 2))} more wall sets would decide it." if more < FARTHEST else ""


def _decided(first: str, beaten: Sequence[str], lead: Interval, scale: Scale) -> str:
    first, ahead = _said(first), f"{distance(lead, scale)} {_said(beaten[0])}"
    if len(beaten) == 1:
        return f"{first} is better than {_said(beaten[0])}: {ahead}."
    return f"{first} is the best of {len(beaten) + 1}, and better than each of the others: {ahead}, the next best."


def _undecided(first: str, rest: Sequence[str], leads: dict[str, Interval], compared: ComparedPlayers) -> str:
    """Say what is open between the leader and the others. The player that takes longest to separate from the leader
    stands for them."""
    met = [other for other in rest if other in leads]
    if not met:
        return f"Undecided: {_said(first)} leads, but never sat with {_listed(rest)}."
    nearest = max(met, key=lambda other: _needed(leads[other], compared))
    lead = leads[nearest]
    who = f"whether {_said(first)} is better than {_listed(rest)}"
    far = f"it is {distance(lead, compared.scales[0])} {_said(nearest)}"
    return f"Undecided {who}: {far}. {_remedy(_needed(lead, compared) - compared.played, nearest, compared)}"


def _remedy(more: float, other: str, compared: ComparedPlayers) -> str:
    if math.isinf(more):
        return f"The lead is too small to tell how many more {compared.sets} would decide it."
    if more <= 0:
        return f"Over all {compared.sets} it leads, but not where both sat."
    return (
        f"If this difference stays as it is, about {_rounded(max(int(more), 2))} more {compared.sets} would decide it."
    )


def _needed(lead: Interval, compared: ComparedPlayers) -> float:
    return sets_to_decide(lead, compared.played, compared.looks) or math.inf


def _rounded(number: int) -> int:
    """Round up to two digits: the estimate is no better than that, and one set too few would not decide."""
    step: int = 10 ** max(len(str(number)) - 2, 0)
    return -(-number // step) * step


def _listed(names: Sequence[str]) -> str:
    shown = [*map(_said, names[:NAMED]), *([f"{len(names) - NAMED} more"] if len(names) > NAMED else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _said(name: str) -> str:
    return shortened(name, LONGEST_NAME)


def faults_text(faults: Mapping[str, int]) -> str:
    """Write how often a player was at fault: `silent 3, late 1`."""
    return ", ".join(f"{word} {count}" for word, count in faults.items()) or "none"
