"""`jantaku serve`: riichi rooms for clients over WebSocket."""

import os
import threading
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import click
import msgspec

from table import config
from table.cli.looking.records import new_folder
from table.cli.options import Folder, Seed, limit_option, options_of, rule_options, sandbox_option
from table.cli.playing.serving import ServingOptions, disk_of, limits_of, operator_token, serve, serving_options
from table.cli.say import say
from table.clock import stamp
from table.errors import BadInput
from table.judge.timing import LIMIT, Clock
from table.judge.turn.way import Mode
from table.play import seeds
from table.play.outcome import Outcome, line_of
from table.play.riichi import Keeping
from table.play.roster import Entrant, enlist
from table.riichi import ruleset
from table.seating.spec import Terms, confined, terms_of
from table.server.riichi.house import House, RiichiHouse, pages
from table.server.riichi.room import Place, RiichiRoomPlan

PORT = 8766
TOKEN = "JANTAKU_TOKEN"
PLAYERS = "ws,ws,ws,ws"
BOTS = "shanten,caller,tsumogiri,dice"
SEATS = 4
EPILOG = """A client connects to ws://HOST:PORT/play/{ROOM}?name=NAME&dialect=DIALECT, with &token=TOKEN if one is
wanted and &key=SECRET, a secret of its own with which it takes its seat back. The game begins when all seats are
taken, or when the host, who came first, sends {"start": ["shanten"]} to fill the others with bots. One connection
plays one game.

Look on at http://HOST:PORT/watch/{ROOM}; a program reads the same at ws://HOST:PORT/watch/{ROOM}. Who
looks on at one of the --room rooms sees one game after another.

\b
  jantaku serve --room club --players ws,ws,shanten,shanten
  python -m players.adapters.websocket ws://127.0.0.1:8766/play/club --name alice --bot shanten
"""


class ServeOptions(ServingOptions, frozen=True, kw_only=True):
    """What was asked for."""

    rooms: tuple[str, ...]
    players: str | None
    bots: str
    games: int | None
    limit: float | None
    sandbox: bool
    seed: str | None
    config_file: str | None
    out: Path | None
    paifu: str
    token: str
    delay: int


@click.command(epilog=EPILOG)
@serving_options(PORT)
@click.option("--room", "rooms", multiple=True, metavar="NAME", help="A room; without, visitors open their own.")
@click.option("--players", metavar="A,B,C,D", help=f"Who sits in a room: ws, ws:NAME, or bots.  [default: {PLAYERS}]")
@click.option("--bots", default=BOTS, show_default=True, metavar="A,B", help="Bots that a host may fill seats with.")
@click.option("--games", type=click.IntRange(1), help="End after so many games.  [default: never]")
@rule_options(length=True)
@limit_option
@sandbox_option
@click.option(
    "--seed",
    type=Seed(),
    metavar="N",
    help="Seed of walls and seats: who knows it knows every wall.  [default: secret]",
)
@click.option("--config", "config_file", metavar="FILE", help="A table's config file; flags win over it.")
@click.option("--out", type=Folder(), metavar="DIR", help="Folder for the records.")
@click.option("--paifu", type=click.Choice(["1.x", "2015"]), default="1.x", help="2015: also in that older form.")
@click.option("--token", default="", envvar=TOKEN, help="What everybody who plays has to know.")
@click.option("--delay", type=click.IntRange(0), default=0, metavar="TURNS", help="Watchers see it so much later.")
@options_of(ServeOptions)
def command(options: ServeOptions) -> None:
    """Serve riichi rooms over WebSocket, to players in any dialect and to people who look on."""
    began = stamp()
    operator = operator_token(options)
    os.environ.pop(TOKEN, None)  # no program that is seated here inherits it
    settings = config.load(options.config_file) if options.config_file else config.Settings()
    folder = options.out or Path("records") / f"{began}-serve"
    house = House(
        plan=_plan(settings, options, folder),
        rooms=options.rooms,
        token=options.token,
        operator_token=operator,
        games=options.games,
        limits=limits_of(options),
        disk=disk_of(options),
    )
    new_folder(folder)
    names = "|".join(house.rooms) or "{ROOM}"
    told = f"/play/{names}?name=NAME; records in {folder}"
    serve(RiichiHouse(house, _report), pages(), house.limits, options, told)


_printing = threading.Lock()


def _report(room: str, ending: Outcome | str) -> None:
    """A line for every game; rooms end theirs at the same time."""
    with _printing:
        if isinstance(ending, str):
            say(f"room {room}: {ending}", err=True)
        else:
            say(f"room {room}: {line_of(ending)}; {ending.records[-1]}")


def _plan(settings: config.Settings, options: ServeOptions, folder: Path) -> RiichiRoomPlan:
    mode = settings.table.threads
    if mode is Mode.INLINE:
        raise BadInput(f'{options.config_file}: table.threads = "inline" cannot keep a clock, and clients need one')
    return RiichiRoomPlan(
        places=_places(settings, options, folder),
        bots=_bots(settings, options),
        rules=options.over(ruleset.FILES, settings.rules.rules),
        seed=options.seed or seeds.fresh(),
        mode=mode,
        clock=_clock(settings.clock, options.limit),
        on_fault=settings.table.on_fault,
        keeping=Keeping(folder, version("jantaku"), form_2015=options.paifu == "2015"),
        delay=options.delay,
    )


def _bots(settings: config.Settings, options: ServeOptions) -> dict[str, Entrant]:
    """Those that a host may fill seats with, by how they are named."""
    names = [bot for bot in options.bots.split(",") if bot]
    wanted: Sequence[str | Terms] = confined(names) if options.sandbox or settings.table.sandbox else names
    return {name: enlist([bot])[0] for name, bot in zip(names, wanted, strict=True)}


def _places(settings: config.Settings, options: ServeOptions, folder: Path) -> tuple[Place | Entrant, ...]:
    """Who sits where: `ws` waits for a client, `ws:NAME` for that one, everything else is a player as in `play`."""
    wanted: Sequence[str | Terms] = (PLAYERS if options.players is None else options.players).split(",")
    if options.config_file and options.players is None:
        wanted = settings.players
    terms = [one if isinstance(one, Terms) else terms_of(one.strip()) for one in wanted]
    if options.sandbox or settings.table.sandbox:
        terms = list(confined(terms))
    if len(terms) != SEATS:
        raise BadInput(f"--players: {len(terms)} given; a riichi table seats {SEATS}")
    if spoken := next((one for one in terms if _is_awaited(one) and one.dialect), None):
        raise BadInput(f"--players: {spoken.bot}: dialect: a client says in its address which one it speaks")
    there = iter(enlist([one for one in terms if not _is_awaited(one)], folder))
    places = [
        Place(one.name or one.bot.partition(":")[2], one.clock) if _is_awaited(one) else next(there) for one in terms
    ]
    if not any(isinstance(place, Place) for place in places):
        raise BadInput("--players: nobody is waited for; at least one has to be ws or ws:NAME")
    return tuple(places)


def _is_awaited(terms: Terms) -> bool:
    return terms.bot.partition(":")[0] == "ws"


def _clock(clock: Clock, limit: float | None) -> Clock:
    """Nobody plays without a clock here: a client that says nothing would hold up everybody."""
    if limit is None:
        turn, reaction = clock.turn or LIMIT, clock.reaction or LIMIT
        return msgspec.structs.replace(clock, turn=turn, reaction=reaction, start=clock.start or LIMIT)
    return msgspec.structs.replace(clock, turn=limit, reaction=limit, start=clock.start or LIMIT)
