"""`jantaku match`: many hanchan on paired walls, and their statistics."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec

from jantaku.table import core
from jantaku.table.arena.commands.runs import (
    MatchOptions,
    pool_flags,
    progress_bar,
    refuse_defects,
    seeds_of,
    tell_faults,
    watched,
    where_of,
)
from jantaku.table.arena.match.conduct import Ended, Finished, Progress, conduct, run
from jantaku.table.arena.match.matchfile import MatchFile, read
from jantaku.table.arena.match.plan import MatchPlan, file_of, plan_of
from jantaku.table.arena.match.records import plan_in
from jantaku.table.arena.match.report.report import write_match_report
from jantaku.table.arena.match.report.tables import NAME, hanchan_compared, pace, sprt_text, tables_of, verdict
from jantaku.table.arena.match.store import Store
from jantaku.table.cli.say import own_output, say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.columns import shortened
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import CLONE, told
from jantaku.table.ground.settings import split_texts
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
        file = asked(options)
        plan = plan_of(file)
        watch = partial(watched, options, console, drawn)
        ended = run(plan, where_of(options, plan, file), watch, conduct, write_match_report)
        if output is not None:
            found = {"results": ended.done.results, "times": ended.done.times, "faults": ended.faults.all}
            say(msgspec.json.encode(found), to=output)
    tell_faults(options, ended.store, ended.faults)
    show(console, ended)
    refuse_defects(ended.done.tally, ended.store)


@contextmanager
def drawn(console: Screen, store: Store[MatchPlan]) -> Iterator[Callable[[Progress], None]]:
    """Show the progress of a match, and how its first player stands."""
    plan = store.plan
    if CLONE is not None and core != "compiled" and plan.games >= LONG:
        say("the core runs as plain Python; scripts/compile makes a match of this length faster", err=True)
    with progress_bar(console, plan) as draw:
        yield lambda news: draw(news.games, news.planned, _standing(news, plan.names[0]))


def _standing(progress: Progress, name: str) -> str:
    """Write the first player's mean rank so far, and the state of the sequential test."""
    parts = [] if progress.estimate is None else [f"{shortened(name, NAME)} mean rank {progress.estimate.text(3)}"]
    if progress.test is not None:
        parts.append(f"LLR {progress.test.llr:+.2f} of {progress.test.lower:.2f}..{progress.test.upper:.2f}")
    return ", ".join(parts)


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


def show(console: Screen, ended: Ended[MatchPlan, Finished]) -> None:
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
