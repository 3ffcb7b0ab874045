"""One of our bots as a client over WebSocket: `jantaku join ws://127.0.0.1:8766/play/club --name alice --bot shanten`.

It plays as `client.py` does over standard input and output: it knows the game from messages alone. If its connection
breaks it reconnects with its key and resumes the game from what it is sent then.
"""

import os
import secrets
import sys
from collections.abc import Callable, Iterator
from typing import TextIO
from urllib.parse import urlencode

import click
import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.frames import CloseCode
from websockets.sync.client import ClientConnection, connect

from players.adapters import mjsonp
from players.adapters.client import BOT, Mind, maker_of, serve
from table.errors import BadInput, PlayerGone
from table.log import logger
from table.port import Player
from table.wire.dialects import READERS

TOKEN = "JANTAKU_TOKEN"
COMING_BACK = 3
"""Reconnects per game at most."""
ARENA = ("/ws/ranked", "/ws/validate")
"""The endpoints of RiichiLab's protocol."""
LONGEST_MESSAGE = 1 << 22
"""Bytes: the 牌譜 at the end of a game is by far the longest message."""


class Visit(msgspec.Struct, frozen=True):
    """Address, name, and credentials of a client. `rules`: for a dialect that does not transmit them."""

    address: str
    name: str
    dialect: str = "majiang"
    rules: str = "majiang"
    token: str = ""
    key: str = ""

    @property
    def is_arena(self) -> bool:
        """Whether it is an endpoint of RiichiLab's protocol: a name and a key are nothing there, and no way leads back
        to a game."""
        return self.address.partition("?")[0].endswith(ARENA)

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the request."""
        return {"Authorization": f"Bearer {self.token}"} if self.is_arena and self.token else {}

    @property
    def url(self) -> str:
        """The address with all query parameters of the server."""
        if self.is_arena:
            return self.address
        query = {"name": self.name, "dialect": self.dialect, "token": self.token, "key": self.key}
        return f"{self.address}?{urlencode({key: value for key, value in query.items() if value})}"


class Frames:
    """A connection as an iterator of lines and a way to reply."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    def __iter__(self) -> Iterator[bytes]:
        for message in self._connection:
            yield message.encode() if isinstance(message, str) else message

    def write(self, line: bytes) -> None:
        """Send one reply."""
        self._connection.send(line.decode())


def play(visit: Visit, make_bot: Callable[[], Player]) -> None:
    """Play one game to its end. PlayerGone, with the server's reason, if that is impossible."""
    for _ in range(1 + COMING_BACK):
        try:
            with connect(
                visit.url, max_size=LONGEST_MESSAGE, compression=None, additional_headers=visit.headers
            ) as connection:
                try:
                    # The bot is created anew: the server sends everything again.
                    frames, reader = Frames(connection), READERS[visit.dialect](visit.rules)
                    serve(Mind(make_bot()), reader, frames, frames)
                except ConnectionClosed:
                    pass
                if troubles := getattr(reader, "troubles", None):
                    logger().warning("not all was understood", messages=len(troubles), first=troubles[0])
                connection.close()
                if connection.close_code == CloseCode.NORMAL_CLOSURE:
                    return
                reason = f"{connection.close_reason or 'the connection broke'} ({connection.close_code})"
                if visit.is_arena:
                    raise PlayerGone(f"{reason}; no way leads back to a game there")
                if connection.close_code is not None and connection.close_code != CloseCode.ABNORMAL_CLOSURE:
                    raise PlayerGone(reason)
        except (OSError, InvalidHandshake, InvalidURI, ConnectionClosed) as error:  # the last message of the handshake
            raise PlayerGone(f"{visit.address} cannot be reached: {error}") from error
    raise PlayerGone(reason)


@click.command()
@click.argument("address", metavar="ADDRESS")
@click.option("--name", default="", help="As whom to play.  [default: the bot's name]")
@BOT
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
def command(
    address: str,
    name: str,
    spec: str,
    dialect: str | None,
    rules: str | None,
    seed: int,
    token: str,
    token_file: TextIO | None,
    games: int,
) -> None:
    """Play one of our bots at a table elsewhere.

    ADDRESS is ws://HOST:PORT/play/ROOM of a jantaku server, ws://HOST:PORT/ws/ranked or /ws/validate of any server
    that speaks RiichiLab's protocol, or mjsonp://HOST:PORT/ROOM of any server of the original mjai.
    """
    os.environ.pop(TOKEN, None)  # so that the bot does not inherit it
    secret = (token_file.read() if token_file is not None else token).strip()
    visit = Visit(address, name or called(spec), token=secret, key=secrets.token_urlsafe(16))
    spoken = dialect or ("riichilab" if visit.is_arena else visit.dialect)
    preset = rules or ("tenhou" if visit.is_arena else visit.rules)
    visit = msgspec.structs.replace(visit, dialect=spoken, rules=preset)
    make = maker_of(spec)
    try:
        for number in range(games):
            if address.startswith(mjsonp.SCHEME):
                mjsonp.play(mjsonp.address_of(address), visit.name, make(seed), rules or "tenhou")
            else:
                play(visit, lambda: make(seed))
            click.echo(f"game {number + 1} of {games} is over")
    except PlayerGone as gone:
        raise BadInput(str(gone)) from gone


def called(spec: str) -> str:
    """What a bot is called that has no other name."""
    return spec.partition("?")[0].rpartition(":")[2] or spec


if __name__ == "__main__":  # how it was called before there was `jantaku join`
    try:
        command()
    except BadInput as error:
        sys.exit(str(error))
