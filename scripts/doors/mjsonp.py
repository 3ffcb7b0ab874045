"""A program of the original mjai, written from the protocol alone: JSON, a socket, and what the server lists.

It has the habits of its kind. It reads with a new buffer for every line, as akochan's client does: what comes behind a
line in the same read is lost, so that a server that is not in lock step loses it. It answers everything with one line
and closes at `end_game`. It stops at whatever gimite's client would not bear.
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
"""Every event and the fields that a client of gimite's reads."""
_OWN, _OTHERS = ("tsumo", "reach", "chi", "pon"), ("dahai", "kakan")
"""After these of its own, and these of others, something may be done."""


class Program(TcpLine, Hand):
    """Plays one game: wins and declares where it can, else at random."""

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
        """What comes, until the server closes. What came behind a line is dropped."""
        while True:
            line = b""
            while not line.endswith(b"\n"):
                if not (piece := self._socket.recv(65536)):
                    return
                line += piece
            yield json.loads(line[: line.index(b"\n")])

    def play(self) -> list[str]:
        """Play to the end of the game; what was replied."""
        with self._socket:
            for event in self.heard():
                if event["type"] == "end_game":
                    self.scores = event["scores"]
                    return self.played
                self.say(self.reply(event))
        raise AssertionError("the server has closed before the end of the game")

    def reply(self, event: Item) -> Item:
        """See `Hand.reply`: an event that is whole, and in which something is listed where it may be."""
        assert event["type"] in _EVENTS, event
        assert event.keys() >= _EVENTS[event["type"]], event
        own = event.get("actor") == self._me
        listing = {"tsumo": "possible_actions", "dahai": "possible_actions", "kakan": "possible_actions"}
        asked = event["type"] in (_OWN if own else _OTHERS)
        wanted = listing.get(event["type"], "cannot_dahai") if asked else ""
        assert {"possible_actions", "cannot_dahai"} & event.keys() == ({wanted} if wanted else set()), event
        return super().reply(event)
