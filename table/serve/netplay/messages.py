"""Converts between jantaku's Majiang dialect and majiang-server's: the same messages in another frame.

There the time is a list of seconds, calls are spoken in messages of their own, and jantaku's fields do not exist.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.notation import parse_meld

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
