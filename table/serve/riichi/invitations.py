"""Invites others to a room: its address as a link, and as a QR code for a phone."""

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.serve.net.addresses import host_and_port

LONGEST_ORIGIN = 200


class Invitation(msgspec.Struct, frozen=True):
    """The address of the page on which a person sits down; its QR code as rows of 0 (light) and 1 (dark) without a
    margin; and whether the address works only on this machine (`alone`)."""

    address: str
    code: Sequence[str]
    alone: bool


def invitation(room: str, origin: str, reached: Sequence[str]) -> Invitation:
    """Make the invitation to a room for a browser that calls this server `origin`. If that name means only this
    machine, the first suitable one of `reached` replaces it. BadInput if it is no origin."""
    try:
        parts = urlsplit(origin)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or parts.scheme not in ("http", "https") or len(origin) > LONGEST_ORIGIN or parts.path or parts.query:
        raise BadInput("at: name this server, as at=http://192.168.1.7:8766")
    if _is_own(host):
        host = next((other for other in reached if not _is_own(other)), host)
    at = host_and_port(host, port) if port else host
    address = f"{parts.scheme}://{at}/sit/{room}"
    return Invitation(address, _code(address), alone=_is_own(host))


def _is_own(host: str) -> bool:
    """Return whether the host means, on every machine, that machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _code(text: str) -> list[str]:
    import segno  # only when somebody wants one

    return ["".join(map(str, row)) for row in segno.make_qr(text, error="m").matrix]
