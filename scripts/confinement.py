"""What the sandbox costs: seconds until a program has answered its greeting, and those of a hanchan.

    python -m scripts.confinement [--starts 20] [--hanchan 4] [--bot "exec:node players/adapters/majiang_ai.js"]

With and without take turns in one run, so that the ratio stands on a busy machine. The bot's working folder is
tests/peer, where its package is.
"""

import os
import statistics
import time

import click
import msgspec

from players.adapters.process import ProcessPlayer
from table.judge.judge import Judge
from table.judge.timing import Clock
from table.play.roster import enlist
from table.port import Player
from table.riichi.game import RiichiGame, walls_from
from table.riichi.ruleset import preset, with_settings
from table.seating.spec import Terms, terms_of

BOT = "exec:node players/adapters/majiang_ai.js"
WAYS = ("off", "on")


def player_of(terms: Terms) -> ProcessPlayer:
    """A fresh one."""
    (entrant,) = enlist([terms])
    player = entrant.make(1)
    assert isinstance(player, ProcessPlayer)
    return player


def starting(terms: Terms, game: RiichiGame) -> float:
    """Seconds until it is ready."""
    player = player_of(terms)
    began = time.monotonic()
    player.hear(game.masked(0, 0))
    player.start(30.0)
    taken = time.monotonic() - began
    player.close()
    return taken


def hanchan(terms: Terms, number: int) -> float:
    """Seconds of a hanchan of that bot with three that are quick."""
    rules = with_settings(preset("tenhou"), {"game.length": "hanchan"})
    game = RiichiGame(rules, walls_from("confinement", number, rules), ("bot", "b", "c", "d"))
    others: list[Player] = [entrant.make(1) for entrant in enlist(["tsumogiri"] * 3)]
    player = player_of(terms)
    began = time.monotonic()
    Judge(game, [player, *others], mode="resident", clock=Clock(turn=60.0, reaction=60.0)).run()
    player.close()
    return time.monotonic() - began


@click.command()
@click.option("--starts", default=20, show_default=True)
@click.option("--hanchan", "games", default=4, show_default=True)
@click.option("--bot", default=BOT, show_default=True)
def main(starts: int, games: int, bot: str) -> None:
    """Measure and print both."""
    command = " ".join(os.path.abspath(word) if os.path.isfile(word) else word for word in bot.split())
    os.chdir("tests/peer")
    terms = {way: msgspec.structs.replace(terms_of(command), sandbox=way) for way in WAYS}
    rules = preset("tenhou")
    game = RiichiGame(rules, walls_from("confinement", 0, rules), ("a", "b", "c", "d"))
    times: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(starts):
        for way in WAYS:
            times[way].append(starting(terms[way], game))
    off, on = (statistics.median(times[way]) for way in WAYS)
    click.echo(
        f"ready after {off:.3f} s, in the sandbox {on:.3f} s: {1000 * (on - off):.0f} ms more (median of {starts})"
    )
    spent = dict.fromkeys(WAYS, 0.0)
    for number in range(games):
        for way in WAYS if number % 2 else reversed(WAYS):
            spent[way] += hanchan(terms[way], number) / games
    if games:
        off, on = (spent[way] for way in WAYS)
        click.echo(f"a hanchan: {off:.2f} s, in the sandbox {on:.2f} s: {100 * (on / off - 1):+.1f} %")


if __name__ == "__main__":
    main()
