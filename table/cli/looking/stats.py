"""`jantaku stats`: the figures of matches again, from their records alone."""

import os
from pathlib import Path

import msgspec

from table.cli.options import CommandOptions, argument, option
from table.cli.say import say
from table.cli.screen import Screen
from table.errors import BadInput
from table.match.folder.reading import read_runs
from table.match.report.report import Content, write_report
from table.match.report.tables import tables_of


class StatsOptions(CommandOptions):
    """The command's options."""

    folders: tuple[Path, ...] = argument("DIR…")
    json: bool = option("One JSON object, as in results.json and timing.json.")
    report: Path | None = option("Write the HTML report, too.", "FILE")


@StatsOptions.command(
    epilog="Hanchan on the same walls (equal seed and set) count as one set, from whichever folder they come.",
)
def command(options: StatsOptions) -> None:
    """Work out the figures of matches, or of folders of `jantaku play`, from their records.

    Journals of matches and games are read as they are; results.json is not looked at.
    """
    folders, report = options.folders, options.report
    run = read_runs(folders)
    tally = run.tally
    if not tally.games:
        raise BadInput(f"{folders[0]}: none of {tally.void} hanchan has come to its end")
    found, times = tally.figures(), run.spent.timings(tally.names)
    if options.json:
        say(msgspec.json.encode({"figures": found, "times": times}))
    else:
        console = Screen()
        for table in tables_of(found, times, console.width):
            console.print(table)
            console.print()
        void = f", {found.void} without a result" if found.void else ""
        console.say(f"{found.games} hanchan in {found.sets} set{'s' * (found.sets != 1)}{void}")
    if report is not None:
        if os.path.lexists(report):
            raise BadInput(f"--report: {report} exists already; nothing was overwritten")
        facts = {"records": ", ".join(str(folder) for folder in folders)}
        content = Content(" · ".join(tally.names), facts, tally.points, found, times)
        say(write_report(report, content) or f"report {report}", err=options.json)
