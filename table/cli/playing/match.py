"""`jantaku match`: many hanchan on paired walls, and the statistics of them."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TimeRemainingColumn
from rich.table import Column
from rich.text import Text

from table.cli.lines import own_output
from table.cli.looking.records import unique
from table.cli.main import FAILED
from table.cli.options import (
    BOTS,
    SEED,
    CommandOptions,
    Folder,
    RuleOptions,
    RunOptions,
    WholeNumber,
    argument,
    option,
    rules,
    words_of,
)
from table.cli.playing.faults import next_steps, tell
from table.cli.say import say
from table.cli.screen import Screen, bar, description
from table.clock import stamp
from table.errors import BadInput, TableFault
from table.installation import here, told
from table.match import conduct as conducting
from table.match.conduct import Finished, conduct
from table.match.folder.hidden import places_in, plan_in
from table.match.folder.store import OTHER_CODE, Store, refuse_other
from table.match.plan.matchfile import Match, MatchFile, read
from table.match.plan.plan import MatchPlan, file_of, plan_of, table_needs
from table.match.report.report import Content, write_report
from table.match.report.tables import estimate_text, sprt_text, tables_of
from table.match.report.verdict import hanchan_compared, pace, verdict
from table.match.workers.executor import Executor, Here
from table.match.workers.processes import Processes
from table.play import seeds
from table.play.faults import FaultReports
from table.play.roster import terms_in
from table.play.roster import words_of as written
from table.riichi import ruleset
from table.seating.spec import players_in
from table.settings.layers import split_texts

EPILOG = """Examples:

\b
  jantaku match --format 1v3 --players mybots:New,mybots:Old --sets 250
  jantaku match --players shanten,caller,dice,tsumogiri --until ci=0.05
  jantaku match --format 1v3 --players mybots:New,mybots:Old --sprt rank1=2.45
  jantaku match tournament.toml --workers 4 --out matches/june
  jantaku match --resume matches/june
"""
WIDE, NARROW = 20, 8
"""Columns of the progress bar."""
NAMED = 5
"""At most this many hanchan to be replayed are listed."""
MOST = 10_000_000
STOP_KEYS = ("rank0", "rank1", "alpha", "beta", "least")


class MatchOptions(CommandOptions):
    """The command's options."""

    file: str | None = argument("[FILE]", default=None)
    players: str | None = option(f"The pool: {BOTS}.", "A,B,…")
    format: str | None = option("Who meets whom.  [default: seats]", type=words_of(Match, "format"))
    seatings: str | None = option("4 per wall set, 24, or without pairing.", type=words_of(Match, "seatings"))
    walls: str | None = option("per-seat: every seat has its own draw queue.", type=words_of(Match, "walls"))
    sets: int | None = option("Wall sets.  [default: 25]", "N", type=WholeNumber(1, MOST))
    games: int | None = option("Hanchan instead of sets; whole sets of them.", "N", type=WholeNumber(1, MOST))
    seed: str | None = option("Seed of walls and bots: the same seed plays the same match.", "N", type=SEED)
    until: str | None = option("Stop once the 95 % interval of the mean rank is so narrow.", "ci=0.05")
    sprt: str | None = option("Stop by a test of rank0 and rank1.", "[KEY=X,…]", is_flag=False, flag_value="")
    ruling: RuleOptions = rules(length=True)
    run: RunOptions = RunOptions.group(threads={"help": "per-turn: as in play; inline: no clock.  [default: resident]"})
    workers: int | None = option(
        "Processes; 0 plays in this one.  [default: one per core]", "N", type=WholeNumber(0, 1024)
    )
    on: str | None = option("ray: on a cluster (needs jantaku[ray]).", type=words_of(Match, "on"))
    out: Path | None = option("Folder for the match, new or empty.", "DIR", type=Folder())
    resume: Path | None = option("Go on with the match in this folder.", "DIR", type=Folder())
    strict: bool = option("Stop at the first fault, with exit code 1.")
    json: bool = option("Print the results as one JSON object, nothing else.")
    quiet: bool = option("Print nothing but errors.")


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
    show(console, ended)
    tell_faults(options, ended.store, ended.faults)
    refuse_defects(ended)


class Ended(NamedTuple):
    """A match that was played: its folder, its results, the faults that were seen, and why there is no HTML report
    (empty if there is one)."""

    store: Store
    done: Finished
    faults: FaultReports
    without_report: str


def conducted(options: MatchOptions, file: MatchFile, console: Screen) -> Ended:
    """Play the match of `file` where and how `options` say. With --strict the first fault ends the command."""
    faults = FaultReports()
    with _opened(options, file) as (store, executor):
        try:
            with _bar(console, store.plan) as draw:
                done = conduct(store, executor, _strictly(draw, faults) if options.strict else draw, faults)
        except KeyboardInterrupt:
            say(f"stopped; {_how_to_go_on(store)}", err=True)
            tell_faults(options, store, faults)
            raise
        except _FirstFault:
            say(f"stopped at the first fault; {_how_to_go_on(store)}", err=True)
            tell_faults(options, store, faults)
            raise click.exceptions.Exit(FAILED) from None
        except BadInput as problem:
            raise BadInput(f"{problem}; {_after_bad_input(store)}") from problem
        return Ended(store, done, faults, write_report(store.folder / "report.html", _content(store, done)))


class _FirstFault(Exception):
    """Ends a match with --strict."""


def _strictly(draw: Callable[[conducting.Progress], None], faults: FaultReports) -> Callable[..., None]:
    def draw_or_end(progress: conducting.Progress) -> None:
        draw(progress)
        if faults:
            raise _FirstFault

    return draw_or_end


def tell_faults(options: MatchOptions, store: Store, faults: FaultReports) -> None:
    """The faults of this run, and what to do next."""
    tell(faults, store.folder, quiet=options.quiet, json=options.json)
    if faults and not options.quiet:
        examined = dict(zip(store.plan.names, map(written, store.plan.players), strict=True))
        say(*next_steps(faults, examined), err=options.json)


def refuse_defects(ended: Ended) -> None:
    """TableFault if hanchan are void by our own fault."""
    if defects := ended.done.tally.defects:
        are = "is" if defects == 1 else "are"
        raise TableFault(f"{defects} hanchan {are} void by a defect of jantaku itself; see {told(ended.store.folder)}")


def _how_to_go_on(store: Store) -> str:
    kept = f"{len(store.kept)} hanchan {'is' if len(store.kept) == 1 else 'are'} kept"
    return f"{kept}; go on with: jantaku match --resume {told(store.folder)}"


def _after_bad_input(store: Store) -> str:
    """How to go on once the cause is mended, which may mean other code."""
    if store.take_back():
        return "nothing was played, and nothing is kept: mend that and give the same command again"
    return f"{_how_to_go_on(store)} (if you change a bot's code: {OTHER_CODE})"


def asked(options: MatchOptions) -> MatchFile:
    """The match that is asked for: of the file, of the folder that is resumed, and of the flags over both."""
    flags, resumed = _flags(options), options.resume
    if resumed is not None and options.out not in (None, resumed):
        raise BadInput("--out: a match that is resumed stays in its folder; leave --out away")
    base = None if resumed is None else file_of(plan_in(resumed, *_seed(options)))
    file = read(options.file, flags, base)
    return msgspec.structs.replace(file, rules=options.ruling.over(ruleset.FILES, file.rules))


def _seed(options: MatchOptions) -> tuple[int | str, ...]:
    return () if options.seed is None else (seeds.read(options.seed, "--seed"),)


@contextmanager
def _opened(options: MatchOptions, file: MatchFile) -> Iterator[tuple[Store, Executor]]:
    """The folder of a new or resumed match, and its executor. Nothing is written if either cannot be used."""
    resumed = options.resume
    plan = plan_of(file)
    if resumed is not None:
        refuse_other(resumed, plan)
    folder = resumed or options.out or here(Path(file.match.out or f"matches/{unique(stamp())}"))
    with _executor_of(plan, folder, file) as executor:
        store = Store.create(folder, plan) if resumed is None else Store.resume(folder, *_seed(options))
        with closing(store):
            if store.again:
                say(_played_again(store), err=True)
            yield store, executor


def _played_again(store: Store) -> str:
    named = ", ".join(map(str, store.again[:NAMED]))
    more = ", …" if len(store.again) > NAMED else ""
    if len(store.again) == 1:
        return f"{told(store.folder)}: the record of hanchan {named} is missing or not whole; it is played again"
    return (
        f"{told(store.folder)}: records of {len(store.again)} finished hanchan are missing or not whole "
        f"({named}{more}); these hanchan are played again"
    )


def _flags(options: MatchOptions) -> dict[str, Any]:
    """The options that were given, by the keys of a match file."""
    if options.file is not None and options.players is None and not os.path.exists(options.file):
        hint = f"; players stand behind --players: --players {options.file}" if "," in options.file else ""
        raise BadInput(f"{options.file}: there is no such file{hint}")
    names = ("format", "seatings", "walls", "sets", "games", "workers", "on")
    flags = {f"match.{name}": getattr(options, name) for name in names} | {"match.threads": options.run.threads}
    if options.players is not None:
        flags["match.players"] = [spec.strip() for spec in players_in(options.players) if spec.strip()]
    if options.run.sandbox:
        flags["match.sandbox"] = True
    if options.strict and options.resume is None:  # how a match is judged is not changed on the way
        flags["match.on_fault"] = "void"
    if options.seed is not None:
        flags["match.seed"] = seeds.read(options.seed, "--seed")
    if options.run.limit is not None:
        flags |= {"clock.turn": options.run.limit, "clock.reaction": options.run.limit}
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


@contextmanager
def _executor_of(plan: MatchPlan, folder: Path, file: MatchFile) -> Iterator[Executor]:
    """The executor of the match, ready to start. BadInput if it cannot."""
    workers, places = file.match.workers, places_in(folder, plan)
    here = any(terms.scheme == "ws" for terms in terms_in(plan.players))  # clients connect to this process
    if here and (workers or file.match.on == "ray"):
        raise BadInput("--workers: ws: players connect to this process; leave --workers and --on away")
    if file.match.on == "ray":
        from table.match.workers.on_ray import OnRay, joined  # an extra that need not be installed

        needs = table_needs(file, plan)
        with joined():
            yield OnRay(plan, workers, needs)
    elif workers == 0 or here:
        yield Here(plan, places)
    else:
        yield Processes(plan, places, workers or os.cpu_count() or 1)


class _Rate(ProgressColumn):
    """Hanchan per second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "-/s")


@contextmanager
def _bar(console: Screen, plan: MatchPlan) -> Iterator[Callable[[conducting.Progress], None]]:
    """Reports progress: a bar on a terminal, else a line at every tenth and every doubling."""
    estimate = description(Column(ratio=1, no_wrap=True, overflow="ellipsis"))
    columns = (
        BarColumn(WIDE if console.width >= 100 else NARROW),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
    )
    shown = console.is_terminal and not console.quiet
    with bar(console, *columns, estimate, shown=shown, expand=True, hertz=4) as drawn:
        task = drawn.add_task("", total=plan.games)

        def tell(progress: conducting.Progress) -> None:
            games = progress.games
            tenth = games * 10 // progress.planned > (games - 1) * 10 // progress.planned
            if shown:
                drawn.update(task, completed=games, description=estimate_text(progress, plan.names[0]))
            elif tenth or games & (games - 1) == 0:
                told = (f"{games} of {progress.planned} hanchan", estimate_text(progress, plan.names[0]))
                console.say(", ".join(filter(None, told)))

        yield tell


def _content(store: Store, done: Finished) -> Content:
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
    return Content(facts, done.tally.points, results.figures, done.times, done.games, results.sprt, done.course)


def show(console: Screen, ended: Ended) -> None:
    """The results for a person."""
    store, done = ended.store, ended.done
    results, plan = done.results, store.plan
    if results.figures is None:
        console.say("no hanchan has a result")
    else:
        for table in tables_of(results.figures, done.times, console.width):
            console.print(table)
            console.print()
        if results.sprt is None:
            console.tell(verdict(hanchan_compared(results.figures)))
        found = results.figures
        void = f", {found.void} without a result: {'; '.join(found.void_reasons)}" if found.void else ""
        console.say(
            f"{found.games} hanchan in {found.sets} set{'s' * (found.sets != 1)}, format {plan.format}, "
            f"walls {plan.walls}, seed {plan.seed}{void}"
        )
        console.tell("± is half of the 95 % interval; the wall set is its unit")
        if plan.sides:
            console.tell(plan.sides)
    if results.sprt is not None:  # it was asked for, so it is the verdict
        console.tell(sprt_text(results.sprt))
        if results.figures is not None and (how_far := pace(results.sprt, results.figures.sets)):
            console.tell(how_far)
    if results.ended_by:
        console.tell(f"ended early: {results.ended_by}")
    console.say(f"all of it: {told(store.folder)}, {ended.without_report or 'report report.html'}")
