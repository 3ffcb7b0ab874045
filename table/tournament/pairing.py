"""Who meets whom in one round, as pure functions of what came before. Players are numbers, tables are fours of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from table.match.plan.formats import SEATS
from table.tournament.designs import Four

Pair = tuple[int, int]


class Round(NamedTuple):
    """The tables of one round, and who sits it out."""

    tables: Sequence[Four]
    byes: Sequence[int] = ()


def pairs_of(table: Iterable[int]) -> list[Pair]:
    """Every two players of a table, the lower number first."""
    return list(combinations(sorted(table), 2))


# --- Swiss


def swiss(order: Sequence[int], met: Mapping[Pair, int], byes: Mapping[int, int]) -> Round:
    """The next round of players in the `order` of their standing, the best first: fours of neighbours, as few pairs as
    can be found that have `met` before.

    Where their number is not a multiple of four, the lowest of those who have sat out least often sit out, so that
    nobody does twice before everybody has once.
    """
    most_due = sorted(enumerate(order), key=lambda one: (byes.get(one[1], 0), -one[0]))
    sit_out = [player for _, player in most_due[: len(order) % SEATS]]
    playing = [player for player in order if player not in sit_out]
    fours = [playing[at : at + SEATS] for at in range(0, len(playing), SEATS)]
    _spread(fours, met, {player: place for place, player in enumerate(playing)})
    return Round([_four(table) for table in fours], sorted(sit_out))


def _spread(fours: list[list[int]], met: Mapping[Pair, int], places: Mapping[int, int]) -> None:
    """Exchange players between tables as long as that helps: first there are fewer pairs who meet again, then players
    are nearer to each other in the standings."""

    def cost(player: int, others: Iterable[int]) -> tuple[int, int]:
        again = near = 0
        for other in others:
            again += met.get((min(player, other), max(player, other)), 0) ** 2
            near += (places[player] - places[other]) ** 2
        return again, near

    def gain(a: list[int], b: list[int], x: int, y: int) -> tuple[int, int]:
        of_a, of_b = [one for one in a if one != a[x]], [one for one in b if one != b[y]]
        before = cost(a[x], of_a), cost(b[y], of_b)
        after = cost(a[x], of_b), cost(b[y], of_a)
        return sum(one[0] for one in before) - sum(one[0] for one in after), (
            sum(one[1] for one in before) - sum(one[1] for one in after)
        )

    better = True
    while better:
        better = False
        for a, b in combinations(fours, 2):
            found, x, y = max((gain(a, b, x, y), x, y) for x in range(SEATS) for y in range(SEATS))
            if found > (0, 0):
                a[x], b[y] = b[y], a[x]
                better = True


# --- gauntlet


def triples(opponents: int, legs: int) -> list[list[tuple[int, int, int]]]:
    """Legs of a gauntlet: threes of the `opponents` 0..n-1, in which each sits equally often.

    A leg is one three that goes round: with every number added, modulo their number. So each opponent sits three times
    in a leg; of three opponents, once. The differences of a leg's three are those that have been used least, so that
    opponents meet each other about equally often as well.
    """
    used: Counter[int] = Counter()
    found = []
    for _ in range(legs):
        base = min(_bases(opponents), key=lambda three: (_load(three, used, opponents), three))
        used.update(_differences(base, opponents))
        found.append(list(dict.fromkeys(_turned(base, by, opponents) for by in range(opponents))))
    return found


def _bases(opponents: int) -> list[tuple[int, int, int]]:
    """Threes with 0, but for the one that would come back to itself on the way round."""
    bases = [(0, a, b) for a, b in combinations(range(1, opponents), 2)]
    return [(0, a, b) for _, a, b in bases if len(bases) == 1 or (3 * a, 3 * b) != (opponents, 2 * opponents)]


def _differences(three: tuple[int, int, int], opponents: int) -> list[int]:
    """The distances on the circle."""
    return [min((b - a) % opponents, (a - b) % opponents) for a, b in combinations(three, 2)]


def _load(three: tuple[int, int, int], used: Counter[int], opponents: int) -> int:
    """How uneven it gets: the squares of how often two meet, added up. Players half the circle apart are half as many
    pairs, which meet twice a leg."""
    after = used + Counter(_differences(three, opponents))
    return sum(count**2 * (2 if 2 * away == opponents else 1) for away, count in after.items())


def _turned(three: tuple[int, int, int], by: int, opponents: int) -> tuple[int, int, int]:
    a, b, c = sorted((one + by) % opponents for one in three)
    return a, b, c


# --- knock-out


def next_size(players: int) -> int:
    """How many are left after a round of so many: the power of two below; 0 after the final."""
    return 0 if players <= SEATS else 1 << ((players - 1).bit_length() - 1)


def sizes(players: int) -> list[int]:
    """How many are in each round of a knock-out."""
    found = [players]
    while following := next_size(found[-1]):
        found.append(following)
    return found


def tables_for(players: int) -> int:
    """Tables of a round of a knock-out: just so many that two of each can go on and the rest is a power of two."""
    out = players - next_size(players)
    return min(-(-out // 2), players // SEATS)


def knock_out(entered: Sequence[int], met: Mapping[Pair, int]) -> Round:
    """A round of those who are still in, as `entered` by `through` or by lot: the last ones sit it out. As few as can
    be found of those who have `met` do so again."""
    count = tables_for(len(entered))
    playing = entered[: SEATS * count]
    fours = [list(playing[at::count]) for at in range(count)]
    _spread(fours, met, dict.fromkeys(playing, 0))
    return Round([_four(table) for table in fours], sorted(entered[SEATS * count :]))


def through(played: Round, placed: Sequence[Sequence[int]], result: Mapping[int, tuple[float, ...]]) -> list[int]:
    """Who goes on, in the order in which they enter the next round. `placed` are the players of every table, the first
    of it first; `result` is what they came to, lower is better.

    As many as the next round has seats: those who sat out, then the firsts of all tables, then the seconds, and so on,
    in the order of their results. Two of each table where nobody sat out. The first half of the next round stands in
    the order of the tables, the second half against it, so that two of one table are far from each other.
    """
    seats = next_size(sum(map(len, placed)) + len(played.byes)) - len(played.byes)
    by_place = [[table[place] for table in placed] for place in range(SEATS)]
    kept: list[int] = []
    for place in by_place:
        best = set(sorted(place, key=lambda player: result[player])[: max(seats - len(kept), 0)])
        kept += [player for player in place if player in best]
    firsts = kept[: len(placed)]
    entered = [*firsts, *played.byes, *kept[len(placed) :]]
    half = len(entered) // 2
    return [*entered[:half], *reversed(entered[half:])]


def _four(players: Sequence[int]) -> Four:
    a, b, c, d = players
    return a, b, c, d
