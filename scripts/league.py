"""`python -m scripts.league [--minutes 60] [--kills 200] [--seed N] [--keep DIR]`: a league of twelve bots that is
killed again and again. Exit code 1 if a finished hanchan is lost, changed or counted twice.

The bots: ours, variants of them whose strength is known (`scripts.planted`), the policies of the bench, and majiang-ai
in a Node process if scripts/test has installed it. `jantaku league play` runs with two workers and gets SIGKILL at
random moments. After each kill every hanchan that counted before still counts, unchanged and with its record. At the
end the first hanchan are played once more without a kill and have the same results; and `shanten` ranks above `Late`,
which is about 0.1 ranks worse.
"""

import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import click

from jantaku.players import adapters
from jantaku.table.arena.league.file import LeagueFile, records_of
from jantaku.table.arena.league.pool import League
from jantaku.table.arena.match.figures.summary import print_of
from scripts.kills.lost import Lost

OURS = ("shanten", "caller", "dice", "tsumogiri", "shanten?name=twin", "caller?name=caller-twin")
POLICIES = tuple(f"scripts.bench.policies:{name}" for name in ("Winner", "Random", "DiscardsTheDraw"))
VARIANTS = ("scripts.planted:Late", "scripts.planted:Mirrored", *POLICIES)
BETTER, WORSE = "shanten", "Late"
PEER = Path(__file__).parents[1] / "tests" / "peer" / "node_modules"
ADAPTER = Path(adapters.__file__).parent / "majiang_ai.js"
NODE = f"exec:node {ADAPTER}?name=majiang-ai&cwd={PEER.parent}"
AGAIN = 32
"""Hanchan that are played once more without a kill."""


def jantaku(*words: str) -> list[str]:
    """Return a command of the league."""
    return [sys.executable, "-m", "jantaku", "league", *words]


def begin(path: Path, seed: int, length: str) -> int:
    """Create a league; return the number of its bots."""
    bots = [*OURS, *VARIANTS, *([NODE] if (PEER / "@kobalab" / "majiang-ai").is_dir() else [])]
    new = ("--rules", "majiang", "--length", length, "--limit", "60", "--seed", str(seed))
    subprocess.run(jantaku("new", str(path), *new), check=True, stdout=subprocess.DEVNULL)
    subprocess.run(jantaku("add", str(path), *bots), check=True, stdout=subprocess.DEVNULL)
    return len(bots)


def counted(path: Path) -> dict[int, tuple[str, str]]:
    """Return prints and records by the numbers of the hanchan that count. Lost if one of them does not have four
    seats."""
    with closing(sqlite3.connect(path)) as base:
        odd = "SELECT game FROM games WHERE (SELECT count(*) FROM seats WHERE seats.game = games.game) <> 4"
        for (game,) in base.execute(odd):
            raise Lost(f"hanchan {game} has not four seats")
        return {game: (told, record) for game, told, record in base.execute("SELECT game, print, record FROM games")}


def compare(path: Path, before: dict[int, tuple[str, str]]) -> dict[int, tuple[str, str]]:
    """Return what counts now. Lost if anything that counted before does not, or a new hanchan differs from its
    record."""
    now = counted(path)
    for game, counts in before.items():
        if now.get(game) != counts:
            raise Lost(f"hanchan {game} counted as {counts}, and now as {now.get(game)}")
    for game in now.keys() - before.keys():
        printed, record = now[game]
        if record and print_of((records_of(path) / record).read_bytes()) != printed:
            raise Lost(f"the record of hanchan {game} is of another one")
    return now


@contextmanager
def playing(path: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Let the league play on; kill it at the end of the context if it still runs."""
    process = subprocess.Popen(jantaku("play", str(path), "--workers", "2", "--quiet", *words), stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def run(path: Path, minutes: float, kills: int, moments: Random) -> tuple[dict[int, tuple[str, str]], int]:
    """Play for that long with that many kills; return what counts then, and the number of kills."""
    end, done = time.monotonic() + 60 * minutes, 0
    kept: dict[int, tuple[str, str]] = {}
    while (left := end - time.monotonic()) > 0:
        last = done >= kills
        share = left if last else min(moments.uniform(0, 2 * left / (kills - done)), left)
        with playing(path, *(("--time", str(left)) if last else ())) as process:
            try:
                process.wait(None if last else share)
            except subprocess.TimeoutExpired:
                done += 1
            else:
                if process.returncode:
                    raise Lost(f"the league failed by itself: {(process.stderr or sys.stdin).read()!r}")
        kept = compare(path, kept)
    return kept, done


def again(path: Path, kept: dict[int, tuple[str, str]], place: Path, seed: int, length: str) -> int:
    """Play the first hanchan once more without a kill; return their number. Lost if one has another result."""
    whole = place / "whole.league"
    begin(whole, seed, length)
    first = [game for game in range(AGAIN) if game in kept]
    # Up to the last of them: some numbers in between may be missing, because a kill hit them every time.
    subprocess.run(jantaku("play", str(whole), "--total", str(first[-1] + 1), "--quiet"), check=True)
    undisturbed = counted(whole)
    for game in first:
        if undisturbed[game][0] != kept[game][0]:
            raise Lost(f"hanchan {game} is {kept[game]}, and without kills {undisturbed[game]}")
    return len(first)


def told(path: Path) -> Iterator[str]:
    """Yield the result, and whether the stronger bot ranks higher."""
    with LeagueFile.open(path) as file:
        league = League(file)
        known, bots = league.strengths(), league.bots
        for bot in sorted(bots, key=lambda bot: -known.strength[bot.id]):
            yield f"{bot.label:20} {known.rating(bot.id).text(0):>12} {known.sets[bot.id] * 4:6} hanchan"
        better, worse = (next(bot.id for bot in bots if bot.name == name) for name in (BETTER, WORSE))
        lead = known.lead(better, worse)
        order = "right" if lead.mean > 0 else "WRONG"
        yield f"{BETTER} is {lead.text(0, sign=True)} points ahead of {WORSE}: ordered {order}, decided {lead.decided}"
        yield f"sets scatter {known.scatter:.2f} times as independent hanchan"


@click.command()
@click.option("--minutes", type=click.FloatRange(0.1), default=60.0, show_default=True, help="How long it plays.")
@click.option("--kills", type=click.IntRange(0), default=200, show_default=True, help="How often it is killed.")
@click.option("--length", default="hanchan", show_default=True, help="Length of a game: one, tonpu, hanchan.")
@click.option("--seed", default=1, show_default=True, help="Of the league, and of the moments.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep the league in this folder.")
def main(minutes: float, kills: int, length: str, seed: int, keep: Path | None) -> None:
    """Kill a league again and again, and check what is left."""
    with tempfile.TemporaryDirectory(prefix="jantaku-league-") as scratch:
        place = keep or Path(scratch)
        place.mkdir(parents=True, exist_ok=True)
        path = place / "killed.league"
        bots = begin(path, seed, length)
        try:
            kept, done = run(path, minutes, kills, Random(f"league {seed}"))
            same = again(path, kept, Path(scratch), seed, length)
        except Lost as lost:
            click.echo(f"LOST: {lost}")
            sys.exit(1)
        click.echo(f"{bots} bots, {len(kept)} hanchan, {done} kills: none lost, none twice")
        click.echo(f"the first {same} came out as without kills")
        for line in told(path):
            click.echo(line)


if __name__ == "__main__":
    main()
