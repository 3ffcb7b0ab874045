"""Opens the league that a command names."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jantaku.table.arena.league.file import LeagueFile
from jantaku.table.arena.league.pool import League
from jantaku.table.cli.options import CommandOptions, argument


class LeagueArgument(CommandOptions):
    """The argument that names the league."""

    file: Path = argument("FILE")


@contextmanager
def opened(path: Path) -> Iterator[League]:
    """Open the league in a file for reading, which works while another command writes."""
    with LeagueFile.open(path) as file:
        yield League(file)


@contextmanager
def changed(path: Path) -> Iterator[League]:
    """Open the league in a file and lock it against other commands. BadInput for a row that cannot be read, before
    anything is changed."""
    with LeagueFile.open(path, locked=True) as file:
        league = League(file)
        league.check()
        yield league
