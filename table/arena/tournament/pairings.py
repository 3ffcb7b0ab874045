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
from string import ascii_letters, digits
from typing import Final, NamedTuple

from jantaku.table.riichi.pieces.seats import SEATS, THREE

Table = tuple[int, ...]
"""The players of a table."""
MOST = 64
"""The largest number of players with a design; the smallest is the number of seats of a table."""

_LETTERS: Final = f"{digits}{ascii_letters}+-"
"""A letter for each element of the group; the letter after the last one stands for the fixed player."""
_FOURS: Final = """
4 3 123
5 5 123
6 5 123 345 235
7 7 234
8 7 345 457
9 9 125 235
10 3x3 456 129 369
11 11 29a 489 368 567 467
12 11 68a 168 78b
13 13 78b
14 13 59b 39a 4ab 38b 456 abd 89d
15 15 12b 348 358 168 679 13c 59d
16 15 467 5af
17 17 9eg 2ad 2de 4bc
18 17 69f 3dg 349 7df 67c 25f 5ef 1ah 15h
19 19 5gi 6ai 2cg
20 19 2bg 3fg 49f bcd 7hj
21 21 34a 69g 8ac 568 45c
22 21 5ik 14c afj 7el 7el
23 23 48h 5ck 5bi 9bf 2il 18e bgm 19j hkl bde deg
24 23 bch 2gl 14f 3dj 58l 19n
25 5x5 15o 3cf
26 25 2hl bdi 6lo 2ek 3ek 3jl 68o 9al 89o 8am 9cd 58p 5kp
27 27 eim hjk gjk 23j 46f 9cl fhl akp deq 59g 5be dkl 25a
28 3x3x3 jln ckq 9ir
29 29 69n 5ij ilm dhm 9bo jlm 4ac
30 29 mnr 5jl his 179 6ar 3ks dkn 5jl ehj 3no 4bh 47i 4di cft 9mt
31 31 13n 5cg 6jl 19q eil
32 31 4ad 38r jkl 7dn 2gs 6km hiq kov
33 33 hjq alu 278 8au 4ap 34j fkt brw
34 33 5ho fhi 5pq kou 8rv bmx bmx
35 35 6gn 5bx 6cp 8hj mvy csv 3pu bkw 4eo clt ijl 27o 12r 5qy 7bf hvw 2fu
36 35 1rx 4gy fhs 7im 16r 7cf jlp dnw bpz
37 37 25g cdk ims
38 37 2ju 3ft agr 3ez 13p bch eow bce 9tu 7gl 4tA 4kx 2fx 28h 37p 16s 4is ioB 7yB
39 39 7qu kms gwB cxB qtA 8cp abg 8jk 56z ikr 7gv 34B 5ir 1bp fin 13p 7fq 6as 9mA
40 39 acs 19y 37m dqD
41 41 2rv 1ly 1gC 28q fpw dei 5wz ilu 2cj 5bx
42 41 aqr mtC 3do 5oq biD syA 6pu 9nz bBE 7wE 1wC 7eD adB 4mA 5ks lpt 2lz acC 6oA abF 1nF
43 43 ovw 8np 4ty 6lm hnr atE 79c
44 43 hAF 9hB 9bp kDG glv 3hi 9bl 8gk tDG 6dC 6AH
45 45 47i 29d 8yE gsC 5uv 3cE 8tz cdG 9uI 2jp 2ko
46 45 9hy 3pC jvH rzF 5ly mqr 239 fuJ fuJ
47 47 3hr 2jv 37t qxJ bkv 3gy 3cs BCH nAF afm 48K fxC 6hr yzA 58f 4CI ceD dxD moH 6sJ hwK 8no bls
48 47 ago fmw cmu 1dJ 8rA uGH 16r 3nA 3jq 49J 29v tHL
49 49 mtF sxK eDE bHJ
50 49 bio 2hF ejr wBE kuF 25i mBC 3oL rsG 2cf bFM gpy ptJ cqF izI aeG bho djK 67x 1jt 9kw 26K lnr aeN 1jN
51 51 fps 29C iyB 46i 3yH bhH ntM 4sI sxN cry ajx 8kL uHK glx 1fv 8qr 3dI dAE jEI yFK qEO AJO 46N 9mv klm
52 51 2uv AGK dgo ipB hyP
53 53 1pw deL irA 7st AIL FHM 2fy emp fCM 4gr 4kN agP 3hu
54 53 cjK gIK elN buN 8aM 29r 8hu 27A qrw 2kv tHQ bvz 3HQ 3FG cht gqL 8mO 6ik 9fB lpt 5lE 3bq hnB wEQ 56H EOR
  3AR
55 55 2nu uCG cdv 1xA aDO CKQ xzD 5et 7is
56 55 tKQ euP dHJ kmO 7kM 3cr dzS 12C 4IO 8tQ BHL fmD ayD AIT
57 57 nsR fvP 8bc axH hCO 36p rGT hvz 5dD gCI 29M 5BJ 9TU euO
58 57 3zD 1dM qKQ dxF EMT oyP 14f gnQ ceD jCV jCV
59 59 9nu 3kB 9bV CIS pNS BHP ixN gkw vzM otU 6ef hij lxU 6jq eiJ 18B wLO 7EI jlt 4MQ jrW 2CF ARW 5pO nxz oFQ
  6gK cxK 3sO
60 59 1xM 9sQ 6oC yST xDM 3cj zJW 2DH hnv diT sLV 2dn tyB hIP qtX
61 61 1DR 7sw fhk aqB civ
62 61 lxy hBH 2kP 2dy 9nK 7vU yUY 9nR DPS biI dtu AUW jIM 6gv 7iK 5yG 6cR AJW 7fq aiT 1kF ALP tvx jCQ gIU CHQ
  2yY 6VY 8lo rOZ 4DZ
63 63 jwR 8nU 1AS eyP 9tZ nHM 36g 1mB KPR 8rV pqS mrv gDV 2uK 37T 3oE itU 89m 4AF 6iO dpV 5hz zDX 3dT euQ 8kM
  oGZ 7lY eQS 45Z hKL
64 63 2CW xJX vFI hnQ 1gT lG-
"""
"""Per line: number of players, the group as the orders of its cyclic factors, and every base block without its element
0. A line that begins with spaces continues the line before."""
_THREES: Final = """
3 3 12
4 3 12 13
5 5 14 13
6 5 14 25
7 7 15
8 7 15 15 15 14 15 27 27 17
9 3x3 12 36 48 57
10 9 26 18 36 49
11 11 28 17 28 37 1a
12 11 38 27 1a 4b
13 13 28 1a
14 13 18 39 28 29 28 18 2a 2a 1a 1a 1b 4d 4d 1d
15 15 29 1c 5a
16 15 3b 1a 2b 1d 5a 7f
17 17 3c 1a 3b 3a 1c 2d 1d 2f
18 17 4c 2a 5b 1e 1f 7h
19 19 4d 1c 2g
20 19 1a 3c 4d 1b 3d 4f 3b 4f 2d 5c 1d 1e 1e 2g 2g 2g 2h 7j 7j 1j
21 21 4f 1d 2i 7e
22 21 5f 1c 4d 3g 2h 1j 7e 7l
23 23 5h 3e 4g 2f 3d 4i 3h 1g 1g 1i 2l
24 23 1c 4h 5f 5e 1g 3k 2l 7n
25 25 5i 3h 1g 2l
26 25 6j 2e 1d 6j 3f 1f 4i 5g 7i 5j 4j 2h 5f 7g 4k 8h 8h 4l 2m 2m 1m 1n 1n 7p 7p 1p
27 27 6j 5h 4k 1p 9i
28 27 1e 2h 5k 1h 8j 4m 3o 2n 9i 7r
29 29 1f 2g 2i 7k 5h 1i 8j 4n 3m 3n 4o 1m 3o 2p
30 29 6l 4h 1h 2k 3l 9j 2o 3p 1o et
31 31 6m 4l 1j 3n 2q
32 31 7n 7m 4j 2h 1h 1h 1i 5n 5i 4m 4m 2l 9l 6p 5o 1k 2m 2m 4o 3n 4o 2n 2n 5q 4p 3q 1p 3s 3s ev ev 1v
33 33 1i 7l 3n 4s 2r bm
34 33 2j 4k 3l 8n 3m 6r 1o 4s 1q 2s bm dx
35 35 2j 4l 9q 5o 5o 6l 7r 8n 1m 9m bn 3s 3s 4t 3u 2v 1y
36 35 6n 1j 7n ap 2m 5q 3o 4s 1r 3u 2v dz
37 37 6o 7r 1m 2p 3t 4w
38 37 6p 1k 3l 9r 3m 8r 8p 9q 8p 5p 5m 8t 7n 9p 9p 2n 1n 4q 9o 9o 4r ao bo 5v 5v 4u 4v 2t 2w 3x 2w 1v 3y 1y 1A dB
  eB 2B
39 39 2m 5n 3r 6v 4w 1u dq
40 39 7r 1l 8t bs 8p 6t 2p 6u 3r 4y 2y 1A dq dD
41 41 6r 7r av 5r 2o 9v 7u 7p 2p bs 8w 3s 6w bq 1t 4x 4x 1A 2C 1C
42 41 6r 7r 9v 5o 3q 8q 1p 7w 2u 2v 4x 5z 1C dF
43 43 6r 1o 4t 7x 3v 5z 2y
44 43 4q 9u av 2o 4p 7t 8s 9t ax 5s 8s 1o 8r bu cv 7w 2r 4t bt ct 2s 6w du ct 7y 5w 5w 1s 2u 3x 2x 5C 4C 1z 1z 3D
  1B 1B 3E 2D 3E 8H jH iH
45 45 6t 1p 7x 8z 3v 2y 4E fu
46 45 by 7u 8w 5t 7r az cv 9s 4v ct 3D 2D 1F 1H fu dJ
47 47 bz 1o 8x 3s 9v dy 7x 5v 7y 9A bv 2u 1t 1u 4x 8C 3z 3z 5B 4F 4F 2F 2G
48 47 8v 9x az 2r 8y 7s 2t 5x 6z fw 1v 4E 1B 4G 3I dL
49 49 8x aA 5w 9B 6z 4y 7C 1L
50 49 2q 3s 1p cA 7v 4u 4u 8v 8y 9w aB 4v 5w dz dz 2t aC 9B 8A cx 6y dx 3w aD 3w 2v 1v ex 7B ex fx 7D 1x 6E 5D 3B
  7G 5H 3F 4G 5H 2E 1F 3H 2H 1J 1J dN eN 2N
51 51 cC 1s bx ez 5A 9F 2J 3L hy
52 51 8y az bz 5t 6t 2u aE cw cw 4B 5C 7H 1B 3J 2I 1M hy dP
53 53 8z 9A 5v dC 8x 4t 5t ax by 2w 2x aw dy 6E 4D 8H 1B 5F 4F 1C 6I 7K 3G 1G 2K 3O
54 53 2s 3t 1t dA 6A 8D bG ez cx 2z 4C 9H 4F 7I 5H 3M 1L dR
55 55 2t 4y 8D ax 9I 5F 1C 3H 6M
56 55 aC dF bD 4w 3u 7z 3t 7A 8B 6w cF 7w 6A 3x 1v eD 1w ay 5A 8D dB eB bH 8F 7E 6D gC eA hC 9H hC dy 5E fz 1A 2B
  7H 9K 6H 6J 7L 2G 5J 3J 4K 1I 3L 2K 5N 4O 1P 2R 1R 8T aT 4T
57 57 8B 2w 7x aI 4D 5F 3H 6M 1K jC
58 57 eH 3w 8C 2w dD 9E 3A bI 1z 7F 4D 9J hB 6L 4K 7N 2L 1Q jC 5V
59 59 2v 7B bE 8A aF aG aG 8z 9z 9G 4B gF 5D gF 3C bL bL 9K 8K 2E 6J 7K 4I 4L 1J 1J 2S 1S 3U
60 59 2v eH 1x bH dK 5D 3B fD hF hE fC 1C 5J 9O 6R 4P 4Q 3Q 2P sX
61 61 2w 5C aI 6F 3D 8J 9N 4K 7O 1M
62 61 6B dH bG dH 6B 9E 3z 3w cI 4A dJ 6D 5C cE 1y 8F 9H dL 9A 9H bC 3C aA fF cC cC 5F dC 9J gE gE fD aL bO 9M aN
  4H 3H 7L 4J 8N 4J 8O 5L 8O 4K 3L 3L 7P 2K 7P 5P 7R 2T 2U 1T 2V 1Y 1Y 5Z jZ sZ
63 63 2x gJ fH 4E 9K cO aN 3I 5V 1U lG
64 63 eK dI 4y aE fI aC 2B 3D bL 8J 5H 7K 1F kG 4N 7S 3P 2Q 6V 1T lG 5-
"""
"""The same for tables of three."""
_FAMILIES: Final = {SEATS: _FOURS, THREE: _THREES}


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
    """Return the group and the base blocks by number of players."""
    found: dict[int, tuple[list[int], list[list[int]]]] = {}
    for line in _FAMILIES[seats].replace("\n ", " ").split("\n"):
        if line:
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
    few pairs as can be found that have `met` before.

    If their number is not a multiple of `seats`, the lowest of those with the fewest byes sit out, so that nobody does
    so twice before everybody has once.
    """
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
    0..n-1 that leave one seat free; each opponent sits equally often.

    A leg is one group that goes round: each number is added to all its members, modulo the number of opponents. So each
    opponent sits as often in a leg as the group has members; once if they are only one group. The differences within a
    leg's group are those used least so far, so that opponents meet each other about equally often, too.
    """
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
    """Return how many players there are in each round of a knock-out."""
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
