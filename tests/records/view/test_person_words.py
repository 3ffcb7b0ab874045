"""A person's page says nothing in the other language, whatever state it is in; axe finds nothing in the new ones."""

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.kit.cases import text_of
from tests.kit.chromium import Browser
from tests.records.view.screen import DESK, IN_A_BROWSER, PHONE, wait_for
from tests.records.view.test_person import CALLS, READY, WIN, answer, click, entering, seated, sit_down
from tests.records.view.test_shell import LYING, violations
from tests.serve.serving import Served, plan_of

pytestmark = IN_A_BROWSER

SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
FOREIGN = {"en": "[\\u3040-\\u30ff]|[\\u4e00-\\u9fff]{2}", "ja": "[A-Za-z]{3}"}
"""What only the other language has: kana, words of kanji; words of letters."""
ALL_WORDS = text_of("pages/person_words.js")
"""Everything that the page says, seen, heard or pointed at, but for names, addresses, options and keys, and the
Japanese names of yaku and draws."""


def speaks_one_language(browser: Browser, state: str) -> None:
    """The page says nothing in Japanese, then nothing in English; it is switched while the state stands."""
    for language in ("en", "ja", "en"):
        if browser.ask("LANGUAGE") != language:
            click(browser, "#language")
        wait_for(browser, f"document.documentElement.lang === '{language}' && !table.due")
        left = browser.ask(f"{ALL_WORDS}.match(/.{{0,20}}({FOREIGN[language]}).{{0,20}}/)?.[0] ?? ''")
        assert (state, language, left) == (state, language, "")
        assert (state, browser.ask(f"/undefined|\\[object/.test({ALL_WORDS})")) == (state, False)


def stand(browser: Browser, script: str, state: str) -> None:
    browser.ask(f"{script}, redraw()")
    wait_for(browser, "!table.due")
    speaks_one_language(browser, state)


COSTLY = {
    **{"kyoku": 2, "event": 9, "wind": 0, "number": 1, "honba": 0, "hand": "m123p0z1111s1,p222-"},
    **{"worth": 3.25, "margin": 1.5},
}
REPLIES: tuple[dict[str, str], ...] = (
    *({"dapai": "m1_"}, {"dapai": "p0*"}, {"fulou": "p67-8"}, {"gang": "z1111"}),
    *({}, {"hule": "-"}, {"daopai": "-"}),
)
DOORS = ("lost", "moved", "over", "closed", "wait")
REASONS = (
    "this seat is taken from another browser",
    "the name 花子 is taken; choose another",
    "room r is playing; watch it at /watch/r",
    "room r is closed",
    "room r has no seat for 花子",
    "room r: there is none; allowed are a",
    "token: wrong for room r",
)


@pytest.mark.long
@SIZES
def test_a_game_is_told_in_one_language_at_a_time(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    with entering(browser, tmp_path, size, length="tonpu"):
        speaks_one_language(browser, "entry")
        sit_down(browser)
        speaks_one_language(browser, "question")
        stand(browser, f"ask({{...hand.asked, options: {CALLS}}})", "call")
        own = browser.ask("document.querySelector('.pick').dataset.tile")
        riichi = json.dumps([{"dapai": own}, {"dapai": f"{own}*"}, {"daopai": "-"}, {"gang": own[0] + own[1] * 4}])
        stand(browser, f"ask({{...hand.asked, question: 98, options: {riichi}}})", "own turn")
        stand(browser, "declare()", "riichi")
        late = "ask({...hand.asked, question: 99}), hand.on.add('tap-again'), pick(hand.asked.options[0].dapai)"
        stand(browser, late, "tap")
        for why in ("late", "forbidden", "unreadable"):
            stand(browser, f"refused('{why}')", why)
        for why in ("timeUp", "away", "unanswered"):
            stand(browser, f"defaulted({{why: '{why}', count: 2}})", why)
        stand(browser, "take({meanwhile: 3})", "meanwhile")
        stand(browser, "take({error: 'only the host, 花子, may begin the game'})", "host only")
        stand(browser, "take({resting: true})", "resting")
        for door in DOORS:
            stand(browser, f"table.door = '{door}'", door)
        for reason in REASONS:
            stand(browser, f"table.door = 'refused', table.reason = {json.dumps(reason)}", reason)
        browser.ask("table.door = '', table.resting = false")
        stand(browser, f"item({WIN})", "result")


HINTS = """{seat: 0, shanten: 0, wins: [{tile: 'p1', by: 'ron', points: 0}, {tile: 'p1', by: 'tsumo', points: 2000}],
    accepted: {p1: 3}, width: 3, furiten: true, discards: [SAFETY]}"""


@pytest.mark.long
def test_hints_are_told_in_one_language_at_a_time(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path, DESK):
        browser.ask("hand.on.add('hints')")
        for safety in ("genbutsu", "no-chance", "suji", "half-suji", "honour", ""):
            words = f"word('safe-{safety}')"
            assert browser.ask(f"typeof {words}") == "string"
        browser.ask("ask(null), redraw()")
        told = HINTS.replace("SAFETY", "")
        stand(browser, f"Object.assign(hints, {{told: {told}, refused: false}})", "worth")
        stand(browser, "Object.assign(hints, {told: null, refused: true})", "no hints")
        browser.ask("localStorage.clear()")


def waiting(browser: Browser, served: Served, size: tuple[int, int]) -> None:
    browser.open(served.at("/sit/r").replace("ws:", "http:"), *size)
    browser.ask("localStorage.clear(), document.getElementById('name').value = '花子'")
    browser.ask("document.getElementById('entry').requestSubmit()")
    wait_for(browser, "document.querySelector('#before .address') && !table.due")


@SIZES
def test_who_waits_is_told_in_one_language_at_a_time(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    with Served(plan_of(tmp_path, "ws,ws,ws,tsumogiri"), rooms=("r",), games=1) as served:
        waiting(browser, served, size)
        speaks_one_language(browser, "host")
        stand(browser, "table.notice.host = '花子'", "guest")
        assert browser.ask("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.long
@SIZES
def test_the_end_and_the_look_back_are_in_one_language(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    with seated(browser, tmp_path, size):
        while not browser.ask("Boolean(table.result && table.game.final)"):
            browser.press("Escape") if browser.ask("table.result") else answer(browser, random.Random(4), keys=False)
            wait_for(browser, READY)
        wait_for(browser, "document.querySelectorAll('#after a').length === 3")
        speaks_one_language(browser, "end")
        wait_for(browser, "costs.found !== null && document.querySelector('#costly li, #costly p')")
        found = [{**COSTLY, "played": played, "choice": choice} for played, choice in pairwise(REPLIES)]
        states: tuple[dict[str, Any], ...] = ({"looked": [1, 2]}, {"waits": True}, {"found": []}, {"found": found})
        for costs in states:
            told = {"socket": None, "looked": None, "found": None, "waits": False, **costs}
            stand(browser, f"Object.assign(costs, {json.dumps(told)})", f"costly: {costs}")
        assert browser.ask("document.querySelectorAll('#costly li a[href*=allround]').length") == len(found)
        assert browser.ask("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.peer
@pytest.mark.parametrize("size", [DESK, PHONE, LYING])
def test_axe_finds_nothing_with_hints_in_the_waiting_room_or_at_a_raised_tile(
    browser: Browser, tmp_path: Path, peer_modules: Path, size: tuple[int, int]
) -> None:
    (tmp_path / "game").mkdir()
    with seated(browser, tmp_path / "game", size):
        while not browser.ask("mayDiscard()"):
            click(browser, "#actions [data-act=pass]")
            wait_for(browser, READY)
        for switch in ("hints", "tap-again"):
            click(browser, f"[data-switch={switch}]")
        wait_for(browser, "document.querySelector('.pick.best') && !table.due")
        click(browser, ".pick:not(.cannot)")
        wait_for(browser, "document.querySelector('.pick.used') && !table.due")
        for theme in ("light", "dark"):
            browser.ask(f"document.documentElement.dataset.theme = '{theme}'")
            assert violations(browser, peer_modules) == []
        browser.ask("localStorage.clear()")
    with Served(plan_of(tmp_path, "ws,ws,ws,tsumogiri"), rooms=("r",), games=1) as served:
        waiting(browser, served, size)
        for theme in ("light", "dark"):
            browser.ask(f"document.documentElement.dataset.theme = '{theme}'")
            assert violations(browser, peer_modules) == []
