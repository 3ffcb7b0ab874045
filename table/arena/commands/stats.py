"""`jantaku stats`: recomputes the figures of matches from their records alone."""

import os
from pathlib import Path

import click
import msgspec

from jantaku.table.cli.commands.records import found_in
from jantaku.table.cli.options import CommandOptions, argument, option
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.games.known import game_of_record


class StatsOptions(CommandOptions):
    """The command's options."""

    files: tuple[Path, ...] = argument("FILE|DIR…", type=click.Path(path_type=Path))
    json: bool = option("One JSON object, as in results.json and timing.json.")
    luck: bool = option("Also with what chance gave taken out: as true, and narrower.")
    report: Path | None = option("Write the HTML report, too.", "FILE")


@StatsOptions.command(
    epilog="Hanchan on the same walls (equal seed and set) count as one set, from whichever folder they come.",
)
def command(options: StatsOptions) -> None:
    """Work out the figures of matches, and of games in any format, from their records.

    results.json is not looked at. A record that does not tell its walls counts as a set of its own.
    """
    report = options.report
    named = {word: [one.path for one in found_in(word)] for word in options.files}
    stats = game_of_record(named[options.files[0]][0]).stats(named, luck=options.luck)
    say(*(f"left out: {trouble}" for trouble in stats.left_out), err=True)
    if report is not None and os.path.lexists(report):
        raise BadInput(f"--report: {report} exists already; nothing was overwritten")
    if options.json:
        say(msgspec.json.encode(stats.data))
    else:
        console = Screen()
        for table in stats.tables(console.width):
            console.print(table)
            console.print()
        console.tell(stats.verdict)
        console.say(stats.said)
        console.tell(stats.legend)
    if report is not None:
        if trouble := stats.report(report):
            raise BadInput(f"--report: {trouble}")
        say(f"report {report}", err=options.json)
