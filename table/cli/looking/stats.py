"""`jantaku stats`: the figures of matches again, from their records alone."""

import os
from pathlib import Path

import msgspec

from table.cli.options import CommandOptions, argument, option
from table.cli.say import say
from table.cli.screen import Screen
from table.errors import BadInput
from table.games.known import game_of_record
from table.match.folder.reading import journals


class StatsOptions(CommandOptions):
    """The command's options."""

    folders: tuple[Path, ...] = argument("DIR…")
    json: bool = option("One JSON object, as in results.json and timing.json.")
    luck: bool = option("Also with what chance gave taken out: as true, and narrower.")
    report: Path | None = option("Write the HTML report, too.", "FILE")


@StatsOptions.command(
    epilog="Hanchan on the same walls (equal seed and set) count as one set, from whichever folder they come.",
)
def command(options: StatsOptions) -> None:
    """Work out the figures of matches, or of folders of `jantaku play`, from their records.

    Journals of matches and games are read as they are; results.json is not looked at.
    """
    folders, report = options.folders, options.report
    game = game_of_record(next(iter(journals(folders[0]).values())))
    stats = game.stats(folders, luck=options.luck)
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
