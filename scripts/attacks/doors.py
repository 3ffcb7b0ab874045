"""Attacks a riichi room over every wire, with every kind of bad message: checks the answers, the blame, and that the
game goes on. docs/serving.md says the same in words."""

import itertools
import json
import re
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path

import msgspec

from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.guests import TOKEN, Guest, OfMajiang, OfMjsonp, OfNetplay, OfRiichiLab, Ports
from scripts.attacks.kit.serving import Serving
from scripts.attacks.kit.tables import verifies
from scripts.doors.hand import Item

LIMIT = 1.5
"""Seconds for an answer."""
LATE = LIMIT + 0.7
"""Seconds after which a reply is late everywhere: net play grants half a second more for messages under way."""
TOO_LONG = 20_000
"""Bytes of a message above the limit."""
TURN = 3
"""Number of the own turn, from 1, in which the bad message is sent."""
SERVER = ("serve", "--players", "ws,tsumogiri,tsumogiri,tsumogiri", "--length", "one", "--limit", str(LIMIT),
          "--mjsonp", "0", "--netplay", "0", "--out", "out")  # fmt: skip
Say = Callable[[Guest, Item, Item], None]
"""Sends something in the own turn, given the usual reply and the reply of the turn before."""
Blame = frozenset[str]
NOBODY: Blame = frozenset()
STALE: Blame = frozenset({"stale"})
MALFORMED: Blame = frozenset({"malformed"})
GONE: Blame = frozenset({"gone"})
ILLEGAL: Blame = frozenset({"illegal"})


class Kind(StrEnum):
    """The kinds of bad messages. Every wire has a row for each."""

    MALFORMED = "malformed"
    UNKNOWN = "unknown"
    WRONG_SEAT = "for another seat"
    NOT_POSSIBLE = "not possible"
    LATE = "late"
    STALE = "stale"
    DUPLICATE = "said twice"
    OVERSIZED = "too long"
    FULL = "to a room that is full"
    BROKEN = "not there, as the connection breaks"


class Row(msgspec.Struct, frozen=True):
    """What is said in the own turn, and what comes of it. `answered`: words of the next messages, in this order.
    `blame`: verdicts that the seat may get, at least one of them. `ended`: words of the reason for the end of the
    connection, if that comes before the end of the game."""

    kind: Kind
    say: Say
    answered: tuple[str, ...] = ()
    blame: Blame = NOBODY
    ended: str = ""
    quick: bool = False


def instead(*messages: Item | bytes) -> Say:
    """Send these messages in place of the usual reply, with the number of the open question on wires that have
    numbers."""

    def say(guest: Guest, usual: Item, before: Item) -> None:
        guest.say(*({**one, **_number(usual)} if isinstance(one, dict) else one for one in messages))

    return say


def changed(**fields: object) -> Say:
    """Send the usual reply with other fields."""
    return lambda guest, usual, before: guest.say({**usual, **fields})


def first(message: bytes) -> Say:
    """Send this message, then the usual reply."""
    return lambda guest, usual, before: guest.say(message, usual)


def twice(guest: Guest, usual: Item, before: Item) -> None:
    """Send the usual reply twice."""
    guest.say(usual, usual)


def older(guest: Guest, usual: Item, before: Item) -> None:
    """Send the reply of the turn before, then the usual one."""
    guest.say(before, usual)


def late(guest: Guest, usual: Item, before: Item) -> None:
    """Send the usual reply when its time is over."""
    time.sleep(LATE)
    guest.say(usual)


def too_long(guest: Guest, usual: Item, before: Item) -> None:
    """Send the usual reply with a long field."""
    guest.say({**usual, "more": "x" * TOO_LONG})


def hang_up(guest: Guest, usual: Item, before: Item) -> None:
    """Close the connection instead of replying."""
    guest.close()


def usually(guest: Guest, usual: Item, before: Item) -> None:
    """Send the usual reply."""
    guest.say(usual)


def _number(usual: Item) -> Item:
    return {key: usual[key] for key in ("seq", "request_id") if key in usual}


HORA = {"type": "hora"}
WIRES: dict[str, tuple[Callable[[Ports, str], Guest], list[Row]]] = {
    "riichilab": (
        OfRiichiLab,
        [
            Row(Kind.MALFORMED, instead(b"{"), ("unparseable",), MALFORMED, quick=True),
            Row(Kind.UNKNOWN, instead({"type": "fly"}), ("unparseable",), MALFORMED),
            Row(Kind.UNKNOWN, changed(request_id=99_999), ("unparseable",), MALFORMED),
            Row(Kind.WRONG_SEAT, changed(actor=9), ("accepted",)),
            Row(Kind.NOT_POSSIBLE, instead(HORA), ("rejected",), ILLEGAL),
            Row(Kind.LATE, late, ("defaulted", "stale"), frozenset({"silent", "stale"})),
            Row(Kind.STALE, older, ("stale", "accepted"), STALE, quick=True),
            Row(Kind.DUPLICATE, twice, ("accepted", "stale"), STALE),
            Row(Kind.OVERSIZED, too_long, (), GONE, "1009"),
            Row(Kind.FULL, usually, ("This bot is already connected to a game",)),
            Row(Kind.BROKEN, hang_up, (), GONE),
        ],
    ),
    "mjsonp": (
        OfMjsonp,
        [
            Row(Kind.MALFORMED, instead(b"?"), ("dahai",), MALFORMED, quick=True),
            Row(Kind.UNKNOWN, instead({"type": "fly"}), ("dahai",), MALFORMED),
            Row(Kind.WRONG_SEAT, changed(actor=9), ("dahai",), MALFORMED),
            Row(Kind.NOT_POSSIBLE, instead(HORA), ("dahai",), ILLEGAL),
            Row(Kind.LATE, late, ("dahai",), frozenset({"silent", "stale"})),
            Row(Kind.STALE, older, ("dahai",), ILLEGAL),
            Row(Kind.DUPLICATE, twice, ("dahai",), quick=True),
            Row(Kind.OVERSIZED, too_long, ("error",), GONE, "more than 16384 bytes"),
            Row(Kind.FULL, usually, ("is playing",)),
            Row(Kind.BROKEN, hang_up, (), GONE),
        ],
    ),
    "net play": (
        OfNetplay,
        [
            Row(Kind.MALFORMED, first(b"nonsense"), ("dapai",)),
            Row(Kind.MALFORMED, instead({"dapai": "\ud800"}), ("dapai",), MALFORMED),
            Row(Kind.UNKNOWN, first(b'["FLY", 1]'), ("dapai",)),
            Row(Kind.UNKNOWN, instead({"fly": 1}), ("dapai",)),
            Row(Kind.WRONG_SEAT, first(b'["ROOM", "ROOM", "somebody"]'), ("dapai",)),
            Row(Kind.NOT_POSSIBLE, instead({"hule": "-"}), ("dapai",), ILLEGAL, quick=True),
            Row(Kind.LATE, late, ("dapai",), frozenset({"silent", "stale"})),
            Row(Kind.STALE, older, ("dapai",)),
            Row(Kind.DUPLICATE, twice, ("dapai",)),
            Row(Kind.OVERSIZED, too_long, (), frozenset({"silent", "gone"}), "disconnect"),
            Row(Kind.FULL, usually, ("既に対局中です",)),
            Row(Kind.BROKEN, hang_up, (), frozenset({"silent"})),
        ],
    ),
    "majiang": (
        OfMajiang,
        [
            Row(Kind.MALFORMED, instead(b"{"), ("dapai",), MALFORMED),
            Row(Kind.UNKNOWN, instead({"fly": 1}), ("dapai",)),
            Row(Kind.WRONG_SEAT, changed(l=9), ("dapai",)),
            Row(Kind.NOT_POSSIBLE, instead({"hule": "-"}), ("dapai",), ILLEGAL, quick=True),
            Row(Kind.LATE, late, ("dapai",), frozenset({"silent", "stale"})),
            Row(Kind.STALE, older, ("dapai",), STALE),
            Row(Kind.DUPLICATE, twice, ("dapai",), STALE),
            Row(Kind.OVERSIZED, too_long, (), GONE, "1009"),
            Row(Kind.FULL, usually, ("the name a is taken",)),
            Row(Kind.BROKEN, hang_up, (), GONE),
        ],
    ),
}
"""The guest of each wire, and the wire's rows."""


def attacks() -> Iterator[Attack]:
    for wire, (_, rows) in WIRES.items():
        for number, row in enumerate(rows):
            yield attack(f"{wire}: a message that is {row.kind} ({number})", tried, [(wire, row)])
    quick = [(wire, row) for wire, (_, rows) in WIRES.items() for row in rows if row.quick]
    yield attack("bad messages at every door of one server", tried, quick).but(quick=True)


def tried(folder: Path, rows: list[tuple[str, Row]]) -> str:
    """Play a game for each row, one after another at one server; return what was counted."""
    told = []
    with Serving(*SERVER, cwd=folder) as served:
        ports = Ports(*(_port(served, word) for word in ("serving ws://", "mjsonp://", "net play at http://")))
        for number, (wire, row) in enumerate(rows):
            try:
                blame = _checked(served, ports, wire, row, number)
            except (AssertionError, TimeoutError) as problem:
                raise Failed(f"{wire}, {row.kind}: {problem!r}\n{served.so_far().err}") from problem
            told.append(f"{wire}, {row.kind}: {', '.join(blame) or 'nothing'} counted")
    written = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    if any(TOKEN.encode() in text for text in [*written, (served.so_far().err + served.so_far().out).encode()]):
        raise Failed("a token is in a log or a record")
    for record in sorted(folder.glob("out/*.jsonl")):
        verifies(served.so_far(), record)
    return "; ".join(told)


def _port(served: Serving, word: str) -> int:
    found = re.search(rf"{re.escape(word)}[^ ]*?:(\d+)/", served.line(re.escape(word), 20))
    assert found is not None
    return int(found[1])


def _checked(served: Serving, ports: Ports, wire: str, row: Row, number: int) -> dict[str, int]:
    enter, _ = WIRES[wire]
    room = f"r{number}"
    guest = enter(ports, room)
    came = _played(guest, row, lambda: enter(ports, room))
    guest.close()
    text = " ".join(json.dumps(item, ensure_ascii=False) for item in came)
    answered = ".*".join(row.answered)
    assert re.search(answered, text), f"{answered} is not in {text[:1000]}"
    assert row.ended in guest.ended, f"it ended with {guest.ended}, not {row.ended}"
    line = served.line(rf"game {number}: ", 20)
    points = re.search(r"\ba(?:-2)? -?\d+ \(([^)]*)\)", line)
    assert points is not None, line
    words = dict(re.findall(r"([a-z_]+) (\d+)", points[1]))
    others = [told for told in re.findall(r"tsumogiri-?\d* -?\d+ \(([^)]*)\)", line) if re.search("[a-z]", told)]
    assert not others, line
    assert set(words) <= row.blame and bool(words) == bool(row.blame), f"counted {words}, not {set(row.blame)}"
    return words


def _played(guest: Guest, row: Row, another: Callable[[], Guest]) -> list[Item]:
    """Play the game to its end; return the messages since the bad one. For `FULL`, one more guest comes to the room,
    and its messages are returned."""
    turns, before = 0, Item()
    came: list[Item] = []
    for item in guest.heard():
        if turns >= TURN:
            came.append(item)
        if not guest.asks(item):
            continue
        usual = guest.reply(item)
        turns += guest.draws(item)
        if not guest.draws(item) or turns != TURN:
            before = usual if guest.draws(item) else before
            guest.say(usual)
            continue
        if row.kind is Kind.FULL:
            more = another()
            refusal = [*itertools.islice(more.heard(), 1), {"ended": more.ended}]
            more.close()
            guest.say(usual)
            _play_on(guest)
            return refusal
        row.say(guest, usual, before)
    return came


def _play_on(guest: Guest) -> None:
    for item in guest.heard():
        if guest.asks(item):
            guest.say(guest.reply(item))
