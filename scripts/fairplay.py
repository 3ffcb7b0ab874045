"""Counts the false alarms of `jantaku fairplay` over honest pools, and how soon it finds a pair that gives away
hanchan.

    python -m scripts.fairplay --pools 300
    python -m scripts.fairplay --pools 300 --match DIR        (honest hanchan that were played)
    python -m scripts.fairplay --planted 100                  (a pair gives away one hanchan out of twenty)
    python -m scripts.fairplay --given DIR                    (a match with scripts.colluders, cut short)

Simulated pools have 4 to 12 players of any strength. Lots decide which of them meet, in 300 to 3,000 hanchan. How often
one pays another by ron depends on both, on how their styles meet (a factor of e^±0.2), and on the length of the
hanchan. With --match a pool is five or all players of that match, in as many hanchan drawn from it as leave half of it.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path

import numpy as np

from jantaku.table.arena.match.fairness import Fairness, fairness
from jantaku.table.arena.match.payments import Conduct, Dealings, read_dealings

STYLE = 0.2
"""Effect of two styles on each other: standard deviation on the log scale."""
CUTS = (500, 1000, 1500, 2000)


def main() -> None:
    """Print a row for each kind of pool."""
    given = _arguments()
    random = np.random.default_rng(given.seed)
    if given.given is not None:
        _find(list(read_dealings([given.given])))
        return
    if given.planted:
        _plant(given.planted, random)
        return
    pools = _drawn(list(read_dealings([given.match])), random) if given.match else _made_up(random)
    alarms = [0, 0]
    for number, pool in zip(range(1, given.pools + 1), pools, strict=False):
        found = fairness(pool)
        named = [pair for pair in found.giving if pair.named], [pair for pair in found.timing if pair.named]
        alarms = [before + bool(pairs) for before, pairs in zip(alarms, named, strict=True)]
        if any(named):
            print(f"pool {number}: {named}", flush=True)
    print(f"{given.pools} honest pools: {alarms[0]} with a pair that gives, {alarms[1]} with one that signals")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pools", type=int, default=300, help="honest pools (300)")
    parser.add_argument("--planted", type=int, default=0, metavar="N", help="made up pools with a pair that gives")
    parser.add_argument("--match", type=Path, metavar="DIR", help="a match of five players or more that was played")
    parser.add_argument("--given", type=Path, metavar="DIR", help="a match with a pair that gives away hanchan")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _find(played: Sequence[Dealings]) -> None:
    for cut in CUTS:
        found = fairness(played[:cut])
        clearest = found.giving[0]
        print(f"{cut} hanchan: {named_in(found) or 'nobody'} named; the clearest is {clearest}")


def _plant(pools: int, random: np.random.Generator) -> None:
    """Print in how many pools of four the pair is named, and in how many another player."""
    pair, named, others = ("p0", "p1"), dict.fromkeys(CUTS, 0), dict.fromkeys(CUTS, 0)
    for _ in range(pools):
        played = made_up(random, 4, CUTS[-1], (0, 1))
        for cut in CUTS:
            found = {(one.giver, one.taker) for one in fairness(played[:cut]).giving if one.named}
            named[cut] += pair in found
            others[cut] += bool(found - {pair})
    for cut in CUTS:
        print(f"{cut} hanchan: the pair is named in {named[cut]} of {pools} pools, others in {others[cut]}")


def named_in(found: Fairness) -> str:
    """Return the pairs that are named for giving."""
    return ", ".join(f"{pair.giver} to {pair.taker}" for pair in found.giving if pair.named)


def _made_up(random: np.random.Generator) -> Iterator[list[Dealings]]:
    while True:
        yield made_up(random, int(random.integers(4, 13)), int(random.integers(300, 3001)))


def made_up(
    random: np.random.Generator, players: int, hanchan: int, given: tuple[int, int] | None = None, share: float = 0.05
) -> list[Dealings]:
    """Simulate hanchan; lots decide which players meet. If both players of `given` sit, then in `share` of these
    hanchan the first pays the second twice more, and wins nothing."""
    pays, wins = np.exp(random.normal(0, 0.4, players)), np.exp(random.normal(0, 0.5, players))
    meeting = np.exp(random.normal(0, STYLE, (players, players)))
    rates = 0.35 * pays[:, None] * wins * meeting / wins.mean() / pays.mean()
    found = []
    for number in range(hanchan):
        seated = random.permutation(players)[:4]
        length = random.gamma(16, 1 / 16)
        won = random.binomial(8, np.minimum(0.22 * wins[seated] / wins.mean(), 0.9)).tolist()
        paid = [[0] * 4 for _ in range(4)]
        for a, b in permutations(range(4), 2):
            paid[a][b] = int(random.binomial(8, min(rates[seated[a], seated[b]] * length / 8, 0.9)))
            if given == (seated[a], seated[b]) and random.random() < share:
                paid[a][b] += 2
                won[a] = 0
        names = tuple(f"p{player}" for player in seated)
        conduct = tuple(Conduct(1, 8, number, 100, 0) for number in won)
        found.append(Dealings(Path(f"game-{number:04}.jsonl"), names, tuple(map(tuple, paid)), conduct, ()))
    return found


def _drawn(played: Sequence[Dealings], random: np.random.Generator) -> Iterator[list[Dealings]]:
    names = sorted({name for one in played for name in one.players})
    while True:
        chosen = set(random.permutation(names)[: random.integers(5, len(names) + 1)].tolist())
        theirs = [one for one in played if chosen.issuperset(one.players)]
        drawn = random.integers(0, len(theirs), len(theirs) // 2)
        yield [theirs[number] for number in drawn]


if __name__ == "__main__":
    main()
