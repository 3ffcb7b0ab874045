"""The cost of the sandbox, until a program has answered its greeting and per hanchan, in seconds and CPU seconds.

    python -m scripts.confinement [--starts 20] [--pairs 5] [--bot "exec:node players/adapters/majiang_ai.js"]

Runs with and without the sandbox alternate, so that the ratio holds on a busy machine. CPU seconds include the table,
the program and its guardian. The bot's working folder is tests/peer, where its package is: npm install --prefix
tests/peer --no-package-lock. What is found out once per process (whether the host supports the sandbox) is reported
separately.
"""

import os
import resource
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import click
import msgspec

from jantaku.players.adapters.process import ProcessPlayer
from jantaku.players.sandbox.start import try_out
from jantaku.table.ground.port import Player
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.play.roster import enlist
from jantaku.table.play.seating.spec import Terms, terms_of
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.ruleset import preset, with_settings

BOT = "exec:node players/adapters/majiang_ai.js"
WAYS = ("off", "on")


def player_of(terms: Terms) -> ProcessPlayer:
    """Make a fresh player."""
    (entrant,) = enlist([terms])
    player = entrant.make(1)
    assert isinstance(player, ProcessPlayer)
    return player


class Cost(NamedTuple):
    """Wall and CPU seconds of something."""

    wall: float
    cpu: float


def cost_of(player: ProcessPlayer, run: Callable[[], object]) -> Cost:
    """Measure a run with that player. Returns when nothing of its program is left."""
    ours, began = cpu_of(resource.RUSAGE_SELF), time.monotonic()
    run()
    wall, program = time.monotonic() - began, player._program
    assert program is not None, player._down
    started = program._started
    cpu = cpu_of(resource.RUSAGE_SELF) - ours + started.tree.cpu(fresh=True)
    others = cpu_of(resource.RUSAGE_CHILDREN)
    player.close()
    assert program.join(20.0)
    if started.sandbox is not None:  # the process that holds the sandbox is above that tree
        cpu += cpu_of(resource.RUSAGE_CHILDREN) - others
    return Cost(wall, cpu)


def cpu_of(whom: int) -> float:
    """Return the CPU seconds so far, of this process or of the children that it has waited for."""
    spent = resource.getrusage(whom)
    return spent.ru_utime + spent.ru_stime


def starting(terms: Terms) -> Cost:
    """Measure the start until the player is ready."""
    game, player = game_of(0), player_of(terms)

    def start() -> None:
        player.hear(game.masked(0, 0))
        player.start(30.0)

    return cost_of(player, start)


def hanchan(terms: Terms, number: int) -> Cost:
    """Measure a hanchan of that bot with three fast ones."""
    game, player = game_of(number), player_of(terms)
    others: list[Player] = [entrant.make(1) for entrant in enlist(["tsumogiri"] * 3)]
    return cost_of(player, Judge(game, [player, *others], mode="resident", clock=Clock(turn=60.0, reaction=60.0)).run)


def game_of(number: int) -> RiichiGame:
    """Return a game; both variants get the same walls."""
    rules = with_settings(preset("tenhou"), {"game.length": "hanchan"})
    return RiichiGame(rules, walls_from("confinement", number, rules), ("bot", "b", "c", "d"))


def compare(what: str, measure: Callable[[Terms, int], Cost], terms: dict[str, Terms], times: int) -> None:
    """Measure both variants alternately, `times` times; print the medians of both and of the differences within
    pairs."""
    found: dict[str, list[Cost]] = {way: [] for way in WAYS}
    for number in range(times):
        for way in WAYS if number % 2 else reversed(WAYS):
            found[way].append(measure(terms[way], number))
    for column, name in enumerate(Cost._fields):
        without, within = ([cost[column] for cost in found[way]] for way in WAYS)
        more = statistics.median(on - off for off, on in zip(without, within, strict=True))
        ratio = statistics.median(on / off for off, on in zip(without, within, strict=True))
        both = f"{statistics.median(without):7.3f} s  in the sandbox {statistics.median(within):7.3f} s"
        click.echo(f"{what:9} {name:4}  {both}  {1000 * more:+.0f} ms, {100 * (ratio - 1):+.1f} % a pair, of {times}")


@click.command()
@click.option("--starts", default=20, show_default=True)
@click.option("--pairs", default=5, show_default=True, help="Hanchan with and without.")
@click.option("--bot", default=BOT, show_default=True)
def main(starts: int, pairs: int, bot: str) -> None:
    """Measure and print both."""
    command = " ".join(os.path.abspath(word) if os.path.isfile(word) else word for word in bot.split())
    os.chdir("tests/peer")
    terms = {way: msgspec.structs.replace(terms_of(command), sandbox=way) for way in WAYS}
    began = time.monotonic()
    try_out()
    click.echo(f"once: {1000 * (time.monotonic() - began):.0f} ms to find out that this host can do it")
    if starts:
        compare("a start", lambda one, _: starting(one), terms, starts)
    if pairs:
        compare("a hanchan", hanchan, terms, pairs)


if __name__ == "__main__":
    main()
