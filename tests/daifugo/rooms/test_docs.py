"""What docs/daifugo-client.md shows: its transcript is what a client of TEST 2 really sees, and its clients play."""

import re
import sys
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.table.daifugo.client import Neof5Client
from jantaku.table.daifugo.neof5 import Said, Snapshot
from tests.daifugo.rooms.guests import PATIENCE, SHORT, Guest, House, house_of
from tests.kit.pace import SOON

PAGE = (Path(__file__).parents[3] / "docs" / "daifugo-client.md").read_text("utf-8")
ANSWERS = ("S7", "", "H5 S5", "", "", "D6", "", "", "C4", "C3", "C7", "D8", "CJ", "DQ", "CK")
"""What is played in TEST 2: legal at each turn."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


class Noted(Guest):
    """A connection of which each line is kept, as the page writes them: “<” came, “>” was sent."""

    def __init__(self, guest: Guest) -> None:
        super().__init__(guest.connection)
        self.lines: list[str] = []

    def next(self) -> dict[str, object]:
        text = self.connection.recv(timeout=SOON)
        assert isinstance(text, str)
        self.lines.append(f"< {text}")
        message: dict[str, object] = msgspec.json.decode(text)
        return message

    def say(self, request: object) -> None:
        self.lines.append(f"> {msgspec.json.encode(request).decode()}")
        super().say(request)


def transcript(house: House) -> list[str]:
    """All of TEST 2, with a Tweet and a play that is refused in the first turn."""
    with house.guest("/test/ruletest/RT0001?name=first") as guest:
        noted = Noted(guest)
        for number, cards in enumerate(ANSWERS):
            noted.until("ProcessTurn")
            if number == 0:
                noted.say({"Kind": "Tweet", "Message": "こんにちわ。"})
                noted.until("Tweet")
                noted.put("C3")
                noted.until("Exception")
            noted.put(cards)
        noted.until("Finish")
        return noted.lines


def test_the_transcript_is_what_a_client_sees() -> None:
    shown = [line for line in blocks("text")[0].splitlines() if line != "…"]
    with house_of(SHORT) as house:
        lines = transcript(house)
    assert len(shown) > 15
    rest = iter(lines)
    for line in shown:
        assert line in rest, line  # and so in this order
    assert {msgspec.json.decode(line[2:])["Kind"] for line in lines if line[0] == "<"} == {
        msgspec.json.decode(line[2:])["Kind"] for line in shown if line[0] == "<"
    }


def test_the_first_client_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    source = blocks("python")[0]
    assert len([line for line in source.splitlines() if line.strip()]) <= 12
    told: list[list[int]] = []
    for path, seats in (("/test/practice/P0001?name=first", 4), ("/test/ruletest/RT0001?name=first", 3)):
        finished = threading.Event()

        def write(_: str, places: list[int], *, flush: bool, finished: threading.Event = finished) -> None:
            assert flush, "a pipe would keep it back"
            told.append(places)
            finished.set()

        with house_of(SHORT) as house:
            monkeypatch.setattr(sys, "argv", ["first.py", house.url(path)])
            client = threading.Thread(target=exec, args=(source, {"print": write}), daemon=True)
            client.start()
            assert finished.wait(PATIENCE)
        client.join(PATIENCE)  # it stays for the next round until the server closes
        assert not client.is_alive() and sorted(told[-1]) == list(range(1, seats + 1))


def test_the_client_of_the_base_class_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    namespace: dict[str, Any] = {"__name__": "lowest"}
    exec(blocks("python")[1], namespace)
    told: list[str] = []
    finished = threading.Event()

    def hear(_: Neof5Client, message: Snapshot | Said) -> None:
        told.append(message.kind)
        if message.kind == "Finish":
            finished.set()

    monkeypatch.setattr(namespace["Lowest"], "hear", hear)
    with house_of(SHORT) as house:
        client = namespace["Lowest"](house.url("/test/practice/P0002?name=Lowest"))
        thread = threading.Thread(target=client.run, daemon=True)
        thread.start()
        assert finished.wait(PATIENCE)
    thread.join(PATIENCE)
    assert not thread.is_alive() and "ProcessTurn" in told and "Exception" not in told
