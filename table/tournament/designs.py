"""Balanced tables: every two players meet equally often.

Tables of four are as few as the number of players allows. A balanced incomplete block design of v players with blocks
of four and every two together λ times has r = λ(v - 1)/3 blocks a player and λv(v - 1)/12 in all, so both must be
whole. That leaves λ = 1 for v = 1 or 4 modulo 12, 2 for 7 or 10, 3 for other multiples of 4 and for one more than
these, and 6 for the rest; for blocks of four these conditions suffice (H. Hanani, The existence and construction of
balanced incomplete block designs, Ann. Math. Statist. 32, 1961).

Each design here is developed from a few base blocks: adding every element of a group to one gives all its blocks. The
players are the elements of the group, and for some numbers one more that stays where it is (cyclic and 1-rotational
designs). The base blocks were found by simulated annealing on how often each difference occurs; what they promise is
checked for every number of players by the tests.

Tables of three follow from a formula. Of an odd number of players every one sits between the two at each distance on
the circle: a distance comes twice as that of a neighbour and once as twice another, so every two meet three times. Of
an even number one player stays in place, the others form two such circles, and one distance d of one circle is given up
for three rounds of tables with the player who stays, two at distance d and one at 2d: every two meet six times.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from string import ascii_letters, digits
from typing import Final

from table.match.plan.formats import SEATS

Table = tuple[int, ...]
MOST = 64
"""Players for whom there are designs."""
BLOCK = 3
"""Letters of a base block, more than those of any number."""

_LETTERS: Final = f"{digits}{ascii_letters}+-"
"""The letter of every element; that of the one after the last stands for the player who stays."""
_FAMILIES: Final = """
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
"""A number of players, the group as the orders of its cyclic factors, and every base block without its element 0."""


def balanced(players: int, seats: int = SEATS) -> Sequence[Table]:
    """The tables of a design of so many players, in the order of its blocks."""
    return _fours(players) if seats == SEATS else _threes(players)


def _threes(players: int) -> Sequence[Table]:
    circle = players - 1 + players % 2
    blocks = [(0, away, -away) for away in range(1, (circle + 1) // 2)]
    if circle < players:
        blocks = [*blocks, *blocks[1:]]
    tables = [tuple(sorted((one + by) % circle for one in block)) for block in blocks for by in range(circle)]
    if circle < players:
        tables += [(*sorted((by, (by + away) % circle)), circle) for away in (1, 1, 2) for by in range(circle)]
    return tables


@cache
def _fours(players: int) -> Sequence[Table]:
    orders, blocks = _families()[players]
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
def _families() -> Mapping[int, tuple[Sequence[int], Sequence[Sequence[int]]]]:
    """By number of players the group and the base blocks."""
    found: dict[int, tuple[list[int], list[list[int]]]] = {}
    words = iter(_FAMILIES.split())
    for word in words:
        if len(word) < BLOCK:
            found[int(word)] = ([int(order) for order in next(words).split("x")], [])
        else:
            found[max(found)][1].append([0, *map(_LETTERS.index, word)])
    return found
