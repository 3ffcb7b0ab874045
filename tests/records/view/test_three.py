"""The viewer's page where three play: at every position the table of the engine, with norths set aside."""

from pathlib import Path

import pytest

from jantaku.table.languages.facts import Follower
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.ruleset import preset
from tests.kit.chromium import Browser
from tests.kit.records import keep_games
from tests.records.view.chromium import IN_A_BROWSER
from tests.records.view.pages import exported
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
    keep_games(folder, ("shanten", "caller", "shanten"), preset("tenhou-3p"), seed="9")
    return read_any(folder / "game-0000.jsonl").record


def show(browser: Browser, record: Record, folder: Path, kyoku: int, event: int) -> None:
    browser.open(f"{exported(folder, record)}#k={kyoku}&e={event}&l=en", *DESK)


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


def test_nobody_sits_opposite_norths_lie_beside_their_seat(browser: Browser, record: Record, tmp_path: Path) -> None:
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
