"""`jantaku play`: games between bots, with records."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TextIO, cast

import msgspec

from jantaku.table.cli.commands.records import RecordFile, new_folder, next_steps, tell, unique
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
from jantaku.table.play.entry import DEFAULT, GAMES, GameEntry, Wishes
from jantaku.table.play.outcome import FaultReports, Outcome, line_of, tables_of
from jantaku.table.play.riichi import Beginning, Keeping
from jantaku.table.play.roster import enlist
from jantaku.table.play.runner import Opener, Pace, Plan, WatchedGames, core_for, play
from jantaku.table.play.spec import Terms, confined, players_in
from jantaku.table.records.journal.lines import titled
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi.ruleset import FILES

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

Every player has a thread and a clock of its own; one that is slow or breaks gets the default action and the blame.
"""


class PlayOptions(CommandOptions):
    """The command's options."""

    game: str = option("The game.", type=OneOf(GAMES), default=DEFAULT)
    players: str | None = option(f"Bots: {BOTS}.", "A,B,C,D")
    ruling: RuleOptions = rules(length=True)
    games: int | None = option("Number of games.  [default: 1]", type=WholeNumber(1, 1_000_000))
    seed: str | None = option("Seed of walls, seats and bots: the same seed plays the same games.", "N", type=SEED)
    run: RunOptions = RunOptions.group()
    source: Path | None = option("Begin inside a record.", "FILE", flag="--from", type=RecordFile())
    kyoku: int | None = option("With --from: the kyoku, from 1.  [default: 1]", "K", type=WholeNumber(1))
    turn: int | None = option("With --from: the turn, from 1.  [default: 1]", "T", type=WholeNumber(1))
    position: str | None = option("Begin at a position line; what it hides is dealt by the seed.", "'LINE'")
    config: str | None = option("A table's config file; flags win over it.", "FILE")
    out: Path | None = option("Folder for the records.", "DIR", type=Folder())
    paifu: Literal["1.x", "2015"] = option("2015: also in that older form.", default="1.x", show_default=False)
    called: TitleOptions = TitleOptions.group()
    human: str | None = option(
        "Sit down yourself, in the browser, with bots.", "[NAME]", is_flag=False, flag_value=NAMELESS
    )
    no_browser: bool = option("With --human: only print the address.")
    person_limit: float | None = option(
        "With --human: time for each of your answers.  [default: 60, 30 for a call]", "SECONDS", type=seconds(1)
    )
    watch: bool = option("Show the games in the browser while they are played.")
    watch_port: int | None = option("Port of that page.  [default: a free one]", type=WholeNumber(0, 65535))
    pace: float | None = option("Wait after each turn, for people to follow.", "SECONDS", type=seconds(0))
    no_pin: bool = option("Leave the games all cores; else they try whether one is faster.")
    strict: bool = option("Stop at the first fault, with exit code 1.")
    json: bool = option("One JSON object a game, nothing else.")
    quiet: bool = option("Print nothing but errors.")


@PlayOptions.command(help=HELP, epilog=EPILOG)
def command(options: PlayOptions) -> int:
    """See `HELP`."""
    with own_output(options.json) as output:
        return _play(options, options.out or here(Path("records", unique(stamp()))), output)


def _play(options: PlayOptions, folder: Path, output: TextIO | None) -> int:
    """Play and return the exit code: with --strict, whether there was no fault."""
    game = GAMES[options.game]
    if options.human is not None:
        return _with_a_person(options.human, game, options, folder, output)
    plan, table = _opened(game, options, folder)
    with _page(game, options, folder):
        clocks = {one.name: one.clock(plan.clock) for one in plan.entrants}
        shown = plan.games == 1 and _is_for_a_person(options)
        if shown:
            from jantaku.table.cli.screen import Screen  # rich takes a start's time, and plain lines need none of it

            if (look := game.looker(Screen(), clocks)) is not None:
                table = WatchedGames(table, look)
        if pace := options.pace:
            table = WatchedGames(table, lambda: Pace(pace))
        try:
            outcomes = play(plan, table, _core_for(plan, options))
            outcomes = _until_void(outcomes) if options.strict else outcomes
            reports = _show(outcomes, plan, folder, options, output)
        except KeyboardInterrupt:
            say(f"stopped; the records so far are in {told(folder)}", err=True)
            raise
    return FAILED if options.strict and reports else OK


def _with_a_person(name: str, game: GameEntry, options: PlayOptions, folder: Path, output: TextIO | None) -> int:
    """Do the same for games with a person."""
    given = options.source, options.position, options.watch_port
    if any(one is not None for one in given) or options.watch or options.strict:
        raise BadInput("--human goes without --from, --position, --watch, --watch-port and --strict")
    _refuse_what_it_lacks(game, options)
    settings = config.load(options.config) if options.config else None
    ruling = options.ruling.over(game.rules, settings.rules if settings else game.rules.resolve(game.rules.default))
    typed = None if options.players is None else players_in(options.players)
    chosen = game.beside_person(ruling, typed)
    plan = _plan(options, settings or config.Settings(), chosen, game.limit(ruling), folder)
    wishes = Wishes(options.games, options.pace, options.person_limit, not options.no_browser)
    outcomes = game.with_person(name, plan, ruling, _keeping(options, folder), wishes)
    _show(outcomes, plan, folder, options, output)
    if output is None and not options.quiet:
        say(f"all hands: jantaku view {told(folder)}")
    return OK


def _until_void(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    for outcome in outcomes:
        yield outcome
        if outcome.ending is Ending.VOID:
            return


@contextlib.contextmanager
def _page(game: GameEntry, options: PlayOptions, folder: Path) -> Iterator[None]:
    """Show the page of running games, if wanted. On a terminal it stays until Ctrl-C: bots finish quickly."""
    if not options.watch and options.watch_port is None:
        yield
        return
    with part("serve", "watching").WatchPage(folder, options.watch_port or 0, game.name) as viewer:
        say(f"watch at {viewer.address}", err=options.json or options.quiet)
        yield
        if _is_for_a_person(options):
            say(f"the last game can still be seen at {viewer.address}; Ctrl-C ends")
            with contextlib.suppress(KeyboardInterrupt):
                viewer.wait()


def _core_for(plan: Plan, options: PlayOptions) -> int | None:
    return None if options.no_pin else core_for(plan.mode, (entrant.scheme for entrant in plan.entrants))


def _is_for_a_person(options: PlayOptions) -> bool:
    return sys.stdout.isatty() and not options.quiet and not options.json


def _opened(game: GameEntry, options: PlayOptions, folder: Path) -> tuple[Plan, Opener]:
    """Return the plan and what opens its games. A record that they continue decides about the rules."""
    _refuse_what_it_lacks(game, options)
    if options.person_limit is not None:
        raise BadInput("--person-limit is the time of who sits down with --human; --limit is that of the bots")
    if options.source is None and (options.kyoku or options.turn):
        raise BadInput("--kyoku and --turn say where a record goes on: give it with --from FILE")
    settings = config.load(options.config) if options.config else None
    begin, record, rules = _begun(game, options, configured=settings is not None)
    if rules is None:
        rules = options.ruling.over(game.rules, settings.rules if settings else game.rules.resolve(game.rules.default))
    file = settings or config.Settings()
    players, where = config.seated(options.players, options.config, file, game.players(rules))
    plan = _plan(options, file, players, game.limit(rules), folder)
    rules = game.fitted(rules, players, where)
    names = [entrant.name for entrant in plan.entrants]
    opener = game.opener(rules, names, plan.seed, _keeping(options, folder, record), begin)
    if begin is not None:
        opener(0)  # refuses a missing kyoku or turn, or what no kyoku leads to, before a folder is made
    new_folder(folder)
    return plan, opener


def _begun(game: GameEntry, options: PlayOptions, *, configured: bool) -> tuple[Beginning | None, Record | None, Any]:
    """Return where the games begin, the record that they continue, and the rules that follow; None for each that is not
    told. A position names its rules, and nothing else may say where games begin; a record without rules leaves them to
    the configuration."""
    if options.position is None and options.source is None:
        return None, None, None
    # only these games need the readers of records and lines, which take as long to import as all else
    from jantaku.table.play.beginnings import PositionPlace, RecordPlace
    from jantaku.table.records.convert.readers import driving
    from jantaku.table.records.replay.verify import rules_of
    from jantaku.table.riichi.line import read_line

    if options.position is None:
        record = driving(cast(Path, options.source), options.ruling.named(FILES))
        place = RecordPlace(record, options.kyoku or 1, options.turn or 1)
        ruled = None if configured and not record.rules else options.ruling.over(game.rules, rules_of(record))
        return place, record, ruled
    ruling = options.ruling
    given = {"--from": options.source, "--rules": ruling.rules, "--length": ruling.length, "--set": ruling.changes}
    if needless := [flag for flag, value in given.items() if value]:
        raise BadInput(f"{', '.join(needless)}: a position line is where games begin, and names its rules")
    position = read_line(options.position)
    return PositionPlace(position), None, position.rules


def _keeping(options: PlayOptions, folder: Path, record: Record | None = None) -> Keeping:
    """Return what is kept of each game. A game that continues a record keeps its title, if somebody gave it one and no
    other is given."""
    called, title, date = options.called, "", ""
    if record is not None and record.title != titled("", "", record.seed, record.number):
        title, _, date = record.title.partition("\n")
    title, date = called.title or title, called.date or date
    return Keeping(folder, version(), form_2015=options.paifu == "2015", title=title, date=date)


def _refuse_what_it_lacks(game: GameEntry, options: PlayOptions) -> None:
    """Raise BadInput for an option that this game does not have."""
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


def _plan(
    options: PlayOptions, settings: config.Settings, players: Sequence[str | Terms], limit: float, folder: Path
) -> Plan:
    """Return the plan; `limit` is the default time for an answer."""
    table = settings.table
    mode = Mode(options.run.threads or table.threads)
    clock = settings.clock
    if options.run.limit is not None:
        clock = msgspec.structs.replace(clock, turn=options.run.limit, reaction=options.run.limit)
    elif not clock.runs and mode is not Mode.INLINE:
        clock = msgspec.structs.replace(clock, turn=limit, reaction=limit)
    if options.run.flag is not None:
        clock = msgspec.structs.replace(clock, flag=Flag(options.run.flag))
    if mode is Mode.INLINE and clock.runs:
        raise BadInput("--threads inline cannot keep a clock: leave --limit away, or use per-turn or resident")
    if options.run.sandbox or table.sandbox:
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


def _show(
    outcomes: Iterator[Outcome], plan: Plan, folder: Path, options: PlayOptions, output: TextIO | None
) -> FaultReports:
    """Report games as they end, as JSON to `output` if it is given, and then faults, even after an interruption."""
    reports = FaultReports()
    finished: list[Outcome] = []
    try:
        for outcome in _drawn(outcomes, plan, options) if output is None else outcomes:
            finished.append(outcome)
            reports.add(outcome.names, outcome.faults, outcome.fault_reports)
            if output is not None:
                records = tuple(map(told, outcome.records))
                said = msgspec.structs.replace(outcome, seed=plan.seed, records=records)
                say(msgspec.json.encode(said), to=output)
    finally:
        tell(reports, folder, quiet=options.quiet, json=output is not None)
    if output is None:
        _conclude(finished, reports, plan, folder, options)
    return reports


def _drawn(outcomes: Iterator[Outcome], plan: Plan, options: PlayOptions) -> Iterator[Outcome]:
    """Print each game when it is over; several games on a terminal show a bar."""
    if plan.games == 1 or not _is_for_a_person(options):
        for outcome in outcomes:
            if not options.quiet:
                say(line_of(outcome))
            yield outcome
        return
    from jantaku.table.cli.screen import Screen, bar  # see `_play`

    with bar(Screen(), shown=True) as drawn:
        task = drawn.add_task("games", total=plan.games)
        for outcome in outcomes:
            drawn.advance(task)
            yield outcome


def _conclude(
    finished: Sequence[Outcome], reports: FaultReports, plan: Plan, folder: Path, options: PlayOptions
) -> None:
    """Print the standings, the place of the records, and what to do next."""
    if options.quiet:
        return
    if plan.games > 1 and _is_for_a_person(options):  # a single game has its own line
        from jantaku.table.cli.screen import Screen  # see `_play`

        console = Screen()
        for table in tables_of(finished, console.width):
            console.print(table)
    say(f"seed {plan.seed}, records in {told(folder)}")
    viewed = "view" in GAMES[options.game].readers
    examined = {one.name: one.words for one in plan.entrants} if GAMES[options.game].has_exam else {}
    steps = next_steps(reports, examined, viewed=viewed) if reports else []
    for step in steps or [f"next: {typed(f'verify {told(finished[0].records[-1])}')}"]:
        say(step)
