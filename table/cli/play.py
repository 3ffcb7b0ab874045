"""`jantaku play`: games between bots, with records."""

import contextlib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

import click
import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from table import config
from table.cli.lines import own_output
from table.cli.numbers import Seed, seconds
from table.cli.options import BOTS
from table.cli.out import Folder, new_folder, unique
from table.cli.say import say
from table.cli.screen import Screen, bar, description
from table.clock import stamp
from table.daifugo import rules as daifugo
from table.errors import BadInput
from table.judge.judge import OnFault
from table.judge.way import Mode
from table.play import seeds
from table.play.daifugo import DaifugoTable
from table.play.outcome import Outcome, line_of, table_of
from table.play.riichi import Beginning, Keeping, RiichiTable
from table.play.roster import enlist
from table.play.runner import Opener, Plan, play
from table.play.watched import Pace, Watched
from table.record.read import load
from table.riichi import ruleset
from table.riichi.rules import Rules
from table.server.watching.watch_page import WatchPage
from table.settings import split_texts
from table.view.terminal import LiveTable

LIMIT = 10.0
"""Seconds that a riichi player has for a question where nothing else is said: long, but nobody can stop the table."""
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


@click.command(epilog=EPILOG)
@click.option("--game", type=click.Choice(["riichi", "daifugo"]), default="riichi", help="The game.", show_default=True)
@click.option("--players", metavar="A,B,C,D", help=f"Bots: {BOTS}.")
@click.option("--rules", "rule_source", metavar="PRESET|FILE", help="Rules: a preset or a file (`jantaku rules`).")
@click.option("--set", "texts", multiple=True, metavar="KEY=VALUE", help="Change one rule, e.g. ron.max_winners=1.")
@click.option(
    "--length", type=click.Choice(["one", "until-win", "tonpu", "hanchan", "yonchan"]), help="Length of each game."
)
@click.option("--games", type=click.IntRange(1, 1_000_000), help="Number of games.  [default: 1]")
@click.option(
    "--seed", type=Seed(), metavar="N", help="Seed of walls, seats and bots: the same seed plays the same games."
)
@click.option(
    "--threads", type=click.Choice([mode.value for mode in Mode]), help="How players run.  [default: per-turn]"
)
@click.option("--limit", type=seconds(0.001), metavar="SECONDS", help="Time for each answer.  [default: 10]")
@click.option("--from", "source", type=click.Path(path_type=Path), metavar="FILE", help="Begin inside a record.")
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
def command(**given: Any) -> None:
    """Play games between bots and keep their records: four at riichi, two to six at daifugo.

    Every player has a thread and a clock of its own; who is slow or breaks gets the default action and the blame.
    """
    given["out"] = given["out"] or Path("records") / unique(stamp())
    with own_output(given["as_json"]) as output:
        _play(given, output)


def _play(given: dict[str, Any], output: TextIO | None) -> None:
    plan, folder, table = (_daifugo if given["game"] == "daifugo" else _riichi)(given)
    with _page(given, folder):
        if given["game"] != "daifugo" and plan.games == 1 and _is_for_a_person(given):
            clocks = {one.name: one.clock(plan.clock) for one in plan.entrants}
            table = Watched(table, lambda: LiveTable(Screen(), clocks))
        if given["pace"]:
            table = Watched(table, lambda: Pace(given["pace"]))
        try:
            _show(play(plan, table), plan, folder, given, output)
        except KeyboardInterrupt:
            say(f"stopped; the records so far are in {folder}", err=True)
            raise


@contextlib.contextmanager
def _page(given: dict[str, Any], folder: Path) -> Iterator[None]:
    """The page of the running games, if one is wanted. In a terminal it stays until Ctrl-C: bots are quick."""
    if not given["watch"] and given["watch_port"] is None:
        yield
        return
    with WatchPage(folder, given["watch_port"] or 0) as viewer:
        say(f"watch at {viewer.address}", err=given["as_json"] or given["quiet"])
        yield
        if _is_for_a_person(given):
            say(f"the last game can still be seen at {viewer.address}; Ctrl-C ends")
            with contextlib.suppress(KeyboardInterrupt):
                viewer.wait()


def _is_for_a_person(given: dict[str, Any]) -> bool:
    return Screen().is_terminal and not given["quiet"] and not given["as_json"]


def _riichi(given: dict[str, Any]) -> tuple[Plan, Path, Opener]:
    settings = _settings(given)
    rules = _rules(settings, given)
    plan = _plan(settings, given, LIMIT)
    if len(plan.entrants) != SEATS:
        raise BadInput(f"--players: {len(plan.entrants)} given; a riichi table seats {SEATS}")
    begin = None
    if given["source"] is not None:
        begin = Beginning(load(given["source"]), given["kyoku"], given["turn"])
    folder = new_folder(given["out"])
    names = [entrant.name for entrant in plan.entrants]
    keeping = Keeping(folder, version("jantaku"), form_2015=given["paifu"] == "2015")
    return plan, folder, RiichiTable(rules, names, plan.seed, keeping, begin)


def _daifugo(given: dict[str, Any]) -> tuple[Plan, Path, Opener]:
    for option in ("config_file", "source", "length", "watch", "watch_port"):
        if given[option] not in (None, False):
            flag = {"config_file": "config", "source": "from", "watch_port": "watch-port"}.get(option, option)
            raise BadInput(
                f"--{flag} is for riichi; daifugo has --players, --rules, --set, --games, --seed and --limit"
            )
    texts = split_texts(given["texts"], "--set")
    rules = daifugo.FILES.resolve(given["rule_source"] or daifugo.DEFAULT).rules
    rules = daifugo.FILES.with_settings(rules, texts)
    specs = given["players"] or ",".join(DAIFUGO_PLAYERS[: rules.game.seats])
    plan = _plan(config.Settings(), {**given, "players": specs}, rules.room.turn_limit)
    if not daifugo.FEWEST <= len(plan.entrants) <= daifugo.MOST:
        raise BadInput(f"--players: {len(plan.entrants)} given; daifugo seats {daifugo.FEWEST} to {daifugo.MOST}")
    # As many seats as there are players, whatever a preset says.
    rules = daifugo.FILES.with_settings(rules, {"game.seats": str(len(plan.entrants))})
    folder = new_folder(given["out"])
    names = [entrant.name for entrant in plan.entrants]
    return plan, folder, DaifugoTable(rules, names, plan.seed, folder, version("jantaku"))


def _settings(given: dict[str, Any]) -> config.Settings:
    return config.load(given["config_file"]) if given["config_file"] else config.Settings()


def _rules(settings: config.Settings, given: dict[str, Any]) -> Rules:
    """Preset < file < flags; a record brings its own rules, which flags override."""
    rules = settings.rules.rules
    if given["rule_source"]:
        rules = ruleset.resolve(given["rule_source"]).rules
    elif given["source"] is not None:
        rules = load(given["source"]).rules or rules
    texts = split_texts(given["texts"], "--set")
    if given["length"]:
        texts = {"game.length": given["length"], **texts}
    return ruleset.with_settings(rules, texts)


def _plan(settings: config.Settings, given: dict[str, Any], limit: float) -> Plan:
    """What is played; `limit` is the time of an answer where nobody says another."""
    table = settings.table
    players = [spec.strip() for spec in given["players"].split(",")] if given["players"] else settings.players
    mode = Mode(given["threads"] or table.threads)
    clock = settings.clock
    if given["limit"] is not None:
        clock = msgspec.structs.replace(clock, turn=given["limit"], reaction=given["limit"])
    elif not clock.runs and mode is not Mode.INLINE:
        clock = msgspec.structs.replace(clock, turn=limit, reaction=limit)
    if mode is Mode.INLINE and clock.runs:
        raise BadInput("--threads inline cannot keep a clock: leave --limit away, or use per-turn or resident")
    seed = given["seed"] or (seeds.fresh() if table.seed is None else str(seeds.read(table.seed, "table.seed")))
    return Plan(
        entrants=tuple(enlist(players, given["out"], given["game"])),
        games=given["games"] or table.games,
        seed=seed,
        mode=mode,
        clock=clock,
        on_fault=OnFault(table.on_fault),
    )


def _show(outcomes: Iterator[Outcome], plan: Plan, folder: Path, given: dict[str, Any], output: TextIO | None) -> None:
    """Tell what happens as it happens: in JSON to `output`, if there is one."""
    if output is not None:
        for outcome in outcomes:
            say(msgspec.json.encode(msgspec.structs.replace(outcome, seed=plan.seed)), to=output)
        return
    console = Screen(quiet=given["quiet"])
    finished = []
    bar = _bar(console, plan.games > 1 and console.is_terminal and not given["quiet"])
    with bar:
        task = bar.add_task("games", total=plan.games)
        for outcome in outcomes:
            finished.append(outcome)
            bar.advance(task)
            if not console.is_terminal or plan.games == 1:
                console.say(line_of(outcome))
    if any(outcome.ranks for outcome in finished):
        console.print(table_of(finished) if console.is_terminal else "", end="\n" if console.is_terminal else "")
    console.say(f"seed {plan.seed}, records in {folder}")
    console.say(f"next: jantaku verify {finished[0].records[-1]}")


def _bar(console: Screen, shown: bool) -> Progress:
    columns = (description(), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return bar(console, *columns, shown=shown)
