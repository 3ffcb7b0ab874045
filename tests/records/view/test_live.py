"""The page of a running table in a real browser: it shows what the table has come to, early, late and to the end."""

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.view.riichi import stream_of, viewed
from jantaku.table.serve.watching import WatchPage
from tests.kit.chromium import Browser
from tests.records.view.screen import (
    DESK,
    IN_A_BROWSER,
    PHONE,
    STATE,
    Held,
    expected,
    exported,
    play_held,
    shown,
    type_token,
    wait_for,
    wait_for_position,
)
from tests.serve.serving import Client, Served, plan_of, play_out

pytestmark = IN_A_BROWSER


@pytest.mark.long
def test_a_table_watched_to_its_end_shows_at_every_moment_what_it_has_come_to(browser: Browser, tmp_path: Path) -> None:
    looked = []

    def look(held: Held) -> None:
        wait_for_position(browser, held.position)
        assert shown(browser) == expected(held.board)
        assert browser.ask(STATE) == "liveOn"
        looked.append(held.position)

    with WatchPage(tmp_path, 0) as viewer:
        browser.open(viewer.address, *DESK)
        wait_for(browser, f"{STATE} === 'liveWaiting'")
        outcome = play_held(tmp_path, range(20, 400, 20), look)
    assert len(looked) >= 10
    wait_for(browser, f"{STATE} === 'liveOver'")
    record = read_any(Path(outcome.records[0])).record
    assert record.final is not None
    final = browser.ask("document.getElementById('result').textContent")
    assert all(f"{points:,}" in final for points in record.final.scores)
    _holds_the_whole_record(browser, Path(outcome.records[0]))


def _holds_the_whole_record(browser: Browser, path: Path) -> None:
    """Every item, answer and wall that the page was sent, and no more."""
    stream = [json.loads(json.dumps(item)) for item in stream_of(read_any(path).record)[0]]
    items = [item for item in stream if "wall" not in item and "answers" not in item]
    told = browser.ask("viewer.game.rounds.flatMap(kyoku => kyoku.items)")
    assert told == items
    turns = browser.ask("viewer.game.rounds.flatMap(kyoku => kyoku.turns.map(turn => turn.turn))")
    assert turns == [item["turn"] for item in stream if "answers" in item]
    walls = browser.ask("viewer.game.rounds.map(kyoku => kyoku.wall)")
    assert walls == [item for item in stream if "wall" in item]


@pytest.mark.long
def test_who_joins_late_sees_the_same_and_can_go_back_while_the_table_goes_on(browser: Browser, tmp_path: Path) -> None:
    looked = []

    def look(held: Held) -> None:
        looked.append(held.position)
        if len(looked) == 1:
            browser.open(viewer.address, *PHONE)
        if len(looked) == 3:  # nobody is torn from what he looks at
            wait_for(browser, f"viewer.running.rounds.at(-1).items.length === {held.items}")
            assert browser.ask("viewer.at.event") == 0
            browser.press("f")
        wait_for_position(browser, held.position)
        assert shown(browser) == expected(held.board)
        if len(looked) == 2:
            browser.press("Home")

    with WatchPage(tmp_path, 0) as viewer:
        outcome = play_held(tmp_path, (150, 160, 170), look)
    wait_for(browser, f"{STATE} === 'liveOver'")
    assert len(looked) == 3
    _holds_the_whole_record(browser, Path(outcome.records[0]))


@pytest.mark.long
def test_one_page_follows_one_game_after_another(browser: Browser, tmp_path: Path) -> None:
    titles: list[str] = []

    def look(held: Held) -> None:
        wait_for(browser, f"viewer.game?.title === 'seed 4 game {len(titles)}'")
        wait_for_position(browser, held.position)
        assert shown(browser) == expected(held.board)
        titles.append(browser.ask("viewer.game.title"))

    with WatchPage(tmp_path, 0) as viewer:
        browser.open(viewer.address, *DESK)
        play_held(tmp_path, (30,), look, length="one", games=3)
    assert titles == [f"seed 4 game {number}" for number in range(3)]


@pytest.mark.long
def test_nobody_sees_hidden_tiles_in_a_room_but_the_operator(browser: Browser, tmp_path: Path) -> None:
    tiles = "new Set(viewer.game.rounds[0].items.filter(item => item.zimo).map(item => item.zimo.p)).size"
    for query, draws in (("", 1), ("#token=op", 20)):
        folder = tmp_path / f"room{draws}"
        with Served(plan_of(folder), rooms=("r",), operator_token="op") as served:
            address = served.at(f"/watch/r{query}").replace("ws:", "http:")
            browser.open(address, *DESK)
            wait_for(browser, f"{STATE} === 'liveWaiting'")
            play_out(served, [None] * 4)
            wait_for(browser, "document.querySelector('#result .final')")
            assert browser.ask(tiles) >= draws if query else browser.ask(tiles) == draws
            assert browser.ask("viewer.game.rounds[0].turns.length > 0") == bool(query)
            browser.ask("viewer.goto(0, 20)")
            told = browser.ask("document.querySelectorAll('#table :is(.shape, .useful, .awaited)').length")
            assert told >= 4 if query else told == 0, "shanten and waits follow from hidden tiles"
            browser.press("f")
            # Also of a game that is over.
            wait_for(browser, "viewer.game.rounds[0].turns.every(turn => turn.answers.every(one => one.options))")
            assert browser.ask(STATE) == "liveOn", "it stays for the next game of this room"
            play_out(served, [None] * 4)
            wait_for(browser, "viewer.game.title === 'room r, game 2' && document.querySelector('#result .final')")
    wait_for(browser, f"{STATE} !== 'liveOn'")


@pytest.mark.parametrize(("path", "why"), [("/watch/none", "there is no such room"), ("/watch/r#token=x", "operator")])
def test_who_is_not_let_in_reads_why(browser: Browser, tmp_path: Path, path: str, why: str) -> None:
    with Served(plan_of(tmp_path), rooms=("r",), games=1, operator_token="op") as served:
        browser.open(served.at(path).replace("ws:", "http:"), *DESK)
        wait_for(browser, f"{STATE} === 'liveRefused'")
        assert why in browser.ask("document.getElementById('table').textContent")


def test_an_operator_who_came_without_the_token_types_it(browser: Browser, tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), rooms=("r",), games=1, operator_token="op") as served:
        for token, state in (("x", "liveRefused"), ("op", "liveWaiting"), ("", "liveWaiting")):
            browser.open(served.at("/watch/r").replace("ws:", "http:"), *DESK)
            type_token(browser, token)
            browser.open(served.at("/watch/r").replace("ws:", "http:"), *DESK)
            wait_for(browser, f"{STATE} === '{state}'")
            assert browser.ask("viewer.follower.protocols.length > 0") is bool(token)
            assert "op" not in browser.ask("location.search + location.hash")


@pytest.mark.long
def test_a_copied_link_does_not_give_the_operators_token_away(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    shutil.copy(Path(play_held(tmp_path / "first", (), lambda held: None, length="one").records[0]), tmp_path)
    with WatchPage(tmp_path, 0) as viewer:
        browser.open(viewer.address, *DESK)
        wait_for(browser, "document.querySelector('#result .final')")
        browser.ask("navigator.clipboard.writeText = async text => { window.copied = text; }")
        browser.ask("copyLink(viewer)")
        copied = browser.ask("window.copied")
    assert "token" in viewer.address and "token" not in copied and "k=1" in copied


@pytest.mark.long
def test_a_connection_that_breaks_is_made_again(browser: Browser, tmp_path: Path) -> None:
    """The same table is told from the start; nothing is shown twice."""
    looked: list[str] = []

    def look(held: Held) -> None:
        if looked:
            browser.ask("viewer.follower.socket.close()")
            wait_for(browser, f"{STATE} === 'liveLost'")
        wait_for(browser, f"{STATE} === 'liveOn'")
        wait_for_position(browser, held.position)
        assert shown(browser) == expected(held.board)
        looked.append(held.position)

    with WatchPage(tmp_path, 0) as viewer:
        browser.open(viewer.address, *DESK)
        outcome = play_held(tmp_path, (20, 40), look, length="one")
    wait_for(browser, f"{STATE} === 'liveOver'")
    _holds_the_whole_record(browser, Path(outcome.records[0]))
    assert len(looked) == 2


def test_a_program_hears_the_same_as_the_page(tmp_path: Path) -> None:
    with WatchPage(tmp_path, 0) as viewer:
        client = Client(viewer.address.replace("http:", "ws:").replace("#", "?"))
        outcome = play_held(tmp_path, (), lambda held: None, length="one")
    frames = client.rest()
    head, *items = [one for frame in frames for one in json.loads(frame)]
    lines = [json.loads(line) for line in Path(outcome.records[0]).read_text("utf-8").splitlines()]
    assert head["player"] == lines[0]["player"]
    assert items == [line for line in lines[1:] if "digest" not in line]  # it guards the file, and is no event


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
def test_who_joins_late_sees_options_and_those_of_a_game_that_he_stays_at(browser: Browser, tmp_path: Path) -> None:
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
