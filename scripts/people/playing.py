"""Whole hanchan by scripted persons: one, two and four at a table, by keyboard alone, and on pages that are killed."""

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from scripts.doors.serving import ROOM, Server, Tally
from scripts.people.chromium import PROGRAM, Browser, BrowserPage
from scripts.people.person import DESK, PHONE, Manners, ScriptedPerson, Seen

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


def by_keyboard(place: Path, *, seed: int) -> tuple[str, bool]:
    """Play a hanchan from the empty page to the last result with the keyboard alone; return the row, and whether all is
    as it should be."""
    began = time.monotonic()
    with (
        browser_in(place) as browser,
        Server(place, games=1, players=seats_for(1), seed=seed, more=FAST) as server,
    ):
        person = ScriptedPerson(browser, size=DESK, manners=Manners(keys=True), seed=seed)
        person.sit(page_of(server), "keys")
        person.play()
    told, good = row(place, server, person.did, browser.errors, 1, time.monotonic() - began)
    return told, good and not person.did["clicks"]


# --- pages that are killed at a random moment and opened again

WAYS = ("closed", "killed", "reloaded", "elsewhere", "meanwhile")
"""What happens to the page; elsewhere: on another device, by the link; meanwhile: the same, while the old page
stays."""
SHARE = 0.15
"""Share of the steps at which it happens."""


class Returns:
    """A person that breaks off at random moments until it has done so often enough."""

    def __init__(self, browser: Browser, times: int, seed: int) -> None:
        self._browser, self._times = browser, times
        self._chance = random.Random(f"{seed} returns")
        self.ways: Counter[str] = Counter()
        self.compared = 0
        """How often an open question could be compared."""
        self.troubles: list[str] = []
        self.errors: list[str] = []

    @property
    def left(self) -> bool:
        """Whether it has to break off once more."""
        return self.ways.total() < self._times

    def play(self, server: Server, number: int) -> None:
        """Play a hanchan."""
        page = self._browser.another(apart=True)
        page.calm()
        person = ScriptedPerson(page, size=(DESK, PHONE)[number % 2], seed=number)
        person.sit(page_of(server), "guest")
        while (scene := person.look()).state != "over":
            if self.left and scene.state in ("turn", "result") and self._chance.random() < SHARE:
                self._breaks(person, scene)
            else:
                person.step()
        self._leave(person)

    def _breaks(self, person: ScriptedPerson, scene: Seen) -> None:
        way = self._chance.choice(WAYS)
        self.ways[way] += 1
        print(f"{self.ways.total()} of {self._times}: {way}", file=sys.stderr)
        # Half of the time while an answer is under way, or just after it arrived.
        answered = scene.state == "turn" and self._chance.random() < 0.5
        compares = scene.state == "turn" and not answered
        asked = person.choice if compares else None
        link, old = person.link, person.page
        if answered:
            person.move(scene)
            time.sleep(self._chance.uniform(0, 0.05))
        if way == "reloaded":
            person.page.leave("location.reload()")
        else:
            if way == "killed":
                old.kill()
            elif way != "meanwhile":
                old.close()
            apart = way in ("elsewhere", "meanwhile")
            person.come_back(old.another(apart=apart), link if apart else "")
        again = person.look()
        if compares:
            self._compare(way, scene, asked, again, person.choice)
        for word in person.heard:
            self.troubles.append(f"{way}: it was told {word}")
        if way == "meanwhile":
            self._stays_away(person, old)

    def _compare(self, way: str, scene: Seen, asked: object, again: Seen, asks: object) -> None:
        self.compared += 1
        if again.asked != scene.asked:
            self.troubles.append(f"{way}: {scene} has become {again}")
        if _untimed(asked) != _untimed(asks):
            self.troubles.append(f"{way}: {asked} has become {asks}")

    def _stays_away(self, person: ScriptedPerson, old: BrowserPage) -> None:
        """Check that the older page is told, and does not come back by itself."""
        told = ScriptedPerson(old, manners=person.manners).look()
        if "here" not in dict(told.acts) or not told.told:  # the message may lie under an unread result
            self.troubles.append(f"meanwhile: the older page shows {told}")
        old.close()

    def _leave(self, person: ScriptedPerson) -> None:
        self.errors += person.page.errors
        person.page.close()


def _untimed(asked: object) -> object:
    return {key: value for key, value in asked.items() if key != "timer"} if isinstance(asked, dict) else asked


def come_back(place: Path, *, times: int, seed: int) -> tuple[str, bool]:
    """Break off and come back `times` times; return the row, and whether all is as it should be."""
    began, number = time.monotonic(), 0
    with (
        browser_in(place) as browser,
        Server(place, games=None, players=seats_for(1), seed=seed, more=FAST) as server,
    ):
        returns = Returns(browser, times, seed)
        while returns.left:
            returns.play(server, number)
            number += 1
            server.wait_for(number)
    tally = Tally(place, server.said)
    # A person that comes back after the end of a game plays the next one, so there may be more games.
    whole = tally.verified == tally.games >= number
    good = whole and not (tally.faults or returns.troubles or returns.errors)
    ways = ", ".join(f"{way} {count}" for way, count in sorted(returns.ways.items()))
    told = f"{times} times ({ways}), {returns.compared} with an open question and the same choices; "
    told += f"{number} sittings, {tally.verified} of {tally.games} records verify; faults: {tally.told()}; "
    told += f"{time.monotonic() - began:.0f} s"
    return "\n".join([told, *returns.troubles[:20], *returns.errors, *tally.wrong]), good
