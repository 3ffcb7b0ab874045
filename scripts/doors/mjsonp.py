"""A program of the original mjai, written from the protocol alone: JSON, a socket, and what the server lists.

It has the habits of its kind. It reads with a new buffer for every line, as akochan's client does: what comes behind a
line in the same read is lost, so that a server that is not in lock step loses it. It answers everything with one line
and closes at `end_game`. It stops at whatever gimite's client would not bear.
"""

import json
import random
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
"""Every event and the fields that a client of gimite's reads."""
_WANTED = ("hora", "reach", "ankan", "kakan", "daiminkan", "pon", "chi")


class Program:
    """Plays one game: wins and declares where it can, else at random. `played` is what it replied, by type."""

    def __init__(self, port: int, name: str, room: str = "default", seed: int = 0) -> None:
        self.played: list[str] = []
        self.scores: list[int] = []
        self._chance = random.Random(seed)
        self._me = -1
        self._hand: list[str] = []
        self._in_riichi = False
        self._last_draw = ""
        self._socket = socket.create_connection(("127.0.0.1", port), 30)
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

    def say(self, item: Item) -> None:
        """One line."""
        self._socket.sendall(json.dumps(item).encode() + b"\n")

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def play(self) -> list[str]:
        """Play to the end of the game; what was replied."""
        with self._socket:
            for event in self.heard():
                assert event["type"] in _EVENTS, event
                assert event.keys() >= _EVENTS[event["type"]], event
                if event["type"] == "end_game":
                    self.scores = event["scores"]
                    return self.played
                reply = self.reply(event)
                self.played.append(reply["type"])
                self.say(reply)
        raise AssertionError("the server has closed before the end of the game")

    def reply(self, event: Item) -> Item:
        """What it says to an event."""
        kind, own = event["type"], event.get("actor") == self._me
        self._follow(event, own)
        if kind in ("reach", "chi", "pon") and own:
            barred = event["cannot_dahai"]
            assert set(barred) <= set(self._hand), "only what is in the hand is listed"
            return self._discard(barred, self._last_draw if kind == "reach" else "")
        if kind == "tsumo" and own:
            return self._choose(event["possible_actions"]) or self._discard([], event["pai"])
        if kind in ("dahai", "kakan") and not own:
            return self._choose(event["possible_actions"]) or {"type": "none"}
        assert "possible_actions" not in event and "cannot_dahai" not in event, event
        return {"type": "none"}

    def _choose(self, listed: list[Item]) -> Item | None:
        """The best of what is listed, calls now and then; as it stands there."""
        for item in sorted(listed, key=lambda one: _WANTED.index(one["type"]) if one["type"] in _WANTED else 99):
            if item["type"] in ("hora", "reach") or self._chance.random() < 0.3:
                return item
        return None

    def _discard(self, barred: list[str], drawn: str) -> Item:
        """Any tile that is not barred; in riichi the drawn one."""
        allowed = [drawn] if self._in_riichi and drawn else [tile for tile in self._hand if tile not in barred]
        tile = self._chance.choice(allowed)
        return {"type": "dahai", "actor": self._me, "pai": tile, "tsumogiri": bool(drawn) and tile == drawn}

    def _follow(self, event: Item, own: bool) -> None:
        """Keep the hand."""
        kind = event["type"]
        if kind == "start_game":
            self._me = event["id"]
        elif kind == "start_kyoku":
            self._hand, self._in_riichi = list(event["tehais"][self._me]), False
            assert all(hand == ["?"] * 13 for seat, hand in enumerate(event["tehais"]) if seat != self._me)
        elif not own:
            assert kind != "tsumo" or event["pai"] == "?", event
        elif kind == "tsumo":
            self._last_draw = event["pai"]
            self._hand.append(event["pai"])
        elif kind in ("dahai", "kakan"):
            self._hand.remove(event["pai"])
        elif kind == "reach_accepted":
            self._in_riichi = True
        elif kind in ("chi", "pon", "daiminkan", "ankan"):
            for tile in event["consumed"]:
                self._hand.remove(tile)
