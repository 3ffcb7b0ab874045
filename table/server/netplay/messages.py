"""What passes between our Majiang dialect and majiang-server's: the same messages, framed otherwise.

There the time is a list of seconds, what is said aloud is a message of its own, and nothing of ours is told.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.notation import parse_meld

Message = dict[str, Any]

CONFIRMED = 5.0
"""Seconds after which a page goes on by itself from the beginning or a result."""
UNASKED = 5.0
"""Seconds for a page that sees a decision where the table's rules have none."""
_SHOWN = ("kaiju", "hule", "pingju")
"""What a person looks at until it is confirmed."""
_OURS = ("seq", "timer", "defaults")
_SAID = {MeldKind.CHI: "chi", MeldKind.PON: "peng"}


def kind_of(message: Message) -> str:
    """The first word of a message: what it tells."""
    return next(iter(message))


def framed(message: Message, waited: float) -> Message:
    """A message of ours as theirs. `waited` is for how many seconds it could not be sent: the time for its question
    has run since."""
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
    """A message as it stands in a 牌譜: without its number and its time."""
    return {key: value for key, value in message.items() if key not in _OURS}


def seconds_of(message: Message) -> float:
    """For how long a reply to this message of theirs is waited for."""
    return float(sum(message.get("timer", (CONFIRMED,))))


def spoken(message: Message) -> Message | None:
    """What a player says aloud before it does this; None if it is done in silence."""
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
    """Who sits at the table, by number. `users` has those that came this way, None for one that is away."""
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
