"""Options that `serve` and `daifugo` share: addresses, admission, and running time."""

import os
import ssl
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jantaku.table.cli.options import CommandOptions, Folder, Number, Printable, WholeNumber, option, seconds
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput
from jantaku.table.serve.net.addresses import host_and_port, reached_at
from jantaku.table.serve.net.admission import token_in
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line_door import LineDoor
from jantaku.table.serve.net.tls import context_of
from jantaku.table.serve.net.web import Page, WebServer, pages_in
from jantaku.table.serve.room import Disk
from jantaku.table.serve.rooms import ServedRooms

MEGABYTE = 1_000_000
OPERATOR = "JANTAKU_OPERATOR_TOKEN"
SOME = WholeNumber(1)
HOST = Printable("name or address of a machine", empty=True)


class LimitOptions(CommandOptions):
    """Limits for visitors, named as in `Limits`."""

    rooms: int = option("Most rooms at a time.", flag="--max-rooms", type=SOME, default=100)
    rooms_per_address: int = option(
        "Most rooms opened from one address.", flag="--max-rooms-per-address", type=SOME, default=10
    )
    connections: int = option("Most connections of players.", flag="--max-connections", type=SOME, default=200)
    watchers: int = option("Most connections of spectators.", flag="--max-watchers", type=SOME, default=200)
    per_address: int = option(
        "Most connections of each kind from one address.", flag="--max-per-address", type=SOME, default=50
    )
    message: int = option("Most bytes of a message.", flag="--max-message", type=WholeNumber(256), default=16384)
    rate: float = option("Most messages a second that answer nothing.", flag="--max-rate", type=Number(0), default=20)


class ServingOptions(CommandOptions):
    host: str = option("Address to listen on; 0.0.0.0: every address.", type=HOST, default="127.0.0.1")
    port: int = option("Port to listen on; 0: a free one.", type=WholeNumber(0, 65535), default=0)
    hosts: tuple[str, ...] = option("Name of this server, as in links to it.", "NAME", flag="--hostname")
    origins: tuple[str, ...] = option("Site whose pages may connect.", "URL", flag="--origin")
    trust_proxy: bool = option("Take clients' addresses from a reverse proxy (X-Forwarded-For).")
    pages: Path | None = option("Your own pages, served beside the rooms.", "DIR", type=Folder())
    tls_cert: Path | None = option("Certificate; serves wss and https.", "FILE")
    tls_key: Path | None = option("Key of the certificate.", "FILE")
    operator_token: str = option("Token of the operator, who sees hidden tiles and hands.", default="", envvar=OPERATOR)
    operator_token_file: Path | None = option("File with the operator's token.", "FILE")
    visitors: LimitOptions = LimitOptions.group()
    max_disk: float = option("Most space for records; 0: no limit.", "MB", type=Number(0), default=1000)
    idle: float = option("Close a connection after so many silent seconds.", type=seconds(1), default=900)


def limits_of(options: ServingOptions, **others: Any) -> Limits:
    return Limits(
        **asdict(options.visitors),
        origins=options.origins,
        has_options=True,
        hosts=options.hosts,
        forwarded=options.trust_proxy,
        idle=options.idle,
        ping=20.0,
        **others,
    )


def disk_of(options: ServingOptions) -> Disk:
    return Disk(int(options.max_disk * MEGABYTE) or None)


def operator_token(options: ServingOptions) -> str:
    """Return the operator's secret. It is removed from the environment, so that programs seated here do not inherit
    it."""
    os.environ.pop(OPERATOR, None)
    file = options.operator_token_file
    return options.operator_token if file is None else token_in(file, "--operator-token-file")


def tls_of(options: ServingOptions) -> ssl.SSLContext | None:
    """Return the TLS context for wss and https; None without a certificate."""
    cert, key = options.tls_cert, options.tls_key
    if cert is None and key is None:
        return None
    if cert is None:
        raise BadInput("--tls-key: the certificate is missing; give --tls-cert, too")
    try:
        return context_of(cert, key)
    except OSError as error:  # SSLError, raised for an invalid certificate, is an OSError
        raise BadInput(f"--tls-cert {cert}: {error.strerror or error}") from error


def serve(
    rooms: ServedRooms[Any],
    pages: dict[str, Page],
    limits: Limits,
    options: ServingOptions,
    told: str,
    doors: Sequence[LineDoor] = (),
    join: str = "",
) -> None:
    """Serve until Ctrl-C, SIGTERM or the last game. `told` is printed after the address, then the address of the first
    page, if there is one. `join` follows the address in the printed command with which a bot joins."""
    tls = tls_of(options)
    if options.pages is not None:
        pages = {**pages, **pages_in(options.pages, pages.keys() - {"/"})}
    with WebServer(
        rooms.welcome, pages, options.host, options.port, limits, tls=tls, tidy=rooms.tidy, doors=doors
    ) as server:
        hosts, safe = reached_at(options.host, limits), "s" if tls else ""
        at = host_and_port(hosts[0], server.port)
        people = f"; people go to http{safe}://{at}/" if "/" in pages else ""
        say(f"serving ws{safe}://{at}{told}{people}; Ctrl-C ends it")
        if len(hosts) > 1:
            say(f"the same at {', '.join(host_and_port(host, server.port) for host in hosts[1:])}")
        if join:
            say(f"a bot joins with: jantaku join {'wss://' if tls else ''}{at}{join}")
        try:
            server.wait(rooms.games.finished)
            server.part()
        finally:
            rooms.close()
