"""`python -m scripts.doors [DOOR…]`: the time of a decision through a door by which programs come to a table.

The same messages over the bare transport are timed beside it. `scripts/checks doors` tries whether the doors hold.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from scripts.doors import costs
from scripts.rows import rows

DOORS = {door.name: door for door in costs.DOORS}


@click.command(help=__doc__)
@click.argument("wanted", metavar="[DOOR]...", nargs=-1, type=click.Choice(list(DOORS)))
@click.option("--hanchan", type=click.IntRange(1), default=5, show_default=True, help="At each door, with three bots.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep records and what was said in this folder.")
def main(wanted: Sequence[str], hanchan: int, keep: Path | None) -> None:
    """Print a line for each."""
    rows([(name, partial(costs.attempt, DOORS[name], hanchan=hanchan)) for name in wanted or DOORS], keep)


if __name__ == "__main__":
    main()
