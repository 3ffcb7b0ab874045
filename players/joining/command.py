"""`jantaku join`: one of our bots, or a program, plays at a table elsewhere, and whoever sits before it sees how."""

import os
import secrets
from typing import TextIO

import click
import msgspec

from players.adapters import mjsonp
from players.adapters.websocket import Visit, play
from players.joining.commentary import Commentary
from players.joining.finding import Patience, Where, free_room, may_come, where
from players.joining.seated import Bots
from table.cli.say import say
from table.errors import BadInput, PlayerGone
from table.wire.dialects import READERS

TOKEN = "JANTAKU_TOKEN"
WAIT = 60.0
LONGEST_NAME = 32


class Joining:
    """Plays game after game at one address, as one client. `visit` has all but the address of a room that is found."""

    def __init__(self, visit: Visit, at: Where | mjsonp.Address, bot: str, seed: int, wait: float) -> None:
        self._commentary = Commentary(say)
        self.bots = Bots(bot, lambda verdict, reason: self._commentary.fault(verdict, reason))
        name = visit.name or self.bots.name[:LONGEST_NAME]
        self._visit, self._at = msgspec.structs.replace(visit, name=name), at
        self._seed, self._wait = seed, wait
        self._told = ""

    def game(self) -> None:
        """Play a game. Waits for a server that is not up yet, and for a free seat where no room is named. BadInput or
        PlayerGone if none is played."""
        patience = Patience(self._wait, say)
        while True:
            self._commentary = Commentary(say)
            try:
                missing = self._try()
            except PlayerGone as gone:
                if self._commentary.began or not may_come(gone):
                    raise
                missing = str(gone)
            if not missing:
                return
            if not patience.again(missing):
                raise BadInput(f"{missing}; waited {self._wait:g} s, and --wait SECONDS waits longer")

    def _try(self) -> str:
        """Play a game, or say what is missing. PlayerGone if it cannot be played to its end."""
        at, visit = self._at, self._visit
        if isinstance(at, mjsonp.Address):
            self._asks(f"{at.room} of {at.host}:{at.port}")
            mjsonp.play(at, visit.name, self.bots(self._seed), visit.rules, self._commentary)
        elif at.whole:
            self._asks(at.whole)
            self._play(at.whole)
        elif at.room:
            self._asks(f"room {at.room} of {at.base}")
            self._play(f"{at.base}/play/{at.room}")
        else:
            return self._try_rooms(at.base)
        return ""

    def _try_rooms(self, base: str) -> str:
        why = "each is full or playing"
        for room, title in free_room(base, self._visit.name, has_token=bool(self._visit.token)):
            called = f"{room} ({title})" if title else room
            self._asks(f"room {called} of {base}")
            try:
                self._play(f"{base}/play/{room}")
                return ""
            except PlayerGone as gone:  # somebody was quicker
                if self._commentary.began or may_come(gone):
                    raise
                why = str(gone)
        return f"no room of {base} has a free seat: {why}"

    def _asks(self, there: str) -> None:
        """Say once where it waits for the others."""
        if there != self._told:
            say(f"{there}: {self._visit.name} asks for a seat")
            self._told = there

    def _play(self, address: str) -> None:
        play(msgspec.structs.replace(self._visit, address=address), lambda: self.bots(self._seed), self._commentary)


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
    "--dialect", type=click.Choice(list(READERS)), help="By default the one of the address: majiang for a room."
)
@click.option(
    "--rules", help="Preset, for a dialect that does not tell rules.  [default: tenhou, or majiang in a room]"
)
@click.option("--seed", type=int, default=0, show_default=True, help="The bot's seed.")
@click.option(
    "--token", default="", envvar=TOKEN, help="The room's or the bot's, if one is wanted; others can read it."
)
@click.option("--token-file", type=click.File(), help="The same, in a file.")
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="How many games to play.")
@click.option(
    "--wait",
    type=click.FloatRange(0, 86400),
    default=WAIT,
    show_default=True,
    metavar="SECONDS",
    help="Wait so long for a server that is not up, or for a seat.",
)
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
    os.environ.pop(TOKEN, None)  # so that the bot does not inherit it
    secret = (token_file.read() if token_file is not None else token).strip()
    at = mjsonp.address_of(address) if address.startswith(mjsonp.SCHEME) else where(address)
    visit = Visit(address, name, token=secret, key=secrets.token_urlsafe(16), is_named=bool(name))
    foreign = visit.is_arena or isinstance(at, mjsonp.Address)
    spoken = dialect or ("riichilab" if visit.is_arena else visit.dialect)
    visit = msgspec.structs.replace(visit, dialect=spoken, rules=rules or ("tenhou" if foreign else visit.rules))
    joining = Joining(visit, at, bot, seed, wait)
    try:
        for number in range(games):
            joining.game()
            say(f"game {number + 1} of {games} is over")
    except PlayerGone as gone:
        raise BadInput(str(gone)) from gone
    finally:
        joining.bots.close()
