"""Whole hanchan by one, two and four scripted persons."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from scripts.doors.serving import ROOM, Server
from scripts.doors.tally import Tally
from scripts.people.chromium import PROGRAM, Browser, BrowserPage
from scripts.people.person import DESK, PHONE, Manners, ScriptedPerson

PERSONS = (1, 2, 4)
"""Numbers of persons at a table."""
BOTS = ("shanten", "caller", "shanten")
FAST = ("--pace", "0")
CLUMSY = Manners(clumsy=0.1, starts=False)


@contextmanager
def browser_in(place: Path) -> Iterator[Browser]:
    """Open a browser with an empty profile. SystemExit if there is none."""
    if PROGRAM is None:
        raise SystemExit("no Chromium is on the PATH")
    place.mkdir(parents=True, exist_ok=True)
    with Browser(PROGRAM, place / "profile") as browser:
        yield browser


def seats_for(persons: int) -> str:
    """Return the players of a room for that many persons."""
    return ",".join(["ws"] * persons + list(BOTS[: 4 - persons]))


def page_of(server: Server, room: str = ROOM) -> str:
    """Return the address at which a person sits down."""
    return f"http://127.0.0.1:{server.port('ws')}/sit/{room}"


def play(persons: int, place: Path, *, hanchan: int, seed: int) -> tuple[str, bool]:
    """Play that many hanchan with that many persons at one table; return the row, and whether all is as it should
    be."""
    began, did, errors = time.monotonic(), Counter[str](), list[str]()
    with (
        browser_in(place) as browser,
        Server(place, games=hanchan, players=seats_for(persons), seed=seed, more=FAST) as server,
        ThreadPoolExecutor(persons) as pool,
    ):
        pages = [browser.another(apart=True) for _ in range(persons)]
        for page in pages:
            page.calm()
        for number in range(hanchan):
            print(f"{persons}: {number} of {hanchan}, {did['moves']} moves", file=sys.stderr)
            players = [_person(page, n, number, seed) for n, page in enumerate(pages)]
            list(pool.map(lambda one: _sit_and_play(one, server), players))
            did += sum((one.did for one in players), Counter())
        errors += [error for page in pages for error in page.errors]
    return row(place, server, did, errors, hanchan, time.monotonic() - began)


def _person(page: BrowserPage, n: int, number: int, seed: int) -> ScriptedPerson:
    """Make the scripted person for one page; pages alternate between desktop and phone from hanchan to hanchan."""
    size = (DESK, PHONE)[(n + number) % 2]
    return ScriptedPerson(page, size=size, manners=CLUMSY, seed=f"{seed} {n} {number}")


def _sit_and_play(person: ScriptedPerson, server: Server) -> None:
    person.sit(page_of(server), "guest")
    person.play()


def row(
    place: Path, server: Server, did: Counter[str], errors: list[str], hanchan: int, seconds: float
) -> tuple[str, bool]:
    """Return the result of the hanchan in a folder, and whether all is as it should be."""
    tally = Tally(place, server.said)
    blunders = sum(count for kind, count in did.items() if kind not in ("moves", "clicks"))
    told = f"{tally.games:3} hanchan {tally.decisions:6} decisions {tally.verified:3} verify {seconds:6.0f} s  "
    told += f"{did['moves']} moves, {did['clicks']} clicks and taps, {blunders} of what is forbidden; "
    good = not tally.faults and tally.verified == hanchan and not errors
    return "\n".join([f"{told}faults: {tally.told()}", *tally.wrong, *errors]), good
