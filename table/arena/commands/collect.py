"""`jantaku collect`: what many machines have played in parts becomes what one machine would have written."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.arena.collecting import (
    PARTS,
    Comparing,
    Gathered,
    alike,
    kind_in,
    missing_lines,
    part_folder,
    written,
)
from jantaku.table.arena.commands.gate import VerdictOptions, is_gate, tell_verdict, verdict_by
from jantaku.table.arena.commands.match import show, stop_flags
from jantaku.table.arena.commands.tournament import show as show_tournament
from jantaku.table.arena.forks.gains import judged
from jantaku.table.arena.match.conduct import Ended
from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.figures.stops import Stopping
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.matchfile import read
from jantaku.table.arena.match.plan import MatchPlan, amounts_of, file_of
from jantaku.table.arena.match.pool import Job
from jantaku.table.arena.match.report.report import write_match_report
from jantaku.table.arena.match.report.tables import tables_of
from jantaku.table.arena.tournament.plan import TournamentPlan
from jantaku.table.arena.tournament.report import write_report as write_tournament
from jantaku.table.arena.tournament.rounds import Rounds
from jantaku.table.cli.main import OK, UNDECIDED
from jantaku.table.cli.options import CommandOptions, Folder, argument, option
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.drawing.columns import counted
from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import part, told
from jantaku.table.play.outcome import FaultReports

EPILOG = """PART: folders that were played with --part, in any order. Without --out it prints the result so far. While
parts are missing nothing is written, and the exit code is 3.

Examples:

\b
  jantaku match --players A,B,C,D --seed 7 --sets 4000 --part 3/40 --out part-03
  jantaku collect part-* --out match
  jantaku collect part-* --until ci=0.05
"""


LISTED = 40
"""Most parts whose hosts are printed; `parts.json` has all."""


class CollectOptions(CommandOptions):
    parts: tuple[Path, ...] = argument("PART…", type=Folder(), required=True)
    out: Path | None = option("New folder for the whole.", "DIR", type=Folder())
    until: str | None = option("End where the 95 % interval of the mean rank is this narrow.", "ci=0.05")
    sprt: str | None = option("End by a test of rank0 and rank1.", "[KEY=X,…]", is_flag=False, flag_value="")
    verdict: VerdictOptions = VerdictOptions.group()
    quiet: bool = option("Print nothing but errors.")


@CollectOptions.command(epilog=EPILOG)
def command(options: CollectOptions) -> int:
    """Put parts together as one machine would have written the whole, and say how it stands while they grow.

    Every line is checked against its record. What is missing is named with the command that plays it. The parts of a
    gate give its verdict and its exit code.
    """
    folders = list(dict.fromkeys(options.parts))
    kinds = {folder: kind_in(folder, list(KINDS)) for folder in folders}
    first = kinds[folders[0]]
    for folder, kind in kinds.items():
        if kind != first:
            raise BadInput(f"{told(folder)}: holds {kind}, {told(folders[0])} {first}; collect one kind at a time")
    if first != "match.json" and _flags(options):
        raise BadInput(f"--until and --sprt are for a match; {told(folders[0])} holds {first}")
    return KINDS[first](options, folders, Screen(quiet=options.quiet))


def _flags(options: CollectOptions) -> dict[str, Any]:
    """Return the stopping rule that is asked for, by the keys of a match file."""
    return stop_flags(options.until, options.sprt)


def _match(options: CollectOptions, folders: Sequence[Path], console: Screen) -> int:
    begun, parts = now(), [part_folder(folder, MatchPlan) for folder in folders]
    plan = alike(parts)
    assert isinstance(plan, MatchPlan)
    gathered = Gathered(parts, _stopping(plan, options), Stopping)
    missing, reason = gathered.missing(), gathered.schedule.reason
    _hosts(console, gathered)
    if reason and (gathered.schedule.sets < plan.sets or any(part.is_open for part in parts)):
        console.say(f"enough: stop the jobs: {reason}")
    if missing or options.out is None:
        _stands(console, gathered)
        return _lacking(gathered, missing)
    with written(options.out, list(gathered.of_parts.values())) as work:
        store, done, without = gathered.write(work, write_match_report)
    store.folder = options.out
    ended = Ended(store, done, FaultReports(), without)
    show(console, ended)
    if not is_gate(gathered.plan):
        return OK
    return tell_verdict(console, verdict_by(gathered.plan, done), ended, options.verdict, now() - begun)


def _lacking(gathered: Gathered[Any, Any], missing: Sequence[Job]) -> int:
    say(*missing_lines(gathered, missing), err=True)
    return UNDECIDED if missing else OK


def _stopping(plan: MatchPlan, options: CollectOptions) -> MatchPlan:
    flags = _flags(options)
    if not flags:
        return plan
    if plan.stop.runs:
        raise BadInput("--until and --sprt: these parts are of a gate, which ends by its own test")
    _, stop = amounts_of(read(None, flags, file_of(plan)))
    return msgspec.structs.replace(plan, stop=stop)


def _stands(console: Screen, gathered: Gathered[MatchPlan, Any]) -> None:
    plan, tally = gathered.plan, MatchTally(gathered.plan.names, Looks.ANY)
    for line in gathered.over():
        tally.add(line)
    if tally.games:
        figures = tally.figures()
        for table in tables_of(figures, (), console.width):
            console.print(table)
        console.say(f"{counted(figures.sets, 'set')} of {plan.sets} are finished; {figures.legend}")
    if plan.stop.runs:
        console.say(f"{gathered.schedule.sets} sets without a gap: {gathered.schedule.stands}")


def _tournament(options: CollectOptions, folders: Sequence[Path], console: Screen) -> int:
    parts = [part_folder(folder, TournamentPlan) for folder in folders]
    plan = alike(parts)
    assert isinstance(plan, TournamentPlan)
    gathered = Gathered(parts, plan, Rounds)
    rounds, missing = gathered.schedule, gathered.missing()
    assert isinstance(rounds, Rounds)
    _hosts(console, gathered)
    is_round = rounds.over > 0 and rounds.hanchan == rounds.first_table(rounds.over) * plan.sets * plan.set_size
    if options.out is None or (missing and not is_round):
        console.say(rounds.stands)
        return _lacking(gathered, missing)
    with written(options.out, list(gathered.of_parts.values())) as work:
        store, done, without = gathered.write(work, write_tournament)
    store.folder = options.out
    show_tournament(console, Ended(store, done, FaultReports(), without))
    if missing:
        say(f"{rounds.over} of {len(plan.tables)} rounds are finished; next: --part I/N --after {told(options.out)}")
    return OK


def _compare(options: CollectOptions, folders: Sequence[Path], console: Screen) -> int:
    comparing = Comparing(folders)
    baseline, missing = comparing.baseline, comparing.missing()
    _hosts(console, baseline)
    if missing or options.out is None:
        if comparing.forks:
            lead = judged(comparing.forks.values(), baseline.plan.rules, Looks.ANY).screening
            console.say(f"{lead.hanchan} of {comparing.hanchan} hanchan: lead {lead.rank.text(4, sign=True)} ranks")
        return _lacking(baseline, missing)
    with written(options.out, list(baseline.of_parts.values())) as work:
        found = comparing.write(work, options.out)
    found.tell(console)
    return OK


def _samples(options: CollectOptions, folders: Sequence[Path], console: Screen) -> int:
    """Samples are of another wing, which may be missing."""
    collected: int = part("learn", "commands").collected(folders, options.out)
    return collected


KINDS: Mapping[str, Callable[[CollectOptions, Sequence[Path], Screen], int]] = {
    "compare.json": _compare,
    "match.json": _match,
    "tournament.json": _tournament,
    "about.json": _samples,
}
"""By the file that the folder of a part has."""


def _hosts(console: Screen, gathered: Gathered[Any, Any]) -> None:
    """Print where the parts were played, and what they lost to the clock."""
    parts = list(gathered.of_parts.values())
    for each in parts[:LISTED]:
        hosts = ", ".join(dict.fromkeys(f"{run.host} ({counted(run.cores, 'core')})" for run in each.hosts))
        lost = ", ".join(f"{name} {count}" for name, count in each.lost.items() if count)
        late = f", lost to the clock: {lost}" if lost else ""
        pace = f" on {hosts}, {each.pace:.2f} a second" if hosts else ""
        console.tell(f"part {each.part or each.folder}: {each.hanchan} {gathered.plan.unit}{pace}{late}")
    if len(parts) > LISTED:
        console.tell(f"… and {len(parts) - LISTED} more parts, see {PARTS}")
