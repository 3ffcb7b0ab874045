"""Parses a request and decides whether to admit it, by addresses, Host and Origin.

A browser also runs pages of other sites. Such a page may connect to this machine (cross-site WebSocket hijacking);
its Origin shows that. Or an attacker points a domain name at this machine, so that page and server seem to have the
same origin (DNS rebinding); then the Host is a name that this server does not have.

A program sends a token as `Authorization: Bearer TOKEN`. A page cannot set headers of a WebSocket, but can offer
subprotocols (RFC 6455, 1.9): it offers the token, in base64url, as one, and the key of a seat as another. So no
secret stands in an address, which histories, logs and shared screens show. `?token=` and `?key=` are accepted as
well, for programs that have no other way.
"""

import base64
import binascii
import ipaddress
import re
import socket
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from websockets.datastructures import Headers
from websockets.exceptions import WebSocketException
from websockets.http11 import Request
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from jantaku.table.ground.errors import BadInput
from jantaku.table.serve.net.limits import Limits

_SPOKEN = Subprotocol("jantaku")
"""The subprotocol of jantaku's pages; it does not change the messages."""
_TOKEN, _KEY = "jantaku.token.", "jantaku.key."
_BEARER = "Bearer "
_NAME = re.compile(r"[-.A-Za-z0-9]{1,100}")
_SITE = re.compile(rf"[a-z][-+.a-z0-9]{{0,30}}://(?:{_NAME.pattern}|\[[0-9A-Fa-f:.]{{2,45}}\])(?::[0-9]{{1,5}})?")
"""Matches a host name, and a site as an Origin names it, that could be an operator's."""
_ONCE = ("Host", "Origin", "User-Agent", "Upgrade", "Connection", "Authorization")
"""Headers that may occur only once."""


class NotAdmitted(Exception):
    """A refused request: the HTTP status, the reason, and the option that would `admit` it."""

    def __init__(self, status: int, why: str, admit: str = "") -> None:
        super().__init__(why)
        self.status, self.admit = status, admit


class Arrival(msgspec.Struct, frozen=True):
    """An admitted request: the decoded parts of the URL, and what distinguishes visitors."""

    path: str
    query: dict[str, str]
    token: str
    """The token, from any place in the request; empty if there is none."""
    key: str
    """The secret with which a player takes its seat back; empty if there is none."""
    url: str
    agent: str
    address: str


def arrival_of(request: Request, address: str, limits: Limits) -> Arrival:
    """Parse a request from that address. NotAdmitted if it cannot be read or is refused."""
    try:
        headers = {name: _single(request.headers, name) for name in _ONCE}
        parts = urlsplit(request.path)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        origin = None if headers["Origin"] is None else urlsplit(headers["Origin"])
        host = urlsplit(f"//{headers['Host'] or ''}").hostname
        site = None if origin is None else origin.hostname
    except (ValueError, LookupError, WebSocketException) as error:
        raise NotAdmitted(400, "the request cannot be read") from error
    if headers["Host"] is not None and not is_ours(host or "", limits):
        admit = f"--hostname {host}" if _NAME.fullmatch(host or "") else ""
        raise NotAdmitted(403, f"this server does not know itself as {(host or '')[:60]!r}", admit)
    told = headers["Origin"]
    of_friend = told is None or limits.origins is None or told in (*limits.origins, *limits.placeholders)
    if not of_friend and not (is_ours(site or "", limits) and origin and origin.netloc == headers["Host"]):
        admit = f"--origin {told}" if told and _SITE.fullmatch(told) else ""
        raise NotAdmitted(403, f"pages of {(told or '')[:60]!r} may not connect here", admit)
    token, key = token_of(request.headers, query), key_of(request.headers, query)
    return Arrival(unquote(parts.path), query, token, key, request.path, headers["User-Agent"] or "", address)


def choose_protocol(_: ServerProtocol, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Accept jantaku's subprotocol if it is offered: browsers abort if none of their offers is accepted."""
    return _SPOKEN if _SPOKEN in offered else None


def token_of(headers: Headers, query: Mapping[str, str]) -> str:
    """Return the token of a request; empty if there is none, or if it cannot be decoded."""
    told = headers.get("Authorization", "")
    if told.startswith(_BEARER):  # websockets decodes headers as ASCII with surrogates
        return str(told).removeprefix(_BEARER).strip().encode(errors="surrogateescape").decode(errors="replace")
    return _offered(headers, _TOKEN, query.get("token", ""))


def key_of(headers: Headers, query: Mapping[str, str]) -> str:
    """Return the key of a seat; empty like `token_of`."""
    return _offered(headers, _KEY, query.get("key", ""))


def _offered(headers: Headers, beginning: str, otherwise: str) -> str:
    """Return the decoded rest of the offered subprotocol with that beginning."""
    for offer in ",".join(headers.get_all("Sec-WebSocket-Protocol")).split(","):
        if offer.strip().startswith(beginning):
            return _decoded(offer.strip().removeprefix(beginning))
    return otherwise


def _decoded(text: str) -> str:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


LONGEST_TOKEN = 4096  # bytes


def token_in(file: Path, flag: str) -> str:
    """Return the token in a file, which may be a pipe, for example of a password manager. BadInput if it has none."""
    try:
        with file.open("rb") as opened:
            content = opened.read(LONGEST_TOKEN + 1)
        told = content.decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{flag}: {file} cannot be read: {error}") from error
    if len(content) > LONGEST_TOKEN:
        raise BadInput(f"{flag}: {file} holds more than {LONGEST_TOKEN} bytes")
    if not told:
        raise BadInput(f"{flag}: {file} is empty")
    return told


def wants_websocket(request: Request) -> bool:
    return bool(request.headers.get("Upgrade", "").lower() == "websocket")


def source(request: Request, address: str, limits: Limits) -> str:
    """Return the address of a visitor. X-Forwarded-For counts only if the operator says that there is a proxy, which
    appends the address that it saw to whatever the visitor sent."""
    if limits.forwarded:
        told = request.headers.get_all("X-Forwarded-For")
        last = told[-1].rpartition(",")[2].strip() if told else ""
        return one_household(last) or address
    return address


def one_household(address: str) -> str:
    """Normalise an address for counting: an IPv6 address becomes its /64 network, in which one host has 2**64
    addresses. Empty if it is no address."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_loopback:
            return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def _single(headers: Headers, name: str) -> str | None:
    """Return the value of a header. LookupError if it occurs twice, because two readers may choose different ones."""
    value = headers.get(name)
    return None if value is None else str(value)


def is_ours(host: str, limits: Limits) -> bool:
    """Return whether this server has that host name. An address cannot be forged, but any name can be pointed at this
    machine (DNS rebinding), so only the operator's names and the machine's own are accepted."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        friends = (urlsplit(origin).hostname for origin in limits.origins or ())
        return host in ("localhost", *_machine(), *(name.lower() for name in limits.hosts), *friends)
    return True


@cache
def _machine() -> tuple[str, str]:
    name = socket.gethostname().lower()
    return name, f"{name}.local"
