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

from jantaku.table.cli.commands.records import new_folder
from jantaku.table.cli.say import say
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import LIMIT
from jantaku.table.play.entry import Wishes
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping
from jantaku.table.play.runner import Plan
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.riichi.rules import Rules
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.web import Page, WebServer
from jantaku.table.serve.riichi.person_seat import clock_of
from jantaku.table.serve.riichi.room import Place, RiichiRoomPlan
from jantaku.table.serve.riichi.server import LONGEST_NAME, RiichiServer, ServerOffer, pages
from jantaku.table.serve.rooms import ServedRooms

ROOM, HOST = "table", "127.0.0.1"
LIMITS = Limits(origins=(), ping=20.0, pong=60.0)
_LOOK = 0.5
"""Seconds between two checks of the server."""
_LOADING = 3.0
"""Seconds after which a disconnected page counts as closed, not as reloading."""

Endings = queue.SimpleQueue[Outcome | str]
"""Outcomes of games, or the reasons why they could not be played."""


def outcomes_with(name: str, plan: Plan, rules: Rules, keeping: Keeping, wishes: Wishes) -> Iterator[Outcome]:
    """Play riichi with a person, see `GameEntry.with_person`. The page says how many games."""
    given, others = len(plan.entrants), rules.game.players - 1
    if given != others:
        raise BadInput(f"--players: {given} given; with --human it names the {others} bots beside you")
    refuse_unfit(name, plan, LONGEST_NAME)
    places: tuple[Place | Entrant, ...] = (Place(), *plan.entrants)
    clock = plan.clock if plan.clock.start else msgspec.structs.replace(plan.clock, start=LIMIT)
    how = plan.seed, plan.mode, clock, plan.on_fault, keeping
    room = RiichiRoomPlan(places, {}, rules, *how, pace=wishes.pace, person=clock_of(wishes.limit))
    new_folder(keeping.folder)
    offer = ServerOffer(room, rooms=(ROOM,), games=wishes.games, limits=LIMITS)
    endings = Endings()
    rooms = RiichiServer(offer, lambda _, ending: endings.put(ending))
    return outcomes_at(f"/sit/{ROOM}#name={quote(name)}", rooms, pages(), endings, opens=wishes.opens)


def outcomes_at(
    path: str, rooms: ServedRooms[Any], site: dict[str, Page], endings: Endings, *, opens: bool
) -> Iterator[Outcome]:
    """Serve rooms for one person until the page at `path` is closed, and yield the games as they end."""
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


def refuse_unfit(name: str, plan: Plan, longest: int) -> None:
    """Raise BadInput for a name that cannot be shown, or a plan whose judge cannot wait for a person."""
    if plan.mode is Mode.INLINE:
        raise BadInput("--threads inline cannot wait for a person; use per-turn or resident")
    if not name or len(name) > longest or not name.isprintable() or name != name.strip():
        raise BadInput(f"--human: {name!r} is not a name; allowed are 1 to {longest} characters that can be printed")


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
