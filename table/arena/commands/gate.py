"""`jantaku gate`: may the new version of a player replace the old one? Says so with its exit code, for CI."""

import os
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from jantaku.table.arena.commands.match import asked, show
from jantaku.table.arena.commands.runs import MatchOptions, refuse_defects, tell_faults, tell_part, watched, where_of
from jantaku.table.arena.match.conduct import Ended, Finished, run
from jantaku.table.arena.match.figures.stops import Results, Stopping
from jantaku.table.arena.match.formats import alone, even
from jantaku.table.arena.match.matchfile import MatchFile
from jantaku.table.arena.match.plan import MatchPlan, plan_of
from jantaku.table.arena.match.poolfile import told_apart
from jantaku.table.arena.match.report.gate import GateVerdict, junit, markdown, verdict_of
from jantaku.table.arena.match.report.report import write_match_report
from jantaku.table.cli.main import FAILED, FAULTY, OK, UNDECIDED
from jantaku.table.cli.options import CommandOptions, Number, argument, option
from jantaku.table.cli.say import own_output, say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.clock import now
from jantaku.table.play.seating.spec import terms_of
from jantaku.table.records.journal.lines import write_whole

EPILOG = """Exit codes: 0 not worse, 1 worse, 3 undecided after all sets, 4 not worse or undecided by rank, but NEW did
not play, or has faults in more hanchan than OLD; 2 and 70 as for every command.

Examples:

\b
  jantaku gate mybot.py:Bot old/mybot.py:Bot
  jantaku gate mybot.py:Bot shanten --margin 0.05 --sets 2000 --threads inline
  jantaku gate "exec:./new?dialect=mjai" "exec:./old?dialect=mjai" --junit gate.xml --summary gate.md
"""
CODES = {"not worse": OK, "worse": FAILED, "undecided": UNDECIDED, "faulty": FAULTY}
SETS = 1000
"""Most wall sets: enough to decide nearly every case at the default margin."""
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
"""Environment variable in which GitHub Actions names the summary file of a step."""


class NewFile(click.Path):
    """A file that is written at the end; refused at once if it exists or cannot be written."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(value)
        if os.path.lexists(path):
            self.fail(f"{path} exists already; nothing is overwritten.", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"there is no folder {path.parent}.", param, ctx)
        return super().convert(value, param, ctx)


class VerdictOptions(CommandOptions):
    """Where a verdict is written."""

    summary: Path | None = option("Write the verdict as Markdown, too.", "FILE.md", type=NewFile())
    junit: Path | None = option("Write it as JUnit XML, too.", "FILE.xml", type=NewFile())


class GateOptions(CommandOptions):
    new: str = argument("NEW")
    old: str = argument("OLD")
    margin: float = option("Ranks by which NEW must not be worse.", "RANKS", type=Number(0.01, 1.5), default=0.1)
    error: float = option("Chance of each wrong answer.", "P", type=Number(0.0001, 0.4), default=0.05)
    verdict: VerdictOptions = VerdictOptions.group()
    match: MatchOptions = MatchOptions.group(
        without=("file", "players", "format", "seatings", "games", "until", "sprt", "resume", "strict", "check"),
        sets={"help": f"Most wall sets of 4 hanchan.  [default: {SETS}]"},
    )


@GateOptions.command(epilog=EPILOG)
def command(options: GateOptions) -> int:
    """Say whether the player NEW is worse than OLD: it sits among three of OLD on paired walls until that is clear.

    A sequential test of the mean rank: an equal player has 2.5 of four; the alternative is --margin ranks worse.
    Players are written as in `jantaku play --players`. In GitHub Actions the verdict is added to the summary of the
    step.
    """
    given = options.match
    console, begun = Screen(quiet=given.quiet or given.json), now()
    with own_output(given.json) as output:
        file = _gated(options)
        plan = plan_of(file)
        where, watch = where_of(given, plan, file), partial(watched, given, console)
        ended = run(plan, where, watch, Stopping(plan), write_match_report)
        results = ended.done.results
        refuse_defects(ended.done.tally, ended.store)
        if where.part is not None:
            tell_faults(given, ended.store, ended.faults)
            tell_part(console, ended, where.part)
            return OK
        verdict = verdict_of(ended.done, plan, options.margin, options.error)
        if output is not None:
            say(msgspec.json.encode({"verdict": verdict, "results": results, "times": ended.done.times}), to=output)
    tell_faults(given, ended.store, ended.faults)
    show(console, ended)
    return tell_verdict(console, verdict, ended, options.verdict, now() - begun)


def is_gate(plan: MatchPlan) -> bool:
    """Return whether this is the match of a gate: no other has its stopping rule."""
    return plan.stop.sprt and plan.stop.faults and plan.stop.rank1 == even(plan.seats)


def verdict_by(plan: MatchPlan, done: Finished[Results]) -> GateVerdict:
    """Return the verdict on a gate's match with the margin and the error of its plan."""
    return verdict_of(done, plan, round(plan.stop.rank0 - plan.stop.rank1, 9), plan.stop.alpha)


def tell_verdict(
    console: Screen, verdict: GateVerdict, ended: Ended[MatchPlan, Results], files: VerdictOptions, seconds: float
) -> int:
    """Print and write the verdict; return the exit code."""
    results, plan = ended.done.results, ended.store.plan
    _write(files, markdown(verdict, results, plan.unit, pt=bool(plan.pt)), junit(verdict, results, seconds))
    (console.tell if console.is_terminal else console.say)(verdict.sentence)
    return CODES[verdict.decision]


def _gated(options: GateOptions) -> MatchFile:
    file = asked(options.match)
    seats = file.rules.game.players
    match = msgspec.structs.replace(file.match, format=alone(seats), sets=file.match.sets or SETS)
    stop = msgspec.structs.replace(
        file.stop,
        sprt=True,
        rank0=even(seats) + options.margin,
        rank1=even(seats),
        alpha=options.error,
        beta=options.error,
        faults=True,
    )
    return msgspec.structs.replace(
        file, match=match, stop=stop, player=told_apart(terms_of(options.new.strip()), terms_of(options.old.strip()))
    )


def _write(options: VerdictOptions, summary: str, report: bytes) -> None:
    if options.summary is not None:
        write_whole(options.summary, summary.encode())
    if options.junit is not None:
        write_whole(options.junit, report)
    if place := os.environ.get(STEP_SUMMARY):
        try:
            with open(place, "a", encoding="utf-8") as file:
                file.write(summary)
        except OSError as error:
            say(f"the summary of the step cannot be written to {place}: {error.strerror}", err=True)
