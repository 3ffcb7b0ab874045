"""`jantaku match`: many hanchan on paired walls, and what can be said after them."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TimeRemainingColumn
from rich.table import Column
from rich.text import Text

from table.cli.lines import own_output
from table.cli.numbers import Seed, seconds
from table.cli.options import BOTS
from table.cli.out import Folder, unique
from table.cli.say import say
from table.cli.screen import Screen, bar, description
from table.clock import stamp
from table.errors import BadInput, TableFault
from table.match import conduct as conducting
from table.match.conduct import Finished, conduct
from table.match.folder.store import Store, places_in, plan_in, refuse_other
from table.match.plan.matchfile import MatchFile, read
from table.match.plan.plan import MatchPlan, file_of, plan_of, table_needs
from table.match.report.report import Content, write_report
from table.match.report.tables import estimate_text, sprt_text, tables_of
from table.match.workers.crew import Crew, Here
from table.match.workers.processes import Processes
from table.play import seeds
from table.riichi import ruleset
from table.settings import split_texts

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
"""So many hanchan are named that are played again."""
STOP_KEYS = ("rank0", "rank1", "alpha", "beta", "least")


@click.command(epilog=EPILOG)
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--players", metavar="A,B,…", help=f"The pool: {BOTS}.")
@click.option("--format", "form", metavar="FORMAT", help="seats, 1v3, 2v2, round-robin or gauntlet.  [default: seats]")
@click.option("--seatings", metavar="WHICH", help="rotated (4 per wall set), all (24) or one (without pairing).")
@click.option("--walls", metavar="SCHOOL", help="shared, or per-seat: every seat has its own draw queue.")
@click.option("--sets", type=int, metavar="N", help="Wall sets.  [default: 25]")
@click.option("--games", type=int, metavar="N", help="Hanchan instead of sets; whole sets of them.")
@click.option("--seed", type=Seed(), metavar="N", help="Seed of walls and bots: the same seed plays the same match.")
@click.option("--until", "until", metavar="ci=0.05", help="Stop once the 95 % interval of the mean rank is so narrow.")
@click.option("--sprt", is_flag=False, flag_value="", metavar="[KEY=X,…]", help="Stop by a test of rank0 and rank1.")
@click.option("--rules", "rule_source", metavar="PRESET|FILE", help="Rules: a preset or a file (`jantaku rules`).")
@click.option("--set", "texts", multiple=True, metavar="KEY=VALUE", help="Change one rule, e.g. ron.max_winners=1.")
@click.option("--length", metavar="LENGTH", help="Length of each game: one, tonpu, hanchan, …")
@click.option("--threads", metavar="MODE", help="resident, per-turn or inline (no clock).  [default: resident]")
@click.option("--limit", type=seconds(0.001), metavar="SECONDS", help="Time for each answer.  [default: 10]")
@click.option("--workers", type=int, metavar="N", help="Processes; 0 plays in this one.  [default: one per core]")
@click.option("--on", metavar="WHERE", help="processes, or ray: a cluster (pip install jantaku[ray]).")
@click.option("--out", type=Folder(), metavar="DIR", help="Folder for the match, new or empty.")
@click.option("--resume", type=click.Path(path_type=Path), metavar="DIR", help="Go on with the match in this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as one JSON object, nothing else.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def command(**given: Any) -> None:
    """Play a match on paired walls and say who is better, with honest intervals.

    Every hanchan is kept as soon as it is over. Ctrl-C drops those in progress within seconds; --resume plays
    exactly what is missing and ends with the same files.
    """
    console = Screen(quiet=given["quiet"] or given["as_json"])
    with own_output(given["as_json"]) as output, _opened(given) as (store, crew):
        try:
            with _bar(console, store.plan) as tell:
                done = conduct(store, crew, tell)
        except KeyboardInterrupt:
            say(f"stopped; {_how_to_go_on(store)}", err=True)
            raise
        except BadInput as problem:
            raise BadInput(f"{problem}; {_how_to_go_on(store)}") from problem
        report = write_report(store.folder / "report.html", _content(store, done))
        if output is not None:
            say(msgspec.json.encode({"results": done.results, "times": done.times}), to=output)
    _show(console, store, done, report)
    if done.tally.defects:
        raise TableFault(f"{done.tally.defects} hanchan are void by a defect of jantaku itself; see {store.folder}")


def _how_to_go_on(store: Store) -> str:
    return f"{len(store.kept)} hanchan are kept; go on with: jantaku match --resume {store.folder}"


@contextmanager
def _opened(given: dict[str, Any]) -> Iterator[tuple[Store, Crew]]:
    """The folder of a new match or of one that goes on, and who plays it. Nothing is written if either cannot be."""
    flags, resumed = _flags(given), given["resume"]
    if resumed is not None and given["out"] not in (None, resumed):
        raise BadInput("--out: a match that is resumed stays in its folder; leave --out away")
    base = None if resumed is None else file_of(plan_in(resumed))
    file = _with_rules(read(given["file"], flags, base), given)
    plan = plan_of(file)
    if resumed is not None:
        refuse_other(resumed, plan)
    folder = resumed or given["out"] or Path(file.match.out or f"matches/{unique(stamp())}")
    with _crew(plan, folder, file) as crew:
        store = Store.create(folder, plan) if resumed is None else Store.resume(folder)
        with closing(store):
            if store.again:
                say(_played_again(store), err=True)
            yield store, crew


def _played_again(store: Store) -> str:
    named = ", ".join(map(str, store.again[:NAMED]))
    more = ", …" if len(store.again) > NAMED else ""
    return (
        f"{store.folder}: records of {len(store.again)} finished hanchan are missing or not whole ({named}{more}); "
        "these hanchan are played again"
    )


def _flags(given: dict[str, Any]) -> dict[str, Any]:
    """The flags that were given, by the keys of a match file."""
    names = ("seatings", "walls", "sets", "games", "threads", "workers", "on")
    flags = {f"match.{name}": given[name] for name in names} | {"match.format": given["form"]}
    if given["players"] is not None:
        flags["match.players"] = [spec.strip() for spec in given["players"].split(",") if spec.strip()]
    if given["seed"] is not None:
        flags["match.seed"] = seeds.read(given["seed"], "--seed")
    if given["limit"] is not None:
        flags |= {"clock.turn": given["limit"], "clock.reaction": given["limit"]}
    if given["until"] is not None:
        key, _, value = given["until"].partition("=")
        if key.strip() != "ci":
            raise BadInput(f"--until {given['until']}: allowed is ci=WIDTH, for example ci=0.05")
        flags["stop.ci"] = _number("--until ci", value, float)
    if given["sprt"] is not None:
        flags["stop.sprt"] = True
        for key, value in split_texts((part for part in given["sprt"].split(",") if part), "--sprt").items():
            if key not in STOP_KEYS:
                raise BadInput(f"--sprt: there is no {key}; the keys are {', '.join(STOP_KEYS)}")
            flags[f"stop.{key}"] = _number(f"--sprt {key}", value, int if key == "least" else float)
    return flags


def _number(flag: str, text: str, kind: type[int] | type[float]) -> float:
    try:
        return kind(text)
    except ValueError:
        raise BadInput(f"{flag}: {text!r} is not a {'whole ' if kind is int else ''}number") from None


def _with_rules(file: MatchFile, given: dict[str, Any]) -> MatchFile:
    """Rules by flags win over those of the file."""
    rules = ruleset.resolve(given["rule_source"]).rules if given["rule_source"] else file.rules
    texts = split_texts(given["texts"], "--set")
    if given["length"]:
        texts = {"game.length": given["length"], **texts}
    return msgspec.structs.replace(file, rules=ruleset.with_settings(rules, texts) if texts else rules)


@contextmanager
def _crew(plan: MatchPlan, folder: Path, file: MatchFile) -> Iterator[Crew]:
    """Who plays the match, ready to begin. BadInput if they cannot."""
    workers, places = file.match.workers, places_in(folder)
    if file.match.on == "ray":
        from table.match.workers.on_ray import OnRay, joined  # an extra that need not be installed

        needs = table_needs(file, plan)
        with joined():
            yield OnRay(plan, workers, needs)
    elif workers == 0:
        yield Here(plan, places)
    else:
        yield Processes(plan, places, workers or os.cpu_count() or 1)


class _Rate(ProgressColumn):
    """Hanchan per second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "-/s")


@contextmanager
def _bar(console: Screen, plan: MatchPlan) -> Iterator[Callable[[conducting.Progress], None]]:
    """Shows progress: a bar on a terminal, else a line for every tenth and every doubling."""
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
        "players": ", ".join(plan.bots),
        "format": f"{plan.format}, seatings {plan.seatings}, walls {plan.walls}",
        "rules": ruleset.describe(plan.rules),
        "seed": str(plan.seed),
        "threads": f"{plan.threads}, on a fault: {plan.on_fault}",
    }
    if results.sprt is not None:
        facts["test"] = sprt_text(results.sprt)
    if results.ended_by:
        facts["ended early"] = results.ended_by
    return Content(" · ".join(plan.names), facts, done.tally.points, results.figures, done.times)


def _show(console: Screen, store: Store, done: Finished, report: str) -> None:
    results, plan = done.results, store.plan
    if results.figures is None:
        console.say("no hanchan has a result")
    else:
        for table in tables_of(results.figures, done.times):
            console.print(table)
            console.print()
        found = results.figures
        void = f", {found.void} without a result: {'; '.join(found.void_reasons)}" if found.void else ""
        console.print(
            f"{found.games} hanchan in {found.sets} sets, format {plan.format}, walls {plan.walls}, "
            f"seed {plan.seed}{void}"
        )
        console.say("± is half of the 95 % interval; the wall set is its unit")
    if results.sprt is not None:
        console.say(sprt_text(results.sprt))
    if results.ended_by:
        console.say(f"ended early: {results.ended_by}")
    console.say(f"all of it: {store.folder}, {report}")
