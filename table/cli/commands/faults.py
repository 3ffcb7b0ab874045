"""Reports faults to a person: two lines each on standard output, more on standard error, everything in a file."""

import shlex
from collections.abc import Mapping
from pathlib import Path

from jantaku.table.cli.commands.records import FAULT
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import told, typed
from jantaku.table.play.outcome import FaultReport, FaultReports

FILE = "faults.txt"
"""Name of the file with all reports, beside the records."""


def keep(reports: FaultReports, folder: Path) -> Path:
    """Append all reports to the file in that folder. BadInput if that is impossible."""
    path = folder / FILE
    try:
        with path.open("a", encoding="utf-8") as file:
            say(*reports.summary(), "", *reports.details(), "", to=file)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error
    return path


def tell(reports: FaultReports, folder: Path, *, quiet: bool, json: bool) -> None:
    """Keep the reports beside the records in `folder`, and print them; with `json` nothing on standard output, with
    `quiet` nothing at all."""
    if not reports:
        return
    file = keep(reports, folder)
    if quiet:
        return
    say(*reports.summary(), err=json)
    say(*reports.details(brief=True), err=True)
    say(f"all faults: {told(file)}", err=json)


def next_steps(reports: FaultReports, examined: Mapping[str, str], *, viewed: bool = True) -> list[str]:
    """Return the commands that lead to the first fault. `examined`: by name the players that can be examined, as on a
    command line. `viewed`: whether the game's records can be viewed."""
    first = reports.all[0]
    steps = [typed(f"view {shlex.quote(told(first.record) + FAULT)}")] if viewed else []
    if again := _once_more(first, examined):
        steps.append(again)
    if examined.get(first.player):
        steps.append(typed(f"exam {shlex.quote(examined[first.player])}"))
    return [f"{'next:' if number == 0 else '     '} {step}" for number, step in enumerate(steps)]


def _once_more(report: FaultReport, words: Mapping[str, str]) -> str:
    """Return the command that repeats the question of a fault; empty unless a command line can name all its players."""
    again = report.again
    if again is None or not all(words.get(name) for name in again.players):
        return ""
    players = shlex.quote(",".join(words[name] for name in again.players))
    place = f"--from {shlex.quote(told(report.record))} --kyoku {again.kyoku} --turn {again.turn}"
    return typed(f"play {place} --players {players} --strict")
