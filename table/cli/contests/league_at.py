"""The league that a command is about."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jantaku.table.cli.options import CommandOptions, argument
from jantaku.table.league.file import LeagueFile
from jantaku.table.league.pool import League


class LeagueArgument(CommandOptions):
    """The league of a command."""

    file: Path = argument("FILE")


@contextmanager
def opened(path: Path) -> Iterator[League]:
    """The league in a file, to be read, also while another command writes."""
    with LeagueFile.open(path) as file:
        yield League(file)


@contextmanager
def changed(path: Path) -> Iterator[League]:
    """The league in a file that no other command changes meanwhile. A row that cannot be read is told before anything
    is changed."""
    with LeagueFile.open(path, locked=True) as file:
        league = League(file)
        league.check()
        yield league
