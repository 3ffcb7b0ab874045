"""Scripted persons (`scripts.people.person`) play on the page in a headless Chromium, with bots.

    python -m scripts.people play --hanchan 50
    python -m scripts.people returns --times 200
    python -m scripts.people keys
    python -m scripts.people start
    python -m scripts.people costs

play: hanchan with 1, 2 and 4 persons, alternately on phones and desktops, who click at random what is offered and what
is not. returns: the page is killed at random moments and opened again, there or elsewhere. keys: a hanchan by keyboard
alone. start: clicks and seconds to the first discard. costs: the answer times of bots with and without people beside
them.

Every record is verified and every fault is counted. Prints a line per row; exit code 1 if any is not as it should be.
"""

from functools import partial
from pathlib import Path

import click

from scripts.people import costs, keyboard, playing, returning, starting
from scripts.rows import Try, rows

KEEP = click.option("--keep", type=click.Path(path_type=Path), help="Keep records and what was said in this folder.")
SEED = click.option("--seed", default=1, show_default=True, help="What clicks, moments and walls depend on.")


@click.group(help=__doc__)
def main() -> None:
    """Does nothing: the subcommands do the work."""


@main.command()
@click.option("--hanchan", type=click.IntRange(3), default=50, show_default=True, help="In all.")
@click.option("--persons", type=click.Choice(["1", "2", "4"]), help="Only the row with so many.")
@SEED
@KEEP
def play(hanchan: int, persons: str | None, seed: int, keep: Path | None) -> None:
    """Whole hanchan: a half with one person, a third with two, the rest with four."""
    half, third = hanchan // 2, hanchan // 3
    tries: list[tuple[str, Try]] = []
    for sitting, share in zip(playing.PERSONS, (half, third, hanchan - half - third), strict=True):
        if persons in (None, str(sitting)):
            name = "1 person" if sitting == 1 else f"{sitting} persons"
            tries.append((name, partial(playing.play, sitting, hanchan=share, seed=seed)))
    rows(tries, keep)


@main.command()
@click.option("--times", type=click.IntRange(1), default=200, show_default=True)
@SEED
@KEEP
def returns(times: int, seed: int, keep: Path | None) -> None:
    """Kill the page at random moments, and come back."""
    rows([("returns", partial(returning.attempt, times=times, seed=seed))], keep)


@main.command()
@SEED
@KEEP
def keys(seed: int, keep: Path | None) -> None:
    """A hanchan by keyboard alone."""
    rows([("keys", partial(keyboard.attempt, seed=seed))], keep)


@main.command()
@KEEP
def start(keep: Path | None) -> None:
    """How long it takes to the first discard."""
    rows([("jantaku play --human", starting.alone), ("a phone, by link", starting.by_link)], keep)


@main.command(name="costs")
@click.option("--hanchan", type=click.IntRange(1), default=3, show_default=True, help="At each table.")
@KEEP
def costs_(hanchan: int, keep: Path | None) -> None:
    """What people cost the bots beside them."""
    rows([("costs", partial(costs.attempt, hanchan=hanchan))], keep)


if __name__ == "__main__":
    main()
