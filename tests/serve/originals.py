"""A program of the original mjai, written from the protocol alone: it shares no code with the server."""

import json
import socket
from collections.abc import Iterator
from typing import Any

Item = dict[str, Any]

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


class Program:
    """Plays one game: it wins and declares riichi where it may, else it discards what it draws.

    It has the habits of its kind. It reads with a new buffer for every line, like akochan's client: anything after a
    line in the same read is lost, so it fails with a server that is not in lock step. It answers everything with one
    line, and closes at `end_game`. It stops at anything that gimite's client would not accept.
    """

    def __init__(self, port: int, name: str, room: str = "default", **more: str) -> None:
        self.played: list[str] = []
        self.scores: list[int] = []
        self._me, self._hand = -1, list[str]()
        self._socket = socket.create_connection(("127.0.0.1", port), 30)
        hello = next(self.heard())
        assert (hello["type"], hello["protocol"], hello["protocol_version"]) == ("hello", "mjsonp", 3), hello
        self.say({"type": "join", "name": name, "room": room, **more})

    def heard(self) -> Iterator[Item]:
        """Yield lines until the server closes. Anything after a line in the same read is dropped."""
        while True:
            line = b""
            while not line.endswith(b"\n"):
                if not (piece := self._socket.recv(65536)):
                    return
                line += piece
            yield json.loads(line[: line.index(b"\n")])

    def say(self, *items: Item | bytes) -> None:
        texts = [item if isinstance(item, bytes) else json.dumps(item).encode() for item in items]
        self._socket.sendall(b"".join(text + b"\n" for text in texts))

    def close(self) -> None:
        self._socket.close()

    def play(self) -> list[str]:
        with self._socket:
            for event in self.heard():
                if event["type"] == "end_game":
                    self.scores = event["scores"]
                    return self.played
                self.say(self.reply(event))
        raise AssertionError("the server closed the connection before the end of the game")

    def reply(self, event: Item) -> Item:
        """Check that an event is complete, and that it lists actions if the program may act; return the reply."""
        assert event["type"] in _EVENTS, event
        assert event.keys() >= _EVENTS[event["type"]], event
        own = event.get("actor") == self._me
        asked = event["type"] in (_OWN if own else _OTHERS)
        wanted = ("possible_actions" if event["type"] in ("tsumo", *_OTHERS) else "cannot_dahai") if asked else ""
        assert {"possible_actions", "cannot_dahai"} & event.keys() == ({wanted} if wanted else set()), event
        said = self._said(event, own)
        self.played.append(said["type"])
        return said

    def _said(self, event: Item, own: bool) -> Item:
        kind, listed = event["type"], event.get("possible_actions", [])
        if kind == "start_game":
            self._me = event["id"]
        elif kind == "start_kyoku":
            self._hand = list(event["tehais"][self._me])
        elif kind == "dahai" and own:
            self._hand.remove(event["pai"])
        elif kind == "tsumo" and own:
            self._hand.append(event["pai"])
        found = [one for one in listed if one["type"] in ("hora", "reach")]
        if found:
            return dict(found[0])
        if own and kind in ("tsumo", "reach"):
            allowed = [tile for tile in self._hand if tile not in event.get("cannot_dahai", ())]
            return {"type": "dahai", "actor": self._me, "pai": allowed[-1], "tsumogiri": allowed[-1] == self._hand[-1]}
        return {"type": "none"}
