"""Messages of net play: parsed from packets and rebuilt, and converted to jantaku's dialect."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.notation import parse_meld

# Converts between jantaku's Majiang dialect and majiang-server's: the same messages in another frame.
#
# There the time is a list of seconds, calls are spoken in messages of their own, and jantaku's fields do not exist.

Message = dict[str, Any]

CONFIRMED = 5.0
"""Seconds after which a page confirms the beginning or a result by itself."""
UNASKED = 5.0
"""Seconds on a page for a decision that the table's rules do not ask for."""
_SHOWN = ("kaiju", "hule", "pingju")
"""Messages that a person looks at and then confirms."""
_OURS = ("seq", "timer", "defaults")
_SAID = {MeldKind.CHI: "chi", MeldKind.PON: "peng"}


def kind_of(message: Message) -> str:
    """Return the first key of a message, which says what it is about."""
    return next(iter(message))


def framed(message: Message, waited: float) -> Message:
    """Convert a message of jantaku's. `waited`: seconds for which it was held back while the time for its question
    ran."""
    kind = kind_of(message)
    content = message[kind]
    if kind == "kaiju":
        content = {key: value for key, value in content.items() if key != "jantaku"}
    theirs: Message = {kind: content}
    if "seq" in message:
        theirs["seq"] = message["seq"]
        if kind != "jieju":
            theirs["timer"] = _timer(kind, message.get("timer"), waited)
    return theirs


def bare(message: Message) -> Message:
    """Return a message as a 牌譜 has it: without its number and its time."""
    return {key: value for key, value in message.items() if key not in _OURS}


def seconds_of(message: Message) -> float:
    """Return the seconds within which a client replies to this converted message."""
    return float(sum(message.get("timer", (CONFIRMED,))))


def spoken(message: Message) -> Message | None:
    """Return the message for what a player says aloud before this action; None if it says nothing."""
    kind = kind_of(message)
    match message[kind]:
        case {"l": seat, "m": str(meld)} if kind == "fulou":
            name = _SAID.get(parse_meld(meld).kind, "gang")
        case {"l": seat, "m": str()} if kind == "gang":
            name = "gang"
        case {"l": seat, "p": str(tile)} if kind == "dapai" and tile.endswith("*"):
            name = "lizhi"
        case {"l": seat, "baojia": loser} if kind == "hule":
            name = "zimo" if loser is None else "rong"
        case _:
            return None
    return {"say": {"l": seat, "name": name}}


def players(names: Iterable[str], users: Mapping[str, Message | None]) -> Message:
    """Make the list of players by seat. `users` has the players from net play by name; None for one that is away."""
    return {"players": [users.get(name, {"name": name, "uid": f"jantaku:{name}"}) for name in names]}


def _timer(kind: str, ours: Mapping[str, float] | None, waited: float) -> list[float]:
    if kind in _SHOWN:
        return [CONFIRMED]
    if ours is None:
        return [UNASKED]
    limit = max(0.0, ours["limit"] - waited)
    bank = max(0.0, ours["bank"] - max(0.0, waited - ours["limit"]))
    return [_short(limit), _short(bank)] if ours["bank"] else [_short(limit)]


def _short(seconds: float) -> float:
    return int(seconds) if seconds == int(seconds) else round(seconds, 1)


# Parses what clients of net play send over Engine.IO and Socket.IO, and rebuilds it. Everything else is refused,
# above all binary events: the library would keep their parts for as long as more are announced.

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
