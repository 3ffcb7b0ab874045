"""`jantaku serve`: riichi rooms for clients over WebSocket."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from jantaku.table.cli.commands.faults import keep
from jantaku.table.cli.commands.records import new_folder
from jantaku.table.cli.options import (
    SEED,
    CommandOptions,
    Folder,
    RuleOptions,
    RunOptions,
    WholeNumber,
    option,
    rules,
    seconds,
)
from jantaku.table.cli.say import say
from jantaku.table.ground.clock import stamp
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import here, version
from jantaku.table.ground.installation import told as shown
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import LIMIT, Clock
from jantaku.table.languages.wire.dialects import dialects_of
from jantaku.table.play import config, seeds
from jantaku.table.play.outcome import FaultReports, Outcome, line_of
from jantaku.table.play.riichi import Keeping
from jantaku.table.play.seating.roster import Entrant, enlist, refuse_programs
from jantaku.table.play.seating.spec import Terms, confined, players_in, terms_of
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.pieces.seats import SEATS
from jantaku.table.serve.commands.server import ServingOptions, disk_of, limits_of, operator_token, serve
from jantaku.table.serve.net.addresses import host_and_port, reached_at
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line_door import LineDoor
from jantaku.table.serve.riichi.mjsonp import Handshake
from jantaku.table.serve.riichi.person_seat import CLOCK, PACE, clock_of
from jantaku.table.serve.riichi.room import Place, RiichiRoomPlan
from jantaku.table.serve.riichi.server import RiichiServer, ServerOffer, pages

PORT = 8766
TOKEN = "JANTAKU_TOKEN"
BOTS = "shanten,caller,tsumogiri,dice"
LONGEST_TITLE = 60
EPILOG = """A client connects to ws://HOST:PORT/play/{ROOM}?name=NAME&dialect=DIALECT, with &token=TOKEN if the room
needs one and &key=SECRET, a secret of its own with which it takes its seat back. The game begins when all seats are
taken, or when the host, who came first, sends {"start": ["shanten"]} to fill the others with bots. One connection
plays one game.

http://HOST:PORT/ is a page with the rooms, who sits there, how to join, and results; it leads spectators to
http://HOST:PORT/watch/{ROOM}; a program reads the same at ws://HOST:PORT/watch/{ROOM}. A
spectator of a --room room sees one game after another. A person sits down there or at
http://HOST:PORT/sit/{ROOM}, with its own clock (--person-limit).

\b
  jantaku serve --room club --players ws,ws,shanten,shanten
  jantaku join 127.0.0.1 --name alice --bot shanten
"""


class ServeOptions(CommandOptions):
    serving: ServingOptions = ServingOptions.group(port={"default": PORT})
    rooms: tuple[str, ...] = option(
        "A room's name; without --room, visitors open their own.", "NAME[=TITLE]", flag="--room"
    )
    players: str | None = option("Players of a room: ws, ws:NAME, or bots.  [default: ws at every seat]", "A,B,C,D")
    bots: str = option("Bots that a host may seat.", "A,B", default=BOTS)
    mjsonp: int | None = option(
        "Also wait for programs of the original mjai, over TCP at this port.", "PORT", type=WholeNumber(0, 65535)
    )
    games: int | None = option("End after N games.  [default: never]", type=WholeNumber(1))
    ruling: RuleOptions = rules(length=True)
    run: RunOptions = RunOptions.group(without=("threads", "flag"))
    seed: str | None = option(
        "Seed of walls and seats; anyone who knows it knows every wall.  [default: secret]", "N", type=SEED
    )
    config: str | None = option("Config file of a table; flags override it.", "FILE")
    out: Path | None = option("Folder for the records.", "DIR", type=Folder())
    paifu: Literal["1.x", "2015"] = option("2015: also write the format of 2015.", default="1.x", show_default=False)
    token: str = option("Token that every player needs.", default="", envvar=TOKEN)
    delay: int = option("Delay for spectators.", "TURNS", type=WholeNumber(0), default=0)
    pace: float | None = option(
        f"Wait after each turn, for people to follow.  [default: {PACE:g} where a person plays, else 0]",
        "SECONDS",
        type=seconds(0),
    )
    no_pin: bool = option("Let each game use all cores; otherwise it keeps to one.")
    person_limit: float | None = option(
        f"Time for each answer of a person.  [default: {CLOCK.turn:g}, {CLOCK.reaction:g} for a call]",
        "SECONDS",
        type=seconds(1),
    )
    no_hints: bool = option("Give people no hints: accepted tiles, safe tiles, worth of their hand.")


@ServeOptions.command(epilog=EPILOG)
def command(options: ServeOptions) -> None:
    """Serve riichi rooms over WebSocket, to players in any dialect and to spectators."""
    began = stamp()
    operator = operator_token(options.serving)
    os.environ.pop(TOKEN, None)  # so that programs seated here do not inherit it
    settings = config.load(options.config) if options.config else config.Settings()
    folder = options.out or here(Path("records", f"{began}-serve"))
    titles = dict(_titled(room) for room in options.rooms)
    plan = _plan(settings, options, folder)
    limits = limits_of(options.serving, pong=pong_of(plan))
    offer = ServerOffer(
        plan=plan,
        rooms=tuple(titles),
        titles=titles,
        token=options.token,
        operator_token=operator,
        games=options.games,
        limits=limits,
        reached=reached_at(options.serving.host, limits),
        disk=disk_of(options.serving),
        pins=not options.no_pin,
    )
    new_folder(folder)
    names = "|".join(offer.rooms) or "{ROOM}"
    plays = f"/play/{names}?name=NAME"
    rooms = RiichiServer(offer, _report)
    doors = [] if options.mjsonp is None else [LineDoor(options.serving.host, options.mjsonp, Handshake())]
    host = reached_at(options.serving.host, offer.limits)[0]
    told = "".join(f", mjsonp://{host_and_port(host, door.port)}/{names}" for door in doors)
    told = f"{plays}{told}; records in {shown(folder)}"
    join = " --name NAME --bot shanten" + " --token-file FILE" * bool(offer.token)
    serve(rooms, pages(), offer.limits, options.serving, told, doors, join)


def _titled(room: str) -> tuple[str, str]:
    """Split a room into its name and its title. BadInput for an invalid title."""
    name, equals, title = room.partition("=")
    if equals and not (title == title.strip() and title.isprintable() and 0 < len(title) <= LONGEST_TITLE):
        raise BadInput(f"--room {name}: its title has 1 to {LONGEST_TITLE} characters that can be printed")
    return name, title


_printing = threading.Lock()


def _report(room: str, ending: Outcome | str) -> None:
    """Print a line for every game. Thread-safe: several rooms may end a game at the same time."""
    with _printing:
        if isinstance(ending, str):
            say(f"room {room}: {ending}", err=True)
        else:
            say(f"room {room}: {line_of(ending)}; {shown(ending.records[-1])}")
            faults = FaultReports()
            faults.add(ending.names, ending.faults, ending.fault_reports)
            if faults:
                file = keep(faults, Path(ending.records[-1]).parent)
                say(*(f"room {room}: {line}" for line in faults.summary()), f"room {room}: all faults: {shown(file)}")


def _plan(settings: config.Settings, options: ServeOptions, folder: Path) -> RiichiRoomPlan:
    mode = settings.table.threads
    if mode is Mode.INLINE:
        raise BadInput(f'{options.config}: table.threads = "inline" cannot keep a clock, and clients need one')
    rules = options.ruling.over(ruleset.FILES, settings.rules)
    if rules.game.players != SEATS and options.mjsonp is not None:
        raise BadInput(
            f"--mjsonp: it is for four players only; three connect by {', '.join(dialects_of(3))}, or on the page"
        )
    return RiichiRoomPlan(
        places=_places(settings, options, folder, rules.game.players),
        bots=_bots(settings, options),
        rules=rules,
        seed=options.seed or seeds.fresh(),
        mode=mode,
        clock=_clock(settings.clock, options.run.limit),
        on_fault=settings.table.on_fault,
        keeping=Keeping(folder, version(), form_2015=options.paifu == "2015"),
        delay=options.delay,
        pace=options.pace,
        person=clock_of(options.person_limit),
        hints=not options.no_hints,
    )


def _bots(settings: config.Settings, options: ServeOptions) -> dict[str, Entrant]:
    """Return by name the bots that a host may fill seats with."""
    names = [bot for bot in players_in(options.bots) if bot]
    wanted: Sequence[str | Terms] = confined(names) if options.run.sandbox or settings.table.sandbox else names
    return {name: enlist([bot])[0] for name, bot in zip(names, wanted, strict=True)}


def pong_of(plan: RiichiRoomPlan) -> float:
    """Return the seconds for a pong: the longest time for an answer, because many clients read nothing while they
    think."""
    places = [place for place in plan.places if isinstance(place, Place)]
    clocks = [msgspec.structs.replace(plan.clock, **place.limits.given) for place in places]
    return max([Limits().pong, *((clock.longest or 0.0) + clock.bank + clock.margin for clock in clocks)])


def _places(settings: config.Settings, options: ServeOptions, folder: Path, seats: int) -> tuple[Place | Entrant, ...]:
    """Return the seats of a room: `ws` waits for any client, `ws:NAME` for that one; any other word is a player as in
    `play`."""
    wanted, where = config.seated(options.players, options.config, settings, ["ws"] * seats)
    terms = [one if isinstance(one, Terms) else terms_of(one.strip()) for one in wanted]
    if options.run.sandbox or settings.table.sandbox:
        terms = list(confined(terms))
    if len(terms) != seats:
        raise BadInput(f"{where}: {len(terms)} given; a riichi table seats {seats}")
    if spoken := next((one for one in terms if _is_awaited(one) and one.dialect), None):
        raise BadInput(f"{where}: {spoken.bot}: dialect: a client names its dialect in its address")
    refuse_programs([one for one in terms if not _is_awaited(one)], seats, where)
    there = iter(enlist([one for one in terms if not _is_awaited(one)], folder))
    places = [
        Place(one.name or one.bot.partition(":")[2], one.clock) if _is_awaited(one) else next(there) for one in terms
    ]
    if not any(isinstance(place, Place) for place in places):
        raise BadInput(f"{where}: there is no seat for a client; at least one has to be ws or ws:NAME")
    return tuple(places)


def _is_awaited(terms: Terms) -> bool:
    return terms.bot.partition(":")[0] == "ws"


def _clock(clock: Clock, limit: float | None) -> Clock:
    """Return the clock with a limit for every player: a client that never answers would block the table."""
    turn, reaction = limit or clock.turn or LIMIT, limit or clock.reaction or LIMIT
    return msgspec.structs.replace(clock, turn=turn, reaction=reaction, start=clock.start or LIMIT)
