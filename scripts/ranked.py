"""`python -m scripts.ranked [--leagues 300] [--bots 8] [--tables 40] [--pairing 0.5] [--players 4]`: checks whether the
intervals of a league are honest, on simulated leagues; nothing is played.

Strengths are drawn, tables are chosen as `jantaku league play` chooses them, and hanchan end by the model, with the
luck of a wall set shared by its hanchan. Prints how often the 95 % intervals of ratings and of leads cover the truth,
and how many hanchan a late bot needs to be known as well as half of the others.
"""

from collections.abc import Sequence

import click
import numpy as np
from scipy.special import ndtr

from jantaku.table.arena.league.strength import MIDDLE, SCALE, Reals, Strengths, array_of, fitted, next_tables
from jantaku.table.riichi.pieces.seats import SEATS, THREE


class MadeUp:
    """A simulated league of bots with these strengths. `pairing` is the share of luck that the hanchan of a set have in
    common, seat by seat."""

    def __init__(
        self, strength: Sequence[float] | Reals, pairing: float, random: np.random.Generator, seats: int = SEATS
    ) -> None:
        self.strength, self._pairing, self._random = np.array(strength), pairing, random
        self.seats = seats
        """Number of seats at a table."""
        self.orders: list[Sequence[int]] = []
        self.sets: list[int] = []

    def play(self, table: Sequence[int]) -> None:
        """Draw one set: every bot once on every seat."""
        walls = self._random.normal(size=self.seats)
        number = self.sets[-1] + 1 if self.sets else 0
        for turned in range(self.seats):
            seats = [*table[turned:], *table[:turned]]
            luck = np.sqrt(self._pairing) * walls + np.sqrt(1 - self._pairing) * self._random.normal(size=self.seats)
            drawn = self.strength[seats] - np.log(-np.log(ndtr(luck)))  # Gumbel noise: each hanchan ends by the model
            self.orders.append([seats[place] for place in np.argsort(-drawn)])
            self.sets.append(number)

    def known(self) -> Strengths:
        """Return the fitted strengths."""
        return fitted(array_of(self.orders, self.seats), np.array(self.sets), len(self.strength))


def league(made: MadeUp, tables: int, batch: int = 8) -> Strengths:
    """Play that many tables, chosen by what is known, and return what is known then."""
    pool = range(len(made.strength))
    for _ in range(0, tables, batch):
        for table in next_tables(made.known(), pool, (), batch, made.seats):
            made.play(table)
    return made.known()


def covered(
    leagues: int, bots: int, tables: int, pairing: float, seed: int, seats: int = SEATS
) -> tuple[float, float, float]:
    """Return how often intervals of ratings and of leads cover the truth, and the mean half-width of ratings."""
    random = np.random.default_rng(seed)
    ratings, leads, halves = [], [], []
    for _ in range(leagues):
        strength = random.normal(scale=0.6, size=bots)
        strength -= strength.mean()
        known = league(MadeUp(strength, pairing, random, seats), tables)
        for bot in range(bots):
            told = known.rating(bot)
            assert told.half is not None
            halves.append(told.half)
            ratings.append(abs(told.mean - MIDDLE - SCALE * strength[bot]) <= told.half)
            lead = known.lead(bot, (bot + 1) % bots)
            leads.append(abs(lead.mean - SCALE * (strength[bot] - strength[(bot + 1) % bots])) <= (lead.half or 0.0))
    return float(np.mean(ratings)), float(np.mean(leads)), float(np.mean(halves))


def placed(leagues: int, bots: int, tables: int, pairing: float, seed: int, seats: int, *, chosen: bool) -> float:
    """Return the mean number of hanchan that the whole league plays until a late bot is known as well as half of the
    others were; tables are `chosen`, or drawn by lot."""
    random, taken = np.random.default_rng(seed), []
    for _ in range(leagues):
        made = MadeUp(random.normal(scale=0.6, size=bots + 1), pairing, random, seats)
        pool = range(bots)
        for _ in range(tables):
            made.play([int(bot) for bot in random.permutation(bots)[:seats]])
        wanted = float(np.median([made.known().rating(bot).half or 0.0 for bot in pool]))
        before = len(made.orders)
        while (half := made.known().rating(bots).half) is None or half > wanted:
            by_lot = tuple(int(bot) for bot in random.permutation(bots + 1)[:seats])
            made.play(next_tables(made.known(), range(bots + 1), (), 1, seats)[0] if chosen else by_lot)
        taken.append(len(made.orders) - before)
    return float(np.mean(taken))


@click.command()
@click.option("--leagues", type=click.IntRange(1), default=300, show_default=True, help="Leagues that are made up.")
@click.option("--bots", type=click.IntRange(4), default=8, show_default=True, help="Bots of each.")
@click.option("--tables", type=click.IntRange(1), default=40, show_default=True, help="Tables that each plays.")
@click.option("--pairing", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Luck that a set shares.")
@click.option("--seed", default=1, show_default=True, help="What is drawn.")
@click.option("--players", type=click.IntRange(THREE, SEATS), default=SEATS, show_default=True, help="Of a table.")
def main(leagues: int, bots: int, tables: int, pairing: float, seed: int, players: int) -> None:
    """Measure the coverage of the intervals of a league."""
    ratings, leads, half = covered(leagues, bots, tables, pairing, seed, players)
    click.echo(f"{leagues} leagues of {bots} bots and {tables} tables, pairing {pairing:g}: mean half-width {half:.0f}")
    click.echo(f"95 % intervals hold the truth: ratings {ratings:.1%}, leads {leads:.1%}")
    few = max(leagues // 10, 1)
    by_choice, by_lot = (placed(few, bots, tables, pairing, seed, players, chosen=way) for way in (True, False))
    click.echo(f"hanchan of all until a new bot is known as the others: chosen {by_choice:.0f}, by lot {by_lot:.0f}")


if __name__ == "__main__":
    main()
