"""`jantaku play --human`: one person in the browser of this machine, at a table with three bots."""

import contextlib
import os
import queue
import sys
import webbrowser
from collections.abc import Iterator, Sequence
from urllib.parse import quote

import msgspec

from table.cli.looking.records import new_folder
from table.cli.say import say
from table.clock import Deadline
from table.errors import BadInput, TableFault
from table.judge.timing import LIMIT
from table.judge.turn.way import Mode
from table.play.outcome import Outcome
from table.play.riichi import Keeping
from table.play.roster import Entrant
from table.play.runner import Plan
from table.riichi.rules import Rules
from table.server.net.limits import Limits
from table.server.net.web import WebServer
from table.server.riichi.room import Place, RiichiRoomPlan
from table.server.riichi.server import LONGEST_NAME, RiichiServer, ServerOffer, pages

NAMELESS = "human"
"""What a person is called who gives no name."""
BOTS = ("shanten",) * 3
"""Whom a person plays against where nothing else is said."""
ROOM, HOST = "table", "127.0.0.1"
LIMITS = Limits(origins=(), ping=20.0, pong=60.0)
_LOOK = 0.5
"""Seconds between two checks of the server."""
_LOADING = 3.0
"""Seconds after which a page that is not connected any more is closed, and is not just being loaded."""


def outcomes_with(
    name: str,
    plan: Plan,
    rules: Rules,
    keeping: Keeping,
    *,
    games: int | None = None,
    pace: float | None = None,
    opens: bool = True,
) -> Iterator[Outcome]:
    """Games of a person with the three bots of a plan: as many as are wanted on the page, `games` at the most. They
    begin when the page is opened, and end when it is closed after a game. The page's address is printed, and with
    `opens` a browser is shown it if there is one."""
    _checked(name, plan)
    places: tuple[Place | Entrant, ...] = (Place(), *plan.entrants)
    clock = plan.clock if plan.clock.start else msgspec.structs.replace(plan.clock, start=LIMIT)
    room = RiichiRoomPlan(places, {}, rules, plan.seed, plan.mode, clock, plan.on_fault, keeping, pace=pace)
    new_folder(keeping.folder)
    return _outcomes(quote(name), ServerOffer(room, rooms=(ROOM,), games=games, limits=LIMITS), opens=opens)


def _outcomes(name: str, offer: ServerOffer, *, opens: bool) -> Iterator[Outcome]:
    endings: queue.SimpleQueue[Outcome | str] = queue.SimpleQueue()
    rooms = RiichiServer(offer, lambda _, ending: endings.put(ending))
    with WebServer(rooms.welcome, pages(), HOST, 0, LIMITS, tidy=rooms.tidy) as server:
        address = f"http://{HOST}:{server.port}/sit/{ROOM}#name={name}"
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


def _further(endings: "queue.SimpleQueue[Outcome | str]", rooms: RiichiServer, server: WebServer) -> Iterator[Outcome]:
    """The games after the first, until the page is closed."""
    gone = Deadline(_LOADING)
    while not gone.over:
        with contextlib.suppress(queue.Empty):
            yield _outcome(endings.get(timeout=_LOOK))
        server.check()
        if server.is_watched or _is_playing(rooms):
            gone = Deadline(_LOADING)


@contextlib.contextmanager
def _interrupted_between_games(rooms: RiichiServer) -> Iterator[None]:
    """Ctrl-C when no game is played breaks nothing off."""
    try:
        yield
    except KeyboardInterrupt:
        if _is_playing(rooms):
            raise


def _is_playing(rooms: RiichiServer) -> bool:
    room = rooms.get(ROOM)
    return room is not None and room.is_playing


def _checked(name: str, plan: Plan) -> None:
    if len(plan.entrants) != len(BOTS):
        raise BadInput(f"--players: {len(plan.entrants)} given; with --human it names the {len(BOTS)} bots beside you")
    if plan.mode is Mode.INLINE:
        raise BadInput("--threads inline cannot wait for a person; use per-turn or resident")
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise BadInput(f"--human: {name!r} is no name; allowed are 1 to {LONGEST_NAME} characters that can be printed")


def _first(endings: "queue.SimpleQueue[Outcome | str]", server: WebServer) -> Outcome:
    """How the first game ended, however long it takes. TableFault if it could not be played."""
    while True:
        with contextlib.suppress(queue.Empty):
            return _outcome(endings.get(timeout=_LOOK))
        server.check()


def _outcome(ending: Outcome | str) -> Outcome:
    if isinstance(ending, str):
        raise TableFault(ending)
    return ending


def has_screen() -> bool:
    """Whether a browser would have a window; one in a terminal would be of no use."""
    wanted: Sequence[str] = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("darwin", "win32") or any(os.environ.get(one) for one in wanted)
