"""A page is killed at a random moment of a hanchan and opened again."""

import random
import sys
import time
from collections import Counter
from pathlib import Path

from scripts.doors.serving import Server
from scripts.doors.tally import Tally
from scripts.people.chromium import Browser, BrowserPage
from scripts.people.person import DESK, PHONE, ScriptedPerson, Seen
from scripts.people.playing import FAST, browser_in, page_of, seats_for

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


def attempt(place: Path, *, times: int, seed: int) -> tuple[str, bool]:
    """Break off and come back that often; return the row, and whether all is as it should be."""
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
