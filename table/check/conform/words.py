"""What no code can tell of a dialect: the meaning of its messages. The rest of a card is drawn from what is said.

The shape of messages is JSON Schema, and a card may be a variant of another (`changed`).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

# JSON that is a variant of other JSON: their difference, and its text form.

_WITHOUT = "-"
"""Key under which a difference lists the keys that the variant lacks."""
_DEPTH, _WIDTH = 4, 100
"""Objects and arrays are broken into lines down to `_DEPTH`, unless they fit into `_WIDTH` columns."""


def difference(base: Any, variant: Any) -> Any:
    """Return the difference from which `changed` makes `variant` of `base`. Both are JSON without the key "-"."""
    if not (isinstance(base, dict) and isinstance(variant, dict)):
        return variant
    found = {
        key: difference(base[key], value) if key in base else value
        for key, value in variant.items()
        if key not in base or base[key] != value
    }
    without = [key for key in base if key not in variant]
    return {_WITHOUT: without} | found if without else found


def changed(base: Any, differs: Any) -> Any:
    """Apply a difference to `base`: an object changes the keys that it names, any other value replaces what was
    there."""
    if not (isinstance(base, dict) and isinstance(differs, dict)):
        return differs
    kept = {key: value for key, value in base.items() if key not in differs.get(_WITHOUT, ())}
    return kept | {key: changed(kept.get(key), value) for key, value in differs.items() if key != _WITHOUT}


def text_of(value: Any) -> bytes:
    """Write JSON in a few lines; a value that is short or deeply nested stays on one line."""
    return f"{_laid(value, _DEPTH, 0)}\n".encode()


def _laid(value: Any, depth: int, indent: int) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if not depth or not value or not isinstance(value, dict | list) or len(line) + indent <= _WIDTH:
        return line
    inner = " " * (indent + 1)
    begins, ends = "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, dict):
        parts = [(f"{json.dumps(key, ensure_ascii=False)}: ", one) for key, one in value.items()]
    else:
        parts = [("", one) for one in value]
    lines = ",\n".join(f"{inner}{name}{_laid(one, depth - 1, indent + 1)}" for name, one in parts)
    return f"{begins}\n{lines}\n{' ' * indent}{ends}"


# The shape of messages as JSON Schema: drawn from example messages, and checked against others.
#
# The checker knows only the keywords that are drawn here: type, enum, pattern, properties, required, items, minItems,
# maxItems, anyOf, $ref. Further properties are always allowed.

Schema = dict[str, Any]


class Naming(msgspec.Struct, frozen=True):
    """How a shape names values. `patterns`: kinds of text by name, the narrowest first. `seats`: keys whose numbers are
    seats. `listed`: keys whose texts are listed one by one. `opaque`: keys whose objects are not described further."""

    patterns: Mapping[str, str] = {}
    seats: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    opaque: frozenset[str] = frozenset()

    @property
    def defs(self) -> Schema:
        """The `$defs` of a page whose shapes use these names."""
        texts = {name: {"type": "string", "pattern": f"^(?:{text})$"} for name, text in self.patterns.items()}
        return {**texts, "seat": SEAT} if self.seats else texts


SEAT: Final[Schema] = {"type": "integer", "enum": [0, 1, 2, 3]}
_JSON: Final[Mapping[type, str]] = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
}
_SHOWN = 60  # characters of a value in a misfit


def drawn(values: Sequence[Any], naming: Naming, key: str = "") -> Schema:
    """Return the common shape of all these values, found under `key`."""
    by_kind: dict[str, list[Any]] = {}
    for value in values:
        by_kind.setdefault(_kind(value), []).append(value)
    if {"integer", "number"} <= by_kind.keys():
        by_kind["number"] += by_kind.pop("integer")
    shapes = [
        _DRAWN[kind](by_kind[kind], naming, key) if kind in _DRAWN else {"type": kind} for kind in sorted(by_kind)
    ]
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


def _kind(value: Any) -> str:
    return "null" if value is None else _JSON[type(value)]


def _integer(values: Sequence[int], naming: Naming, key: str) -> Schema:
    return {"$ref": "#/$defs/seat"} if key in naming.seats else {"type": "integer"}


def _text(values: Sequence[str], naming: Naming, key: str) -> Schema:
    if key in naming.listed:
        return {"enum": sorted(set(values))}
    for name, pattern in naming.patterns.items():
        if all(re.fullmatch(pattern, value) for value in set(values)):
            return {"$ref": f"#/$defs/{name}"}
    return {"type": "string"}


def _array(values: Sequence[list[Any]], naming: Naming, key: str) -> Schema:
    shape: Schema = {"type": "array"}
    items = [item for value in values for item in value]
    if items:
        shape["items"] = drawn(items, naming, key)
    sizes = set(map(len, values))
    if len(sizes) == 1 and len(values) > 1 and sizes != {0}:
        shape |= {"minItems": min(sizes), "maxItems": max(sizes)}
    return shape


def _object(values: Sequence[dict[str, Any]], naming: Naming, key: str) -> Schema:
    if key in naming.opaque:
        return {"type": "object"}
    keys = dict.fromkeys(name for value in values for name in value)
    found = {name: [value[name] for value in values if name in value] for name in keys}
    properties = {name: drawn(inside, naming, name) for name, inside in found.items()}
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in keys if len(found[name]) == len(values)],
    }


_DRAWN: Final[Mapping[str, Callable[[Any, Naming, str], Schema]]] = {
    "object": _object,
    "array": _array,
    "string": _text,
    "integer": _integer,
}


def misfits(value: Any, shape: Schema, defs: Schema, path: str = "") -> Iterator[str]:
    """Yield in words where a value differs from a shape; `defs` are the named shapes."""
    if "$ref" in shape:
        name = shape["$ref"].rpartition("/")[2]
        if any(misfits(value, defs[name], defs)):
            yield f"{path or 'it'} is {_shown(value)}, not a {name}"
    elif "anyOf" in shape:
        if not any(not any(misfits(value, one, defs)) for one in shape["anyOf"]):
            yield f"{path or 'it'} is {_shown(value)}, of none of the shapes allowed there"
    elif "enum" in shape:
        if value not in shape["enum"]:
            yield f"{path or 'it'} is {_shown(value)}, not one of {', '.join(map(str, shape['enum']))}"
    elif not _is(value, shape["type"]):
        yield f"{path or 'it'} is {_shown(value)}, not of type {shape['type']}"
    elif "pattern" in shape and not re.search(shape["pattern"], value):
        yield f"{path or 'it'} is {_shown(value)}, not like {shape['pattern']}"
    elif shape["type"] == "object":
        yield from _object_misfits(value, shape, defs, path)
    elif shape["type"] == "array":
        yield from _array_misfits(value, shape, defs, path)


def _is(value: Any, kind: str) -> bool:
    return _kind(value) == kind or (kind == "number" and _kind(value) == "integer")


def _object_misfits(value: dict[str, Any], shape: Schema, defs: Schema, path: str) -> Iterator[str]:
    for name in shape.get("required", ()):
        if name not in value:
            yield f"{path or 'it'} has no {name}"
    for name, inside in shape.get("properties", {}).items():
        if name in value:
            yield from misfits(value[name], inside, defs, f"{path}.{name}" if path else name)


def _array_misfits(value: list[Any], shape: Schema, defs: Schema, path: str) -> Iterator[str]:
    least, most = shape.get("minItems", 0), shape.get("maxItems", len(value))
    if not least <= len(value) <= most:
        yield f"{path or 'it'} has {len(value)} items, not {least if least == most else f'{least} to {most}'}"
    for number, item in enumerate(value):
        yield from misfits(item, shape.get("items", {"enum": [item]}), defs, f"{path}[{number}]")


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


_LINES = "standard input and output of a program: a line of UTF-8 JSON, ended by a line feed"
_SOCKET = "WebSocket: a text frame a line, one connection a game"
_ROOM = "ws://HOST:PORT/play/ROOM?name=NAME&dialect={name}"
_COMMAND = "exec:PROGRAM?dialect={name}"


class Transport(msgspec.Struct, frozen=True):
    """How lines travel, and how to name such a player or address such a table."""

    how: str
    address: str


class Manner(msgspec.Struct, frozen=True, kw_only=True):
    """A dialect in words. `kind` is the key whose value names a message; empty if the message's own key names it.
    `messages` and `replies` say when each is sent. `ours`: keys that only this server sends, as KEY or MESSAGE.KEY."""

    title: str
    version: str
    transports: tuple[Transport, ...]
    kind: str
    matching: str
    end: str
    messages: Mapping[str, str]
    replies: Mapping[str, str]
    naming: Naming
    ours: Mapping[str, str]


_OURS = {
    "timer": "the seconds for the answer: limit, bank, left, margin",
    "defaults": "what was played for this seat since its last message, and why",
    "jantaku": "all rules of the table, and the seed that a program of this machine is given",
}
_MAJIANG_TILE = "[mps][0-9]|z[1-7]"
_MAJIANG = Naming(
    {
        "tile": _MAJIANG_TILE,
        "tile, or empty where it is hidden": f"(?:{_MAJIANG_TILE})?",
        "discard": rf"(?:{_MAJIANG_TILE})_?\*?",
        "meld": "[mps][0-9]{2,3}[-+=]?[0-9]{0,2}|z[1-7]{3,4}[-+=]?[1-7]?|[mps][0-9][-+=][0-9]{2}",
        "hand": r"(?:[mpsz][0-9]+)*\*?(?:,[mpsz][0-9]+[-+=]?[0-9]*)*",
    },
    frozenset({"l", "id", "baojia", "qijia", "zhuangfeng", "jushu"}),
    frozenset({"type", "verdict"}),
    frozenset({"rule", "jantaku", "log"}),
)
_MAJIANG_SAYS = {
    "kaiju": "the game begins",
    "qipai": "a kyoku is dealt",
    "zimo": "somebody draws",
    "dapai": "somebody discards",
    "fulou": "somebody calls chi, pon or daiminkan",
    "gang": "somebody makes an ankan or a kakan",
    "gangzimo": "the draw after a kan",
    "kaigang": "another indicator is opened",
    "hule": "somebody wins; one for each winner",
    "pingju": "the kyoku ends in a draw",
    "jieju": "the game is over",
}
_LOBBY_SAYS = {
    "HELLO": "who has connected, alone or after leaving a room; null, and the connection ends, without a login",
    "ROOM": "who is in the room, whenever that changes",
    "START": "the game begins, or goes on for who comes back; the messages of the game follow, each as GAME",
    "players": "who sits at the table, and whenever somebody goes or comes back",
}
_GAME_SAYS = {
    "say": "somebody says aloud what it does, before the message that tells it",
}
_LOBBY_ENDS = {
    "END": "the game is over, with its 牌譜 as this player saw it, or broken off, with nothing",
    "ERROR": "why something is not possible, in words",
}
_LOBBY_REPLIES = {
    "ROOM": "open a room; with a number: enter it; with a number and a uid: leave it, or send that user away",
    "START": "the owner begins: the number of the room; rules and clock, which may follow, are the server's",
}
_MAJIANG_REPLIES = {
    "dapai": "discard; _ behind it: the tile just drawn, *: with riichi",
    "fulou": "chi, pon or daiminkan",
    "gang": "ankan or kakan",
    "hule": "tsumo or ron",
}
_NOTHING = "nothing to say"
_MAJIANG_TURNS = {
    **_MAJIANG_REPLIES,
    "daopai": "abort with nine kinds; declare tenpai where that is asked for",
    "nothing": f"{_NOTHING}; in the own turn: discard the tile just drawn",
}

_MJAI_TILE = "[1-9][mps]|5[mps]r|[ESWNPFC]"
_MJAI = Naming(
    {"tile": _MJAI_TILE, "tile, or ? where it is hidden": rf"{_MJAI_TILE}|\?"},
    frozenset({"actor", "target", "id", "oya", "pao"}),
    frozenset({"type", "bakaze", "reason", "status", "verdict", "legal_types"}),
    frozenset({"jantaku"}),
)
_MJAI_SAYS = {
    "start_game": "the game begins; id is the receiver's, counted from the first dealer",
    "start_kyoku": "a kyoku is dealt",
    "tsumo": "somebody draws",
    "dahai": "somebody discards",
    "chi": "somebody calls chi",
    "pon": "somebody calls pon",
    "daiminkan": "somebody calls a kan",
    "ankan": "somebody makes a closed kan",
    "kakan": "somebody adds a tile to a pon",
    "dora": "another indicator is opened",
    "reach": "somebody declares riichi; its discard follows",
    "reach_accepted": "the discard of a riichi was not won on: the stick is paid",
    "hora": "somebody wins; one for each winner",
    "ryukyoku": "the kyoku ends in a draw",
    "end_kyoku": "the kyoku is over",
    "end_game": "the game is over",
}
_MJAI_REPLIES = {
    "dahai": "discard",
    "reach": "declare riichi; the discard is asked for next, or comes with it in an array or as pai",
    "hora": "tsumo or ron",
    "chi": "call chi",
    "pon": "call pon",
    "daiminkan": "call a kan",
    "ankan": "closed kan",
    "kakan": "add a tile to a pon",
    "ryukyoku": "abort the kyoku with nine kinds",
    "none": _NOTHING,
}
_MJAI_OURS = {
    **_OURS,
    "num_players": "always 4",
    "kyoku_first": "0 for a hanchan, 4 for an East round",
    "aka_flag": "whether there are red fives",
    "start_kyoku.scores": "the points at the deal",
}
_CARD = "(?:[SHDC][A2-90JQK]|JK)"
_ROUND_SAYS = {
    "Start": "a round begins",
    "CardDistributed": "cards are dealt, several times, and sorted",
    "CardSwapped": "cards were exchanged",
    "Thinking": "somebody is about to be asked",
    "ProcessTurn": "the receiver is asked, and sent again when it comes back",
    "Choice": "the same for a page: what may be played, and the seconds left",
    "CardsArePut": "somebody has played or passed",
    "Kakumei": "a revolution",
    "Nagare": "a trick is over",
    "Agari": "somebody has no card left",
    "Finish": "the round is over, with the new ranks",
    "Tweet": "what a seat says to everybody",
    "Exception": "why a message was refused, to its sender",
}
_COUNTED = "by counting: the next line from the program replies to the next message that wants a reply"


def _mjai(name: str, title: str, matching: str = _COUNTED) -> Manner:
    return Manner(
        title=title,
        version="as bots of mjai.app and Mortal read it",
        transports=_everywhere(name),
        kind="type",
        matching=matching,
        end="end_game is replied to where every line is; another start_game may follow, else the input ends",
        messages=_MJAI_SAYS,
        replies=_MJAI_REPLIES,
        naming=_MJAI,
        ours=_MJAI_OURS,
    )


def _everywhere(name: str) -> tuple[Transport, ...]:
    return Transport(_LINES, _COMMAND.format(name=name)), Transport(_SOCKET, _ROOM.format(name=name))


_ARRAY = "mjai: a line is an array of all events since the last line, and each line is replied to with one object"
_ASKED = "mjai, an event a line; only the event that is asked about is replied to: the one without can_act false"
_BY_SEQ = "a reply repeats the seq of its message; without seq replies are counted"
MANNERS: Mapping[str, Manner] = {
    "majiang": Manner(
        title="Majiang (電脳麻将): a message is an object with one key, and seq where it is replied to",
        version="majiang-core 1.x",
        transports=_everywhere("majiang"),
        kind="",
        matching=_BY_SEQ,
        end="jieju is replied to; another kaiju may follow, else the input ends",
        messages=_MAJIANG_SAYS,
        replies=_MAJIANG_TURNS,
        naming=_MAJIANG,
        ours=_OURS,
    ),
    "majiang-2015": Manner(
        title="Majiang of December 2015: a message is its type and data",
        version="電脳麻将 of 2015",
        transports=_everywhere("majiang-2015"),
        kind="type",
        matching=_COUNTED,
        end="jieju is replied to; another kaiju may follow, else the input ends",
        messages=_MAJIANG_SAYS,
        replies={**_MAJIANG_REPLIES, "pingju": "abort with nine kinds", "nothing": _NOTHING},
        naming=_MAJIANG,
        ours=_OURS,
    ),
    "mjai": _mjai("mjai", _ARRAY),
    "mjai-actions": _mjai("mjai-actions", f"{_ARRAY}; the last event says what may be replied"),
    "mjai-lines": _mjai("mjai-lines", _ASKED),
    "mjai-lines-actions": _mjai("mjai-lines-actions", f"{_ASKED}; that one says what may be replied"),
    "mjsonp": msgspec.structs.replace(
        _mjai("mjsonp", "the original mjai: an event a line, and each is replied to with one line"),
        version="protocol_version 3",
        transports=(Transport("TCP: a line of UTF-8 JSON", "mjsonp://HOST:PORT/ROOM"), *_everywhere("mjsonp")),
        end="end_game need not be replied to: the connection ends",
    ),
    "riichilab": msgspec.structs.replace(
        _mjai("riichilab", "RiichiLab: events as they happen, and request_action where something is asked"),
        version="protocol 2",
        transports=(
            Transport("WebSocket: a text frame a line", "ws://HOST:PORT/ws/ranked"),
            *_everywhere("riichilab"),
        ),
        matching="a reply repeats request_id; one without it replies to the next request by order",
        end="end_game is not replied to: the connection ends",
        messages={
            **_MJAI_SAYS,
            "request_action": "something is asked: what is seen, what may be replied, and the time",
            "action_ack": "at once for every reply: what became of it",
        },
        ours={},
    ),
    "netplay": Manner(
        title="net play of 電脳麻将: Majiang's messages, and events of a lobby, here as {EVENT: arguments}",
        version="majiang-server 1.4",
        transports=(
            Transport(
                "Socket.IO at /server/socket.io, with the cookie of POST /server/auth/ (name=NAME&passwd=ANY); an "
                "event a message",
                "http://HOST:PORT/server",
            ),
        ),
        kind="",
        matching="a reply repeats the seq of its message; what does not, or comes after its time, is ignored",
        end="jieju is replied to; END follows, and the user is in the lobby again",
        messages={**_LOBBY_SAYS, **_MAJIANG_SAYS, **_GAME_SAYS, **_LOBBY_ENDS},
        replies={**_LOBBY_REPLIES, **_MAJIANG_TURNS},
        naming=_MAJIANG,
        ours={},
    ),
    "daifugo": Manner(
        title="大富豪: the messages of neof5; each of a game is a snapshot of all that its receiver may see",
        version="neof5 of January 2014",
        transports=(Transport("WebSocket: a text frame a message", "ws://HOST:PORT/play/{A|B}/ROOM?name=NAME"),),
        kind="Kind",
        matching=(
            "a Put answers the question that is open; what was sent for one before does not, as pings tell, or the "
            "number of a Choice"
        ),
        end="Finish is not replied to; another round follows, and a player may Start another series",
        messages=_ROUND_SAYS,
        replies={
            "Put": "cards, or none for a pass; with the number of a Choice it counts for that question alone",
            "Tweet": "something for everybody",
            "Start": "begin, with computer players on the free seats",
        },
        naming=Naming(
            {"card": _CARD, "cards": rf"(?:{_CARD}(?: {_CARD})*)?", "step": r"[0-9]-(?:\[[^\]]+\]|PASS|AGARI)|/"},
            frozenset(),
            frozenset({"Kind"}),
        ),
        ours={"Choice": "what may be played, for who comes with dialect=person"},
    ),
}
"""By name of the card: all dialects, net play and 大富豪."""
