"""`jantaku match`: many hanchan on paired walls, and their statistics."""

import os
from functools import partial
from typing import Any

import msgspec

from jantaku.table.arena.commands import runs
from jantaku.table.arena.match.conduct import Ended, run
from jantaku.table.arena.match.figures.stops import Results, Stopping
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.formats import alone
from jantaku.table.arena.match.matchfile import MatchFile, read
from jantaku.table.arena.match.plan import MatchPlan, file_of, plan_of
from jantaku.table.arena.match.pool import written
from jantaku.table.arena.match.poolfile import told_apart
from jantaku.table.arena.match.records import plan_in
from jantaku.table.arena.match.report.report import write_match_report
from jantaku.table.arena.match.report.tables import sprt_text, tables_of
from jantaku.table.arena.match.report.verdict import hanchan_compared, pace, remarks, verdict
from jantaku.table.cli.main import FAILED, OK
from jantaku.table.cli.say import own_output, say
from jantaku.table.cli.screen import Screen
from jantaku.table.drawing.columns import counted
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import told
from jantaku.table.ground.settings import split_texts
from jantaku.table.play.seating.spec import terms_of
from jantaku.table.records.journal.places import RECORDS
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.riichi import ruleset

EPILOG = """Examples:

\b
  jantaku match --format 1v3 --players mybots:New,mybots:Old --sets 250
  jantaku match --players shanten,caller,dice,tsumogiri --until ci=0.05
  jantaku match --format 1v3 --players mybots:New,mybots:Old --sprt rank1=2.45
  jantaku match tournament.toml --workers 4 --out matches/june
  jantaku match --resume matches/june
"""
ENDS = (
    "when a match ends early is decided by all parts together: leave --until, --sprt and [stop] away, and give "
    "--until or --sprt to jantaku collect"
)
CHECKED = 10
"""Wall sets of `--check` unless asked otherwise."""
STOP_KEYS = ("rank0", "rank1", "alpha", "beta", "least")


@runs.MatchOptions.command(epilog=EPILOG)
def command(options: runs.MatchOptions) -> int:
    """Play a match on paired walls and say who is better, with confidence intervals.

    Every hanchan is kept as soon as it is over. Ctrl-C drops those in progress within seconds; --resume plays
    exactly what is missing and ends with the same files.
    """
    console = Screen(quiet=options.quiet or options.json)
    with own_output(options.json) as output:
        file = against_itself(asked(options), options) if options.check else asked(options)
        plan = plan_of(file)
        where, watch = runs.where_of(options, plan, file), partial(runs.watched, options, console)
        if where.part is not None and plan.stop.runs and options.resume is None:
            raise BadInput(f"--part {where.part}: {ENDS}")
        ended = run(plan, where, watch, Stopping(plan), write_match_report)
        if output is not None:
            say(ended.encoded(), to=output)
    runs.tell_faults(options, ended.store, ended.faults)
    runs.tell_part(console, ended, where.part) if where.part else show(console, ended, judged=not options.check)
    runs.refuse_defects(ended.done.tally, ended.store)
    return _tell_check(console, ended) if options.check else OK


def against_itself(file: MatchFile, options: runs.MatchOptions) -> MatchFile:
    """Return the match in which a bot is challenger and champion. BadInput unless one player is given."""
    if options.resume is not None or options.part is not None:
        raise BadInput("--check plays a few wall sets at once: leave --resume and --part away")
    if len(file.players) != 1:
        given = ", ".join(written(file.players)) or "none"
        raise BadInput(f"--check plays one bot against itself: name one with --players; given are {given}")
    terms = terms_of(written(file.players)[0]) if isinstance(file.players[0], str) else file.players[0]
    sets = CHECKED if file.match.games is None and file.match.sets is None else file.match.sets
    match = msgspec.structs.replace(file.match, format=alone(file.rules.game.players), sets=sets)
    return msgspec.structs.replace(file, match=match, player=told_apart(terms, terms))


def _tell_check(console: Screen, ended: Ended[MatchPlan, Results]) -> int:
    """Say whether a bot cancels against itself; return the exit code."""
    store, first, differing = ended.store, dict[int, HanchanSummary](), dict[int, HanchanSummary]()
    for line in store.lines():
        if first.setdefault(line.set, line).print != line.print:
            differing.setdefault(line.set, line)
    itself, sets = f"{store.plan.bots[0]} against itself", counted(len(first), "wall set")
    if void := ended.done.tally.void:
        console.say(f"{itself} was not compared: {void} {store.plan.unit} of {sets} have no result")
        return FAILED
    if not differing:
        console.say(f"{itself} cancels: in {sets} every game is the same")
        return OK
    number, wrong = next(iter(differing.items()))
    two = " and ".join(told(journal_of(store.folder / RECORDS, one.game)) for one in (first[number], wrong))
    console.say(f"{itself} does not cancel: {len(differing)} of {sets} have games that differ, first {two}")
    return FAILED


def asked(options: runs.MatchOptions) -> MatchFile:
    """Return the match asked for: from the file or the resumed folder, with the flags over it."""
    flags, resumed = _flags(options), options.resume
    base = None if resumed is None else file_of(plan_in(resumed, *runs.seeds_of(options)))
    file = read(options.file, flags, base)
    return msgspec.structs.replace(file, rules=options.ruling.over(ruleset.FILES, file.rules))


def _flags(options: runs.MatchOptions) -> dict[str, Any]:
    if options.file is not None and options.players is None and not os.path.exists(options.file):
        hint = f"; name players after --players: --players {options.file}" if "," in options.file else ""
        raise BadInput(f"{options.file}: there is no such file{hint}")
    flags = runs.pool_flags("match", options)
    flags |= {f"match.{name}": getattr(options, name) for name in ("format", "seatings", "sets", "games")}
    return flags | stop_flags(options.until, options.sprt)


def stop_flags(until: str | None, sprt: str | None) -> dict[str, Any]:
    flags: dict[str, Any] = {}
    if until is not None:
        key, _, value = until.partition("=")
        if key.strip() != "ci" or not value:
            raise BadInput(f"--until {until}: allowed is ci=WIDTH, for example ci=0.05")
        flags["stop.ci"] = _number("--until ci", value, float)
    if sprt is not None:
        flags["stop.sprt"] = True
        for key, value in split_texts(filter(None, sprt.split(",")), "--sprt", example="rank1=2.45").items():
            if key not in STOP_KEYS:
                raise BadInput(f"--sprt: there is no {key}; the keys are {', '.join(STOP_KEYS)}")
            flags[f"stop.{key}"] = _number(f"--sprt {key}", value, int if key == "least" else float)
    return flags


def _number(flag: str, text: str, kind: type[int] | type[float]) -> float:
    try:
        return kind(text)
    except ValueError:
        raise BadInput(f"{flag}: {text!r} is not a {'whole ' if kind is int else ''}number") from None


def show(console: Screen, ended: Ended[MatchPlan, Results], *, judged: bool = True) -> None:
    """Print the results; who is better only if that is `judged`."""
    store, done = ended.store, ended.done
    results, plan = done.results, store.plan
    if results.figures is None:
        console.say(f"no {plan.unit} has a result")
    else:
        for table in tables_of(results.figures, done.times, console.width, units=bool(plan.pt)):
            console.print(table)
            console.print()
        if results.sprt is None and judged:
            console.tell(verdict(hanchan_compared(results.figures, plan.unit)))
        found = results.figures
        for remark in remarks(found, plan.unit):
            console.tell(remark)
        runs.tell_figures(console, found, plan, f" in {counted(found.sets, 'set')}, format {plan.format}")
        if plan.sides:
            console.tell(plan.sides)
    if results.sprt is not None:  # the user asked for the test: it is the verdict
        console.tell(sprt_text(results.sprt))
        if results.figures is not None and (how_far := pace(results.sprt, results.figures.sets)):
            console.tell(how_far)
    if results.ended_by:
        console.tell(f"ended early: {results.ended_by}")
    runs.tell_place(console, ended)
