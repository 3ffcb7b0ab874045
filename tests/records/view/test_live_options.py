"""The page of a running table in a real browser shows what players could do, as the page of the record does later."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.view.riichi import viewed
from jantaku.table.serve.watching import WatchPage
from tests.kit.chromium import Browser
from tests.records.view.chromium import IN_A_BROWSER
from tests.records.view.live import Held, play_held
from tests.records.view.pages import exported
from tests.records.view.screen import DESK, PHONE, wait_for, wait_for_position

pytestmark = IN_A_BROWSER
SHOWN = "viewer.game.rounds[viewer.at.round]"
COMPLETE = f"{SHOWN}.turns.every(turn => turn.answers.every(answer => answer.options))"
DECISIONS = "document.getElementById('decisions').innerHTML"
OFFERED = "document.querySelectorAll('#decisions .option').length"


def book(path: Path) -> list[list[Item]]:
    """The turns of every kyoku of a record as its page has them."""
    items: list[Item] = json.loads(msgspec.json.encode(viewed(read_any(path).record).entry().items))
    kyoku: list[list[Item]] = []
    for item in items:
        if "qipai" in item:
            kyoku.append([])
        elif "answers" in item:
            kyoku[-1].append(item)
    return kyoku


def turns(browser: Browser) -> list[Item]:
    """The turns of the kyoku that is shown, when all their options are."""
    wait_for(browser, COMPLETE)
    found: list[Any] = browser.ask(f"{SHOWN}.turns")
    return [{"turn": turn["turn"], "answers": turn["answers"]} for turn in found]


@pytest.mark.long
def test_the_options_of_a_running_game_are_those_that_its_record_shows(browser: Browser, tmp_path: Path) -> None:
    """For who is there from the start, for every kyoku that he looks back at, and on the screen to the letter."""
    seen: list[tuple[int, list[Item]]] = []
    screens: list[tuple[str, str]] = []

    def look(held: Held) -> None:
        wait_for_position(browser, held.position)
        wait_for(browser, f"{OFFERED} > 0")  # options come when they have been worked out
        seen.append((held.kyoku - 1, turns(browser)))
        if held.kyoku > 1:
            browser.press("[")
            browser.press("[")
            seen.append((held.kyoku - 2, turns(browser)))
            browser.press("ArrowRight", shift=True)
            browser.press("ArrowLeft")
            screens.append((browser.ask("linkTo(viewer)"), browser.ask(DECISIONS)))
            browser.press("f")

    with WatchPage(tmp_path, 0) as viewer:
        browser.open(viewer.address, *DESK)
        outcome = play_held(tmp_path, (20, 90, 160, 230), look)
    path = Path(outcome.records[0])
    recorded = book(path)
    assert len(seen) > 4 and all(told and told == recorded[kyoku][: len(told)] for kyoku, told in seen)
    address = exported(tmp_path, read_any(path).record)
    assert screens
    for link, decisions in screens:
        browser.open(address + link, *DESK)
        assert browser.ask(DECISIONS) == decisions and browser.ask(OFFERED) > 0


@pytest.mark.long
def test_who_joins_late_sees_options_and_those_of_an_earlier_game_that_he_stays_at(
    browser: Browser, tmp_path: Path
) -> None:
    seen: list[list[Item]] = []

    def look(held: Held) -> None:
        if not seen:
            browser.open(viewer.address, *PHONE)
            wait_for_position(browser, held.position)
            seen.append(turns(browser))
            browser.press("Home")  # and stay in this game
            return
        wait_for(browser, "viewer.running.title !== viewer.game.title && viewer.running.rounds.length > 0")
        seen.append(turns(browser))
        browser.press("f")
        wait_for_position(browser, held.position)
        seen.append(turns(browser))

    with WatchPage(tmp_path, 0) as viewer:
        play_held(tmp_path, (30,), look, length="one", games=2)
    first, second = (book(tmp_path / f"game-000{number}.jsonl")[0] for number in range(2))
    assert seen[0] == first[: len(seen[0])]
    assert seen[1] == first
    assert seen[2] == second[: len(seen[2])] and seen[2]


@pytest.mark.long
def test_a_game_that_cannot_be_followed_is_shown_without_options(browser: Browser, tmp_path: Path) -> None:
    """Its journal says that a hand was dealt another tile than the wall has."""
    (tmp_path / "first").mkdir()
    whole = Path(play_held(tmp_path / "first", (), lambda held: None, length="one").records[0]).read_bytes()
    lines = whole.splitlines(keepends=True)
    tiles = json.loads(lines[1])["wall"]
    turned = "".join(reversed([tiles[at : at + 2] for at in range(0, len(tiles), 2)]))
    lines[1] = lines[1].replace(tiles.encode(), turned.encode())
    with WatchPage(tmp_path, 0) as viewer:
        browser.open(viewer.address, *DESK)
        (tmp_path / "game-0000.jsonl").write_bytes(b"".join(lines))
        wait_for(browser, "document.querySelector('#result .final')")
        browser.press("ArrowLeft")
        wait_for(browser, "document.querySelector('#decisions .verdict')")
        # Asked once, and not over and over.
        wait_for(browser, "viewer.follower.asked && !viewer.follower.busy")
        before = browser.ask("viewer.follower.asked")
        browser.press("Home")
        assert browser.ask("viewer.follower.asked") == before and browser.ask(OFFERED) == 0
