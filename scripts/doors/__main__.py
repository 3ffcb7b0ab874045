"""`python -m scripts.doors [DOOR…]`: the time of a decision through a door by which programs come to a table.

The same messages over the bare transport are timed beside it. `scripts/checks doors` tries whether the doors hold.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from scripts.doors import costs

DOORS = {door.name: door for door in costs.DOORS}


@click.command(help=__doc__)
@click.argument("wanted", metavar="[DOOR]...", nargs=-1, type=click.Choice(list(DOORS)))
@click.option("--hanchan", type=click.IntRange(1), default=5, show_default=True, help="At each door, with three bots.")
def main(wanted: Sequence[str], hanchan: int) -> None:
    """Print a line for each."""
    for name in wanted or DOORS:
        with tempfile.TemporaryDirectory(prefix="jantaku-doors-") as place:
            click.echo(f"{name:22} {costs.attempt(DOORS[name], Path(place), hanchan=hanchan)}")


if __name__ == "__main__":
    main()
