"""`jantaku league`: a pool of bots in one file, for months."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table

from jantaku.table.arena.commands.runs import MOST
from jantaku.table.arena.league.file import MAIN, LeagueFile, LeagueTerms, newcomer
from jantaku.table.arena.league.pool import League
from jantaku.table.arena.league.season import Season
from jantaku.table.arena.league.site import INDEX, LeagueTable, news_of, standings, tallied, write_site
from jantaku.table.arena.match.hanchan import Places
from jantaku.table.arena.match.matchfile import Match
from jantaku.table.arena.match.processes import local
from jantaku.table.arena.match.report.live import LiveServer
from jantaku.table.arena.match.report.tables import faults_text
from jantaku.table.cli.commands.records import tell
from jantaku.table.cli.options import (
    SEED,
    CommandOptions,
    Folder,
    Number,
    OneOf,
    RuleOptions,
    RunOptions,
    WholeNumber,
    argument,
    option,
    rules,
    seconds,
    words_of,
)
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.columns import fitting
from jantaku.table.ground.disk import telling
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import told, version
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.play import seeds
from jantaku.table.play.outcome import FaultReports
from jantaku.table.records.journal.sealed import name_for, state
from jantaku.table.riichi import ruleset

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


# `jantaku league backup`, `site` and `serve`: files of a league, each in one command.


class BackupOptions(LeagueArgument):
    """Options of `league backup`."""

    copy: Path = argument("COPY")
    without_records: bool = option("Copy the file alone.")


@BackupOptions.command(epilog="jantaku league backup club.league elsewhere.league")
def backup(options: BackupOptions) -> None:
    """Copy a league with its records, also while it is played."""
    with opened(options.file) as league:
        league.file.copied(options.copy, records=not options.without_records)
    with opened(options.copy) as league:
        of = "" if league.branch == MAIN else f" of branch {league.branch}"
        say(f"{told(options.copy)}: {len(league.bots)} bots, {league.played} hanchan{of}")


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

    The table, the next tables, the last hanchan, and a finished one turn by turn; it renews itself. Ctrl-C ends.
    """
    with opened(options.file):
        pass  # fails here, before anything listens, if it is no league
    try:
        server = LiveServer(options.host, options.port, partial(news_of, options.file), options.pace)
    except OSError as error:
        raise BadInput(f"--host {options.host} --port {options.port}: {error.strerror}") from error
    with server:
        say(f"{server.address} (Ctrl-C ends)")
        server.serve_forever()


EPILOG = """Examples:

\b
  jantaku league new club.league --rules mleague --threads inline
  jantaku league add club.league shanten caller dice mybot.py:Bot
  jantaku league play club.league --time 3600 --workers 2
  jantaku league table club.league
  jantaku league add club.league mybot.py:Bot
  jantaku league promote club.league Bot
"""
AT_ONCE = WholeNumber(1, 1000)
"""Range for the number of tables chosen at once."""

GONE = {
    "export": "the file is SQLite: its tables games, seats and bots have a row for every seat of every hanchan",
    "merge": "two files are two leagues; query both with SQLite's ATTACH",
}
"""Former subcommands, and what to do instead."""


class _LeagueCommands(click.Group):
    """The commands of a league."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand; for a former one, say what to do instead."""
        if args[0] in GONE:
            raise click.UsageError(f"{args[0]} is no command any more; {GONE[args[0]]}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=_LeagueCommands, epilog=EPILOG)
def command() -> None:
    """Keep a pool of bots for months, in one file: every bot is placed with as few hanchan as possible, rated with
    honest intervals, and its versions are told apart.

    The file holds the rules, the bots, every hanchan and the ratings; records are in the folder FILE.records beside it.
    """


class BeginOptions(LeagueArgument):
    """Options of `league new`."""

    ruling: RuleOptions = rules(length=True)
    run: RunOptions = RunOptions.group(
        without=("flag",), threads={"help": "per-turn: as in play; inline: no clock.  [default: resident]"}
    )
    walls: str = option("per-seat: every seat has its own draw queue.", type=words_of(Match, "walls"), default="shared")
    on_fault: str = option("What a bad answer leads to.", type=OneOf(OnFault), default="default")
    seed: str | None = option("Seed of walls and bots.  [default: a secret one]", "N", type=SEED)
    batch: int = option("Tables that are chosen at once, by the results so far.", "N", type=AT_ONCE, default=8)


@BeginOptions.command(epilog="jantaku league new club.league --rules mleague --length tonpu")
def new(options: BeginOptions) -> None:
    """Begin a league: say by which rules it is played.

    They, the clock and the threads are the same for all its hanchan.
    """
    threads, clock = options.run.timed(Mode.RESIDENT)
    terms = LeagueTerms(
        rules=options.ruling.over(ruleset.FILES, ruleset.preset(ruleset.DEFAULT)),
        walls=options.walls,  # type: ignore[arg-type]
        clock=clock,
        threads=threads,
        on_fault=OnFault(options.on_fault),
        sandbox=options.run.sandbox,
        seed=seeds.fresh() if options.seed is None else seeds.read(options.seed, "--seed"),
        batch=options.batch,
    )
    LeagueFile.create(options.file, terms).close()
    say(f"{told(options.file)}: {ruleset.describe(terms.rules)}; {threads.line}")
    say("add bots: jantaku league add")


class AddOptions(LeagueArgument):
    """Options of `league add`."""

    bots: tuple[str, ...] = argument("BOT…")
    anchor: float | None = option("Its rating is given and stays.", "POINTS", type=Number(-3000, 6000))


@AddOptions.command(epilog="jantaku league add club.league shanten 'mybot.py:Bot?name=deep&arg.depth=3'")
def add(options: AddOptions) -> None:
    """Add bots, or new versions of them.

    The first of a name is active. A further one is a candidate: it plays beside the active one until it is promoted or
    rejected. One that plays alike by its code is refused.
    """
    with changed(options.file) as league:
        for text in options.bots:
            bot = league.add(*newcomer(text), anchor=options.anchor)
            say(f"{bot.label} is {bot.state}" + (f", anchored at {bot.anchor:g}" if bot.anchor is not None else ""))


class PlayOnOptions(LeagueArgument):
    """Options of `league play`."""

    hanchan: int | None = option("So many more hanchan.", "N", type=WholeNumber(1, MOST))
    total: int | None = option("Until the league has N hanchan.", "N", type=WholeNumber(1, MOST))
    time: float | None = option(
        "For so long; the running hanchan are played to their end.", "SECONDS", type=seconds(0.001)
    )
    workers: int | None = option(
        "Processes; 0 plays in this one.  [default: one per core]", "N", type=WholeNumber(0, 1024)
    )
    no_pin: bool = option("Leave every process all cores; else it tries whether one is faster.")
    quiet: bool = option("Print nothing but errors.")


@PlayOnOptions.command(epilog="jantaku league play club.league --time 3600 --workers 2")
def play(options: PlayOnOptions) -> None:
    """Play on: the next tables are those that tell most.

    The bots of a table meet on the same walls, once on every seat. A hanchan counts as soon as it is over.
    Ctrl-C and even kill -9 lose only those in progress, which are played again from the same seeds. Without --hanchan,
    --total or --time it plays until Ctrl-C.
    """
    console = Screen(quiet=options.quiet)
    with changed(options.file) as league:
        limit = _limit(options, league)
        season = Season(league, version(), limit, Deadline(options.time), lambda line: say(line, err=True))
        plan, faults = season.plan(), FaultReports()
        with _places(league) as places:
            played = _told(season, local(plan, places, options.workers, pin=not options.no_pin), console, faults)
        tell(faults, league.file.records, quiet=options.quiet, json=False)
        for table in tables_of(standings(league, tallied(league)), console.width):
            console.print(table)
        console.say(f"{played} hanchan played, {league.played} in all")


def _limit(options: PlayOnOptions, league: League) -> int | None:
    if options.hanchan is not None and options.total is not None:
        raise BadInput("give either --hanchan or --total, not both")
    return options.hanchan if options.total is None else max(options.total - league.played, 0)


def _told(season: Season, executor: Any, console: Screen, faults: FaultReports) -> int:
    """Play, with a progress line now and then. Ctrl-C ends it and keeps what was played."""

    def told_of(played: int) -> None:
        if played & (played - 1) == 0 or played % 100 == 0:
            console.say(f"{played} hanchan")

    try:
        return season.play(executor, told_of, faults)
    except KeyboardInterrupt:
        say(f"stopped; {len(season.kept)} hanchan are kept; go on with the same command", err=True)
        raise


@contextmanager
def _places(league: League) -> Iterator[Places]:
    """Make a folder that only this user can read, for hanchan in progress. Anything that a kill has left there is
    removed."""
    scratch = state("leagues") / name_for(league.branch, league.file.path)
    shutil.rmtree(scratch, ignore_errors=True)
    with telling(scratch):
        scratch.mkdir(mode=0o700, parents=True)
    try:
        yield Places(scratch, None, league.file.records / "logs")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


class LeagueTableOptions(LeagueArgument):
    """Options of `league table`."""

    json: bool = option("Print it as one JSON object, nothing else.")


@LeagueTableOptions.command(epilog="jantaku league table club.league --json")
def table(options: LeagueTableOptions) -> None:
    """Print the strength of each bot, with 95 % intervals."""
    with opened(options.file) as league:
        found = standings(league, tallied(league))
    if options.json:
        say(msgspec.json.encode(found))
        return
    console = Screen()
    for one in tables_of(found, console.width):
        console.print(one)
    void = f", {found.void} without a result" if found.void else ""
    console.say(f"{found.hanchan} hanchan{void}")
    console.tell(f"{found.legend}; 100 points more end before the other in 64 % of hanchan")


def tables_of(found: LeagueTable, width: int) -> list[Table]:
    """Make the table for `width` columns of a terminal."""
    rows = [
        (
            one.bot,
            "anchor" if one.anchor else one.state,
            one.rating.text(0) if one.hanchan or one.anchor else "-",
            str(one.hanchan),
            one.rank.cell(2) if one.rank else "-",
            faults_text(one.faults),
        )
        for one in found.bots
    ]
    return fitting(("bot", "state", "rating", "hanchan", "mean rank", "faults"), rows, width)


class OneBotOptions(LeagueArgument):
    """Options of `league promote` and `reject`."""

    bot: str = argument("BOT")


@OneBotOptions.command(epilog="jantaku league promote club.league mybot")
def promote(options: OneBotOptions) -> None:
    """Make a candidate the active version.

    The active version of its name is retired.
    """
    with changed(options.file) as league:
        bot, retired = league.promote(options.bot)
        known = league.strengths()
        for one in retired:
            ahead = known.lead(bot.id, one.id)
            say(f"{one.label} is retired: {bot.label} is {ahead.text(0, sign=True)} points ahead of it")
        say(f"{bot.label} is active")


@OneBotOptions.command(epilog="jantaku league reject club.league mybot@2")
def reject(options: OneBotOptions) -> None:
    """Seat a bot no longer.

    A candidate is rejected, an active bot retired. What it has played stays.
    """
    with changed(options.file) as league:
        bot = league.reject(options.bot)
        say(f"{bot.label} is {bot.state}")


for one in (new, add, play, table, promote, reject, site, serve, backup):
    command.add_command(one)
