"""One of our bots as a client over WebSocket: `python -m players.adapters.websocket ws://127.0.0.1:8766/play/club
--name alice --bot shanten`.

It plays as `client.py` does over standard input and output: it knows the game from messages alone. If its connection
breaks it reconnects with its key and resumes the game from what it is sent then.
"""

import secrets
import sys
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import click
import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.frames import CloseCode
from websockets.sync.client import ClientConnection, connect

from players.adapters.client import READERS, Mind, maker_of, serve
from table.errors import BadInput, PlayerGone
from table.port import Player

COMING_BACK = 3
"""Reconnects per game at most."""
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
    def url(self) -> str:
        """The address with all query parameters of the server."""
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
            with connect(visit.url, max_size=LONGEST_MESSAGE, compression=None) as connection:
                try:
                    # The bot is created anew: the server sends everything again.
                    frames = Frames(connection)
                    serve(Mind(make_bot()), READERS[visit.dialect](visit.rules), frames, frames)
                except ConnectionClosed:
                    pass
                connection.close()
                if connection.close_code == CloseCode.NORMAL_CLOSURE:
                    return
                reason = f"{connection.close_reason or 'the connection broke'} ({connection.close_code})"
                if connection.close_code is not None and connection.close_code != CloseCode.ABNORMAL_CLOSURE:
                    raise PlayerGone(reason)
        except (OSError, InvalidHandshake, InvalidURI, ConnectionClosed) as error:  # the last message of the handshake
            raise PlayerGone(f"{visit.address} cannot be reached: {error}") from error
    raise PlayerGone(reason)


@click.command()
@click.argument("address", metavar="WS://HOST:PORT/play/ROOM")
@click.option("--name", required=True, help="As whom to play.")
@click.option(
    "--bot",
    "spec",
    default="shanten",
    show_default=True,
    help="An installed bot, module:Class or FILE.py:Class, perhaps with ?arg.NAME=VALUE.",
)
@click.option("--dialect", type=click.Choice(list(READERS)), default="majiang", show_default=True)
@click.option("--rules", default="majiang", show_default=True, help="Preset, for a dialect that does not tell rules.")
@click.option("--seed", type=int, default=0, show_default=True, help="The bot's seed.")
@click.option("--token", default="", envvar="JANTAKU_TOKEN", help="The room's, if it wants one.")
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="How many games to play.")
def main(address: str, name: str, spec: str, dialect: str, rules: str, seed: int, token: str, games: int) -> None:
    """Play one of our bots at a remote table."""
    visit = Visit(address, name, dialect, rules, token, secrets.token_urlsafe(16))
    try:
        make = maker_of(spec)
        for _ in range(games):
            play(visit, lambda: make(seed))
    except (BadInput, PlayerGone) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
