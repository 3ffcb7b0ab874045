"""The viewer's page where three play: at every position the table of the engine, with norths set aside."""

from pathlib import Path

import pytest

from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.languages.facts import Follower
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.roster import enlist
from jantaku.table.play.runner import Plan, play
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.read import Record
from jantaku.table.records.view.page import Book, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.ruleset import preset
from scripts.people.chromium import Browser
from tests.records.view.chromium import IN_A_BROWSER
from tests.records.view.screen import DESK

pytestmark = IN_A_BROWSER

STATES = """viewer.game.rounds[{kyoku}].items.map((_, n) => {{
    const kyoku = viewer.game.rounds[{kyoku}];
    const state = stateAt(kyoku, n + 1);
    const seats = state.seats.map((seat) => [seat.score, seat.aside, seat.river.length, seat.melds.length,
        [...seat.hand, ...(seat.drawn ? [seat.drawn] : [])].sort().join('')]);
    return [state.left, seats, standingWall(kyoku, state).size];
}})"""
SEEN = """[...document.querySelectorAll('.seat')].map((seat) => [
    seat.className.match(/place(.)/)[1], Number(seat.querySelector('.aside')?.dataset.aside ?? 0)])"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    folder = tmp_path_factory.mktemp("three")
    entrants = tuple(enlist(("shanten", "caller", "shanten")))
    plan = Plan(entrants=entrants, games=1, seed="9", mode=Mode.INLINE, clock=Clock(), on_fault=OnFault.DEFAULT)
    names = [entrant.name for entrant in entrants]
    for _ in play(plan, RiichiTable(preset("tenhou-3p"), names, plan.seed, Keeping(folder, "test"))):
        pass
    return read_any(folder / "game-0000.jsonl").record


def show(browser: Browser, record: Record, folder: Path, kyoku: int, event: int) -> None:
    (path := folder / "game.html").write_bytes(page(Book([viewed(record).entry()])).content)
    browser.open(f"{path.as_uri()}#k={kyoku}&e={event}&l=en", *DESK)


def test_every_position_is_that_of_the_engine(browser: Browser, record: Record, tmp_path: Path) -> None:
    show(browser, record, tmp_path, 1, 1)
    for kyoku, facts in enumerate(record.log):
        follower, expected, drawn = Follower("record"), [], 0
        for fact in facts:
            follower.take(fact)
            board = follower.board
            drawn += isinstance(fact, events.Draw)
            seats = [
                [board.scores[seat], hand.aside, len(board.rivers[seat].tiles), len(hand.melds), held(hand.tiles)]
                for seat, hand in enumerate(board.hands)
            ]
            expected.append([board.live, seats, 108 - 39 - drawn])
        shown = browser.ask(STATES.format(kyoku=kyoku))
        assert shown[: len(expected)] == expected, kyoku  # behind the last one stands the end of the game


def held(tiles: list[int]) -> str:
    return "".join(sorted(NAMES[tile] for tile in tiles))


def test_nobody_sits_opposite_and_norths_lie_beside_their_seat(
    browser: Browser, record: Record, tmp_path: Path
) -> None:
    path = tmp_path / "game.html"
    path.write_bytes(page(Book([viewed(record).entry()])).content)
    kyoku, facts = next(
        (number, facts)
        for number, facts in enumerate(record.log, 1)
        if any(isinstance(fact, events.NorthAside) for fact in facts)
    )
    show(browser, record, tmp_path, kyoku, len(facts) - 1)
    counts = [0, 0, 0]
    for fact in facts:
        if isinstance(fact, events.NorthAside):
            counts[fact.seat] += 1
    assert browser.ask(SEEN) == [[place, counts[seat]] for seat, place in enumerate("013")]
    assert browser.ask("document.querySelectorAll('.side').length") == 3
