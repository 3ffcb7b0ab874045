"""`python -m scripts.kills [SECTION…] [--kills 200] [--seed N]`: exit code 1 if anything is lost.

match, tournament: killed and resumed until it is over; the folder then equals an uninterrupted one, byte for byte.
play, serve, daifugo: games reported as over are kept and verify; the journal of the running game is complete up to its
last line and verifies that far; all child processes are gone.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

import click

from scripts.kills import games, matches
from scripts.kills.lost import Lost

SECTIONS: dict[str, Callable[[Path, int, Random, int], str]] = {
    **{command: partial(matches.kill, command) for command in matches.BEGIN},
    "play": lambda place, kills, moments, sets: games.kill_play(place, kills, moments),
    "serve": lambda place, kills, moments, sets: games.kill_serve(place, kills, moments),
    "daifugo": lambda place, kills, moments, sets: games.kill_daifugo(place, kills, moments),
}


@click.command()
@click.argument("sections", nargs=-1, type=click.Choice(list(SECTIONS)))
@click.option("--kills", type=click.IntRange(1), default=200, show_default=True, help="In all, shared by the sections.")
@click.option(
    "--sets",
    type=click.IntRange(1),
    default=40,
    show_default=True,
    help="Wall sets; twice the rounds.",
)
@click.option("--seed", default=1, show_default=True, help="What the moments depend on.")
def main(sections: Sequence[str], kills: int, sets: int, seed: int) -> None:
    """Kill in SECTIONS (all of them), and check what is left."""
    wanted = list(sections or SECTIONS)
    failed = False
    for number, section in enumerate(wanted):
        share = kills // len(wanted) + (number < kills % len(wanted))
        with tempfile.TemporaryDirectory(prefix="jantaku-kills-") as place:
            try:
                told = SECTIONS[section](Path(place), share, Random(f"{seed} {section}"), sets)
            except Lost as lost:
                failed, told = True, f"LOST: {lost}"
        click.echo(f"{section:10} {share} kills: {told}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
