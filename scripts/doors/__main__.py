"""The doors by which programs come to a table, tried with whole games.

    python -m scripts.doors play --hanchan 100
    python -m scripts.doors returns --times 50
    python -m scripts.doors cost

play: hanchan at every door, between programs that share no code with it, or a package's. returns: a client breaks off
at a random moment and comes back; a program is killed and started again. cost: the time of a decision through a door,
beside the same messages over the bare transport.

Every record is verified and every fault is counted. Prints a line per door; exit code 1 if any is not as it should be.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from scripts.doors import costs, playing, returning
from scripts.rows import Try, rows

PACKAGES = ("mjai-bots",)
"""Doors whose programs are fetched from a registry, into an environment of their own."""

ONLY = click.option("--only", help="These doors, comma-separated.")
KEEP = click.option("--keep", type=click.Path(path_type=Path), help="Keep records and what was said in this folder.")


def picked(names: Sequence[str], only: str | None, *, left_out: Sequence[str] = ()) -> list[str]:
    """Return the doors that are wanted."""
    if only is None:
        return [name for name in names if name not in left_out]
    for name in only.split(","):
        if name not in names:
            raise click.UsageError(f"--only: there is no door {name}; there are {', '.join(names)}")
    return [name for name in names if name in only.split(",")]


@click.group(help=__doc__)
def main() -> None:
    """Does nothing: the subcommands do the work."""


@main.command()
@click.option("--hanchan", type=click.IntRange(1), default=100, show_default=True, help="At each door.")
@click.option("--slow", type=click.IntRange(0), default=5, show_default=True, help="More, with programs that think.")
@click.option("--first", default=0, show_default=True, help="Number of the first hanchan, which its walls come from.")
@click.option("--tables", type=click.IntRange(1), default=2, show_default=True, help="At once; slow ones are all.")
@click.option("--packages", is_flag=True, help="Also the bots of PyPI's mjai, which are fetched.")
@ONLY
@KEEP
def play(hanchan: int, slow: int, first: int, tables: int, packages: bool, only: str | None, keep: Path | None) -> None:
    """Whole hanchan through every door."""
    doors = {door.name: door for door in playing.DOORS}
    tries: list[tuple[str, Try]] = []
    for name in picked(list(doors), only, left_out=() if packages else PACKAGES):
        door = doors[name]
        quick, thinking = range(first, first + hanchan), range(first, first + slow)
        tries.append((name, partial(playing.play, door, numbers=quick, tables=tables)))
        if slow and door.may_be_slow:
            think = partial(playing.play, door, numbers=thinking, tables=slow, pauses=playing.SLOW)
            tries.append((f"{name}, slow", think))
    rows(tries, keep)


@main.command()
@click.option("--times", type=click.IntRange(1), default=50, show_default=True, help="At each door.")
@click.option("--seed", default=1, show_default=True, help="What the moments depend on.")
@ONLY
@KEEP
def returns(times: int, seed: int, only: str | None, keep: Path | None) -> None:
    """Break off at random moments, and come back."""
    wanted = picked(returning.names(), only)
    rows([(name, partial(returning.attempt, name, times=times, seed=seed)) for name in wanted], keep)


@main.command()
@click.option("--hanchan", type=click.IntRange(1), default=5, show_default=True, help="At each door, with three bots.")
@ONLY
@KEEP
def cost(hanchan: int, only: str | None, keep: Path | None) -> None:
    """Time of a decision, from the question to the answer, beside the bare transport."""
    doors = {door.name: door for door in costs.DOORS}
    wanted = picked(list(doors), only)
    rows([(name, partial(costs.attempt, doors[name], hanchan=hanchan)) for name in wanted], keep)


if __name__ == "__main__":
    main()
