"""Pairs the players of one round. Pure functions of the earlier results; players are numbers, tables tuples of
numbers.

Balanced tables: every two players meet equally often, as rarely as their number allows.

In a balanced incomplete block design of v players with blocks of four, in which every two meet λ times, each player is
in r = λ(v - 1)/3 of the λv(v - 1)/12 blocks; both must be whole numbers. So λ is 1 for v = 1 or 4 modulo 12, 2 for 7 or
10, 3 for other multiples of 4 and for their successors, and 6 for the rest; for blocks of four these conditions suffice
(H. Hanani, The existence and construction of balanced incomplete block designs, Ann. Math. Statist. 32, 1961). With
blocks of three each player is in λ(v - 1)/2 of λv(v - 1)/6 blocks, and the conditions suffice, too.

Each design is developed from a few base blocks: adding every element of a group to a base block gives all its blocks.
The players are the elements of the group; for some numbers there is one more player that addition leaves fixed (cyclic
and 1-rotational designs). The base blocks were found by simulated annealing on the number of times that each difference
occurs; the tests check the designs for every number of players.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from string import ascii_letters, digits
from typing import Final, NamedTuple

from jantaku.table.riichi.pieces.seats import SEATS

Table = tuple[int, ...]
"""The players of a table."""
MOST = 64
"""The largest number of players with a design; the smallest is the number of seats of a table."""

_LETTERS: Final = f"{digits}{ascii_letters}+-"
"""A letter for each element of the group; the letter after the last one stands for the fixed player."""


@cache
def balanced(players: int, seats: int = SEATS) -> Sequence[Table]:
    """Return the tables of the smallest design for that many players and seats, in the order of its blocks."""
    orders, blocks = _families(seats)[players]
    elements = list(product(*map(range, orders)))
    number = {element: place for place, element in enumerate(elements)}
    tables: list[Table] = []
    for block in blocks:
        moved = {
            tuple(
                sorted(
                    number[tuple((x + y) % n for x, y, n in zip(elements[one], by, orders, strict=True))]
                    if one < len(elements)
                    else one
                    for one in block
                )
            )
            for by in elements
        }
        tables += sorted(moved)
    return tables


@cache
def _families(seats: int) -> Mapping[int, tuple[Sequence[int], Sequence[Sequence[int]]]]:
    """Return the group and the base blocks by number of players. A line of the file has the number of players, the
    group as the orders of its cyclic factors, and every base block without its element 0."""
    found: dict[int, tuple[list[int], list[list[int]]]] = {}
    for line in Path(__file__).with_name(f"designs-of-{seats}.txt").read_text("ascii").splitlines():
        players, orders, *words = line.split()
        blocks = [[0, *map(_LETTERS.index, word)] for word in words]
        found[int(players)] = [int(order) for order in orders.split("x")], blocks
    return found


Pair = tuple[int, int]
GOING_ON = {4: 2, 3: 3}
"""By seats of a table: a round of a knock-out has this many times the players of the next one."""


class Round(NamedTuple):
    """The tables of one round, and the players that sit it out."""

    tables: Sequence[Table]
    byes: Sequence[int] = ()


def pairs_of(table: Iterable[int]) -> list[Pair]:
    """Return every two players of a table, the lower number first."""
    return list(combinations(sorted(table), 2))


# --- Swiss


def swiss(order: Sequence[int], met: Mapping[Pair, int], byes: Mapping[int, int], seats: int = SEATS) -> Round:
    """Return the next round for players in the `order` of their standing, the best first: tables of neighbours with as
    few pairs as can be found that have `met` before. If their number is not a multiple of `seats`, the lowest of those
    with the fewest byes sit out, so that nobody does so twice before everybody has once."""
    most_due = sorted(enumerate(order), key=lambda one: (byes.get(one[1], 0), -one[0]))
    sit_out = [player for _, player in most_due[: len(order) % seats]]
    playing = [player for player in order if player not in sit_out]
    tables = [playing[at : at + seats] for at in range(0, len(playing), seats)]
    _spread(tables, met, {player: place for place, player in enumerate(playing)})
    return Round([tuple(table) for table in tables], sorted(sit_out))


def _spread(tables: list[list[int]], met: Mapping[Pair, int], places: Mapping[int, int]) -> None:
    """Exchange players between tables while that helps: first for fewer pairs that meet again, then for smaller
    distances in the standings."""

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
    """Return the legs of a gauntlet at tables with `seats` seats. Each leg is a list of groups of the `opponents`
    0..n-1 that leave one seat free; each opponent sits equally often. A leg is one group that goes round: each number
    is added to all its members, modulo the number of opponents. So each opponent sits as often in a leg as the group
    has members; once if they are only one group. The differences within a leg's group are those used least so far, so
    that opponents meet each other about equally often, too."""
    used: Counter[int] = Counter()
    found = []
    for _ in range(legs):
        base = min(_bases(opponents, seats - 1), key=lambda group: (_load(group, used, opponents), group))
        used.update(_differences(base, opponents))
        found.append(list(dict.fromkeys(_turned(base, by, opponents) for by in range(opponents))))
    return found


def _bases(opponents: int, size: int) -> list[Table]:
    """Return the groups with 0, without the one that comes back to itself before a full round."""
    bases = [(0, *others) for others in combinations(range(1, opponents), size - 1)]
    even = tuple(opponents * place for place in range(size))
    return [base for base in bases if len(bases) == 1 or tuple(size * one for one in base) != even]


def _differences(group: Table, opponents: int) -> list[int]:
    """Return the distances of the members on the circle."""
    return [min((b - a) % opponents, (a - b) % opponents) for a, b in combinations(group, 2)]


def _load(group: Table, used: Counter[int], opponents: int) -> int:
    """Return how uneven the meetings become: the sum of the squares of how often two meet. Players half the circle
    apart form half as many pairs, which meet twice in a leg."""
    after = used + Counter(_differences(group, opponents))
    return sum(count**2 * (2 if 2 * away == opponents else 1) for away, count in after.items())


def _turned(group: Table, by: int, opponents: int) -> Table:
    return tuple(sorted((one + by) % opponents for one in group))


# --- knock-out


def next_size(players: int, seats: int = SEATS) -> int:
    """Return how many players are left after a round of that many; 0 after the final. It is the next lower number of
    the form 4, 8, 16 … (tables of three: 3, 9, 27 …), or more if otherwise a winner of a table would be out."""
    if players <= seats:
        return 0
    size, factor = seats, GOING_ON[seats]
    while size * factor < players:
        size *= factor
    return max(size, players - (seats - 1) * (players // seats))


def sizes(players: int, seats: int = SEATS) -> list[int]:
    found = [players]
    while following := next_size(found[-1], seats):
        found.append(following)
    return found


def tables_for(players: int, seats: int = SEATS) -> int:
    """Return the number of tables of a knock-out round: as many as let two players of each table drop out, so that the
    next size is left."""
    out = players - next_size(players, seats)
    return min(-(-out // 2), players // seats)


def knock_out(entered: Sequence[int], met: Mapping[Pair, int], seats: int = SEATS) -> Round:
    """Pair a round of the remaining players, in the order in which they `entered` (by `through`, or by lot); the last
    ones sit it out. As few players as can be found meet again."""
    count = tables_for(len(entered), seats)
    playing = entered[: seats * count]
    tables = [list(playing[at::count]) for at in range(count)]
    _spread(tables, met, dict.fromkeys(playing, 0))
    return Round([tuple(table) for table in tables], sorted(entered[seats * count :]))


def through(played: Round, placed: Sequence[Sequence[int]], result: Mapping[int, tuple[float, ...]]) -> list[int]:
    """Return the players that go on, in the order in which they enter the next round. `placed` are the players of every
    table, the best first; `result` by player, lower is better.

    Seats of the next round go first to the players that sat out, then to the winners of all tables, then to the
    seconds, and so on; within these by result. If nobody sat out, these are two of each table of four, or one of each
    of three. The first half of the next round follows the order of the tables, the second half the reverse order, which
    keeps two players of one table apart.
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
