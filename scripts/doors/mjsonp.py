"""A program of the original mjai, written from the protocol alone: JSON, a socket, and what the server lists.

It has the habits of its kind. It reads with a new buffer for every line, like akochan's client: anything after a line
in the same read is lost, so it fails with a server that is not in lock step. It answers everything with one line, and
closes at `end_game`. It stops at anything that gimite's client would not accept.
"""

import json
from collections.abc import Iterator

from scripts.doors.hand import Hand, Item, Pauses
from scripts.doors.line import TcpLine

_EVENTS = {
    "start_game": {"id", "names"},
    "start_kyoku": {"bakaze", "kyoku", "honba", "kyotaku", "oya", "dora_marker", "tehais"},
    "tsumo": {"actor", "pai"},
    "dahai": {"actor", "pai", "tsumogiri"},
    "chi": {"actor", "target", "pai", "consumed"},
    "pon": {"actor", "target", "pai", "consumed"},
    "daiminkan": {"actor", "target", "pai", "consumed"},
    "ankan": {"actor", "consumed"},
    "kakan": {"actor", "pai", "consumed"},
    "dora": {"dora_marker"},
    "reach": {"actor"},
    "reach_accepted": {"actor", "deltas", "scores"},
    "hora": {"actor", "target", "pai", "uradora_markers", "hora_tehais", "yakus", "hora_points", "deltas", "scores"},
    "ryukyoku": {"reason", "tehais", "tenpais", "deltas", "scores"},
    "end_kyoku": set(),
    "end_game": {"scores"},
}
"""Every event, with the fields that gimite's client reads."""
_OWN, _OTHERS = ("tsumo", "reach", "chi", "pon"), ("dahai", "kakan")
"""Own events, and other players' events, after which it may act."""


class Program(TcpLine, Hand):
    """Plays one game: wins and declares if it can, else plays at random."""

    def __init__(
        self, port: int, name: str, room: str = "default", seed: int = 0, pauses: Pauses | None = None
    ) -> None:
        Hand.__init__(self, seed, pauses)
        self.scores: list[int] = []
        TcpLine.__init__(self, port)
        hello = next(self.heard())
        assert (hello["type"], hello["protocol"], hello["protocol_version"]) == ("hello", "mjsonp", 3), hello
        self.say({"type": "join", "name": name, "room": room})

    def heard(self) -> Iterator[Item]:
        """Yield lines until the server closes. Anything after a line in the same read is dropped."""
        while True:
            line = b""
            while not line.endswith(b"\n"):
                if not (piece := self._socket.recv(65536)):
                    return
                line += piece
            yield json.loads(line[: line.index(b"\n")])

    def play(self) -> list[str]:
        """Play to the end of the game; return the types of its replies."""
        with self._socket:
            for event in self.heard():
                if event["type"] == "end_game":
                    self.scores = event["scores"]
                    return self.played
                self.say(self.reply(event))
        raise AssertionError("the server has closed before the end of the game")

    def reply(self, event: Item) -> Item:
        """Check that an event is complete, and that it lists actions if the program may act; return the reply."""
        assert event["type"] in _EVENTS, event
        assert event.keys() >= _EVENTS[event["type"]], event
        own = event.get("actor") == self._me
        listing = {"tsumo": "possible_actions", "dahai": "possible_actions", "kakan": "possible_actions"}
        asked = event["type"] in (_OWN if own else _OTHERS)
        wanted = listing.get(event["type"], "cannot_dahai") if asked else ""
        assert {"possible_actions", "cannot_dahai"} & event.keys() == ({wanted} if wanted else set()), event
        return super().reply(event)
