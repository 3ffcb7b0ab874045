"""The guests of a door: minds that answer messages, and their conversation over a line."""

import json
import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from scripts.doors.hand import Item, Pauses, chosen
from scripts.doors.line import Line

PEER = Path(__file__).parents[2] / "tests" / "peer"


class Mind(Protocol):
    """Answers messages."""

    over: bool
    """Whether it has heard the end of the game."""

    def reply(self, message: Item) -> Item | None:
        """Return the reply to a message, None for no reply."""


class Kept(list[tuple[Item, Item, float]]):
    """The decisions of a client: message, reply, and the seconds it took."""


def converse(
    line: Line,
    mind: Mind,
    leaves: Callable[[int, Item], bool] = lambda number, message: False,
    kept: Kept | None = None,
) -> bool:
    """Talk to the end of the connection, or to the message at which `leaves` is true. Return whether it left."""
    for number, message in enumerate(line.heard(), 1):
        if leaves(number, message):
            return True
        began = time.perf_counter()
        reply = mind.reply(message)
        if reply is not None:
            took = time.perf_counter() - began
            line.say(reply)
            if kept is not None:
                kept.append((message, reply, took))
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
