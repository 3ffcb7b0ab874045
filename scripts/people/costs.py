"""The rows of `python -m scripts.people costs`: what people's pages cost the bots beside them.

Three tables in turn, each for as many hanchan: three bots and a program that discards what it draws, alone; the same
where a person does so on a page, and others look on; the same as the first while four persons play in another room.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from scripts.doors.guests import Discarder, converse
from scripts.doors.line import WebSocketLine
from scripts.doors.serving import PATIENCE, ROOM, Server
from scripts.doors.tally import Tally
from scripts.people.playing import browser_in, page_of
from table.testing.chromium import Browser
from table.testing.person import DESK, PHONE, Manners, ScriptedPerson, Seen

BOTS = ("shanten", "caller", "tsumogiri")
GUEST, OTHER_ROOM = "guest", "people"
ONLOOKERS = 4
PACE = 0.05
"""Seconds behind each turn, at all three tables: pages are drawn meanwhile, on the processors of this machine."""
LAST = 19
"""How browsers give way (nice): people have theirs elsewhere, and take no processor from the bots here."""
THINKING = Manners(pause=1.0, starts=False)
ALLOWED = 1.25
"""Up to this ratio of their median times bots count as unhindered."""
Sitting = Callable[[Server, Browser], None]


class Drawer(ScriptedPerson):
    """Discards what it draws and lets everything else go, as the program that it is compared with."""

    def move(self, scene: Seen) -> None:
        """See `ScriptedPerson.move`."""
        self.page.press("d" if any(can for _, can in scene.tiles) else "n")


def _program(server: Server, browser: Browser) -> None:
    line = WebSocketLine(f"ws://127.0.0.1:{server.port('ws')}/play/{ROOM}?name={GUEST}")
    line.say({"start": list(BOTS)})
    converse(line, Discarder())
    line.close()


def _watched_person(server: Server, browser: Browser) -> None:
    watching = [browser.another(apart=True) for _ in range(ONLOOKERS)]
    for page in watching:
        page.open(page_of(server).replace("/sit/", "/watch/"), *DESK)
    person = Drawer(browser.another(apart=True), size=PHONE)
    person.sit(page_of(server), GUEST)
    person.play()
    for page in (*watching, person.page):
        page.close()


def _beside_people(server: Server, browser: Browser) -> None:
    with _people(server, browser):
        _program(server, browser)


@contextmanager
def _people(server: Server, browser: Browser) -> Iterator[None]:
    """Four persons play in another room, until the block ends."""
    over = threading.Event()
    people = [ScriptedPerson(browser.another(apart=True), size=PHONE, manners=THINKING, seed=n) for n in range(4)]
    threads = [threading.Thread(target=_plays, args=(one, server, over), daemon=True) for one in people]
    for thread in threads:
        thread.start()
    for person in people:
        while not person.did["moves"]:
            over.wait(0.1)
            if not all(thread.is_alive() for thread in threads):
                raise SystemExit("the four persons do not play")
    yield
    over.set()
    for thread, person in zip(threads, people, strict=True):
        thread.join(PATIENCE)
        person.page.close()


def _plays(person: ScriptedPerson, server: Server, over: threading.Event) -> None:
    person.sit(page_of(server, OTHER_ROOM), "person")
    while not over.is_set() and person.step():
        pass


TABLES: dict[str, Sitting] = {
    "alone": _program,
    "a person, four onlookers": _watched_person,
    "four persons elsewhere": _beside_people,
}


def attempt(place: Path, *, hanchan: int) -> tuple[str, bool]:
    """So many hanchan at each table; the row, and whether bots are unhindered."""
    used: dict[str, list[float]] = {name: [] for name in TABLES}
    for number in range(hanchan):
        for name, sit in TABLES.items():
            print(f"{number} of {hanchan}: {name}", file=sys.stderr)
            folder = place / f"{number}-{list(TABLES).index(name)}"
            with browser_in(folder, LAST) as browser, _server(folder, number) as server:
                sit(server, browser)
                server.wait_for(1)
            tally = Tally(folder)
            used[name] += [one for bot in BOTS for one in tally.used[bot]]
    alone = used["alone"]
    told = [f"alone {_told(alone)} of {len(alone)} answers"]
    ratios = {name: median(times) / median(alone) for name, times in used.items() if name != "alone"}
    told += [f"{name} {_told(used[name])}, {ratio:.2f} times as long" for name, ratio in ratios.items()]
    return f"bots' answers: {'; '.join(told)}", max(ratios.values()) <= ALLOWED


def _server(folder: Path, number: int) -> Server:
    more = ("--room", OTHER_ROOM, "--pace", str(PACE))
    return Server(folder, games=None, players="ws,ws,ws,ws", seed=number, more=more)


def _told(times: list[float]) -> str:
    return f"{1e6 * median(times):.0f} µs (99 of 100: {1e6 * quantiles(times, n=100)[-1]:.0f})"
