"""`jantaku join`: one of our bots, or a program, plays at a table elsewhere, and the person at the terminal sees
how."""

import os
from pathlib import Path

import msgspec

from jantaku.players.adapters.websocket import Visit
from jantaku.table.cli.options import CommandOptions, OneOf, WholeNumber, argument, option, seconds
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.serve.commentary import Commentary
from jantaku.table.serve.joining import Guarded, named_maker
from jantaku.table.serve.net.admission import token_in
from jantaku.table.serve.visiting import Search, visit_to

LONGEST_NAME = 32
TOKEN = "JANTAKU_TOKEN"


class Joining:
    """A bot that plays game after game at one place, as one client, with its games reported in lines. If the name in
    `visit` is empty, the bot's is used."""

    def __init__(self, visit: Visit, bot: str, seed: int, wait: float) -> None:
        name, self._make = named_maker(bot)
        visit = msgspec.structs.replace(visit, name=visit.name or name[:LONGEST_NAME])
        self._search = Search(visit, wait, say)
        self._seed = seed
        self._bot: Guarded | None = None

    def game(self) -> None:
        commentary = Commentary(say)

        def bot() -> Guarded:
            self.close()
            self._bot = Guarded(self._make(self._seed), commentary.fault)
            return self._bot

        self._search.game(bot, commentary)

    def close(self) -> None:
        if self._bot is not None:
            self._bot.close()


class JoinOptions(CommandOptions):
    address: str = argument("ADDRESS")
    name: str = option("As whom to play.  [default: the bot's name]", default="")
    bot: str = option(
        "A bot or program, as of `jantaku play`: module:Class, FILE.py:Class, exec:PROGRAM, folder:PATH.",
        default="shanten",
    )
    dialect: str | None = option("By default the one of the address: majiang for a room.", type=OneOf(DIALECTS))
    rules: str | None = option("Preset, where the messages name no rules.  [default: tenhou, or majiang in a room]")
    seed: int = option("The bot's seed.", default=0)
    games: int = option("How many games to play.", type=WholeNumber(1), default=1)
    token: str = option("The room's, if one is wanted; others can read it.", default="", envvar=TOKEN)
    token_file: Path | None = option("The same, in a file.", "FILE")
    wait: float = option(
        "Wait so long for a server that is not up, or for a seat.", "SECONDS", type=seconds(0), default=60
    )

    @property
    def secret(self) -> str:
        """The token. It is removed from the environment, so that no program inherits it."""
        os.environ.pop(TOKEN, None)
        return self.token if self.token_file is None else token_in(self.token_file, "--token-file")


@JoinOptions.command()
def command(options: JoinOptions) -> None:
    """Play with a bot or program at a table elsewhere, and see how it goes.

    ADDRESS is HOST[:PORT] of a jantaku server, which has a list of rooms with free seats, HOST[:PORT]/ROOM,
    ws://HOST:PORT/play/ROOM, or mjsonp://HOST:PORT/ROOM of any server of the original mjai. The address of a room's
    page will do, too.
    """
    visit = visit_to(options.address, options.name, options.secret, options.dialect, options.rules)
    joining = Joining(visit, options.bot, options.seed, options.wait)
    try:
        for number in range(options.games):
            joining.game()
            say(f"game {number + 1} of {options.games} is over")
    except PlayerGone as gone:
        raise BadInput(str(gone)) from gone
    finally:
        joining.close()
