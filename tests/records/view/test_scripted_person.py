"""The scripted person (`tests.records.view.person`) plays to the end whatever it does, and harms nothing."""

import json
from pathlib import Path

import pytest

from jantaku.table.records.journal.writer import journal_of
from tests.kit.chromium import Browser, BrowserPage
from tests.records.view.person import ScriptedPerson
from tests.records.view.screen import DESK, IN_A_BROWSER, PHONE
from tests.serve.serving import Served, plan_of
from tests.serve.test_secrecy import told_too_much

pytestmark = IN_A_BROWSER

PLAYERS = "ws,tsumogiri,caller,tsumogiri"


def http(served: Served, path: str) -> str:
    return served.at(path).replace("ws:", "http:")


def listening(page: BrowserPage) -> BrowserPage:
    page.listen()
    return page


def played_well(folder: Path, name: str) -> bool:
    """Whether every answer of a player was its own and good."""
    lines = [json.loads(line) for line in journal_of(folder, 0).read_text("utf-8").splitlines()]
    me = lines[0]["player"].index(name)
    verdicts = {one["verdict"] for line in lines for one in line.get("answers", ()) if one["seat"] == me}
    return verdicts == {"ok"}


@pytest.mark.long
def test_a_clumsy_person_leaves_and_returns_by_its_link_no_page_has_a_hidden_tile(
    browser: Browser, tmp_path: Path
) -> None:
    with Served(plan_of(tmp_path, PLAYERS), rooms=("r",), games=1) as served:
        spectator = listening(browser.another(apart=True))
        spectator.open(http(served, "/watch/r"), *DESK)
        first = listening(browser.another(apart=True))
        person = ScriptedPerson(first, size=PHONE, clumsy=0.3, keys=True, seed=1)
        person.sit(http(served, "/sit/r"), "花子")
        for _ in range(3):
            person.step()
        before, link = person.look(), person.link
        first.kill()
        second = listening(browser.another(apart=True))
        person.come_back(second, link)
        person.keys = False
        assert person.look().asked == before.asked
        person.play()
        assert person.did["moves"] > 4 and sum(person.did.values()) > person.did["moves"] + person.did["clicks"]
        outcome = served.outcome()
        assert set(outcome.faults[outcome.names.index("花子")]) <= {"stale"}
        received = [(page.received, name) for page, name in ((first, "花子"), (second, "花子"), (spectator, None))]
        assert (first.errors, second.errors, spectator.errors) == ([], [], [])
        for page in (second, spectator):
            page.close()
    assert played_well(tmp_path, "花子")
    for frames, name in received:
        at_the_table = [frame for frame in frames if '"rooms"' not in frame]
        assert len(at_the_table) > 4
        assert told_too_much(journal_of(tmp_path, 0), name, at_the_table) == []
