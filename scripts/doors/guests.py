"""The guests of a door: minds that answer messages, and their conversation over a line."""

import json
import os
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from scripts.doors.hand import Hand, Item, Pauses, chosen
from scripts.doors.line import Line, TcpLine

PEER = Path(__file__).parents[2] / "tests" / "peer"


class Mind(Protocol):
    """Answers messages."""

    over: bool
    """Whether it has heard the end of the game."""

    def reply(self, message: Item) -> Item | None:
        """Return the reply to a message, None for no reply."""


def converse(
    line: Line,
    mind: Mind,
    leaves: Callable[[int, Item], bool] = lambda number, message: False,
) -> bool:
    """Talk to the end of the connection, or to the message at which `leaves` is true. Return whether it left."""
    for number, message in enumerate(line.heard(), 1):
        if leaves(number, message):
            return True
        if (reply := mind.reply(message)) is not None:
            line.say(reply)
    return False


class Discarder:
    """In Majiang's messages: discards what it draws, and passes."""

    def __init__(self, pauses: Pauses | None = None) -> None:
        self.over = False
        self._pauses = pauses or Pauses()

    def reply(self, message: Item) -> Item | None:
        assert "error" not in message, message
        self.over = "jieju" in message
        if "seq" not in message:
            return None
        drawn = (message.get("zimo") or message.get("gangzimo") or {}).get("p")
        if not drawn:
            return {"seq": message["seq"]}
        self._pauses.think()
        return {"dapai": f"{drawn}_", "seq": message["seq"]}


class ArenaBot:
    """In RiichiLab's messages: chooses one of `possible_actions`."""

    def __init__(self, seed: int = 0, pauses: Pauses | None = None) -> None:
        self.over = False
        self.acks: list[str] = []
        self._chance, self._pauses = random.Random(seed), pauses or Pauses()

    def reply(self, message: Item) -> Item | None:
        self.over = message["type"] == "end_game"
        if message["type"] == "action_ack":
            self.acks.append(message["status"])
        if message["type"] != "request_action":
            return None
        self._pauses.think()
        listed = message["possible_actions"]
        usual = [one for one in listed if one["type"] == "dahai"] or [one for one in listed if one["type"] == "none"]
        action = chosen(listed, self._chance) or self._chance.choice(usual or listed)
        return {**action, "request_id": message["request_id"]}


class MajiangCore:
    """majiang-core's `Player` (npm), asked through a program; it chooses at random among what that allows."""

    def __init__(self, seed: int, pauses: Pauses | None = None) -> None:
        self.over = False
        self._pauses = pauses or Pauses()
        self._program = subprocess.Popen(
            ["node", PEER / "options.js"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "JANTAKU_SEED": str(seed)},
        )

    def reply(self, message: Item) -> Item | None:
        to, back = self._program.stdin, self._program.stdout
        assert to is not None
        assert back is not None
        to.write(json.dumps(message).encode() + b"\n")
        to.flush()
        self.over = "jieju" in message
        if "seq" not in message:
            return None
        reply: Item = json.loads(back.readline())
        if len(reply.pop("options", ())) > 1:
            self._pauses.think()
        return reply

    def close(self) -> None:
        """End the program."""
        self._program.communicate()


class Partner:
    """A mind that waits at its next message while another is away."""

    def __init__(self, mind: Mind, waits: Callable[[], object]) -> None:
        self.over = False
        self._mind, self._waits = mind, waits

    def reply(self, message: Item) -> Item | None:
        self._waits()
        reply = self._mind.reply(message)
        self.over = self._mind.over
        return reply


# --- the original mjai

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
    """A program of the original mjai, written from the protocol alone: it plays one game, wins and declares if it can,
    else plays at random.

    It has the habits of its kind. It reads with a new buffer for every line, like akochan's client: anything after a
    line in the same read is lost, so it fails with a server that is not in lock step. It answers everything with one
    line, and closes at `end_game`. It stops at anything that gimite's client would not accept.
    """

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
