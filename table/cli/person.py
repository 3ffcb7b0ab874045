"""`jantaku play --human`: one person in this machine's browser, at a table with bots."""

import contextlib
import os
import queue
import sys
import webbrowser
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

import msgspec

from jantaku.table.cli.looking.records import new_folder
from jantaku.table.cli.say import say
from jantaku.table.clock import Deadline
from jantaku.table.daifugo import rules as daifugo
from jantaku.table.errors import BadInput, TableFault
from jantaku.table.judge.timing import LIMIT
from jantaku.table.judge.turn.way import Mode
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping
from jantaku.table.play.roster import Entrant
from jantaku.table.play.runner import Plan
from jantaku.table.riichi.rules import Rules
from jantaku.table.server.daifugo.room import DaifugoRoomPlan
from jantaku.table.server.daifugo.server import DaifugoServer
from jantaku.table.server.daifugo.server import pages as daifugo_pages
from jantaku.table.server.net.limits import Limits
from jantaku.table.server.net.web import Page, WebServer
from jantaku.table.server.riichi.person import clock_of
from jantaku.table.server.riichi.room import Place, RiichiRoomPlan
from jantaku.table.server.riichi.server import LONGEST_NAME, RiichiServer, ServerOffer, pages
from jantaku.table.server.rooms import ServedRooms
from jantaku.table.wire import neof5

ROOM, HOST = "table", "127.0.0.1"
LIMITS = Limits(origins=(), ping=20.0, pong=60.0)
_LOOK = 0.5
"""Seconds between two checks of the server."""
_LOADING = 3.0
"""Seconds after which a disconnected page counts as closed, not as reloading."""

Endings = queue.SimpleQueue[Outcome | str]
"""Outcomes of games, or the reasons why they could not be played."""


def outcomes_with(
    name: str,
    plan: Plan,
    rules: Rules,
    keeping: Keeping,
    *,
    games: int | None = None,
    pace: float | None = None,
    limit: float | None = None,
    opens: bool = True,
) -> Iterator[Outcome]:
    """Play games of a person against the bots of a plan, which take every other seat.

    The page says how many games, at most `games`. They begin when the page is opened, and end when it is closed after a
    game. The person has `limit` seconds for an answer. The page's address is printed, and with `opens` shown in a
    browser if there is one.
    """
    given, others = len(plan.entrants), rules.game.players - 1
    if given != others:
        raise BadInput(f"--players: {given} given; with --human it names the {others} bots beside you")
    _checked(name, plan, LONGEST_NAME)
    places: tuple[Place | Entrant, ...] = (Place(), *plan.entrants)
    clock = plan.clock if plan.clock.start else msgspec.structs.replace(plan.clock, start=LIMIT)
    how = plan.seed, plan.mode, clock, plan.on_fault, keeping
    room = RiichiRoomPlan(places, {}, rules, *how, pace=pace, person=clock_of(limit))
    new_folder(keeping.folder)
    offer = ServerOffer(room, rooms=(ROOM,), games=games, limits=LIMITS)
    endings = Endings()
    rooms = RiichiServer(offer, lambda _, ending: endings.put(ending))
    return _outcomes(f"/sit/{ROOM}#name={quote(name)}", rooms, pages(), endings, opens=opens)


def series_with(
    name: str,
    plan: Plan,
    rules: daifugo.Rules,
    keeping: Keeping,
    *,
    games: int | None = None,
    pace: float | None = None,
    limit: float | None = None,
    opens: bool = True,
) -> Iterator[Outcome]:
    """Do the same for series of 大富豪, with as many bots as the plan has."""
    seats = len(plan.entrants) + 1
    if not daifugo.FEWEST <= seats <= daifugo.MOST:
        raise BadInput(
            f"--players: {seats - 1} given; with --human it names the 1 to {daifugo.MOST - 1} bots beside you"
        )
    _checked(name, plan, neof5.LONGEST_NAME)
    rules = daifugo.FILES.with_settings(rules, {"game.seats": str(seats)}, "--players")
    room = DaifugoRoomPlan(
        rules,
        plan.seed,
        com=plan.entrants[0].make,
        limit=plan.clock.turn or rules.room.turn_limit,
        pause=pace,
        folder=keeping.folder,
        version=keeping.version,
        bots=plan.entrants,
        person=clock_of(limit),
    )
    new_folder(keeping.folder)
    endings = Endings()
    rooms = DaifugoServer(room, LIMITS, games=games, report=endings.put)
    path = f"/sit/{rules.game.letter}/{ROOM}#name={quote(name)}"
    return _outcomes(path, rooms, daifugo_pages(), endings, opens=opens)


def _outcomes(
    path: str, rooms: ServedRooms[Any], site: dict[str, Page], endings: Endings, *, opens: bool
) -> Iterator[Outcome]:
    with WebServer(rooms.welcome, site, HOST, 0, LIMITS, tidy=rooms.tidy) as server:
        address = f"http://{HOST}:{server.port}{path}"
        say(f"play at {address}; Ctrl-C ends", err=True)
        if opens and has_screen():
            webbrowser.open(address)
        try:
            yield _first(endings, server)
            say("the page stays as long as it is open, for the next game and for a look back; Ctrl-C ends", err=True)
            with _interrupted_between_games(rooms):
                yield from _further(endings, rooms, server)
        finally:
            rooms.close()


def _further(endings: Endings, rooms: ServedRooms[Any], server: WebServer) -> Iterator[Outcome]:
    """Yield the games after the first, until the page is closed."""
    gone = Deadline(_LOADING)
    while not gone.over:
        with contextlib.suppress(queue.Empty):
            yield _outcome(endings.get(timeout=_LOOK))
        server.check()
        if server.is_watched or _is_playing(rooms):
            gone = Deadline(_LOADING)


@contextlib.contextmanager
def _interrupted_between_games(rooms: ServedRooms[Any]) -> Iterator[None]:
    """Inside this context Ctrl-C between two games is no interruption."""
    try:
        yield
    except KeyboardInterrupt:
        if _is_playing(rooms):
            raise


def _is_playing(rooms: ServedRooms[Any]) -> bool:
    room = rooms.get(ROOM)
    return room is not None and room.is_playing


def _checked(name: str, plan: Plan, longest: int) -> None:
    if plan.mode is Mode.INLINE:
        raise BadInput("--threads inline cannot wait for a person; use per-turn or resident")
    if not name or len(name) > longest or not name.isprintable() or name != name.strip():
        raise BadInput(f"--human: {name!r} is no name; allowed are 1 to {longest} characters that can be printed")


def _first(endings: Endings, server: WebServer) -> Outcome:
    """Return the outcome of the first game, however long it takes. TableFault if it could not be played."""
    while True:
        with contextlib.suppress(queue.Empty):
            return _outcome(endings.get(timeout=_LOOK))
        server.check()


def _outcome(ending: Outcome | str) -> Outcome:
    if isinstance(ending, str):
        raise TableFault(ending)
    return ending


def has_screen() -> bool:
    """Return whether a browser would have a window; one in the terminal would not do."""
    wanted: Sequence[str] = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("darwin", "win32") or any(os.environ.get(one) for one in wanted)
