"""A reviewed game in a real browser: both choices at the options, a key from one difference to the next; and what is
said of shanten, waits and furiten."""

from pathlib import Path
from typing import Any

import pytest

from jantaku.players.bots.shanten import Shanten
from jantaku.table.arena.forks.review import reviewed
from jantaku.table.ground.port import Action, Question
from jantaku.table.languages.facts import Follower
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.replay.reviewed import FORM, ReviewHead, WholeReview
from jantaku.table.records.view.riichi import viewed
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import Ron
from jantaku.table.riichi.flow.view import WaitsView
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tiles import KIND, KINDS, NAMES
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.ruleset import preset
from tests.kit.cases import text_of
from tests.kit.chromium import Browser
from tests.kit.records import keep_games
from tests.records.view.screen import DESK, IN_A_BROWSER, IN_SIGHT, PHONE, exported
from tests.records.view.test_shell import violations

pytestmark = IN_A_BROWSER
NAME = "<b>tsumogiri</b>"
SMALL, LYING, TABLET = (360, 640), (844, 390), (820, 600)
POSITION = "document.getElementById('table').dataset.position"


@pytest.fixture(scope="module")
def review(game_folder: Path) -> WholeReview:
    record = load(game_folder / "game-0000.jsonl")
    assert record.rules is not None
    (entrant,) = enlist(["tsumogiri"])
    lines = [one.line for one in reviewed(record, record.rules, {1: entrant, 2: entrant})]
    head = ReviewHead(FORM, "1", "riichi", "game-0000.jsonl", "", NAME, record.names, [1, 2], record.rules)
    return WholeReview(head, lines)


@pytest.fixture(scope="module")
def export(game_folder: Path, review: WholeReview, tmp_path_factory: pytest.TempPathFactory) -> str:
    entry = viewed(load(game_folder / "game-0000.jsonl"), (), review).entry()
    return exported(tmp_path_factory.mktemp("export"), entry)


@pytest.mark.long
def test_a_key_leads_from_difference_to_difference(browser: Browser, export: str, review: WholeReview) -> None:
    browser.open(f"{export}#k=1&e=1&l=en", *DESK)
    count = browser.ask("document.querySelector('[data-jump=difference] small').textContent")
    assert 0 < int(count) <= len(review.differences)
    first = review.differences[0]
    browser.press("d")
    assert browser.ask(POSITION) == f"{first.kyoku}.{first.event}"
    assert browser.ask("document.querySelectorAll('.answer .review.differs').length") > 0
    assert browser.ask("document.querySelectorAll('.option.wished:not([aria-current=true])').length") > 0
    assert NAME in browser.ask("document.querySelector('.review.differs b').textContent")
    browser.press("d")
    assert browser.ask(POSITION) != f"{first.kyoku}.{first.event}"
    browser.press("D", shift=True)
    assert browser.ask(POSITION) == f"{first.kyoku}.{first.event}"


def in_sight(browser: Browser) -> list[bool]:
    """Of the decision that a link is about: who decided, both choices, and the hand."""
    seen: list[bool] = browser.ask(
        f"""(() => {{
            const said = [...document.querySelectorAll('#decisions .review.differs')].at(-1);
            const answer = document.querySelector('.answer.now:has(.differs)') ?? said.closest('.answer');
            const hand = document.querySelector(`.seat[data-player="${{answer.dataset.player}}"] .hand .tile`);
            const parts = ['header b', '.option.wished', '[aria-current=true]', '.review'];
            return [...parts.map(part => answer.querySelector(part)), hand].map({IN_SIGHT});
        }})()"""
    )
    return seen


@pytest.mark.long
@pytest.mark.parametrize("window", [SMALL, PHONE, LYING, DESK])
def test_a_link_to_a_decision_shows_it_at_once_with_the_hand_that_it_is_about(
    browser: Browser, export: str, review: WholeReview, window: tuple[int, int]
) -> None:
    for one in review.differences[:6]:
        browser.open(f"{export}#k={one.kyoku}&e={one.event}&l=en", *window)
        assert in_sight(browser) == [True] * 5, one
        assert browser.ask("document.documentElement.scrollWidth") <= window[0]
    for _ in range(6):
        browser.press("d")
        assert in_sight(browser) == [True] * 5


@pytest.mark.long
def test_a_link_on_a_tablet_scrolls_the_page_to_decisions(browser: Browser, export: str, review: WholeReview) -> None:
    for one in review.differences[:6]:
        browser.open(f"{export}#k={one.kyoku}&e={one.event}&l=en", *TABLET)
        assert in_sight(browser)[:4] == [True] * 4, one


def test_a_phone_shows_the_whole_page_again_and_a_difference_with_its_table(browser: Browser, export: str) -> None:
    whole, view = (f"{IN_SIGHT}(document.getElementById('{name}'))" for name in ("whole", "view"))
    browser.open(f"{export}#k=1&e=1&l=en", *PHONE)  # where the page after a person's game leads to
    difference = "document.querySelector('[data-jump=difference]')"
    assert browser.ask(f"{IN_SIGHT}({difference})")
    browser.ask(f"{difference}.click()")
    assert in_sight(browser) == [True] * 5
    assert browser.ask(whole) and not browser.ask(view)
    browser.ask("document.getElementById('whole').click()")
    assert browser.ask(view) and not browser.ask(whole)
    browser.press("d")
    assert browser.ask(whole) and in_sight(browser) == [True] * 5


def test_a_game_that_nobody_reviewed_opens_as_a_whole_page_and_a_link_into_it_at_the_decision(
    browser: Browser, game_folder: Path, tmp_path: Path
) -> None:
    address = exported(tmp_path, load(game_folder / "game-0000.jsonl"))
    browser.open(f"{address}#k=1&e=1", *PHONE)
    assert browser.ask(f"{IN_SIGHT}(document.getElementById('view'))")
    browser.open(f"{address}#k=1&e=40", *PHONE)
    assert browser.ask(f"[...document.querySelectorAll('.answer header b, .seat.acting .hand .tile')].some({IN_SIGHT})")
    assert browser.ask(f"{IN_SIGHT}(document.querySelector('.answer header b'))")


@pytest.mark.peer
@pytest.mark.parametrize("window", [DESK, PHONE])
def test_axe_accepts_a_difference(browser: Browser, export: str, peer_modules: Path, window: tuple[int, int]) -> None:
    browser.open(f"{export}#k=1&e=1&l=en", *window)
    browser.press("d")
    assert violations(browser, peer_modules) == []


STATES = "viewer.game.rounds[{kyoku}].items.map((_, n) => stateAt(viewer.game.rounds[{kyoku}], n + 1))"
WAITS = ".map((state) => state.seats.map((seat) => [waitsOf(seat), isFuriten(seat)]))"
SHAPES = """.map((state) => state.seats.map((seat, number) => {
    const { shanten, useful } = shapeOf(seat);
    return [shanten, useful.map((kind) => [kind, unseen(state, number, kind)])];
}))"""
STATE = "stateAt(viewer.game.rounds[viewer.at.round], viewer.at.event + 1)"
KNOWN_OF = """[...new Set([...document.querySelectorAll(':is(.shape, .useful)')].map(
    (one) => one.closest('.seat').dataset.seat))]"""
TINTED = """[...new Set([...document.querySelectorAll('#table .awaited')].map((tile) => tile.dataset.tile))].sort()"""


class Passing(Shanten):
    """Shanten that never wins on another's tile, so that it is furiten often."""

    def answer(self, question: Question) -> Action:
        """As shanten would, but a ron is let go."""
        action = super().answer(question)
        return question.default if isinstance(action, Ron) else action


POINTS = text_of("pages/points.js")
MARKERS = """[...document.querySelectorAll('.seat .first')].map(
    (mark) => [mark.closest('.seat').dataset.seat, mark.textContent])"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    folder = tmp_path_factory.mktemp("furiten")
    players = ("shanten", "tests.records.view.test_reviewed_page:Passing", "caller", "shanten")
    keep_games(folder, players, preset("tenhou"), seed="6")
    return read_any(folder / "game-0000.jsonl").record


@pytest.fixture(scope="module")
def opened(browser: Browser, record: Record, tmp_path_factory: pytest.TempPathFactory) -> Browser:
    browser.open(f"{exported(tmp_path_factory.mktemp('export'), record)}#k=1&e=1&l=en", *DESK)
    return browser


def as_ruled(board: Board, ready: Readiness) -> list[tuple[list[str], bool]]:
    """By seat, what the page has to say: the waits, and whether the seat is furiten."""
    told = []
    for seat, waits in enumerate(ready.waits):
        kinds = [NAMES[kind] for kind in range(KINDS) if waits >> kind & 1]
        missed = ready.missed[seat] or any(waits >> KIND[tile] & 1 for tile in board.rivers[seat].tiles)
        told.append((kinds, bool(kinds) and missed))
    return told


@pytest.mark.long
def test_waits_and_furiten_are_those_of_the_rules_at_every_position(opened: Browser, record: Record) -> None:
    assert record.rules is not None
    tenpai = furiten = let_go = 0
    for number, kyoku in enumerate(record.log):
        shown = opened.ask(STATES.format(kyoku=number) + WAITS)
        followed = WaitsView(record.rules)
        for fact, seats in zip(kyoku, shown, strict=False):
            if not isinstance(fact, events.Event):
                break
            followed.follow(fact)
            ruled = as_ruled(followed.board, followed.ready)
            assert [(waits, away) for waits, away in seats] == ruled, (number, fact)
            tenpai += sum(bool(waits) for waits, _ in ruled)
            furiten += sum(away for _, away in ruled)
            let_go += sum(followed.ready.missed)
    assert tenpai > 100
    assert furiten > 0
    assert let_go > 0


def as_counted(board: Board, seat: int) -> list[Any]:
    """The shanten of a seat, and the kinds that lower it with how many of each it has not seen."""
    hand = board.hands[seat]
    counts = [0] * KINDS
    for tile in hand.tiles_before_draw:
        counts[KIND[tile]] += 1
    if sum(counts) % 3 == 2:  # after a call, before the discard
        return [shapes.shanten(counts), []]
    shanten, useful = shapes.useful(counts)
    seen = [*board.indicators, *hand.tiles]
    seen += [tile for other in board.hands for meld in other.melds for tile in meld.tiles]
    for river in board.rivers:
        seen += [tile for place, tile in enumerate(river.tiles) if place not in river.called_by]
    left = [4 - sum(KIND[tile] == kind for tile in seen) for kind in range(KINDS)]
    return [shanten, [[NAMES[kind], left[kind]] for kind in range(KINDS) if useful >> kind & 1]]


@pytest.mark.long
def test_shanten_and_accepted_tiles_are_the_engines_as_each_seat_counts_them(opened: Browser, record: Record) -> None:
    seen: set[int] = set()
    for number, kyoku in enumerate(record.log):
        shown = opened.ask(STATES.format(kyoku=number) + SHAPES)
        follower = Follower(f"kyoku {number}")
        for fact, seats in zip(kyoku, shown, strict=False):
            if not isinstance(fact, events.Event):
                break
            follower.take(fact)
            assert seats == [as_counted(follower.board, seat) for seat in range(4)], (number, fact)
            seen |= {shanten for shanten, _ in seats}
    assert seen >= {0, 1, 2, 3, 4}


def test_tiles_that_somebody_waits_for_are_marked_but_not_of_a_hidden_hand(opened: Browser, record: Record) -> None:
    """With the eyes of one seat the others' waits colour nothing, and neither shanten nor waits of theirs are there."""
    opened.ask("viewer.goto(viewer.game.rounds.length - 2, Infinity); viewer.step(-1)")
    waits = [set(told) for told in opened.ask(f"{STATE}.seats.map(waitsOf)")]
    assert sum(map(bool, waits)) > 1
    assert {name.replace("0", "5") for name in opened.ask(TINTED)} <= set().union(*waits)
    assert opened.ask(TINTED)
    number = opened.ask("viewer.at.round")
    for player in range(4):
        opened.ask(f"viewer.look({player})")
        seat = opened.ask(f"viewer.game.seat({number}, {player})")
        assert {name.replace("0", "5") for name in opened.ask(TINTED)} <= waits[seat]
        assert opened.ask(KNOWN_OF) == [str(seat)]
    opened.ask("viewer.look(-1)")


def test_shanten_waits_and_sticks_are_shown_until_they_are_switched_off_and_stay_off(opened: Browser) -> None:
    found = "[...document.querySelectorAll('.seat .{}')].length"
    opened.ask("viewer.goto(viewer.game.rounds.length - 2, Infinity); viewer.step(-1)")
    assert opened.ask(found.format("sticks")) == opened.ask(found.format("shape")) == 4
    assert opened.ask(found.format("waits")) > 0
    assert opened.ask(POINTS) == opened.ask(f"{STATE}.seats.map((seat) => seat.score)")
    opened.press("t")
    shown = ".sticks, .shape, .waits, .awaited"
    assert opened.ask(f"document.querySelectorAll('#table :is({shown})').length") == 0
    opened.open(opened.ask("new URL(linkTo(viewer), location.href).href"), *DESK)  # the address itself comes later
    assert opened.ask(found.format("shape")) == 0
    opened.press("t")
    assert opened.ask(found.format("shape")) == 4


def test_the_first_dealer_keeps_a_marker_with_the_wind_of_the_round(opened: Browser, record: Record) -> None:
    opened.ask("viewer.goto(0, 0)")
    assert opened.ask(MARKERS) == [["0", "東"]]
    south = next(
        n for n, kyoku in enumerate(record.log) if isinstance(deal := kyoku[0], events.KyokuStart) and deal.round_wind
    )
    opened.ask(f"viewer.goto({south}, 0)")
    assert opened.ask(MARKERS) == [["0", "南"]]
