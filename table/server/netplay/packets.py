"""What clients of net play may send over Engine.IO and Socket.IO, read whole and written anew. All else is refused:
above all what is binary, whose parts the library would keep for as long as more are announced."""

import json
import re

EVENTS = ("ROOM", "START", "GAME")
CONNECT, DISCONNECT = "40", "41"
_ANYWHERE = ("1", "3", DISCONNECT)
"""The end, a pong, and the end of Socket.IO's own connection."""
_BY_WEBSOCKET = ("2probe", "5")
"""How a client goes over to its WebSocket from polling."""
_BETWEEN = "\x1e"
"""What stands between the packets of a body."""
_MOST = 16
"""Packets of a body that Engine.IO reads."""
_PACKET = re.compile(r"4(?:0(?:\{.*\})?|2([0-9]{0,10})(\[.*\]))", re.DOTALL)


def written_anew(packet: str | bytes, *, by_websocket: bool = True) -> str | None:
    """That packet as it was understood; empty for an event that there is not, None for what no client says."""
    if isinstance(packet, bytes):
        return None
    if packet in _ANYWHERE or (by_websocket and packet in _BY_WEBSOCKET):
        return packet
    if (match := _PACKET.fullmatch(packet)) is None:
        return None
    number, arguments = match.groups()
    if arguments is None:  # a client may say here who it is, which nobody has asked it
        return CONNECT
    try:
        said = json.loads(arguments)
        if not said or not isinstance(said[0], str):
            return None
        return f"42{number}{json.dumps(said)}" if said[0] in EVENTS else ""
    except (ValueError, RecursionError):
        return None


def packets_of(body: bytes) -> list[str]:
    """The packets of a body. ValueError for what holds none, or too many."""
    found = body.decode().split(_BETWEEN)
    if len(found) > _MOST:
        raise ValueError(f"more than {_MOST} packets")
    return found


def body_of(packets: list[str]) -> bytes:
    """Packets as a body."""
    return _BETWEEN.join(packets).encode()
