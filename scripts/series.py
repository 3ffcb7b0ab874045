"""大富豪 series in the viewer: each is played, exported, stepped through in a real browser by its keys, and checked
against its record at every position: hands, trick, passes, pile, revolution, exchange, ranks, places, points, results.

    python -m scripts.series
    python -m scripts.series --series 3 --rounds 2
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from jantaku.table.daifugo.record import Record, load
from jantaku.table.daifugo.replay import DaifugoTable, viewed
from jantaku.table.daifugo.rules import FILES
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.play.roster import enlist
from jantaku.table.play.runner import Looker, Opener, Plan, WatchedGames, play
from jantaku.table.records.view.page import Book, page
from scripts.pages.series import expected, stepped
from scripts.people.chromium import PROGRAM, Browser

SIZES = ((1280, 900), (390, 844))
PLAYERS = ("daifugo-greedy", "dice", "daifugo-weakest", "dice", "daifugo-greedy", "dice")
HITS = """
globalThis.hits = [];
document.addEventListener("securitypolicyviolation", event => hits.push(event.violatedDirective));
"""


def played(
    folder: Path, seed: int, *, seats: int, letter: str, rounds: int, look: Callable[[], Looker] | None = None
) -> Record:
    """Play a series between bots and return its record; `look` makes a looker, see `WatchedGames`."""
    changes = {"game.seats": str(seats), "game.letter": letter, "series.rounds": str(rounds)}
    rules = FILES.with_settings(FILES.preset("strict"), changes)
    entrants = tuple(enlist(PLAYERS[:seats], folder, "daifugo"))
    names = [entrant.name for entrant in entrants]
    plan = Plan(entrants, 1, str(seed), Mode.INLINE, Clock(), OnFault.DEFAULT)
    table: Opener = DaifugoTable(rules, names, plan.seed, folder, "test")
    (done,) = play(plan, table if look is None else WatchedGames(table, look))
    return load(Path(done.records[0]))


def looked_at(browser: Browser, folder: Path, number: int, rounds: int) -> int:
    """Check one series; return the number of positions. AssertionError at the first that differs."""
    place = folder / str(number)
    place.mkdir()
    record = played(place, number, seats=2 + number % 5, letter="AB"[number // 5 % 2], rounds=rounds)
    path = place / "series.html"
    path.write_bytes(page(Book([viewed(record, record.rules).entry()]), "daifugo").content)
    browser.open(f"{path.as_uri()}#k=1&e=1", *SIZES[number % 2])
    seen, wanted = stepped(browser), expected(record)
    for shown, told in zip(seen, wanted, strict=True):
        assert shown == told, f"seed {number}, {shown['position']}: {shown} instead of {told}"
    assert browser.ask("document.documentElement.scrollWidth") <= SIZES[number % 2][0]
    assert browser.ask("hits.length") == 0, "the Content-Security-Policy was violated"
    assert browser.errors == []
    return len(seen)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--series", type=int, default=100, help="how many [100]")
    parser.add_argument("--rounds", type=int, default=10, help="rounds of each [10]")
    asked = parser.parse_args()
    if PROGRAM is None:
        raise SystemExit("no Chromium is on the PATH")
    positions = 0
    with tempfile.TemporaryDirectory() as folder, Browser(PROGRAM, Path(folder) / "profile") as browser:
        browser.call("Page.addScriptToEvaluateOnNewDocument", source=HITS)
        for number in range(asked.series):
            positions += looked_at(browser, Path(folder), number, asked.rounds)
            print(f"\r{number + 1} of {asked.series} series", end="", flush=True)
    print(f"\r{asked.series} series, {positions} positions: all as their records say")


if __name__ == "__main__":
    main()
