"""Who meets whom in one round, as pure functions of what came before. Players and tables are numbers and tuples of
them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from jantaku.table.match.plan.formats import SEATS
from jantaku.table.tournament.designs import Table

Pair = tuple[int, int]
GOING_ON = {4: 2, 3: 3}
"""By seats of a table, how many times as many are in a round of a knock-out as in the next one."""


class Round(NamedTuple):
    """The tables of one round, and who sits it out."""

    tables: Sequence[Table]
    byes: Sequence[int] = ()


def pairs_of(table: Iterable[int]) -> list[Pair]:
    """Every two players of a table, the lower number first."""
    return list(combinations(sorted(table), 2))


# --- Swiss


def swiss(order: Sequence[int], met: Mapping[Pair, int], byes: Mapping[int, int], seats: int = SEATS) -> Round:
    """The next round of players in the `order` of their standing, the best first: tables of neighbours, as few pairs as
    can be found that have `met` before.

    Where their number is not a multiple of the `seats` of a table, the lowest of those who have sat out least often sit
    out, so that nobody does twice before everybody has once.
    """
    most_due = sorted(enumerate(order), key=lambda one: (byes.get(one[1], 0), -one[0]))
    sit_out = [player for _, player in most_due[: len(order) % seats]]
    playing = [player for player in order if player not in sit_out]
    tables = [playing[at : at + seats] for at in range(0, len(playing), seats)]
    _spread(tables, met, {player: place for place, player in enumerate(playing)})
    return Round([tuple(table) for table in tables], sorted(sit_out))


def _spread(tables: list[list[int]], met: Mapping[Pair, int], places: Mapping[int, int]) -> None:
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
        for a, b in combinations(tables, 2):
            found, x, y = max((gain(a, b, x, y), x, y) for x in range(len(a)) for y in range(len(b)))
            if found > (0, 0):
                a[x], b[y] = b[y], a[x]
                better = True


# --- gauntlet


def legs_of(opponents: int, legs: int, seats: int = SEATS) -> list[list[Table]]:
    """Legs of a gauntlet at tables of so many seats: groups of the `opponents` 0..n-1 that leave one seat free. Each of
    them sits equally often.

    A leg is one group that goes round: with every number added, modulo their number. So each opponent sits as often in
    a leg as the group has members; if they are but one group, once. The differences of a leg's group are those that
    have been used least, so that opponents meet each other about equally often as well.
    """
    used: Counter[int] = Counter()
    found = []
    for _ in range(legs):
        base = min(_bases(opponents, seats - 1), key=lambda group: (_load(group, used, opponents), group))
        used.update(_differences(base, opponents))
        found.append(list(dict.fromkeys(_turned(base, by, opponents) for by in range(opponents))))
    return found


def _bases(opponents: int, size: int) -> list[Table]:
    """Groups with 0, but for the one that would come back to itself on the way round."""
    bases = [(0, *others) for others in combinations(range(1, opponents), size - 1)]
    even = tuple(opponents * place for place in range(size))
    return [base for base in bases if len(bases) == 1 or tuple(size * one for one in base) != even]


def _differences(group: Table, opponents: int) -> list[int]:
    """The distances on the circle."""
    return [min((b - a) % opponents, (a - b) % opponents) for a, b in combinations(group, 2)]


def _load(group: Table, used: Counter[int], opponents: int) -> int:
    """How uneven it gets: the squares of how often two meet, added up. Players half the circle apart are half as many
    pairs, which meet twice a leg."""
    after = used + Counter(_differences(group, opponents))
    return sum(count**2 * (2 if 2 * away == opponents else 1) for away, count in after.items())


def _turned(group: Table, by: int, opponents: int) -> Table:
    return tuple(sorted((one + by) % opponents for one in group))


# --- knock-out


def next_size(players: int, seats: int = SEATS) -> int:
    """How many are left after a round of so many; 0 after the final. It is the next number below that is a table and
    its doubles, 4, 8, 16 …, or of three 3, 9, 27 …, but all who win a table go on."""
    if players <= seats:
        return 0
    size, factor = seats, GOING_ON[seats]
    while size * factor < players:
        size *= factor
    return max(size, players - (seats - 1) * (players // seats))


def sizes(players: int, seats: int = SEATS) -> list[int]:
    """How many are in each round of a knock-out."""
    found = [players]
    while following := next_size(found[-1], seats):
        found.append(following)
    return found


def tables_for(players: int, seats: int = SEATS) -> int:
    """Tables of a round of a knock-out: just so many that two of each are out, and the rest is the next size."""
    out = players - next_size(players, seats)
    return min(-(-out // 2), players // seats)


def knock_out(entered: Sequence[int], met: Mapping[Pair, int], seats: int = SEATS) -> Round:
    """A round of those who are still in, as `entered` by `through` or by lot: the last ones sit it out. As few as can
    be found of those who have `met` do so again."""
    count = tables_for(len(entered), seats)
    playing = entered[: seats * count]
    tables = [list(playing[at::count]) for at in range(count)]
    _spread(tables, met, dict.fromkeys(playing, 0))
    return Round([tuple(table) for table in tables], sorted(entered[seats * count :]))


def through(played: Round, placed: Sequence[Sequence[int]], result: Mapping[int, tuple[float, ...]]) -> list[int]:
    """Who goes on, in the order in which they enter the next round. `placed` are the players of every table, the first
    of it first; `result` is what they came to, lower is better.

    As many as the next round has seats: those who sat out, then the firsts of all tables, then the seconds, and so on,
    in the order of their results. Two of each table of four where nobody sat out, and of three the first. The first
    half of the next round stands in the order of the tables, the second half against it, so that two of one table are
    far from each other.
    """
    seats = len(placed[0])
    free = next_size(seats * len(placed) + len(played.byes), seats) - len(played.byes)
    by_place = [[table[place] for table in placed] for place in range(seats)]
    kept: list[int] = []
    for place in by_place:
        best = set(sorted(place, key=lambda player: result[player])[: max(free - len(kept), 0)])
        kept += [player for player in place if player in best]
    firsts = kept[: len(placed)]
    entered = [*firsts, *played.byes, *kept[len(placed) :]]
    half = len(entered) // 2
    return [*entered[:half], *reversed(entered[half:])]
