"""A person plays riichi in a real browser: what is offered and what is not, two tabs, coming back, keys alone."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.records.journal.writer import journal_of
from jantaku.table.riichi.ruleset import preset, with_settings
from tests.kit.cases import text_of
from tests.kit.chromium import Browser
from tests.records.view.screen import DESK, IN_A_BROWSER, IN_SIGHT, PHONE, wait_for
from tests.records.view.test_shell import LYING, violations
from tests.serve.serving import Served, plan_of
from tests.serve.test_person import Person

pytestmark = IN_A_BROWSER

SMALL = (360, 640)
READY = "!table.due && (offered().length || table.result || table.door === 'over')"
CAN = "document.querySelectorAll('.pick:not(.cannot)')"


@contextmanager
def entering(browser: Browser, folder: Path, size: tuple[int, int], **more: Any) -> Iterator[Served]:
    """A room with three bots, for one game of a kyoku, and a person in front of it."""
    plan = plan_of(folder, "ws,tsumogiri,caller,tsumogiri", **{"seed": "9", **more})
    with Served(plan, rooms=("r",), games=1) as served:
        browser.open(served.at("/sit/r").replace("ws:", "http:"), *size)
        browser.ask("localStorage.clear(), document.getElementById('name').value = '花子'")
        yield served


def sit_down(browser: Browser) -> None:
    browser.ask("document.getElementById('entry').requestSubmit()")
    wait_for(browser, READY)


@contextmanager
def seated(browser: Browser, folder: Path, size: tuple[int, int], **more: Any) -> Iterator[Served]:
    with entering(browser, folder, size, **more) as served:
        sit_down(browser)
        yield served


def click(browser: Browser, selector: str) -> None:
    browser.ask(f"document.querySelector({json.dumps(selector)}).click()")


def until_it_may_discard(browser: Browser) -> None:
    while not browser.ask("mayDiscard()"):
        click(browser, "#actions [data-act=pass]")
        wait_for(browser, READY)


def try_what_is_forbidden(browser: Browser) -> None:
    if not browser.ask("offered().some(({dapai}) => dapai)"):
        click(browser, ".pick")
        assert browser.ask("document.getElementById('word').textContent") == "It is not your turn."
    assert browser.ask("hand.said") is False
    browser.ask("send({question: hand.asked.question - 1, reply: {dapai: 'm1'}})")
    wait_for(browser, "document.getElementById('word').textContent.startsWith('That came too late')")
    assert browser.ask("hand.said") is False


def answer(browser: Browser, chance: random.Random, *, keys: bool) -> None:
    question = browser.ask("hand.asked.question")
    acts = browser.ask("[...document.querySelectorAll('#actions button')].map(one => one.dataset.act)")
    tiles = browser.ask(f"{CAN}.length")
    if "hule" in acts:
        click(browser, "[data-act=hule]")
    elif acts and (not tiles or "riichi" not in acts):
        browser.press("n") if keys and "pass" in acts else click(browser, f"[data-act={chance.choice(acts)}]")
    elif keys:
        browser.ask(f"{CAN}[0].focus()")
        browser.press("Enter")
    else:
        browser.ask(f"{CAN}[{chance.randrange(tiles)}].click()")
    wait_for(browser, f"hand.asked?.question !== {question} || table.result")


def look_back(browser: Browser, size: tuple[int, int]) -> None:
    """Beside what a bot would have done: each difference is in sight, and nothing there is to be followed."""
    beside = browser.another()
    beside.open(browser.ask("document.querySelectorAll('#after a')[1].href"), *size)
    wait_for(beside, "document.querySelector('[data-jump=difference]:not(:disabled)')")
    for _ in range(3):
        beside.press("d")
        assert beside.ask(f"[...document.querySelectorAll('.review.differs b')].some({IN_SIGHT})")
        assert beside.ask(f"{IN_SIGHT}(document.querySelector('.place0 .hand .tile'))")
    assert beside.ask("document.getElementById('live').hidden && !document.querySelector('#bar input[type=password]')")
    assert beside.ask("document.getElementById('live-state').textContent") == ""
    beside.close()


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "keys"), [(DESK, True), (PHONE, False), (SMALL, False)], ids=["desk", "phone", "small phone"]
)
def test_a_person_plays_a_game_to_its_end(size: tuple[int, int], keys: bool, browser: Browser, tmp_path: Path) -> None:
    chance, turns = random.Random(4), 0
    with seated(browser, tmp_path, size) as served:
        while not browser.ask("Boolean(table.result && table.game.final)"):
            assert browser.ask(f"[...document.querySelectorAll('#actions button, #go-on')].every({IN_SIGHT})")
            if browser.ask("table.result"):
                browser.press("Escape")
            elif browser.ask("offered().length"):
                if turns == 1:
                    try_what_is_forbidden(browser)
                answer(browser, chance, keys=keys)
                turns += 1
            wait_for(browser, READY)
        assert turns > 4
        wait_for(browser, "document.querySelectorAll('#after a').length === 3")
        look_back(browser, LYING if keys else PHONE)
        assert browser.ask("document.querySelectorAll('#chart .course').length") >= 4
        assert "花子" in browser.ask("document.getElementById('result').textContent")
        assert browser.ask("document.documentElement.scrollWidth") <= size[0]
        assert served.outcome().faults == ({"stale": 1}, {}, {}, {})  # the one that was forged
    lines = [json.loads(line) for line in journal_of(tmp_path, 0).read_text("utf-8").splitlines()]
    me = lines[0]["player"].index("花子")
    verdicts = {one["verdict"] for line in lines for one in line.get("answers", ()) if one["seat"] == me}
    assert verdicts == {"ok"}


CALLS = "[{fulou: 'p67-8'}, {fulou: 'p6-78'}, {fulou: 'p678-'}, {fulou: 'p666-'}, {gang: 'p6666-'}, {hule: '-'}, {}]"
WIN = """{hule: {l: 1, shoupai: 'p234567s2233m44s4*,z1111', baojia: 2, fubaopai: ['m3', 'm4'], fu: 40,
    fanshu: 9, defen: 16000, hupai: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(fanshu => ({name: '立直', fanshu})),
    fenpei: [0, 16000, -16000, 0]}}"""


def test_a_small_phone_has_every_call_and_the_way_on_from_a_result_in_sight(browser: Browser, tmp_path: Path) -> None:
    seen = f"[...document.querySelectorAll('#actions button, #go-on')].map({IN_SIGHT})"
    with seated(browser, tmp_path, SMALL):
        browser.ask(f"ask({{...hand.asked, options: {CALLS}}}), redraw()")
        wait_for(browser, "document.querySelectorAll('#actions button').length === 7")
        assert browser.ask(seen) == [True] * 7
        browser.ask(f"item({WIN}), redraw()")
        wait_for(browser, "document.getElementById('go-on')")
        assert browser.ask(f"{IN_SIGHT}(document.getElementById('go-on'))")


@pytest.mark.long
@pytest.mark.parametrize(("size", "least"), [(PHONE, 50), (LYING, 50), ((1280, 800), 80), ((1920, 1080), 110)])
def test_the_own_hand_is_large_and_nothing_scrolls_or_lies_over_it(
    size: tuple[int, int], least: int, browser: Browser, tmp_path: Path
) -> None:
    with seated(browser, tmp_path, size):
        root = "document.documentElement"
        assert browser.ask(f"[{root}.scrollWidth, {root}.scrollHeight]") == list(size)
        assert browser.ask(
            f"[...document.querySelectorAll('.pick, #switches > button, #switches summary')].every({IN_SIGHT})"
        )
        assert browser.ask("document.querySelector('.pick').getBoundingClientRect().width") >= least
        ends = "[...document.querySelectorAll('#actions, #stage')].map(one => one.getBoundingClientRect().bottom)"
        top = browser.ask("document.getElementById('hand').getBoundingClientRect().top")
        if size[0] >= 1280:
            assert max(browser.ask(ends)) <= top


def test_where_it_is_wished_a_first_tap_raises_a_tile_a_second_discards_it(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path, PHONE):
        until_it_may_discard(browser)
        click(browser, "[data-switch=tap-again]")
        for tile in ("first", "last", "first"):
            browser.ask(f"(all => all.{'at(-1)' if tile == 'last' else 'at(0)'}.click())([...{CAN}])")
            assert browser.ask("hand.said") is False
        wait_for(browser, "document.querySelector('.pick.used') && !table.due")
        assert "again" in browser.ask("document.getElementById('word').textContent")
        question = browser.ask("hand.asked.question")
        click(browser, ".pick.used")
        wait_for(browser, f"hand.said || hand.asked?.question !== {question} || table.result")


@pytest.mark.long
def test_on_a_phone_nothing_scrolls_in_the_second_kyoku_either(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path, PHONE, rules=with_settings(preset("tenhou"), {"game.length": "tonpu"})):
        while not browser.ask("table.game.rounds.length > 1 && offered().length"):
            if browser.ask("table.result"):
                browser.press("Escape")
            elif browser.ask("offered().length"):
                answer(browser, random.Random(4), keys=False)
            wait_for(browser, READY)
        assert browser.ask("!document.getElementById('rounds').open")
        root = "document.documentElement"
        assert browser.ask(f"[{root}.scrollWidth, {root}.scrollHeight]") == list(PHONE)


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE, LYING], ids=["desk", "phone", "lying"])
def test_hints_say_what_a_discard_leaves_if_wished(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    with seated(browser, tmp_path, size):
        until_it_may_discard(browser)
        assert browser.ask("document.querySelector('.pick.best')") is None
        click(browser, "[data-switch=hints]")
        wait_for(browser, "document.querySelector('.pick.best') && !table.due")
        assert "from tenpai" in browser.ask("document.getElementById('hint').textContent")
        best = browser.ask("hints.told.discards[0]")
        tile = f"[data-tile={best['tile']}]"
        assert browser.ask(f"document.querySelector('.pick{tile}').classList.contains('best')")
        click(browser, f".pick{tile}")
        wait_for(browser, f"hints.told && hints.told.discards[0]?.width !== {best['width']} || table.result")
        root = "document.documentElement"
        assert browser.ask(f"[{root}.scrollWidth, {root}.scrollHeight]") == list(size)
        browser.ask("localStorage.clear()")


def test_a_table_may_give_no_hints(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path, DESK, hints=False):
        click(browser, "[data-switch=hints]")
        wait_for(browser, "document.getElementById('hint').textContent === 'This table gives no hints.'")
        assert browser.ask("document.querySelector('.pick.best')") is None
        browser.ask("localStorage.clear()")


def test_sounds_are_on_until_they_are_turned_off(browser: Browser, tmp_path: Path) -> None:
    pressed = "document.querySelector('[data-switch=sound]').getAttribute('aria-pressed')"
    with seated(browser, tmp_path, DESK):
        assert browser.ask(pressed) == "true"
        click(browser, "[data-switch=sound]")
        browser.leave("location.reload()")
        wait_for(browser, READY)
        assert browser.ask(pressed) == "false"
        browser.ask("localStorage.clear()")


def test_a_tile_that_was_just_discarded_moves_unless_less_motion_is_wished(browser: Browser, tmp_path: Path) -> None:
    newest = "getComputedStyle(document.querySelector('.river .newest, .hand .drawn')).animationName"
    with seated(browser, tmp_path, PHONE):
        for wish, name in (("no-preference", "laid"), ("reduce", "none")):
            wished = [{"name": "prefers-reduced-motion", "value": wish}]
            browser.call("Emulation.setEmulatedMedia", features=wished)
            wait_for(browser, "document.querySelector('.river .newest, .hand .drawn')")
            assert browser.ask(newest) == name
        browser.call("Emulation.setEmulatedMedia", features=[])


def test_who_loads_the_page_again_finds_the_choice_and_an_older_tab_is_told(browser: Browser, tmp_path: Path) -> None:
    asked = (
        "[hand.asked.question, hand.asked.options, [...document.querySelectorAll('.pick')].map(p => p.dataset.tile)]"
    )
    with seated(browser, tmp_path, PHONE) as served:
        before = browser.ask(asked)
        browser.leave("location.reload()")
        wait_for(browser, READY)
        assert browser.ask(asked) == before
        tab = Person(served, key=browser.ask("ownSeat('r').key"), name="%E8%8A%B1%E5%AD%90")
        assert tab.choice()["question"] == before[0]
        wait_for(browser, "document.getElementById('state').textContent.startsWith('This seat was opened in another')")
        assert browser.ask("document.getElementById('word').textContent") == ""  # it is nobody's turn here any more
        click(browser, "[data-act=here]")
        wait_for(browser, READY)
        assert browser.ask(asked) == before
        assert tab.farewell == (1000, "this seat was opened elsewhere")


def test_the_host_invites_others_and_fills_free_seats_with_bots_of_its_choice(browser: Browser, tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "ws,ws,ws,tsumogiri", seed="9")
    with Served(plan, rooms=("r",), games=1) as served:
        browser.open(served.at("/sit/r").replace("ws:", "http:"), *PHONE)
        browser.ask("localStorage.clear(), document.getElementById('name').value = '花子'")
        browser.ask("document.getElementById('entry').requestSubmit()")
        wait_for(browser, "document.querySelector('#before .address')")
        guest = Person(served, name="p")
        wait_for(browser, "document.querySelectorAll('#before select').length === 1")
        guest.send({"start": ["shanten"]})
        assert guest.until("error") == {"error": "only the host, 花子, may begin the game"}
        browser.ask("document.querySelector('#before select').value = 'tsumogiri'")
        browser.ask("document.querySelector('#before select').dispatchEvent(new Event('change'))")
        click(browser, "#start")
        assert sorted(guest.until("player")["player"]) == ["p", "tsumogiri", "tsumogiri-2", "花子"]
        guest.close()


@pytest.mark.peer
@pytest.mark.parametrize("size", [DESK, PHONE, LYING])
def test_axe_finds_nothing_in_turn(browser: Browser, tmp_path: Path, peer_modules: Path, size: tuple[int, int]) -> None:
    with seated(browser, tmp_path, size):
        for theme in ("light", "dark"):
            click(browser, "#theme")
            assert browser.ask("getComputedStyle(document.documentElement).colorScheme") == theme
            assert violations(browser, peer_modules) == []
        click(browser, "#language")
        wait_for(browser, "document.documentElement.lang === 'ja' && !table.due")
        assert browser.ask("document.body.textContent.includes('undefined')") is False
        assert browser.ask("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.peer
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_axe_finds_nothing_at_the_entry_at_results_or_after_the_end(
    browser: Browser, tmp_path: Path, peer_modules: Path, size: tuple[int, int]
) -> None:
    for length, end in (("tonpu", "table.result"), ("one", "table.result && table.game.final")):
        folder = tmp_path / length
        folder.mkdir()
        chance = random.Random(4)
        with entering(browser, folder, size, length=length):
            assert violations(browser, peer_modules) == []
            sit_down(browser)
            while not browser.ask(f"Boolean({end})"):
                if browser.ask("offered().length"):
                    answer(browser, chance, keys=False)
                # A result that is not the last one stays until its time is over: nobody goes on here.
                wait_for(browser, f"{end} || !table.due && !table.result && offered().length")
            if length == "one":
                wait_for(browser, "document.querySelectorAll('#after a').length === 3")
            assert violations(browser, peer_modules) == []


DRAG = text_of("pages/person_drag.js")


def test_tiles_are_put_in_order_by_keys_and_by_drags_that_discard_nothing(browser: Browser, tmp_path: Path) -> None:
    shown = "[...document.querySelectorAll('.pick')].map(tile => tile.dataset.tile)"
    with seated(browser, tmp_path, DESK):
        first, second, third, *others = browser.ask(shown)
        browser.ask("document.querySelector('.pick').focus()")
        browser.press("ArrowRight", shift=True)
        assert browser.ask(f"({shown})[0]") == first  # not before it is wanted
        click(browser, "[data-switch=own-order]")
        wait_for(browser, "!table.due")
        browser.ask("document.querySelector('.pick').focus()")
        browser.press("ArrowRight", shift=True)
        wait_for(browser, "!table.due")
        assert browser.ask(shown) == [second, first, third, *others]
        browser.ask(DRAG.replace("FROM", "0").replace("TO", "2"))
        wait_for(browser, "!table.due")
        assert browser.ask(shown) == [first, third, second, *others]
        assert browser.ask("hand.said") is False
        click(browser, "[data-switch=own-order]")
        wait_for(browser, "!table.due")
        assert browser.ask(shown) == [first, second, third, *others]


FULL = text_of("pages/full_table.js")
"""Lay as much as there can be at every seat; return what lies over what."""


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_no_tile_lies_over_another_however_many_lie(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    with seated(browser, tmp_path, size):
        for hand, back, meld, count in (
            (13, "back", "kan", 0),
            (13, "", "kan", 0),
            (1, "back", "kan", 4),
            (1, "back", "added", 4),
            (1, "", "added", 4),
            (1, "", "kan", 4),
            (7, "", "added", 2),
        ):
            assert browser.ask(f"{FULL}({hand}, '{back}', '{meld}', {count})") == []


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_discard_is_larger_than_a_closed_tile_and_no_wall_takes_its_room(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    width = "(one => document.querySelector(one).offsetWidth)"
    with seated(browser, tmp_path, size):
        browser.ask(f"{FULL}(13, 'back', 'kan', 0)")
        river, closed, table = (
            browser.ask(f"{width}('{one}')")
            for one in (".place2 .river .tile:not(.bent)", ".place2 .hand .tile", "#table")
        )
        assert river > 1.4 * closed and river > table / 21
        assert browser.ask("document.querySelector('.wall').offsetHeight") == 0
