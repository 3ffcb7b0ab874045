"""From the empty page to the last result with the keyboard alone."""

import time
from pathlib import Path

from scripts.doors.serving import Server
from scripts.people.person import DESK, Manners, ScriptedPerson
from scripts.people.playing import FAST, browser_in, page_of, row, seats_for


def attempt(place: Path, *, seed: int) -> tuple[str, bool]:
    """Play a hanchan; return the row, and whether all is as it should be."""
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
