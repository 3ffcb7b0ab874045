"""`jantaku league backup`, `export`, `site` and `serve`: files of a league, each in one command."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jantaku.table.arena.league.export import export as written
from jantaku.table.arena.league.file import LeagueFile
from jantaku.table.arena.league.live import LiveServer
from jantaku.table.arena.league.pool import League
from jantaku.table.arena.league.site import INDEX, write_site
from jantaku.table.cli.options import CommandOptions, Folder, WholeNumber, argument, option, seconds
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import told

# Opens the league that a command names.


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


# `jantaku league backup`, `export`, `site` and `serve`: files of a league, each in one command.


class BackupOptions(LeagueArgument):
    """Options of `league backup`."""

    copy: Path = argument("COPY")
    without_records: bool = option("Copy the file alone.")


@BackupOptions.command(epilog="jantaku league backup club.league elsewhere.league")
def backup(options: BackupOptions) -> None:
    """Copy a league with its records, also while it is played."""
    with opened(options.file) as league:
        league.file.copied(options.copy, records=not options.without_records)
    say(f"{told(options.copy)}: {league_of(options.copy)}")


def league_of(path: Path) -> str:
    """Describe what a league file holds."""
    with opened(path) as league:
        of = "" if league.branch == "main" else f" of branch {league.branch}"
        return f"{len(league.bots)} bots, {league.played} hanchan{of}"


class SiteOptions(LeagueArgument):
    """Options of `league site`."""

    folder: Path = argument("DIR", type=Folder())


@SiteOptions.command(epilog="jantaku league site club.league public/league")
def site(options: SiteOptions) -> None:
    """Write the league as a static site.

    A page with the table, rating curves, who against whom, and games that can be watched turn by turn. What an earlier
    call has written is replaced.
    """
    with opened(options.file) as league:
        games = write_site(league, options.folder)
    say(f"{told(options.folder / INDEX)}, with {games} games to watch")


class ServeLeagueOptions(LeagueArgument):
    """Options of `league serve`."""

    port: int = option("Port of the page.  [default: a free one]", type=WholeNumber(0, 65535), default=0)
    host: str = option("Address that it listens at; 0.0.0.0 for all.", "ADDRESS", default="127.0.0.1")
    pace: float = option("Seconds between two looks at the league.", "SECONDS", type=seconds(1), default=10.0)


@ServeLeagueOptions.command(epilog="jantaku league serve club.league --host 0.0.0.0 --pace 30")
def serve(options: ServeLeagueOptions) -> None:
    """Serve a page for a projector while the league is played.

    The table, the next tables and the last hanchan; it comes anew at its pace. Ctrl-C ends.
    """
    with opened(options.file):
        pass  # fails here, before anything listens, if it is no league
    try:
        server = LiveServer(options.host, options.port, options.file, options.pace)
    except OSError as error:
        raise BadInput(f"--host {options.host} --port {options.port}: {error.strerror}") from error
    with server:
        say(f"http://{options.host}:{server.server_port}/ (Ctrl-C ends)")
        server.serve_forever()


class ExportOptions(LeagueArgument):
    """Options of `league export`."""

    target: Path = argument("TARGET")


@ExportOptions.command(epilog="jantaku league export club.league seats.csv")
def export(options: ExportOptions) -> None:
    """Write a row for every seat of every hanchan.

    As CSV, JSON lines or Parquet (needs jantaku[parquet]): TARGET ends with .csv, .jsonl or .parquet.
    """
    with opened(options.file) as league:
        rows = written(league, options.target)
    say(f"{told(options.target)}: {rows} rows")
