"""Runs a match or a tournament, which has a folder of its own and can be resumed."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.table import Column
from rich.text import Text

from jantaku.table.arena.commands.options import MatchOptions
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.folder.hidden import places_in
from jantaku.table.arena.match.folder.store import Store, other_code, refuse_other
from jantaku.table.arena.match.plan.pool import PoolPlan, table_needs
from jantaku.table.arena.match.plan.poolfile import Needs, PoolFile
from jantaku.table.arena.match.workers.executor import Executor
from jantaku.table.arena.match.workers.hanchan import Places
from jantaku.table.arena.match.workers.processes import local
from jantaku.table.cli.commands.faults import next_steps, tell
from jantaku.table.cli.commands.records import unique
from jantaku.table.cli.main import FAILED
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen, bar, description
from jantaku.table.ground.clock import stamp
from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.installation import here, told
from jantaku.table.play import seeds
from jantaku.table.play.faults import FaultReports
from jantaku.table.play.roster import terms_in
from jantaku.table.play.roster import words_of as written

WIDE, NARROW = 20, 8
"""Columns of the progress bar on a wide and on a narrow terminal."""
FOLDERS = {"match": "matches", "tournament": "tournaments"}
"""Parent of the folders that are made if the user names none."""
NAMED = 5
"""Most hanchan to be replayed that a message lists."""
P = TypeVar("P", bound=PoolPlan)
R = TypeVar("R")
Tell = Callable[[int, int, str], None]
"""Called with the number of finished hanchan, the number of all, and the standing in words."""


def seeds_of(options: MatchOptions) -> tuple[int | str, ...]:
    """Return the seed that was given, if any."""
    return () if options.seed is None else (seeds.read(options.seed, "--seed"),)


@contextmanager
def running(options: MatchOptions, plan: P, file: PoolFile) -> Iterator[tuple[Store[P], Executor]]:
    """Create or resume the folder, and make its executor. Nothing is written if either cannot be used."""
    resumed = options.resume
    if resumed is not None:
        if options.out not in (None, resumed):
            raise BadInput(f"--out: a {plan.KIND} that is resumed stays in its folder; leave --out away")
        refuse_other(resumed, plan)
    folder = resumed or options.out or here(Path(file.playing.out or f"{FOLDERS[plan.KIND]}/{unique(stamp())}"))
    playing, places = file.playing, places_in(folder, plan)
    where = Workers(playing.workers, playing.on, playing.pin)
    with executor_of(plan, places, where, lambda: table_needs(file, plan)) as executor:
        if resumed is None:
            store = Store.create(folder, plan)
        else:
            store = Store.resume(folder, *seeds_of(options), kind=type(plan))
        with closing(store):
            if store.again:
                say(_played_again(store), err=True)
            yield store, executor


def carried_out(options: MatchOptions, store: Store[P], faults: FaultReports, run: Callable[[], R]) -> R:
    """Return the result of `run`, which plays in the store. If it is interrupted, say how to go on."""
    try:
        return run()
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


class _FirstFault(Exception):
    """With --strict, ends the match or tournament."""


def strictly(options: MatchOptions, faults: FaultReports) -> None:
    """With --strict, raise at the first fault. Call it after every hanchan."""
    if options.strict and faults:
        raise _FirstFault


def tell_faults(options: MatchOptions, store: Store[Any], faults: FaultReports) -> None:
    """Print the faults of this run, and what to do next."""
    tell(faults, store.folder, quiet=options.quiet, json=options.json)
    if faults and not options.quiet:
        examined = dict(zip(store.plan.names, map(written, store.plan.players), strict=True))
        say(*next_steps(faults, examined), err=options.json)


def refuse_defects(tally: MatchTally, store: Store[Any]) -> None:
    """Raise TableFault if games are void by a defect of jantaku."""
    if defects := tally.defects:
        void = f"{store.plan.unit} {'is' if defects == 1 else 'are'} void by a defect of jantaku itself"
        raise TableFault(f"{defects} {void}; see {told(store.folder)}")


def _how_to_go_on(store: Store[Any]) -> str:
    kept = f"{len(store.kept)} {store.plan.unit} {'is' if len(store.kept) == 1 else 'are'} kept"
    return f"{kept}; go on with: jantaku {store.plan.KIND} --resume {told(store.folder)}"


def _after_bad_input(store: Store[Any]) -> str:
    """Say how to go on once the cause is mended, which may change the code of a bot."""
    if store.take_back():
        return "nothing was played, and nothing is kept: mend that and give the same command again"
    return f"{_how_to_go_on(store)} (if you change a bot's code: {other_code(store.plan.KIND)})"


def _played_again(store: Store[Any]) -> str:
    named = ", ".join(map(str, store.again[:NAMED]))
    more = ", …" if len(store.again) > NAMED else ""
    unit = store.plan.unit
    if len(store.again) == 1:
        return f"{told(store.folder)}: the record of {unit} {named} is missing or not whole; it is played again"
    return (
        f"{told(store.folder)}: records of {len(store.again)} finished {unit} are missing or not whole "
        f"({named}{more}); these {unit} are played again"
    )


class Workers(NamedTuple):
    """How a plan is played: number of workers, on `processes` or `ray`, and whether workers may keep to a core."""

    workers: int | None
    on: str
    pin: bool


@contextmanager
def executor_of(plan: PoolPlan, places: Places, where: Workers, needs: Callable[[], Needs]) -> Iterator[Executor]:
    """Make the executor of a plan. `needs` is called on Ray only. BadInput if the plan cannot be played there."""
    here = any(terms.scheme == "ws" for terms in terms_in(plan.players))  # clients connect to this process
    if here and (where.workers or where.on == "ray"):
        raise BadInput("--workers: ws: players connect to this process; leave --workers and --on away")
    if where.on == "ray":
        from jantaku.table.arena.match.workers.on_ray import OnRay, joined  # an extra that need not be installed

        needed = needs()
        with joined():
            yield OnRay(plan, where.workers, needed)
    else:
        yield local(plan, places, 0 if here else where.workers, pin=where.pin)


class _Rate(ProgressColumn):
    """Hanchan per second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "-/s")


def hanchan_bar(console: Screen, *, shown: bool) -> Progress:
    """Make a progress bar with room for a text."""
    words = description(Column(ratio=1, no_wrap=True, overflow="ellipsis"))
    wide = BarColumn(WIDE if console.width >= 100 else NARROW)
    columns = (wide, MofNCompleteColumn(), _Rate(), TimeRemainingColumn(), words)
    return bar(console, *columns, shown=shown, expand=True, hertz=4)


@contextmanager
def progress_bar(console: Screen, plan: PoolPlan) -> Iterator[Tell]:
    """Report progress: a bar on a terminal, else a line at every tenth and every doubling."""
    shown = console.is_terminal and not console.quiet
    with hanchan_bar(console, shown=shown) as drawn:
        task = drawn.add_task("", total=plan.games)

        def tell(over: int, planned: int, stands: str) -> None:
            tenth = over * 10 // planned > (over - 1) * 10 // planned
            if shown:
                drawn.update(task, completed=over, description=stands)
            elif tenth or over & (over - 1) == 0:
                console.say(", ".join(filter(None, (f"{over} of {planned} {plan.unit}", stands))))

        yield tell
