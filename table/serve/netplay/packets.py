"""Parses what clients of net play send over Engine.IO and Socket.IO, and rebuilds it. Everything else is refused, above
all binary events: the library would keep their parts for as long as more are announced."""

import json
import re

EVENTS = ("ROOM", "START", "GAME")
CONNECT, DISCONNECT = "40", "41"
_ANYWHERE = ("1", "3", DISCONNECT)
"""Close, pong, and Socket.IO's own disconnect."""
_BY_WEBSOCKET = ("2probe", "5")
"""The packets with which a client upgrades from polling to a WebSocket."""
_BETWEEN = "\x1e"
"""Separates the packets of a body."""
_MOST = 16
"""Most packets of a body, as in Engine.IO."""
_PACKET = re.compile(r"4(?:0(?:\{.*\})?|2([0-9]{0,10})(\[.*\]))", re.DOTALL)


def written_anew(packet: str | bytes, *, by_websocket: bool = True) -> str | None:
    """Rebuild a packet from what was parsed. Empty for an unknown event; None if no client sends such a packet."""
    if isinstance(packet, bytes):
        return None
    if packet in _ANYWHERE or (by_websocket and packet in _BY_WEBSOCKET):
        return packet
    if (match := _PACKET.fullmatch(packet)) is None:
        return None
    number, arguments = match.groups()
    if arguments is None:  # drops the payload of CONNECT: nothing reads it
        return CONNECT
    try:
        said = json.loads(arguments)
        if not said or not isinstance(said[0], str):
            return None
        return f"42{number}{json.dumps(said)}" if said[0] in EVENTS else ""
    except (ValueError, RecursionError):
        return None


def packets_of(body: bytes) -> list[str]:
    """Split a body into packets. ValueError if it is not UTF-8, or has too many."""
    found = body.decode().split(_BETWEEN)
    if len(found) > _MOST:
        raise ValueError(f"more than {_MOST} packets")
    return found


def body_of(packets: list[str]) -> bytes:
    """Join packets to a body."""
    return _BETWEEN.join(packets).encode()
