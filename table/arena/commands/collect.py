"""`jantaku collect`: what many machines have played in parts becomes what one machine would have written."""

from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.arena.collecting import Gathered, alike, kind_in, missing_lines, parts_in
from jantaku.table.arena.commands.match import show, stop_flags
from jantaku.table.arena.match.conduct import Ended
from jantaku.table.arena.match.figures.statistics import Looks
from jantaku.table.arena.match.figures.stops import Stopping
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.matchfile import read
from jantaku.table.arena.match.plan import MatchPlan, amounts_of, file_of
from jantaku.table.arena.match.report.report import write_match_report
from jantaku.table.arena.match.report.tables import tables_of
from jantaku.table.cli.main import UNDECIDED
from jantaku.table.cli.options import CommandOptions, Folder, argument, option
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.columns import counted
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.outcome import FaultReports

EPILOG = """PART: folders that were played with --part, in any order. Without --out it says how it stands. While parts
are missing nothing is written, and the exit code is 3.

Examples:

\b
  jantaku match --players A,B,C,D --seed 7 --sets 4000 --part 3/40 --out part-03
  jantaku collect part-* --out match
  jantaku collect part-* --until ci=0.05
"""
KINDS = ("match.json",)


class CollectOptions(CommandOptions):
    """The command's options."""

    parts: tuple[Path, ...] = argument("PART…", type=Folder(), required=True)
    out: Path | None = option("The folder of the whole, which must be new.", "DIR", type=Folder())
    until: str | None = option("End where the 95 % interval of the mean rank is so narrow.", "ci=0.05")
    sprt: str | None = option("End by a test of rank0 and rank1.", "[KEY=X,…]", is_flag=False, flag_value="")
    quiet: bool = option("Print nothing but errors.")


@CollectOptions.command(epilog=EPILOG)
def command(options: CollectOptions) -> int:
    """Put parts of a match together, as one machine would have written it, and say how it stands while they grow.

    Every line is checked against its record. What is missing is named with the command that plays it.
    """
    console = Screen(quiet=options.quiet)
    kind_in(options.parts[0], KINDS)
    return _match(options, console)


def _match(options: CollectOptions, console: Screen) -> int:
    parts = parts_in(options.parts, MatchPlan)
    plan = alike(parts)
    assert isinstance(plan, MatchPlan)
    gathered = Gathered(parts, _stopping(plan, options), Stopping)
    missing = gathered.missing()
    _hosts(console, gathered)
    if missing:
        _stands(console, gathered)
        say(*missing_lines(gathered, missing), err=True)
        return UNDECIDED
    if gathered.schedule.reason:
        console.say(f"enough: stop the jobs: {gathered.schedule.reason}")
    if options.out is None:
        _stands(console, gathered)
        return 0
    if not plan.seed:
        raise BadInput(
            f"all parts are being played, or were killed: stop the jobs, or {parts[0].again}; nothing is written"
        )
    store, done, without = gathered.write(options.out, write_match_report)
    show(console, Ended(store, done, FaultReports(), without))
    return 0


def _stopping(plan: MatchPlan, options: CollectOptions) -> MatchPlan:
    """Return the plan with the stopping rule that is asked for."""
    flags = stop_flags(options.until, options.sprt)
    if not flags:
        return plan
    _, stop = amounts_of(read(None, flags, file_of(plan)))
    return msgspec.structs.replace(plan, stop=stop)


def _stands(console: Screen, gathered: Gathered[MatchPlan, Any]) -> None:
    """Print how it stands, by the sets that are over."""
    plan, tally = gathered.plan, MatchTally(gathered.plan.names, Looks.ANY)
    for line in gathered.over():
        tally.add(line)
    if tally.games:
        figures = tally.figures()
        for table in tables_of(figures, (), console.width):
            console.print(table)
        console.say(f"{counted(figures.sets, 'set')} of {plan.sets} are over; {figures.legend}")
    if plan.stop.runs:
        console.say(f"{gathered.schedule.sets} sets without a gap: {gathered.schedule.stands}")


def _hosts(console: Screen, gathered: Gathered[Any, Any]) -> None:
    """Print where the parts were played, and what they lost to the clock."""
    for part in gathered.of_parts.values():
        hosts = ", ".join(dict.fromkeys(f"{run.host} ({counted(run.cores, 'core')})" for run in part.hosts))
        lost = ", ".join(f"{name} {count}" for name, count in part.lost.items() if count)
        late = f", lost to the clock: {lost}" if lost else ""
        console.tell(
            f"part {part.part or part.folder}: {part.hanchan} on {hosts or '?'}, {part.pace:.2f} a second{late}"
        )
