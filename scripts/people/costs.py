"""What people's pages cost the bots at their table.

Two tables alternate, each for the same number of hanchan on the same walls: two bots beside two that discard what they
draw, in one process; and the same with persons in place of the latter two, whose pages discard what they draw, while
others look on. The pages are clients that draw nothing, in a process of lower priority: a real browser has processors
of its own.
"""

import os
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from scripts.doors.guests import converse
from scripts.doors.hand import Item
from scripts.doors.line import WebSocketLine
from scripts.doors.serving import ROOM, Server
from scripts.doors.tally import Tally

BOTS = ("shanten", "caller")
PERSONS, ONLOOKERS = 2, 4
PACE = "0.02"
"""Seconds after each turn, at both tables."""
LAST = 5
"""Niceness of the process of the pages."""
ALLOWED = 1.25
"""Bots count as unhindered up to this ratio of their median times."""


class Page:
    """A page whose person lets every default happen: it discards what it draws and calls nothing."""

    over = False

    def reply(self, message: Item) -> Item | None:
        self.over = self.over or "jieju" in message
        choice = message.get("choice")
        return choice and {"question": choice["question"], "reply": choice["default"]}


class Onlooker(Page):
    """Hears everything and says nothing."""

    def reply(self, message: Item) -> Item | None:
        return None


def pages(port: int) -> None:
    """The whole process of the pages: all onlookers and players, until the last connection ends."""
    os.nice(LAST)
    at = f"ws://127.0.0.1:{port}"
    ways: list[tuple[str, Page]] = [(f"{at}/watch/{ROOM}", Onlooker())] * ONLOOKERS
    ways += [(f"{at}/play/{ROOM}?name=person{n}&dialect=person&key=k{n}", Page()) for n in range(PERSONS)]
    with ThreadPoolExecutor(len(ways)) as pool:
        list(pool.map(lambda way: converse(WebSocketLine(way[0]), way[1]), ways))


def _with_people(folder: Path, seed: int) -> None:
    seats = ",".join(["ws"] * PERSONS + list(BOTS))
    with Server(folder, games=None, players=seats, seed=seed, more=("--pace", PACE)) as server:
        visitors = get_context("spawn").Process(target=pages, args=(server.port("ws"),), daemon=True)
        visitors.start()
        server.wait_for(1)
    visitors.join()


def _alone(folder: Path, seed: int) -> None:
    seats = ",".join(["tsumogiri"] * PERSONS + list(BOTS))
    words = ["play", "--players", seats, "--seed", str(seed), "--pace", PACE, "--out", str(folder)]
    subprocess.run([sys.executable, "-m", "jantaku", *words], check=True, stdout=subprocess.DEVNULL)


def _medians(folder: Path) -> dict[str, tuple[float, int]]:
    """Return for each bot: the median of its seconds from question to answer, and the number of its answers."""
    used = Tally(folder).used
    return {bot: (median(used[bot]), len(used[bot])) for bot in BOTS}


def attempt(place: Path, *, hanchan: int) -> tuple[str, bool]:
    """Play that many hanchan at each table; return the row, and whether bots are unhindered."""
    ratios = defaultdict[str, list[float]](list)
    for number in range(hanchan):
        print(f"{number} of {hanchan}", file=sys.stderr)
        tables = [partial(_alone, place / f"{number}-alone"), partial(_with_people, place / f"{number}-people")]
        for sit in tables[:: -1 if number % 2 else 1]:  # the machine's other load affects both alike
            sit(seed=number)
        alone, people = _medians(place / f"{number}-alone"), _medians(place / f"{number}-people")
        for bot in BOTS:
            ratios[bot].append(people[bot][0] / alone[bot][0])
            print(f"{bot}: alone {_told(*alone[bot])}, with people {_told(*people[bot])}", file=sys.stderr)
    told = [f"{bot} {median(of):.2f} ({min(of):.2f} to {max(of):.2f})" for bot, of in ratios.items()]
    return f"times as long with people: {', '.join(told)}", max(map(median, ratios.values())) <= ALLOWED


def _told(middle: float, answers: int) -> str:
    return f"{1e6 * middle:.0f} µs of {answers} answers"
