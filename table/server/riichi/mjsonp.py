"""The handshake of mjsonp: who comes over TCP, and to which room."""

from typing import Any

from jantaku.table.errors import BadInput, PlayerUnreadable
from jantaku.table.server.net.admission import Arrival
from jantaku.table.wire.dialect import read_json, write_line

LONGEST_NAME = 24
"""Characters of a name that are kept: a number may follow."""
DIALECT = "mjsonp"
_EXPECTED = 'Expected e.g. {"type":"join","name":"noname","room":"default"}'


class Handshake:
    """The greeting, and what a client says to it. Implements `lines.Greeter`."""

    hello = b'{"type":"hello","protocol":"mjsonp","protocol_version":3}'

    def arrival(self, line: bytes, address: str) -> Arrival:
        """A `join` as a visit to its room. `token` and `key`, which other servers do not know, are those of an address
        over WebSocket."""
        try:
            join: Any = read_json(line)
        except PlayerUnreadable as error:
            raise BadInput(f"JSON syntax error: {error}") from None
        if not isinstance(join, dict) or join.get("type") != "join":
            raise BadInput(_EXPECTED)
        said = [join.get("name"), join.get("room"), join.get("token", ""), join.get("key", "")]
        name, room, token, key = [text if isinstance(text, str) else "" for text in said]
        name = "".join(char for char in name if char.isprintable())[:LONGEST_NAME].strip()
        if not name or not room:
            raise BadInput(_EXPECTED)
        query = {"name": name, "dialect": DIALECT}
        return Arrival(f"/play/{room}", query, token, key, "", "", address)

    def refusal(self, why: str) -> bytes:
        """An `error`, after which the connection ends."""
        return write_line({"type": "error", "message": why}).strip()
