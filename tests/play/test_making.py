"""Constructors are foreign code: on the clock, and whatever they raise is their player's."""

import asyncio
import sys
import threading
import time
from pathlib import Path

import pytest

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.errors import PlayerNotReady
from jantaku.table.ground.port import Player, Remote
from jantaku.table.play.seating.making import Making, Unmade, make_all
from tests.arena.match.matches import play_match, small_plan
from tests.kit.cases import cases
from tests.kit.command import Jantaku
from tests.kit.pace import SOON, UNIT

BOTS = """import asyncio, os, pathlib, time
from jantaku.players.bots.tsumogiri import Tsumogiri
class Sleeps(Tsumogiri):
    def __init__(self):
        super().__init__()
        time.sleep(3600)
class SleepsLater(Tsumogiri):
    def __init__(self):
        super().__init__()
        with open("made", "a") as made:
            made.write("x")
        if pathlib.Path("made").stat().st_size > 1:
            time.sleep(3600)
class Cancels(Tsumogiri):
    def __init__(self):
        raise asyncio.CancelledError("no")
class Interrupts(Tsumogiri):
    def __init__(self):
        raise KeyboardInterrupt
class Maybe(Tsumogiri):
    listens = "maybe"
class CancelsLater(Tsumogiri):
    def answer(self, question):
        raise asyncio.CancelledError("no")
"""
START = "?clock.start=0.3"


@pytest.fixture
def here(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (cwd / "odd.py").write_text(BOTS)
    monkeypatch.setattr(sys, "path", sys.path[:])
    return cwd


def test_a_constructor_that_does_not_return_is_left_to_itself_and_the_others_are_made() -> None:
    let_go = threading.Event()

    def stuck(seed: int) -> Player:
        let_go.wait(SOON)
        return Tsumogiri()

    def fails(seed: int) -> Player:
        raise asyncio.CancelledError("no")

    def fine(seed: int) -> Player:
        return Tsumogiri(seed=seed)

    made = make_all([Making(make, n, UNIT * 4) for n, make in enumerate([fine, stuck, fails, fine])])
    let_go.set()
    assert [type(player) for player in made] == [Tsumogiri, Unmade, Unmade, Tsumogiri]
    for player, reason in ((made[1], "its constructor has not returned after"), (made[2], "no")):
        assert isinstance(player, Remote)
        with pytest.raises(PlayerNotReady, match=reason):
            player.start(1)


@pytest.mark.long
@cases(
    "bot, reason",
    (f"odd:Sleeps{START}", "player Sleeps is not ready: its constructor has not returned after 0.3 s"),
    ("odd:Cancels", "player odd:Cancels: it could not be made: CancelledError: no"),
    ("odd:Interrupts", "player odd:Interrupts: it could not be made: KeyboardInterrupt"),
    ("odd:Maybe", "is not ready: its listens is 'maybe'; allowed are True and False"),
)
@pytest.mark.parametrize("command", ["play", "inline", "match", "exam"])
def test_a_player_that_cannot_be_made_is_bad_input_that_names_it(
    bot: str, reason: str, command: str, here: Path, jantaku: Jantaku
) -> None:
    four = f"{bot},dice,dice,dice"
    words = {
        "play": ("play", "--players", four),
        "inline": ("play", "--players", four, "--threads", "inline"),
        "match": ("match", "--players", four, "--sets", "1", "--workers", "0", "--out", "m"),
        "exam": ("exam", bot, "--item", "riichi"),
    }[command]
    ran = jantaku(*words)
    said = reason.replace("player Sleeps is", "is") if command == "exam" else reason
    assert ran.code == 2 and said in ran.err, ran


def test_a_constructor_that_hangs_in_a_later_hanchan_is_blamed_on_its_seat(here: Path) -> None:
    began = time.monotonic()
    done = play_match(here / "match", small_plan([f"odd:SleepsLater{START}", "dice"], sets=1))
    assert time.monotonic() - began < SOON
    figures = done.results.figures
    assert figures is not None and figures.void == 0
    faults = {player.name: player.faults for player in figures.players}
    assert faults["SleepsLater"].keys() == {"start_failed"} and faults["dice"] == {}


def test_a_bot_that_cancels_is_gone_in_a_game_without_threads(here: Path, jantaku: Jantaku) -> None:
    ran = jantaku("play", "--players", "odd:CancelsLater,dice,dice,dice", "--threads", "inline", "--length", "one")
    assert ran.code == 0 and "gone" in ran.out, ran
