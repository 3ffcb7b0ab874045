"""What `serve` and `daifugo` have in common: where they listen, whom they let in, and how long they run."""

import os
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import click

from table.cli.options import HostName, Number, RuleOptions, seconds, together
from table.cli.say import say
from table.errors import BadInput
from table.server.disk import Disk
from table.server.net.limits import Limits
from table.server.net.visitor import Visitor
from table.server.net.web import Page, WebServer

MEGABYTE = 1_000_000
OPERATOR = "JANTAKU_OPERATOR_TOKEN"


class ServedRooms(Protocol):
    """The rooms of a server."""

    def welcome(self, arrival: Any, line: Any) -> Visitor | None:
        """See `visitor.Welcome`."""

    def tidy(self) -> None:
        """Let rooms go in which nobody is any more."""

    def wait(self, server: WebServer) -> None:
        """Wait in the main thread until the last game is over, if there is one."""

    def close(self) -> None:
        """End all games after the turn that is played; their records are kept."""


class ServingOptions(RuleOptions, frozen=True, kw_only=True):
    """What `serving_options` gave."""

    host: str
    port: int
    hosts: tuple[str, ...]
    origins: tuple[str, ...]
    trust_proxy: bool
    tls_cert: Path | None
    tls_key: Path | None
    operator_token: str
    operator_token_file: Path | None
    max_rooms: int
    max_rooms_per_address: int
    max_connections: int
    max_watchers: int
    max_per_address: int
    max_message: int
    max_rate: float
    max_disk: float
    idle: float


def _options(port: int) -> list[Callable[[Any], Any]]:
    return [
        click.option(
            "--host",
            type=HostName(),
            default="127.0.0.1",
            show_default=True,
            help="Address to listen on; 0.0.0.0: all.",
        ),
        click.option("--port", type=click.IntRange(0, 65535), default=port, show_default=True, help="0: any free one."),
        click.option("--hostname", "hosts", multiple=True, metavar="NAME", help="A name of this server, as in links."),
        click.option("--origin", "origins", multiple=True, metavar="URL", help="A site whose pages may connect."),
        click.option("--trust-proxy", is_flag=True, help="A reverse proxy tells addresses (X-Forwarded-For)."),
        click.option("--tls-cert", type=click.Path(path_type=Path), metavar="FILE", help="Serve wss and https."),
        click.option("--tls-key", type=click.Path(path_type=Path), metavar="FILE", help="The certificate's key."),
        click.option("--operator-token", default="", envvar=OPERATOR, help="Who knows it sees hidden tiles and hands."),
        click.option("--operator-token-file", type=click.Path(path_type=Path), metavar="FILE", help="It stands there."),
        click.option("--max-rooms", type=click.IntRange(1), default=100, show_default=True, help="Rooms at a time."),
        click.option(
            "--max-rooms-per-address", type=click.IntRange(1), default=10, show_default=True, help="… opened from one."
        ),
        click.option(
            "--max-connections", type=click.IntRange(1), default=200, show_default=True, help="Players' connections."
        ),
        click.option(
            "--max-watchers", type=click.IntRange(1), default=200, show_default=True, help="Watchers' connections."
        ),
        click.option(
            "--max-per-address", type=click.IntRange(1), default=50, show_default=True, help="… of each, from one."
        ),
        click.option(
            "--max-message", type=click.IntRange(256), default=16384, show_default=True, help="Bytes of a message."
        ),
        click.option("--max-rate", type=Number(0), default=20, show_default=True, help="Messages/s not asked for."),
        click.option(
            "--max-disk", type=Number(0), default=1000, show_default=True, metavar="MB", help="Records; 0: no bound."
        ),
        click.option("--idle", type=seconds(1), default=900, show_default=True, help="Seconds of a client's silence."),
    ]


def serving_options(port: int) -> Callable[[Any], Any]:
    """The options above, `--port` with this default."""
    return together(_options(port))


def limits_of(options: ServingOptions, **others: Any) -> Limits:
    """The limits that were given, and others that are a game's own."""
    return Limits(
        connections=options.max_connections,
        watchers=options.max_watchers,
        per_address=options.max_per_address,
        origins=options.origins,
        hosts=options.hosts,
        forwarded=options.trust_proxy,
        message=options.max_message,
        rate=options.max_rate,
        rooms=options.max_rooms,
        rooms_per_address=options.max_rooms_per_address,
        idle=options.idle,
        ping=20.0,
        **others,
    )


def disk_of(options: ServingOptions) -> Disk:
    """What records may take."""
    return Disk(int(options.max_disk * MEGABYTE) or None)


def operator_token(options: ServingOptions) -> str:
    """The operator's secret, which no program that is seated here inherits."""
    os.environ.pop(OPERATOR, None)
    file: Path | None = options.operator_token_file
    if file is None:
        return str(options.operator_token)
    try:
        told = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"--operator-token-file: {file} cannot be read: {error}") from error
    if not told:
        raise BadInput(f"--operator-token-file: {file} is empty")
    return told


def _tls(options: ServingOptions) -> ssl.SSLContext | None:
    cert, key = options.tls_cert, options.tls_key
    if cert is None and key is None:
        return None
    if cert is None:
        raise BadInput("--tls-key: the certificate is missing; give --tls-cert, too")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert, key)
    except OSError as error:  # what is no certificate is an SSLError, which is one
        raise BadInput(f"--tls-cert {cert}: {error.strerror or error}") from error
    return context


def serve(house: ServedRooms, pages: dict[str, Page], limits: Limits, options: ServingOptions, told: str) -> None:
    """Serve until Ctrl-C, SIGTERM or the last game. `told` is printed behind the address."""
    tls = _tls(options)
    with WebServer(house.welcome, pages, options.host, options.port, limits, tls=tls, tidy=house.tidy) as server:
        say(f"serving {'wss' if tls else 'ws'}://{options.host}:{server.port}{told}; Ctrl-C ends it")
        try:
            house.wait(server)
        finally:
            house.close()
