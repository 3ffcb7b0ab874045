"""`jantaku stats`: computes the figures of matches, or of one player, from records alone."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import msgspec
from rich.table import Table

from jantaku.table.arena.match.ranklists import NAMES
from jantaku.table.arena.match.records import numbered, summarised
from jantaku.table.arena.match.report.results import PlayerBook
from jantaku.table.arena.match.report.tables import luck_tables, player_tables
from jantaku.table.cli.commands.many import Found, each, found_in
from jantaku.table.cli.options import CommandOptions, RuleOptions, argument, option, rules
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.entry import game_of_record
from jantaku.table.riichi.ruleset import FILES


class StatsOptions(CommandOptions):
    files: tuple[Path, ...] = argument("FILE|DIR…", type=click.Path(path_type=Path))
    player: str | None = option(
        "Figures of all games of this player, by rules and by month; for riichi records of any format.", "NAME"
    )
    ruling: RuleOptions = rules("With --player: rules of records that do not name theirs.")
    json: bool = option("Print one JSON object, as in results.json and timing.json.")
    luck: bool = option("Also the results with luck taken out: unbiased, mostly with narrower intervals.")
    pt: str = option(f"Also rank points by this list, and stable dan: {NAMES}.", "LIST")
    report: Path | None = option("Write the HTML report, too.", "FILE")


@StatsOptions.command(
    epilog="""Hanchan on the same walls (equal seed and set) count as one set, from whichever folder they come.

\b
  jantaku stats matches/2025-08-01
  jantaku stats --player alice logs more/*.mjlog

With --player a record that cannot be read is named and left out; then the exit code is 2.
"""
)
def command(options: StatsOptions) -> int:
    """Compute the figures of matches, and of games in any format, from their records.

    results.json is not read. A record without its walls counts as a set of its own.
    """
    if options.player is not None:
        return _of_player(options, options.player)
    report = options.report
    named = {word: [one.path for one in found_in(word)] for word in options.files}
    stats = game_of_record(named[options.files[0]][0]).stats(named, luck=options.luck, pt=options.pt)
    say(*(f"left out: {trouble}" for trouble in stats.left_out), err=True)
    if report is not None and os.path.lexists(report):
        raise BadInput(f"--report: {report} exists already; nothing was overwritten")
    if options.json:
        say(msgspec.json.encode(stats.data))
    else:
        _print(stats.tables, stats.said, stats.legend, stats.verdict)
    if report is not None:
        if trouble := stats.report(report):
            raise BadInput(f"--report: {trouble}")
        say(f"report {report}", err=options.json)
    return 0


def _of_player(options: StatsOptions, name: str) -> int:
    """Print the figures of one player's games; return the exit code."""
    if options.report is not None:
        raise BadInput("--player cannot be given with --report: that is for all players of a match")
    found, given = [one for word in options.files for one in found_in(word)], options.ruling.foreign(FILES)
    games, book = iter(numbered([one.path for one in found])), PlayerBook(name, options.pt, luck=options.luck)

    def add(one: Found) -> str:
        book.add(summarised(next(games)[0], one.path, given), one.path)
        return ""

    code = each(found, add)
    stats = book.stats()
    if options.json:
        say(msgspec.json.encode(stats))
        return code

    def tables(width: int) -> list[Table]:
        return [*player_tables(stats.rows, options.pt, width), *luck_tables(stats.luck, width)]

    _print(tables, stats.said, stats.legend, stats.lucky)
    return code


def _print(tables: Callable[[int], Sequence[Table]], said: str, legend: str, verdict: str = "") -> None:
    console = Screen()
    for table in tables(console.width):
        console.print(table)
        console.print()
    if verdict:
        console.tell(verdict)
    console.say(said)
    console.tell(legend)
