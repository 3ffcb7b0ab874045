"""`jantaku play`: games between bots, with records."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TextIO

import msgspec

from jantaku.table.cli.commands.faults import next_steps, tell
from jantaku.table.cli.commands.records import RecordFile, new_folder, unique
from jantaku.table.cli.main import FAILED, OK
from jantaku.table.cli.options import (
    BOTS,
    SEED,
    CommandOptions,
    Folder,
    OneOf,
    RuleOptions,
    RunOptions,
    TitleOptions,
    WholeNumber,
    option,
    rules,
    seconds,
)
from jantaku.table.cli.say import own_output, say
from jantaku.table.ground.clock import stamp
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import here, part, told, typed, version
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.result import Ending
from jantaku.table.judge.timing import Flag
from jantaku.table.play import config, seeds
from jantaku.table.play.cores import core_for
from jantaku.table.play.entry import DEFAULT, GAMES, GameEntry, Wishes
from jantaku.table.play.outcome import FaultReports, Outcome, line_of, tables_of
from jantaku.table.play.riichi import Beginning, Keeping
from jantaku.table.play.runner import Opener, Pace, Plan, WatchedGames, play
from jantaku.table.play.seating.roster import enlist
from jantaku.table.play.seating.spec import confined, players_in

NAMELESS = "human"
"""The name of a person if none is given."""
EPILOG = """Examples:

\b
  jantaku play
  jantaku play --players shanten,shanten,caller,mybots:Clever --games 20
  jantaku play --rules mleague --set ron.max_winners=2 --length tonpu
  jantaku play --human Hanako
  jantaku play --human --players caller,shanten,mybot.py:Follower --length tonpu
  jantaku play --watch --pace 0.5
  jantaku play --players mybot.py:Follower,shanten,shanten,dice --strict
  jantaku play --game daifugo --players daifugo-greedy,daifugo-weakest,dice
  jantaku play --from records/…/game-0000.json --kyoku 3 --turn 12
  jantaku play --position 'jtk1 tenhou E1 … ask=S/draw' --players caller,mybot.py:Follower,caller,caller --games 100
"""


SEATED = ", ".join(f"{game.seated} at {game.name}" for game in GAMES.values())
HELP = f"""Play games between bots and keep their records: {SEATED}.

Every player has its own thread and clock. For one that is slow or fails, a default is played and
a fault counted.
"""


class PlayOptions(CommandOptions):
    game: str = option("The game.", type=OneOf(GAMES), default=DEFAULT)
    players: str | None = option(f"Bots: {BOTS}.", "A,B,C,D")
    ruling: RuleOptions = rules(length=True)
    games: int | None = option("Number of games.  [default: 1]", type=WholeNumber(1, 1_000_000))
    seed: str | None = option("Seed of walls, seats and bots: the same seed plays the same games.", "N", type=SEED)
    run: RunOptions = RunOptions.group()
    source: Path | None = option("Begin inside a record.", "FILE", flag="--from", type=RecordFile())
    kyoku: int | None = option("With --from: the kyoku, from 1.  [default: 1]", "K", type=WholeNumber(1))
    turn: int | None = option("With --from: the turn, from 1.  [default: 1]", "T", type=WholeNumber(1))
    position: str | None = option("Begin at a position line; hidden tiles are dealt by the seed.", "'LINE'")
    config: str | None = option("Config file of a table; flags override it.", "FILE")
    out: Path | None = option("Folder for the records.", "DIR", type=Folder())
    paifu: Literal["1.x", "2015"] = option("2015: also write the format of 2015.", default="1.x", show_default=False)
    called: TitleOptions = TitleOptions.group()
    human: str | None = option(
        "Play yourself, in the browser, with bots.", "[NAME]", is_flag=False, flag_value=NAMELESS
    )
    no_browser: bool = option("With --human: only print the address.")
    person_limit: float | None = option(
        "With --human: time for each of your answers.  [default: 60, 30 for a call]", "SECONDS", type=seconds(1)
    )
    watch: bool = option("Show the games in the browser while they are played.")
    watch_port: int | None = option("Port of that page.  [default: a free one]", type=WholeNumber(0, 65535))
    pace: float | None = option("Wait after each turn, for people to follow.", "SECONDS", type=seconds(0))
    no_pin: bool = option("Let games use all cores, without trying whether one is faster.")
    strict: bool = option("Stop at the first fault, with exit code 1.")
    json: bool = option("Print one JSON object for each game, nothing else.")
    quiet: bool = option("Print nothing but errors.")


@PlayOptions.command(help=HELP, epilog=EPILOG)
def command(options: PlayOptions) -> int:
    """Play what was asked for; its help is `HELP`. With --strict the exit code says whether there was a fault."""
    with own_output(options.json) as output:
        plan = asked(options)
        with _page(plan):
            reports = show(run(plan), plan, output)
    return FAILED if options.strict and reports else OK


class Printed(NamedTuple):
    """What is printed: JSON alone, or nothing but errors."""

    json: bool
    quiet: bool

    @property
    def is_for_a_person(self) -> bool:
        """Whether somebody looks on at a terminal."""
        return sys.stdout.isatty() and not self.quiet and not self.json


class PlayPlan(NamedTuple):
    """Everything that the command line asks for: game, rules, players, records to keep, and spectators."""

    game: GameEntry
    table: Plan
    rules: Any
    keeping: Keeping
    opener: Opener | None
    """Opens the games; None if the person opens them."""
    person: str | None
    """The name of the person who sits down."""
    wishes: Wishes
    page: int | None
    """The port of the page of the running games, 0 for a free one; None for no page."""
    pins: bool
    """Whether games may keep to a core."""
    strict: bool
    printed: Printed

    @property
    def folder(self) -> Path:
        return self.keeping.folder


def asked(options: PlayOptions) -> PlayPlan:
    """Return the plan that the options and the config file ask for, and make its folder. BadInput if it cannot be
    played. A record that the games continue decides about the rules."""
    game, folder = GAMES[options.game], options.out or here(Path("records", unique(stamp())))
    _refuse(options, game)
    settings = config.load(options.config) if options.config else None
    begin, rules = _begun(options, game, settings)
    if rules is None:
        rules = options.ruling.over(game.rules, settings.rules if settings else game.rules.resolve(game.rules.default))
    players, where = _players(options, settings or config.Settings(), game, rules)
    table = _table(options, settings or config.Settings(), players, game.limit(rules), folder)
    called = options.called
    title, _, date = begin.title.partition("\n") if begin is not None else ("", "", "")
    form_2015 = options.paifu == "2015"
    keeping = Keeping(folder, version(), form_2015, title=called.title or title, date=called.date or date)
    opener = None
    if options.human is None:
        rules = game.fitted(rules, players, where)
        opener = game.opener(rules, [entrant.name for entrant in table.entrants], table.seed, keeping, begin)
        if begin is not None:
            opener(0)  # refuses a missing kyoku or turn, or what no kyoku leads to, before a folder is made
        new_folder(folder)
    return PlayPlan(
        game=game,
        table=table,
        rules=rules,
        keeping=keeping,
        opener=opener,
        person=options.human,
        wishes=Wishes(options.games, options.pace, options.person_limit, not options.no_browser),
        page=options.watch_port or 0 if options.watch or options.watch_port is not None else None,
        pins=not options.no_pin,
        strict=options.strict,
        printed=Printed(options.json, options.quiet),
    )


def _refuse(options: PlayOptions, game: GameEntry) -> None:
    """Raise BadInput for options that do not go together, or that this game does not have."""
    alone = options.source, options.position, options.watch_port, options.watch or None, options.strict or None
    if options.human is not None and any(one is not None for one in alone):
        raise BadInput("--human cannot be given with --from, --position, --watch, --watch-port and --strict")
    given = {
        "config": options.config,
        "from": options.source,
        "position": options.position,
        "length": options.ruling.length,
        "title": options.called.title or None,
        "date": options.called.date or None,
        "watch": options.watch or None,
        "watch-port": options.watch_port,
    }
    for flag, value in given.items():
        if value is not None and flag not in game.options:
            others = " and ".join(other.name for other in GAMES.values() if flag in other.options)
            has = "--players, --rules, --set, --games, --seed and --limit"
            raise BadInput(f"--{flag} is for {others}; {game.name} has {has}")
    if options.human is None and options.person_limit is not None:
        raise BadInput("--person-limit is the time of the person at --human; --limit is the time of the bots")
    if options.human is None and options.source is None and (options.kyoku or options.turn):
        raise BadInput("--kyoku and --turn need a record to begin in: give it with --from FILE")


def _begun(options: PlayOptions, game: GameEntry, file: config.Settings | None) -> tuple[Beginning | None, Any]:
    """Return where the games begin, and the rules that follow from it; None for each that is not told. A record that
    names no rules leaves them to the config file."""
    ruling = options.ruling
    if options.position is not None:
        given = {"--from": options.source, "--rules": ruling.rules, "--length": ruling.length, "--set": ruling.changes}
        if needless := [flag for flag, value in given.items() if value]:
            raise BadInput(f"{', '.join(needless)}: a position line is where games begin, and names its rules")
        return game.at_position(options.position)
    if options.source is None:
        return None, None
    configured = file.rules.rules if file is not None and file.names_rules else None
    begin, rules = game.inside(options.source, ruling, options.kyoku or 1, options.turn or 1, configured)
    if configured not in (None, rules) and ruling.rules is None:
        say(f"{options.config}: its rules are not used; {options.source} names its own (--rules would hold)", err=True)
    return begin, ruling.over(game.rules, rules)


def _players(options: PlayOptions, file: config.Settings, game: GameEntry, rules: Any) -> tuple[config.Players, str]:
    """Return the bots, and the place that names them."""
    if options.human is None:
        return config.seated(options.players, options.config, file, game.players(rules))
    return game.beside_person(rules, None if options.players is None else players_in(options.players)), "--players"


def _table(options: PlayOptions, file: config.Settings, players: config.Players, limit: float, folder: Path) -> Plan:
    """Return what is played; `limit` is the default time for an answer."""
    table, clock, asked = file.table, file.clock, options.run
    mode = Mode(asked.threads or table.threads)
    if asked.limit is not None:
        clock = msgspec.structs.replace(clock, turn=asked.limit, reaction=asked.limit)
    elif not clock.runs and mode is not Mode.INLINE:
        clock = msgspec.structs.replace(clock, turn=limit, reaction=limit)
    if asked.flag is not None:
        clock = msgspec.structs.replace(clock, flag=Flag(asked.flag))
    if mode is Mode.INLINE and clock.runs:
        source = "--limit" if asked.limit is not None else f"[clock] of {options.config}"
        raise BadInput(f"--threads inline cannot keep a clock: leave {source} away, or use per-turn or resident")
    if asked.sandbox or table.sandbox:
        players = confined(players)
    seed = options.seed or (seeds.fresh() if table.seed is None else str(seeds.read(table.seed, "table.seed")))
    stripped = [one.strip() if isinstance(one, str) else one for one in players]
    return Plan(
        entrants=tuple(enlist(stripped, folder, options.game)),
        games=options.games or table.games,
        seed=seed,
        mode=mode,
        clock=clock,
        on_fault=OnFault.VOID if options.strict else table.on_fault,
    )


def run(plan: PlayPlan) -> Iterator[Outcome]:
    """Play the plan, and yield every outcome as it comes. A single game is shown in a terminal while it is played."""
    if plan.opener is None:
        assert plan.person is not None
        yield from plan.game.with_person(plan.person, plan.table, plan.rules, plan.keeping, plan.wishes)
        return
    table, opener, pace = plan.table, plan.opener, plan.wishes.pace
    if table.games == 1 and plan.printed.is_for_a_person:
        from jantaku.table.cli.screen import Screen  # rich takes a start's time, and plain lines need none of it

        clocks = {one.name: one.clock(table.clock) for one in table.entrants}
        if (look := plan.game.looker(Screen(), clocks)) is not None:
            opener = WatchedGames(opener, look)
    if pace:
        opener = WatchedGames(opener, lambda: Pace(pace))
    schemes = (entrant.scheme for entrant in table.entrants)
    for outcome in play(table, opener, core_for(table.mode, schemes) if plan.pins else None):
        yield outcome
        if plan.strict and outcome.ending is Ending.VOID:
            return


@contextlib.contextmanager
def _page(plan: PlayPlan) -> Iterator[None]:
    """Show the page of running games, if wanted. On a terminal it stays until Ctrl-C: bots finish quickly."""
    if plan.page is None:
        yield
        return
    with part("serve", "watching").WatchPage(plan.folder, plan.page, plan.game.name) as viewer:
        say(f"watch at {viewer.address}", err=plan.printed.json or plan.printed.quiet)
        yield
        if plan.printed.is_for_a_person:
            say(f"the last game can still be seen at {viewer.address}; Ctrl-C ends")
            with contextlib.suppress(KeyboardInterrupt):
                viewer.wait()


def show(outcomes: Iterator[Outcome], plan: PlayPlan, output: TextIO | None) -> FaultReports:
    """Report games as they end, as JSON to `output` if it is given, and then faults, even after an interruption."""
    reports = FaultReports()
    finished: list[Outcome] = []
    try:
        try:
            for outcome in _drawn(outcomes, plan) if output is None else outcomes:
                finished.append(outcome)
                reports.add(outcome.names, outcome.faults, outcome.fault_reports)
                if output is not None:
                    records = tuple(map(told, outcome.records))
                    said = msgspec.structs.replace(outcome, seed=plan.table.seed, records=records)
                    say(msgspec.json.encode(said), to=output)
        finally:
            tell(reports, plan.folder, quiet=plan.printed.quiet, json=output is not None)
        if output is None and not plan.printed.quiet:
            _conclude(finished, reports, plan)
    except KeyboardInterrupt:
        if plan.person is None:
            say(f"stopped; the records so far are in {told(plan.folder)}", err=True)
        raise
    return reports


def _drawn(outcomes: Iterator[Outcome], plan: PlayPlan) -> Iterator[Outcome]:
    """Print each game when it is over; several games on a terminal show a bar."""
    if plan.table.games == 1 or not plan.printed.is_for_a_person:
        for outcome in outcomes:
            if not plan.printed.quiet:
                say(line_of(outcome))
            yield outcome
        return
    from jantaku.table.cli.screen import Screen, bar  # see `run`

    with bar(Screen(), shown=True) as drawn:
        task = drawn.add_task("games", total=plan.table.games)
        for outcome in outcomes:
            drawn.advance(task)
            yield outcome


def _conclude(finished: Sequence[Outcome], reports: FaultReports, plan: PlayPlan) -> None:
    """Print the standings, the place of the records, and what to do next."""
    if plan.table.games > 1 and plan.printed.is_for_a_person:  # a single game has its own line
        from jantaku.table.cli.screen import Screen  # see `run`

        console = Screen()
        for table in tables_of(finished, console.width):
            console.print(table)
    say(f"seed {plan.table.seed}, records in {told(plan.folder)}")
    examined = {one.name: one.words for one in plan.table.entrants} if plan.game.has_exam else {}
    steps = next_steps(reports, examined, viewed="view" in plan.game.readers) if reports else []
    for step in steps or [f"next: {typed(f'verify {told(finished[0].records[-1])}')}"]:
        say(step)
    if plan.person is not None:
        say(f"see all hands: jantaku view {told(plan.folder)}")
