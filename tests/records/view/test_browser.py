"""The page in a real browser: what is on the screen is what the record says, also where three play."""

import json
from pathlib import Path

import pytest

from jantaku.table.languages.facts import DrawFact, Follower, WinFact
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.read import Record
from jantaku.table.records.view.page import Entry
from jantaku.table.records.view.riichi import viewed
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.ruleset import preset
from tests.kit.careless import careless_game
from tests.kit.chromium import Browser
from tests.kit.records import keep_games
from tests.records.view.screen import DESK, IN_A_BROWSER, PHONE, SCREEN, expected, exported, serving, shown

pytestmark = IN_A_BROWSER


@pytest.fixture(scope="module")
def export(record: Record, tmp_path_factory: pytest.TempPathFactory) -> str:
    return exported(tmp_path_factory.mktemp("export"), record)


def press_right(browser: Browser, times: int) -> None:
    """Press → that often; all but the last press are made inside the page, which does not wait for the screen."""
    if times > 1:
        key = "new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true})"
        browser.ask(f"for (let n = 1; n < {times}; n++) document.body.dispatchEvent({key})")
    if times:
        browser.press("ArrowRight")


@pytest.mark.long
def test_stepping_to_the_end_by_keyboard_shows_all_of_the_record(browser: Browser, export: str, record: Record) -> None:
    """Ten positions and more, spread over the whole game, read back from the screen."""
    browser.open(f"{export}#k=1&e=1", *DESK)
    checked, steps, before = 0, 0, 1
    for number, kyoku in enumerate(record.log, 1):
        follower = Follower(f"kyoku {number}")
        for event, fact in enumerate(kyoku, 1):
            follower.take(fact)
            steps += 1
            if steps % 40 == 1 or isinstance(fact, WinFact | DrawFact):
                press_right(browser, steps - before)
                checked, before = checked + 1, steps
                assert browser.ask("document.getElementById('table').dataset.position") == f"{number}.{event}"
                assert shown(browser) == expected(follower.board)
    assert checked >= 10
    press_right(browser, steps + 1 - before)
    assert record.final is not None
    final = browser.ask("document.getElementById('result').textContent")
    assert all(f"{points:,}" in final for points in record.final.scores)


def test_a_link_leads_to_its_position_and_turns_are_stepped_by_key(browser: Browser, export: str) -> None:
    browser.open(f"{export}#k=2&e=30&l=ja", *DESK)
    position = "document.getElementById('table').dataset.position"
    assert browser.ask(position) == "2.30"
    assert browser.ask("document.documentElement.lang") == "ja"
    browser.press("[")
    assert browser.ask(position) == "2.1"
    browser.press("]")
    assert browser.ask(position) == "3.1"
    browser.press("ArrowRight", shift=True)
    assert browser.ask("'dapai' in viewer.items[viewer.at.event]")
    assert "k=3" in browser.ask("linkTo(viewer)")


@pytest.mark.parametrize("player", [0, 2])
def test_one_seats_view_hides_every_other_hand(browser: Browser, export: str, player: int) -> None:
    browser.open(f"{export}#k=1&e=20&v={player}", *DESK)
    hands = [seat["hand"] for seat in browser.ask(SCREEN)]
    assert sum(any(hand) for hand in hands) == 1
    assert browser.ask("document.querySelector('.place0 .hand .tile').dataset.tile") != ""
    others = (
        f"[...document.querySelectorAll('#decisions .answer')].filter(one => one.dataset.player !== '{player}').length"
    )
    assert browser.ask(others) == 0


def test_the_physical_wall_loses_what_is_drawn(browser: Browser, export: str, record: Record) -> None:
    """S-22 to S-25: 136 tiles less 52 dealt and those drawn; one rinshan tile lies lowered."""
    facts = record.log[0]
    for event in (1, 25, 60):
        browser.open(f"{export}#k=1&e={event}", *DESK)
        drawn = sum(isinstance(fact, events.Draw) for fact in facts[:event])
        assert browser.ask("Number(document.querySelector('.wall svg').dataset.standing)") == 136 - 52 - drawn


def test_where_the_dice_are_not_known_the_wall_has_no_break_and_a_note_says_so(
    browser: Browser, record: Record, tmp_path: Path
) -> None:
    entry = viewed(record).entry()
    items = [{**item, "dice": None} if "wall" in item else item for item in entry.items or []]
    address = exported(tmp_path, Entry(entry.head, items))
    sides = "[...document.querySelectorAll('.wall .side')].map(side => side.querySelectorAll('.edge').length)"
    drawn = sum(isinstance(fact, events.Draw) for fact in record.log[0][:25])
    browser.open(f"{address}#k=1&e=25&l=en", *DESK)
    stood = browser.ask(sides)
    assert sum(stood) == 136 - 52 - drawn and max(stood) - min(stood) <= 1  # no side has lost more than the others
    assert browser.ask("document.querySelectorAll('.wall .dead, .wall .face').length") == 0
    notes = "[...document.querySelectorAll('#notes li')].map(note => note.textContent)"
    assert "The dice are not known here: the wall is drawn without its break." in browser.ask(notes)
    browser.press("l")
    assert browser.ask(notes)[-1].startswith("賽の目が不明")


def test_decisions_show_options_answer_time_and_verdict(browser: Browser, export: str, record: Record) -> None:
    turn = record.answers[1, 4]["answers"][0]
    browser.open(f"{export}#k=1&e=4&l=en", *DESK)
    text = browser.ask("document.querySelector('#decisions .answer').textContent")
    assert turn["verdict"] in text
    assert record.names[turn["seat"]] in text
    assert (
        browser.ask("document.querySelectorAll('#decisions .answer:first-child .option[aria-current=true]').length")
        == 1
    )
    assert browser.ask("document.querySelectorAll('#decisions .answer:first-child .option').length") > 5


def test_no_two_options_of_a_question_look_or_sound_the_same(browser: Browser, export: str) -> None:
    """Red or plain, drawn or from the hand, which tiles for a chi, which kan: in words and alternative texts."""
    browser.open(f"{export}#k=1&e=1&l=en", *DESK)
    script = """viewer.game.rounds.flatMap(({ turns }) => turns).flatMap(({ answers }) => answers).map((answer) => {
        const list = document.createElement('ul');
        preact.render(optionsView(answer.options, answer.reply), list);
        return [...list.children].map((option) => {
            const images = [...option.querySelectorAll('[role=img]')].map((one) => one.getAttribute('aria-label'));
            return [option.textContent.trim(), ...images].filter(Boolean).join(' ');
        });
    })"""
    questions = browser.ask(script)
    told = {option for options in questions for option in options}
    assert all(len(set(options)) == len(options) for options in questions)
    assert {"red red 5p", "drawn 3m", "pass"} <= told
    assert any(option.startswith("Chi ") and option.count("(called)") == 1 for option in told)
    assert all(option.split()[0] in ("Closed", "Added", "Open") for option in told if " kan" in option)


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_result_that_was_put_away_stays_away_and_comes_back_by_keyboard(
    browser: Browser, export: str, size: tuple[int, int]
) -> None:
    browser.open(f"{export}#k=1&e=9999", *size)
    hidden = "[document.getElementById('result').hidden, document.getElementById('unhide').hidden]"
    assert browser.ask(hidden) == [False, True]
    browser.press("Escape")
    assert browser.ask(hidden) == [True, False]
    for key in ("l", "t", "t", "r", "ArrowLeft", "ArrowRight"):
        browser.press(key)
        assert browser.ask(hidden) == ([True, False] if key != "ArrowLeft" else [True, True])
    browser.ask("document.getElementById('unhide').focus()")
    browser.press("Escape")
    assert browser.ask(hidden) == [False, True]
    assert browser.ask("document.activeElement.id") == "hide"
    browser.ask("document.activeElement.click()")
    assert browser.ask(hidden) == [True, False]
    assert browser.ask("document.activeElement.id") == "unhide"


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_nothing_sticks_out_and_tiles_can_be_read(browser: Browser, export: str, size: tuple[int, int]) -> None:
    browser.open(f"{export}#k=1&e=60", *size)
    assert browser.ask("document.documentElement.scrollWidth") <= size[0]
    assert browser.ask("Math.min(...[...document.querySelectorAll('.hand .tile')].map(t => t.offsetWidth))") >= 22
    assert browser.ask("Math.min(...[...document.querySelectorAll('.river .tile')].map(t => t.offsetWidth))") >= 20


def test_an_export_loads_nothing_from_anywhere(browser: Browser, export: str) -> None:
    browser.open(export, *DESK)
    loaded = "performance.getEntriesByType('resource').filter(one => !one.name.startsWith('data:')).length"
    assert browser.ask(loaded) == 0
    assert browser.ask("document.querySelectorAll('.hand .tile').length") >= 52


def test_a_served_page_fetches_its_record_and_plays_by_itself(browser: Browser, record: Record) -> None:
    with serving(viewed(record)) as server:
        browser.open(server.address, *DESK)
        arrived = """new Promise(done => {
            const table = document.getElementById('table');
            const look = () => Number((table.dataset.position || '0.0').split('.')[1]) >= NUMBER && done(true);
            new MutationObserver(look).observe(table, {attributes: true, childList: true});
            look();
        })"""
        assert browser.ask(arrived.replace("NUMBER", "1"))
        browser.ask("viewer.speed = 16")
        browser.press(" ")
        assert browser.ask(arrived.replace("NUMBER", "4"))


def test_items_that_come_one_by_one_make_the_same_game(browser: Browser, export: str) -> None:
    """A running table sends what a record holds: feeding item by item ends in the same positions."""
    browser.open(export, *DESK)
    script = """(() => {
        const entry = readBook().records[0], game = new Game(entry.head);
        for (const item of entry.items) game.feed(item);
        return JSON.stringify(game.rounds) === JSON.stringify(viewer.game.rounds) && game.rounds.length;
    })()"""
    assert browser.ask(script) == json.loads(str(browser.ask("viewer.game.rounds.length")))


def happened(record: Record, kind: str) -> list[str]:
    """Where the page has to lead: positions as it writes them."""
    kinds = {
        "i": lambda fact: isinstance(fact, events.TileDiscard) and fact.riichi,
        "c": lambda fact: isinstance(fact, events.MeldCall | events.OwnKan),
        "a": lambda fact: isinstance(fact, WinFact),
    }
    return [
        f"{number}.{event}"
        for number, kyoku in enumerate(record.log, 1)
        for event, fact in enumerate(kyoku, 1)
        if kinds[kind](fact)
    ]


@pytest.mark.long
@pytest.mark.parametrize(("key", "jump"), [("i", "riichi"), ("c", "call"), ("a", "win")])
def test_a_key_leads_to_the_next_riichi_call_and_win_and_with_shift_to_the_one_before(
    browser: Browser, export: str, record: Record, key: str, jump: str
) -> None:
    places, position = happened(record, key), "document.getElementById('table').dataset.position"
    assert places
    browser.open(f"{export}#k=1&e=1&l=en", *DESK)
    seen = []
    for _ in [*places, "and the first again"]:
        browser.press(key)
        seen.append(browser.ask(position))
    assert seen == [*places, places[0]]
    browser.press(key.upper(), shift=True)
    assert browser.ask(position) == places[-1]
    here = [place for place in places if place.startswith(f"{places[-1].split('.')[0]}.")]
    assert browser.ask(f"document.querySelectorAll('#marks .{jump}').length") == len(here)
    button = f"document.querySelector('#jumps [data-jump={jump}]')"
    assert browser.ask(f"{button}.textContent").split()[-1] == str(len(places))
    browser.ask(f"{button}.click()")
    assert browser.ask(position) == places[0]


@pytest.mark.long
@pytest.mark.parametrize("form", ["jsonl", "json"])
def test_a_chombo_is_called_so_and_is_a_fault_in_every_record(browser: Browser, tmp_path: Path, form: str) -> None:
    """A 牌譜 has no verdicts: there the event tells of it."""
    game = careless_game(tmp_path, settings={"game.length": "one"}, one_of=12)
    assert any(isinstance(event, events.Ryukyoku) and event.reason == "chombo" for event in game.events)
    address = exported(tmp_path, read_any(tmp_path / f"game-0000.{form}").record)
    browser.open(f"{address}#l=en", *DESK)
    faults = int(browser.ask("document.querySelector('#jumps [data-jump=fault] small').textContent"))
    assert faults == browser.ask("document.querySelectorAll('#marks .fault').length") == 1
    browser.press("x")
    told = "'.verdict:not(.ok, .ok_margin)').parentElement" if form == "jsonl" else "'#result')"
    assert "Chombo" in browser.ask(f"document.querySelector({told}.textContent")


def test_fault_behind_the_address_opens_the_first_bad_answer(browser: Browser, record: Record, tmp_path: Path) -> None:
    entry = viewed(record).entry()
    assert entry.items is not None
    deals = [number for number, item in enumerate(entry.items) if "qipai" in item]
    turns = [number for number, item in enumerate(entry.items) if "answers" in item and number > deals[1]]
    guilty = entry.items[turns[9]]
    guilty["answers"][-1] |= {"verdict": "gone", "reason": "ValueError: no idea"}
    address = exported(tmp_path, entry)
    browser.open(f"{address}#fault", *DESK)
    assert browser.ask("document.getElementById('table').dataset.position").startswith("2.")
    assert "ValueError: no idea" in browser.ask("document.getElementById('decisions').textContent")
    assert "k=2" in browser.ask("linkTo(viewer)")
    browser.open(f"{address}#k=1&e=3", *DESK)
    browser.press("x")
    assert "ValueError: no idea" in browser.ask("document.getElementById('decisions').textContent")
    assert browser.ask("document.querySelectorAll('#marks .fault').length") == 1
    moved = "new Promise(done => addEventListener('hashchange', () => setTimeout(() => done(viewer.at.round))))"
    assert browser.ask(f"(location.hash = '#r=1&fault', {moved})") == 1


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
def three(tmp_path_factory: pytest.TempPathFactory) -> Record:
    folder = tmp_path_factory.mktemp("three")
    keep_games(folder, ("shanten", "caller", "shanten"), preset("tenhou-3p"), seed="9")
    return read_any(folder / "game-0000.jsonl").record


def show(browser: Browser, record: Record, folder: Path, kyoku: int, event: int) -> None:
    browser.open(f"{exported(folder, record)}#k={kyoku}&e={event}&l=en", *DESK)


def test_every_position_is_that_of_the_engine(browser: Browser, three: Record, tmp_path: Path) -> None:
    show(browser, three, tmp_path, 1, 1)
    for kyoku, facts in enumerate(three.log):
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


def test_nobody_sits_opposite_norths_lie_beside_their_seat(browser: Browser, three: Record, tmp_path: Path) -> None:
    kyoku, facts = next(
        (number, facts)
        for number, facts in enumerate(three.log, 1)
        if any(isinstance(fact, events.NorthAside) for fact in facts)
    )
    show(browser, three, tmp_path, kyoku, len(facts) - 1)
    counts = [0, 0, 0]
    for fact in facts:
        if isinstance(fact, events.NorthAside):
            counts[fact.seat] += 1
    assert browser.ask(SEEN) == [[place, counts[seat]] for seat, place in enumerate("013")]
    assert browser.ask("document.querySelectorAll('.side').length") == 3
