"""`python -m tests.simulation.disk [CASE…] [--how HOW…] [--stride N] [--at TEXT] [--resumed]`: prints a row a case and
fault as JSON; exit code 1 if anything was lost, doubled, left over or badly told."""

import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from itertools import chain
from multiprocessing import get_context

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process is to be forked from one thread

import click

from tests.simulation.disk.cases import CASES
from tests.simulation.disk.disk import MISTAKES
from tests.simulation.disk.faults import How
from tests.simulation.disk.runs import prepare
from tests.simulation.disk.trying import Row, tried


def _ready(mistake: str | None) -> None:
    prepare()
    if mistake is not None:
        MISTAKES[mistake]()


def _rows(work: tuple[str, Sequence[How], int, str, bool]) -> list[Row]:
    name, hows, stride, at, resumed = work
    return tried(CASES[name], hows, stride=stride, at=at, resumed=resumed)


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(CASES)))
@click.option("--how", "hows", multiple=True, type=click.Choice([how.value for how in How]), help="Faults; else all.")
@click.option("--stride", default=1, show_default=True, help="Only one step in so many.")
@click.option("--at", default="", metavar="TEXT", help="Try steps with that in their text alone, or one by its number.")
@click.option("--resumed", is_flag=True, help="Strike the run that goes on after a kill.")
@click.option("--jobs", default=os.cpu_count() or 1, help="Processes.")
@click.option("--mistake", type=click.Choice(list(MISTAKES)), help="Make it in the table's code.")
def main(
    names: Sequence[str],
    hows: Sequence[str],
    stride: int,
    at: str,
    resumed: bool,
    jobs: int,
    mistake: str | None,
) -> None:
    """Let faults strike CASES, at every step in turn."""
    wanted = [How(how) for how in hows] or [*How]
    shares = [wanted[number::jobs] for number in range(jobs)]
    work = [(name, share, stride, at, resumed) for name in names or CASES for share in shares if share]
    # An executor, because a pool whose processes cannot begin starts others for ever.
    with ProcessPoolExecutor(min(jobs, len(work)), get_context("fork"), _ready, (mistake,)) as pool:
        rows = [*chain.from_iterable(pool.map(_rows, work))]
    click.echo(json.dumps([asdict(row) for row in rows]))
    sys.exit(any(row.found for row in rows))


if __name__ == "__main__":
    main()
