"""`jantaku match`: many hanchan on paired walls, and their statistics."""

import os
from typing import Any, NamedTuple

import msgspec

from jantaku.table import core
from jantaku.table.arena.commands.options import MatchOptions, pool_flags
from jantaku.table.arena.commands.running import (
    carried_out,
    progress_bar,
    refuse_defects,
    running,
    seeds_of,
    strictly,
    tell_faults,
)
from jantaku.table.arena.match import conduct as conducting
from jantaku.table.arena.match.conduct import Finished, conduct
from jantaku.table.arena.match.folder.hidden import plan_in
from jantaku.table.arena.match.folder.store import Store
from jantaku.table.arena.match.plan.matchfile import MatchFile, read
from jantaku.table.arena.match.plan.plan import MatchPlan, file_of, plan_of
from jantaku.table.arena.match.report.report import Content, write_report
from jantaku.table.arena.match.report.tables import estimate_text, sprt_text, tables_of
from jantaku.table.arena.match.report.verdict import hanchan_compared, pace, verdict
from jantaku.table.cli.lines import own_output
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import CLONE, told
from jantaku.table.ground.settings.layers import split_texts
from jantaku.table.play.faults import FaultReports
from jantaku.table.riichi import ruleset

EPILOG = """Examples:

\b
  jantaku match --format 1v3 --players mybots:New,mybots:Old --sets 250
  jantaku match --players shanten,caller,dice,tsumogiri --until ci=0.05
  jantaku match --format 1v3 --players mybots:New,mybots:Old --sprt rank1=2.45
  jantaku match tournament.toml --workers 4 --out matches/june
  jantaku match --resume matches/june
"""
LONG = 400
"""From this many hanchan on, compiling the core, a minute or two, takes less time than it saves."""
STOP_KEYS = ("rank0", "rank1", "alpha", "beta", "least")


@MatchOptions.command(epilog=EPILOG)
def command(options: MatchOptions) -> None:
    """Play a match on paired walls and say who is better, with honest intervals.

    Every hanchan is kept as soon as it is over. Ctrl-C drops those in progress within seconds; --resume plays
    exactly what is missing and ends with the same files.
    """
    console = Screen(quiet=options.quiet or options.json)
    with own_output(options.json) as output:
        ended = conducted(options, asked(options), console)
        if output is not None:
            found = {"results": ended.done.results, "times": ended.done.times, "faults": ended.faults.all}
            say(msgspec.json.encode(found), to=output)
    tell_faults(options, ended.store, ended.faults)
    show(console, ended)
    refuse_defects(ended.done.tally, ended.store)


class Ended(NamedTuple):
    """A finished match: its folder, results and faults, and why it has no HTML report (empty if it has one)."""

    store: Store[MatchPlan]
    done: Finished
    faults: FaultReports
    without_report: str


def conducted(options: MatchOptions, file: MatchFile, console: Screen) -> Ended:
    """Play the match of `file` as `options` say. With --strict the first fault ends the command."""
    faults = FaultReports()
    with running(options, plan_of(file), file) as (store, executor):
        console.tell(store.plan.threads.line)
        if CLONE is not None and core != "compiled" and store.plan.games >= LONG:
            say("the core runs as plain Python; scripts/compile makes a match of this length faster", err=True)

        def run() -> Finished:
            with progress_bar(console, store.plan) as draw:

                def tell(progress: conducting.Progress) -> None:
                    draw(progress.games, progress.planned, estimate_text(progress, store.plan.names[0]))
                    strictly(options, faults)

                return conduct(store, executor, tell, faults)

        done = carried_out(options, store, faults, run)
        return Ended(store, done, faults, write_report(store.folder / "report.html", _content(store, done)))


def asked(options: MatchOptions) -> MatchFile:
    """Return the match asked for: from the file or the resumed folder, with the flags over it."""
    flags, resumed = _flags(options), options.resume
    base = None if resumed is None else file_of(plan_in(resumed, *seeds_of(options)))
    file = read(options.file, flags, base)
    return msgspec.structs.replace(file, rules=options.ruling.over(ruleset.FILES, file.rules))


def _flags(options: MatchOptions) -> dict[str, Any]:
    """Return the given options by the keys of a match file."""
    if options.file is not None and options.players is None and not os.path.exists(options.file):
        hint = f"; players stand behind --players: --players {options.file}" if "," in options.file else ""
        raise BadInput(f"{options.file}: there is no such file{hint}")
    flags = pool_flags("match", options)
    flags |= {f"match.{name}": getattr(options, name) for name in ("format", "seatings", "sets", "games")}
    if options.until is not None:
        key, _, value = options.until.partition("=")
        if key.strip() != "ci" or not value:
            raise BadInput(f"--until {options.until}: allowed is ci=WIDTH, for example ci=0.05")
        flags["stop.ci"] = _number("--until ci", value, float)
    if options.sprt is not None:
        flags["stop.sprt"] = True
        for key, value in split_texts(filter(None, options.sprt.split(",")), "--sprt", example="rank1=2.45").items():
            if key not in STOP_KEYS:
                raise BadInput(f"--sprt: there is no {key}; the keys are {', '.join(STOP_KEYS)}")
            flags[f"stop.{key}"] = _number(f"--sprt {key}", value, int if key == "least" else float)
    return flags


def _number(flag: str, text: str, kind: type[int] | type[float]) -> float:
    try:
        return kind(text)
    except ValueError:
        raise BadInput(f"{flag}: {text!r} is not a {'whole ' if kind is int else ''}number") from None


def _content(store: Store[MatchPlan], done: Finished) -> Content:
    plan, results = store.plan, done.results
    facts = {
        "players": plan.sides or ", ".join(plan.bots),
        "format": f"{plan.format}, seatings {plan.seatings}, walls {plan.walls}",
        "rules": ruleset.describe(plan.rules),
        "seed": str(plan.seed),
        "threads": f"{plan.threads}, on a fault: {plan.on_fault}",
    }
    if results.ended_by:
        facts["ended early"] = results.ended_by
    played = done.tally.points, results.figures, done.times, done.games
    return Content(facts, *played, results.sprt, done.course, plan.unit)


def show(console: Screen, ended: Ended) -> None:
    """Print the results."""
    store, done = ended.store, ended.done
    results, plan = done.results, store.plan
    if results.figures is None:
        console.say(f"no {plan.unit} has a result")
    else:
        for table in tables_of(results.figures, done.times, console.width):
            console.print(table)
            console.print()
        if results.sprt is None:
            console.tell(verdict(hanchan_compared(results.figures, plan.unit)))
        found = results.figures
        void = f", {found.void} without a result: {'; '.join(found.void_reasons)}" if found.void else ""
        console.say(
            f"{found.games} {plan.unit} in {found.sets} set{'s' * (found.sets != 1)}, format {plan.format}, "
            f"walls {plan.walls}, seed {plan.seed}{void}"
        )
        console.tell(found.legend)
        if plan.sides:
            console.tell(plan.sides)
    if results.sprt is not None:  # the user asked for the test: it is the verdict
        console.tell(sprt_text(results.sprt))
        if results.figures is not None and (how_far := pace(results.sprt, results.figures.sets)):
            console.tell(how_far)
    if results.ended_by:
        console.tell(f"ended early: {results.ended_by}")
    console.say(f"all of it: {told(store.folder)}, {ended.without_report or 'report report.html'}")
