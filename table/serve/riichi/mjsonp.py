"""The handshake of mjsonp over TCP: the client's name and room."""

from typing import Any

from jantaku.table.ground.errors import BadInput, PlayerUnreadable
from jantaku.table.languages.wire.dialect import read_json, write_line
from jantaku.table.serve.net.admission import Arrival

LONGEST_NAME = 24
"""Characters of a name that are kept; the server may append a number."""
DIALECT = "mjsonp"
_EXPECTED = 'Expected e.g. {"type":"join","name":"noname","room":"default"}'


class Handshake:
    """The greeting of the server and the client's first line. Implements `line_door.Greeter`."""

    hello = b'{"type":"hello","protocol":"mjsonp","protocol_version":3}'

    def arrival(self, line: bytes, address: str) -> Arrival:
        """Parse a `join` as a visit to its room. `token` and `key`, which other servers do not know, mean the same as
        over WebSocket. BadInput if it is none."""
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
        """Return an `error`, after which the connection ends."""
        return write_line({"type": "error", "message": why}).strip()
