"""`jantaku play`: games between bots, with records."""

import contextlib
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TextIO

import click
import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

from table import config
from table.cli.lines import own_output
from table.cli.looking.records import RecordFile, new_folder, unique
from table.cli.options import (
    BOTS,
    Folder,
    OneOf,
    RuleOptions,
    Seed,
    limit_option,
    options_of,
    rule_options,
    sandbox_option,
    seconds,
)
from table.cli.say import say
from table.cli.screen import Screen, bar, description
from table.clock import stamp
from table.daifugo import rules as daifugo
from table.errors import BadInput
from table.judge.timing import LIMIT
from table.judge.turn.way import Mode
from table.play import seeds
from table.play.daifugo import DaifugoTable
from table.play.outcome import Outcome, line_of, table_of
from table.play.riichi import Beginning, Keeping, RiichiTable
from table.play.roster import enlist
from table.play.runner import Opener, Plan, play
from table.play.watched import Pace, WatchedGames
from table.record.read import load
from table.riichi import ruleset
from table.seating.spec import Terms, confined
from table.server.watching.watch_page import WatchPage
from table.view.terminal import LiveTable

SEATS = 4
DAIFUGO_PLAYERS = ("daifugo-greedy", "daifugo-weakest", "daifugo-greedy", "daifugo-weakest", "dice", "dice")
"""Who sits down at daifugo where nothing else is said."""
EPILOG = """Examples:

\b
  jantaku play
  jantaku play --players shanten,shanten,caller,mybots:Clever --games 20
  jantaku play --rules mleague --set ron.max_winners=2 --length tonpu
  jantaku play --watch --pace 0.5
  jantaku play --game daifugo --players daifugo-greedy,daifugo-weakest,dice
  jantaku play --from records/…/game-0000.json --kyoku 3 --turn 12
"""


class PlayOptions(RuleOptions, frozen=True, kw_only=True):
    """What was asked for."""

    game: str
    players: str | None
    games: int | None
    seed: str | None
    threads: str | None
    limit: float | None
    sandbox: bool
    source: Path | None
    kyoku: int
    turn: int
    config_file: str | None
    out: Path | None
    paifu: str
    watch: bool
    watch_port: int | None
    pace: float | None
    as_json: bool
    quiet: bool


@click.command(epilog=EPILOG)
@click.option("--game", type=click.Choice(["riichi", "daifugo"]), default="riichi", help="The game.", show_default=True)
@click.option("--players", metavar="A,B,C,D", help=f"Bots: {BOTS}.")
@rule_options(length=True)
@click.option("--games", type=click.IntRange(1, 1_000_000), help="Number of games.  [default: 1]")
@click.option(
    "--seed", type=Seed(), metavar="N", help="Seed of walls, seats and bots: the same seed plays the same games."
)
@click.option("--threads", type=OneOf(Mode), help="How players run.  [default: per-turn]")
@limit_option
@sandbox_option
@click.option("--from", "source", type=RecordFile(), metavar="FILE", help="Begin inside a record.")
@click.option("--kyoku", type=click.IntRange(1), default=1, help="With --from: the kyoku, from 1.", show_default=True)
@click.option("--turn", type=click.IntRange(1), default=1, help="With --from: the turn, from 1.", show_default=True)
@click.option("--config", "config_file", metavar="FILE", help="A table's config file; flags win over it.")
@click.option("--out", type=Folder(), metavar="DIR", help="Folder for the records.")
@click.option("--paifu", type=click.Choice(["1.x", "2015"]), default="1.x", help="2015: also in that older form.")
@click.option("--watch", is_flag=True, help="Show the games in the browser while they are played.")
@click.option("--watch-port", type=click.IntRange(0, 65535), help="Port of that page.  [default: a free one]")
@click.option("--pace", type=seconds(0), metavar="SECONDS", help="Wait after each turn, for people to follow.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game, nothing else.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@options_of(PlayOptions)
def command(options: PlayOptions) -> None:
    """Play games between bots and keep their records: four at riichi, two to six at daifugo.

    Every player has a thread and a clock of its own; who is slow or breaks gets the default action and the blame.
    """
    with own_output(options.as_json) as output:
        _play(options, options.out or Path("records") / unique(stamp()), output)


def _play(options: PlayOptions, folder: Path, output: TextIO | None) -> None:
    plan, table = (_daifugo if options.game == "daifugo" else _riichi)(options, folder)
    with _page(options, folder):
        if options.game != "daifugo" and plan.games == 1 and _is_for_a_person(options):
            clocks = {one.name: one.clock(plan.clock) for one in plan.entrants}
            table = WatchedGames(table, lambda: LiveTable(Screen(), clocks))
        if pace := options.pace:
            table = WatchedGames(table, lambda: Pace(pace))
        try:
            _show(play(plan, table), plan, folder, options, output)
        except KeyboardInterrupt:
            say(f"stopped; the records so far are in {folder}", err=True)
            raise


@contextlib.contextmanager
def _page(options: PlayOptions, folder: Path) -> Iterator[None]:
    """The page of the running games, if one is wanted. In a terminal it stays until Ctrl-C: bots are quick."""
    if not options.watch and options.watch_port is None:
        yield
        return
    with WatchPage(folder, options.watch_port or 0) as viewer:
        say(f"watch at {viewer.address}", err=options.as_json or options.quiet)
        yield
        if _is_for_a_person(options):
            say(f"the last game can still be seen at {viewer.address}; Ctrl-C ends")
            with contextlib.suppress(KeyboardInterrupt):
                viewer.wait()


def _is_for_a_person(options: PlayOptions) -> bool:
    return Screen().is_terminal and not options.quiet and not options.as_json


def _riichi(options: PlayOptions, folder: Path) -> tuple[Plan, Opener]:
    settings = config.load(options.config_file) if options.config_file else config.Settings()
    record = None if options.source is None else load(options.source)
    rules = options.over(ruleset.FILES, (record.rules if record else None) or settings.rules.rules)
    players = settings.players if options.players is None else options.players.split(",")
    plan = _plan(options, settings, players, LIMIT, folder)
    if len(plan.entrants) != SEATS:
        raise BadInput(f"--players: {len(plan.entrants)} given; a riichi table seats {SEATS}")
    begin = None if record is None else Beginning(record, options.kyoku, options.turn)
    new_folder(folder)
    names = [entrant.name for entrant in plan.entrants]
    keeping = Keeping(folder, version("jantaku"), form_2015=options.paifu == "2015")
    return plan, RiichiTable(rules, names, plan.seed, keeping, begin)


def _daifugo(options: PlayOptions, folder: Path) -> tuple[Plan, Opener]:
    only_riichi = {
        "config": options.config_file,
        "from": options.source,
        "length": options.length,
        "watch": options.watch or None,
        "watch-port": options.watch_port,
    }
    for flag, value in only_riichi.items():
        if value is not None:
            raise BadInput(
                f"--{flag} is for riichi; daifugo has --players, --rules, --set, --games, --seed and --limit"
            )
    rules = options.over(daifugo.FILES, daifugo.FILES.preset(daifugo.DEFAULT))
    players = DAIFUGO_PLAYERS[: rules.game.seats] if options.players is None else options.players.split(",")
    plan = _plan(options, config.Settings(), players, rules.room.turn_limit, folder)
    if not daifugo.FEWEST <= len(plan.entrants) <= daifugo.MOST:
        raise BadInput(f"--players: {len(plan.entrants)} given; daifugo seats {daifugo.FEWEST} to {daifugo.MOST}")
    # As many seats as there are players, whatever a preset says.
    rules = daifugo.FILES.with_settings(rules, {"game.seats": str(len(plan.entrants))})
    new_folder(folder)
    names = [entrant.name for entrant in plan.entrants]
    return plan, DaifugoTable(rules, names, plan.seed, folder, version("jantaku"))


def _plan(
    options: PlayOptions, settings: config.Settings, players: Sequence[str | Terms], limit: float, folder: Path
) -> Plan:
    """What is played; `limit` is the time of an answer where nobody says another."""
    table = settings.table
    mode = Mode(options.threads or table.threads)
    clock = settings.clock
    if options.limit is not None:
        clock = msgspec.structs.replace(clock, turn=options.limit, reaction=options.limit)
    elif not clock.runs and mode is not Mode.INLINE:
        clock = msgspec.structs.replace(clock, turn=limit, reaction=limit)
    if mode is Mode.INLINE and clock.runs:
        raise BadInput("--threads inline cannot keep a clock: leave --limit away, or use per-turn or resident")
    if options.sandbox or table.sandbox:
        players = confined(players)
    seed = options.seed or (seeds.fresh() if table.seed is None else str(seeds.read(table.seed, "table.seed")))
    stripped = [one.strip() if isinstance(one, str) else one for one in players]
    return Plan(
        entrants=tuple(enlist(stripped, folder, options.game)),
        games=options.games or table.games,
        seed=seed,
        mode=mode,
        clock=clock,
        on_fault=table.on_fault,
    )


def _show(outcomes: Iterator[Outcome], plan: Plan, folder: Path, options: PlayOptions, output: TextIO | None) -> None:
    """Tell what happens as it happens: in JSON to `output`, if there is one."""
    if output is not None:
        for outcome in outcomes:
            say(msgspec.json.encode(msgspec.structs.replace(outcome, seed=plan.seed)), to=output)
        return
    console = Screen(quiet=options.quiet)
    finished = []
    shown = plan.games > 1 and console.is_terminal and not options.quiet
    columns = (description(), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with bar(console, *columns, shown=shown) as drawn:
        task = drawn.add_task("games", total=plan.games)
        for outcome in outcomes:
            finished.append(outcome)
            drawn.advance(task)
            if not console.is_terminal or plan.games == 1:
                console.say(line_of(outcome))
    if any(outcome.ranks for outcome in finished):
        console.print(table_of(finished) if console.is_terminal else "", end="\n" if console.is_terminal else "")
    console.say(f"seed {plan.seed}, records in {folder}")
    console.say(f"next: jantaku verify {finished[0].records[-1]}")
