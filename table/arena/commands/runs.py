"""What the commands for matches and tournaments share: where a plan is played, and what is printed meanwhile.

It begins with the options of `jantaku match`, which `jantaku tournament` has as well, and their meaning for a pool of
players.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TimeRemainingColumn
from rich.table import Column
from rich.text import Text

from jantaku.table import core
from jantaku.table.arena.match.conduct import Ended, RunPlace, Tell
from jantaku.table.arena.match.figures.statistics import Figures
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.matchfile import Match
from jantaku.table.arena.match.pool import PoolPlan
from jantaku.table.arena.match.poolfile import PoolFile
from jantaku.table.arena.match.ranklists import NAMES
from jantaku.table.arena.match.store import Store, other_code
from jantaku.table.cli.commands.faults import next_steps, tell
from jantaku.table.cli.commands.records import unique
from jantaku.table.cli.main import FAILED
from jantaku.table.cli.options import (
    BOTS,
    SEED,
    CommandOptions,
    Folder,
    PartWord,
    RuleOptions,
    RunOptions,
    WholeNumber,
    argument,
    option,
    rules,
    words_of,
)
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen, bar, description
from jantaku.table.ground.clock import stamp
from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.installation import CLONE, here, told, typed
from jantaku.table.play import seeds
from jantaku.table.play.outcome import FaultReports
from jantaku.table.play.parts import PartOf, part_in
from jantaku.table.play.seating.roster import words_of as written
from jantaku.table.play.seating.spec import players_in
from jantaku.table.records.journal.places import plan_name

MOST = 10_000_000
LONG = 400
"""From this many hanchan on, compiling the core, a minute or two, takes less time than it saves."""


class MatchOptions(CommandOptions):
    file: str | None = argument("[FILE]", default=None)
    players: str | None = option(f"The pool: {BOTS}.", "A,B,…")
    format: str | None = option("Who meets whom.  [default: seats]", type=words_of(Match, "format"))
    seatings: str | None = option("Per wall set: rotated 4; all 24; one 1, unpaired.", type=words_of(Match, "seatings"))
    walls: str | None = option("per-seat: every seat has its own draw queue.", type=words_of(Match, "walls"))
    sets: int | None = option("Wall sets.  [default: 25]", "N", type=WholeNumber(1, MOST))
    games: int | None = option("Hanchan, in place of --sets; a whole number of sets.", "N", type=WholeNumber(1, MOST))
    seed: str | None = option("Seed of walls and bots: the same seed plays the same match.", "N", type=SEED)
    until: str | None = option("Stop once the 95 % interval of the mean rank is this narrow.", "ci=0.05")
    sprt: str | None = option("Stop by a test of rank0 and rank1.", "[KEY=X,…]", is_flag=False, flag_value="")
    ruling: RuleOptions = rules(length=True)
    run: RunOptions = RunOptions.group(threads={"help": "per-turn: as in play; inline: no clock.  [default: resident]"})
    workers: int | None = option(
        "Processes; 0 plays in this one.  [default: one per core]", "N", type=WholeNumber(0, 1024)
    )
    pt: str | None = option(f"Also rank points by this list, and stable dan: {NAMES}.", "LIST")
    luck: bool = option("Also the results without luck, which need fewer games; ends are judged by them.")
    no_pin: bool = option("Let processes use all cores, without trying whether one is faster.")
    part: PartOf | None = option("Play every N-th wall set from the I-th on; see `collect`.", "I/N", type=PartWord())
    out: Path | None = option("Folder for the match, new or empty.", "DIR", type=Folder())
    resume: Path | None = option("Continue the match in this folder.", "DIR", type=Folder())
    check: bool = option("Play one bot against itself; exit code 1 if the same walls make other games.")
    strict: bool = option("Stop at the first fault, with exit code 1.")
    json: bool = option("Print the results as one JSON object, nothing else.")
    quiet: bool = option("Print nothing but errors.")


def pool_flags(table: str, options: MatchOptions) -> dict[str, Any]:
    """Return the given options about the pool, by the keys of a file whose players stand in `table`."""
    told: dict[str, Any] = {name: getattr(options, name) for name in ("walls", "workers", "pt")}
    told["threads"] = options.run.threads
    if options.no_pin:
        told["pin"] = False
    if options.luck:
        told["luck"] = True
    if options.players is not None:
        told["players"] = [spec.strip() for spec in players_in(options.players) if spec.strip()]
    if options.run.sandbox:
        told["sandbox"] = True
    if options.strict and options.resume is None:  # a resumed plan keeps its on_fault
        told["on_fault"] = "void"
    if options.seed is not None:
        told["seed"] = seeds.read(options.seed, "--seed")
    limit, flag = options.run.limit, options.run.flag
    clock: dict[str, Any] = {} if limit is None else dict.fromkeys(("clock.turn", "clock.reaction"), limit)
    if flag is not None:
        clock["clock.flag"] = flag
    return {f"{table}.{key}": value for key, value in told.items()} | clock


WIDE, NARROW = 20, 8
"""Columns of the progress bar on a wide and on a narrow terminal."""
FOLDERS = {"match": "matches", "tournament": "tournaments"}
"""Parent of the folders that are made if the user names none."""
NAMED = 5
"""Most hanchan to be replayed that a message lists."""


def seeds_of(options: MatchOptions) -> tuple[int | str, ...]:
    return () if options.seed is None else (seeds.read(options.seed, "--seed"),)


def where_of(options: MatchOptions, plan: PoolPlan, file: PoolFile) -> RunPlace:
    """Return where a plan is played. `file` is what it was made of."""
    resumed, playing = options.resume, file.playing
    if options.part is not None:
        return _part_of(options, plan, file)
    if resumed is not None and options.out not in (None, resumed):
        raise BadInput(f"--out: a {plan.KIND} that is resumed stays in its folder; leave --out away")
    folder = resumed or options.out or here(Path(playing.out or f"{FOLDERS[plan.KIND]}/{unique(stamp())}"))
    known = None if resumed is None else part_in(resumed)
    return RunPlace(folder, resumed is not None, playing.workers, playing.pin, None if known is None else known.own)


def _part_of(options: MatchOptions, plan: PoolPlan, file: PoolFile) -> RunPlace:
    """Return where a part is played. A known folder is gone on with, as engines begin a job again; what is resumed may
    be another part of the same match."""
    part = options.part
    assert part is not None, "asked before"
    folder = refuse_alone(options, part, file.playing.seed)
    there = os.path.lexists(folder / plan_name(plan.KIND))
    if there and part_in(folder) is None:
        raise BadInput(f"{folder} holds a whole {plan.KIND}, not a part of one; give another --out")
    return RunPlace(folder, there, file.playing.workers, file.playing.pin, part)


@contextmanager
def watched(options: MatchOptions, console: Screen, store: Store[Any], faults: FaultReports) -> Iterator[Tell]:
    """Print how a run goes, and how to go on if it ends early. With --strict the first fault ends it."""
    if store.again:
        say(_played_again(store), err=True)
    console.tell(store.plan.threads.line)
    try:
        with _progress(console, store.plan) as draw:

            def tell(over: int, planned: int, stands: str) -> None:
                draw(over, planned, stands)
                if options.strict and faults:
                    raise _FirstFault

            yield tell
    except (KeyboardInterrupt, _FirstFault) as why:
        at = " at the first fault" if isinstance(why, _FirstFault) else ""
        say(f"stopped{at}; {_how_to_go_on(store)}", err=True)
        tell_faults(options, store, faults)
        if at:
            raise click.exceptions.Exit(FAILED) from None
        raise
    except BadInput as problem:
        raise BadInput(f"{problem}; {_after_bad_input(store)}") from problem


class _FirstFault(Exception):
    """With --strict, ends the run."""


def tell_faults(options: MatchOptions, store: Store[Any], faults: FaultReports) -> None:
    tell(faults, store.folder, quiet=options.quiet, json=options.json)
    if faults and not options.quiet:
        examined = dict(zip(store.plan.names, map(written, store.plan.players), strict=True))
        say(*next_steps(faults, examined), err=options.json)


def tell_figures(console: Screen, found: Figures, plan: PoolPlan, more: str = "") -> None:
    """Print what was played, and what the tables mean. `more`: facts of this kind of plan."""
    void = f", {found.void} without a result: {'; '.join(found.void_reasons)}" if found.void else ""
    console.say(f"{found.games} {plan.unit}{more}, walls {plan.walls}, seed {plan.seed}{void}")
    console.tell(found.legend)


def tell_place(console: Screen, ended: Ended[Any, Any]) -> None:
    console.say(f"everything: {told(ended.store.folder)}, {ended.without_report or 'report report.html'}")


def refuse_defects(tally: MatchTally, store: Store[Any]) -> None:
    """Raise TableFault if games are void by a defect of jantaku."""
    if defects := tally.defects:
        void = f"{store.plan.unit} {'is' if defects == 1 else 'are'} void by a defect of jantaku itself"
        raise TableFault(f"{defects} {void}; see {told(store.folder)}")


def refuse_alone(options: MatchOptions, part: PartOf, seed: int | str | None) -> Path:
    """Return the folder of a part. BadInput without one, and without a seed, which all parts share."""
    if seed is None:
        raise BadInput(f"--part {part}: all parts need the same seed: give --seed")
    if (folder := options.out or options.resume) is None:
        raise BadInput(f"--part {part}: give it a folder of its own: --out DIR")
    return folder


def tell_part(console: Screen, ended: Ended[Any, Any], part: PartOf) -> None:
    """Print what a part has played, and the command that puts all parts together."""
    store = ended.store
    console.say(f"part {part}: {len(store.kept)} {store.plan.unit}, seed {store.plan.seed}: {told(store.folder)}")
    console.say(f"when all parts are finished: {typed('collect PART… --out DIR')}")


def _how_to_go_on(store: Store[Any]) -> str:
    kept = f"{len(store.kept)} {store.plan.unit} {'is' if len(store.kept) == 1 else 'are'} kept"
    if part_in(store.folder) is not None:
        return f"{kept}; the same command goes on with this part"
    return f"{kept}; go on with: {typed(f'{store.plan.KIND} --resume {told(store.folder)}')}"


def _after_bad_input(store: Store[Any]) -> str:
    """Say how to go on once the cause is mended, which may change the code of a bot."""
    if not store.folder.is_dir():
        return f"{told(store.folder)} has been removed with all that was played"
    if store.take_back():
        return "nothing was played or kept: fix that and give the same command again"
    return f"{_how_to_go_on(store)}; {other_code(store.plan.KIND)}"


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


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "-/s")


@contextmanager
def _progress(console: Screen, plan: PoolPlan) -> Iterator[Tell]:
    """Report progress: a bar on a terminal, else a line at every tenth and every doubling."""
    if plan.KIND == "match" and CLONE is not None and core != "compiled" and plan.games >= LONG:
        say("the core runs as plain Python; scripts/compile makes a match of this length faster", err=True)
    shown = console.is_terminal and not console.quiet
    words = description(Column(ratio=1, no_wrap=True, overflow="ellipsis"))
    wide = BarColumn(WIDE if console.width >= 100 else NARROW)
    columns = (wide, MofNCompleteColumn(), _Rate(), TimeRemainingColumn(), words)
    with bar(console, *columns, shown=shown, expand=True, hertz=4) as drawn:
        task = drawn.add_task("", total=plan.games)

        def tell(over: int, planned: int, stands: str) -> None:
            tenth = over * 10 // planned > (over - 1) * 10 // planned
            if shown:
                drawn.update(task, completed=over, total=planned, description=stands)
            elif tenth or over & (over - 1) == 0:
                console.say(", ".join(filter(None, (f"{over} of {planned} {plan.unit}", stands))))

        yield tell
