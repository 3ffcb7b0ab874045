"""`jantaku join`: one of our bots, or a program, plays at a table elsewhere, and the person at the terminal sees
how."""

from typing import TextIO

import click
import msgspec

from jantaku.players.adapters.websocket import Visit
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.serve.joining import (
    TOKEN_FILE_OPTION,
    TOKEN_OPTION,
    WAIT_OPTION,
    Bots,
    Commentary,
    Search,
    secret_of,
    visit_to,
)

LONGEST_NAME = 32


class Joining:
    """A bot that plays game after game at one place, as one client, with its games reported in lines. If the name in
    `visit` is empty, the bot's is used."""

    def __init__(self, visit: Visit, bot: str, seed: int, wait: float) -> None:
        self._commentary = Commentary(say)
        self.bots = Bots(bot, lambda verdict, reason: self._commentary.fault(verdict, reason))
        visit = msgspec.structs.replace(visit, name=visit.name or self.bots.name[:LONGEST_NAME])
        self._search = Search(visit, wait, say)
        self._seed = seed

    def game(self) -> None:
        self._commentary = Commentary(say)
        self._search.game(lambda: self.bots(self._seed), self._commentary)


@click.command()
@click.argument("address", metavar="ADDRESS")
@click.option("--name", default="", help="As whom to play.  [default: the bot's name]")
@click.option(
    "--bot",
    default="shanten",
    show_default=True,
    help="A bot or program, as of `jantaku play`: module:Class, FILE.py:Class, exec:PROGRAM, folder:PATH.",
)
@click.option(
    "--dialect", type=click.Choice(list(DIALECTS)), help="By default the one of the address: majiang for a room."
)
@click.option(
    "--rules", help="Preset, for a dialect that does not tell rules.  [default: tenhou, or majiang in a room]"
)
@click.option("--seed", type=int, default=0, show_default=True, help="The bot's seed.")
@TOKEN_OPTION
@TOKEN_FILE_OPTION
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="How many games to play.")
@WAIT_OPTION
def command(
    address: str,
    name: str,
    bot: str,
    dialect: str | None,
    rules: str | None,
    seed: int,
    token: str,
    token_file: TextIO | None,
    games: int,
    wait: float,
) -> None:
    """Play with a bot or program at a table elsewhere, and see how it goes.

    ADDRESS is HOST[:PORT] of a jantaku server, which has a list of rooms with free seats, HOST[:PORT]/ROOM,
    ws://HOST:PORT/play/ROOM, ws://HOST:PORT/ws/ranked or /ws/validate of any server that speaks RiichiLab's protocol,
    or mjsonp://HOST:PORT/ROOM of any server of the original mjai. The address of a room's page will do, too.
    """
    joining = Joining(visit_to(address, name, secret_of(token, token_file), dialect, rules), bot, seed, wait)
    try:
        for number in range(games):
            joining.game()
            say(f"game {number + 1} of {games} is over")
    except PlayerGone as gone:
        raise BadInput(str(gone)) from gone
    finally:
        joining.bots.close()
