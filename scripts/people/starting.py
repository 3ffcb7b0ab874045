"""What `python -m scripts.people` measures: clicks and seconds until a person's first discard is played."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.doors.serving import PATIENCE, Server
from scripts.people.chromium import BrowserPage
from scripts.people.person import DESK, PHONE, Manners, ScriptedPerson, Seen
from scripts.people.playing import browser_in, page_of

_ADDRESS = re.compile(r"play at (\S+);")


def alone(place: Path) -> str:
    """Measure from the start of `jantaku play --human`; the browser runs already."""
    with browser_in(place) as browser:
        began = time.monotonic()
        with _human(place) as said:
            address = _printed(said)
            printed = time.monotonic() - began
            person = ScriptedPerson(browser, size=DESK, seed=1)
            person.sit(address)
            scene = _discards(person)
            seconds = time.monotonic() - began
    told = f"{person.did['clicks']} click(s), {seconds:.1f} s to the first discard ({scene.word}); "
    return f"{told}the address stands there after {printed:.1f} s"


def by_link(place: Path) -> str:
    """Measure from a link to a room of three bots, with a phone whose browser has to be started first."""
    with Server(place, games=None, players="ws,ws,ws,ws") as server:
        began = time.monotonic()
        with browser_in(place) as browser:
            person = ScriptedPerson(browser, size=PHONE, manners=Manners(), seed=1)
            person.sit(page_of(server), "Hanako")
            _discards(person)
            seconds = time.monotonic() - began
    taps = person.did["clicks"]
    return f"{taps} taps and a name, {seconds:.1f} s to the first discard, the start of the browser among them"


@contextmanager
def _human(place: Path) -> Iterator[Path]:
    said = place / "said"
    words = ["play", "--human", "Hanako", "--no-browser", "--out", str(place / "records")]
    with said.open("wb") as out:
        process = subprocess.Popen([sys.executable, "-m", "jantaku", *words], stdout=out, stderr=subprocess.STDOUT)
    try:
        yield said
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)


def _printed(said: Path) -> str:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if found := _ADDRESS.search(said.read_text("utf-8")):
            return found[1]
        time.sleep(0.01)
    raise SystemExit(f"no address was printed: {said.read_text('utf-8')}")


def _discards(person: ScriptedPerson) -> Seen:
    """Play until the first own discard lies on the table."""
    before = len(_river(person.page))
    while True:
        scene = person.look()
        person.step()
        person.page.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if len(_river(person.page)) > before:
            return scene


def _river(page: BrowserPage) -> list[str]:
    """Return the own discards."""
    script = "[...document.querySelectorAll('.seat.place0 .river .tile')].map(tile => tile.dataset.tile)"
    tiles: list[str] = page.ask(script)
    return tiles
