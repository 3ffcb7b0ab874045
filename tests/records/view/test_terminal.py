"""The table in a terminal, a moment of a series there, and a moment of a record as a picture."""

import io
import json
import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from rich.console import Console

from jantaku.table.cli.commands.convert import command as convert
from jantaku.table.cli.commands.show import command as show
from jantaku.table.daifugo import events
from jantaku.table.daifugo.cards import cards_text
from jantaku.table.daifugo.journals.record import Record, game_of
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Answer, Evidence, Verdict
from jantaku.table.judge.timing import Clock
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.view import terminal
from jantaku.table.records.view.moment import moment_of
from jantaku.table.records.view.riichi import SIDE, table_svg
from jantaku.table.records.view.terminal import LiveTable, SeatClock, meld_text
from jantaku.table.riichi.actions import PASS
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.ruleset import preset, with_settings
from tests.kit.command import Jantaku
from tests.kit.pace import SOON
from tests.kit.records import keep_games
from tests.records.view.series import played


def test_a_position_is_printed_plainly_without_a_terminal(game_folder: Path) -> None:
    done = CliRunner().invoke(show, [str(game_folder / "game-0000.jsonl"), "--kyoku", "1", "--turn", "8"])
    assert done.exit_code == 0, done.output
    assert "東一局 0本場" in done.output
    assert "\x1b" not in done.output
    assert "dapai" in done.output.splitlines()[-1]


@pytest.mark.long
def test_a_record_with_names_of_megabytes_is_shown_with_their_beginning(game_folder: Path, tmp_path: Path) -> None:
    paifu = json.loads((game_folder / "game-0000.json").read_bytes())
    path = tmp_path / "names.json"
    path.write_text(json.dumps(paifu | {"player": [letter * 5_000_000 for letter in "abcd"]}))
    shown = CliRunner().invoke(show, [str(path)])
    assert shown.exit_code == 0 and "東起  aaaa" in shown.output and len(shown.output) < 20_000


def test_the_deal_is_turn_0_and_the_end_needs_no_number(game_folder: Path) -> None:
    path = str(game_folder / "game-0000.json")
    deal = json.loads(CliRunner().invoke(show, [path, "--turn", "0", "--json"]).output)
    assert deal["event"] == 1
    assert [view["live"] for view in deal["views"]] == [70] * 4
    end = CliRunner().invoke(show, [path]).output.splitlines()[-1]
    assert "hule" in end or "pingju" in end


@pytest.mark.parametrize("words", [("--kyoku", "99"), ("--turn", "999")])
def test_a_place_that_a_record_does_not_have_is_refused(game_folder: Path, words: tuple[str, str]) -> None:
    done = CliRunner().invoke(show, [str(game_folder / "game-0000.json"), *words])
    assert isinstance(done.exception, BadInput)
    assert "it has" in str(done.exception)


def test_the_called_tile_sits_where_it_came_from() -> None:
    """S-53: right from 下家, in the middle from 対面, left from 上家."""
    assert meld_text(chi(2, 0, 1)).plain == "[3m◂ 1m 2m]"
    assert meld_text(pon(27, 2, 27, 27)).plain == "[東 東▴ 東]"
    assert meld_text(daiminkan(9, 1, 9, 9, 9)).plain == "[1p 1p 1p 1p▸]"
    assert meld_text(kakan(pon(13, 3, 13, 13), 35)).plain == "[5p◂0p 5p 5p]"
    assert meld_text(ankan(31, 31, 31, 31)).plain == "|白 白 白 白|"


def test_a_round_after_the_last_wind_is_shown(game_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "late.jsonl"
    path.write_bytes((game_folder / "game-0000.jsonl").read_bytes().replace(b'"zhuangfeng":0', b'"zhuangfeng":9'))
    done = CliRunner().invoke(show, [str(path), "--kyoku", "1", "--turn", "1"])
    assert done.exit_code == 0 and "南一局" in done.output
    done = CliRunner().invoke(convert, [str(path), str(tmp_path / "late.mjson")])
    assert done.exit_code in (0, 1) and not isinstance(done.exception, IndexError)


def test_a_running_game_is_shown_and_the_terminal_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "PAUSE", 0.0)
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=140, height=40)
    rules = with_settings(preset("tenhou"), {"game.length": "one"})
    players = ("dice", "caller", "dice", "caller")
    assert len(keep_games(tmp_path, players, rules, seed="2", looker=lambda: LiveTable(console))) == 1
    text = screen.getvalue()
    assert "caller-1" in text
    assert "残り" in text
    assert "\x1b[?25h" in text  # the cursor is visible again


def test_faults_stay_on_the_screen_with_their_number_and_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "PAUSE", 0.0)
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, height=24)
    rules = preset("tenhou")
    game = RiichiGame(rules, walls_from("7", 0, rules), ("ann", "b", "c", "d"))
    table = LiveTable(console)
    table.events(game.events[:])
    trace = 'Traceback (most recent call last):\n  File "/my/bot.py", line 17, in answer\nKeyError: 5'
    for number in range(30):
        bad = Answer(0, number, PASS, Verdict.GONE, reason="KeyError: 5", evidence=None if number else Evidence(trace))
        table.answers(number, [bad, Answer(1, number, PASS, Verdict.OK)])
    table.events(game.events[1:])
    table.close()
    last = screen.getvalue().rpartition("残り")[2]
    assert "ann: gone 30, first at bot.py line 17: KeyError: 5" in last
    assert last.count("  ok") == 2
    assert len(last.splitlines()) < 24


class Screen(io.StringIO):
    """A screen that says when a word is on it."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.seen = threading.Event()
        self._word = word

    def write(self, text: str) -> int:
        if self._word in text:
            self.seen.set()
        return super().write(text)


def test_while_somebody_thinks_the_screen_shows_the_present_and_for_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is not told anything new meanwhile: the judge waits."""
    monkeypatch.setattr(terminal, "TICK", 0.01)
    monkeypatch.setattr(terminal, "PAUSE", 0.01)
    screen = Screen("waiting for")
    table = LiveTable(Console(file=screen, force_terminal=True, width=80, height=40))
    rules = preset("tenhou")
    game = RiichiGame(rules, walls_from("7", 0, rules), ("a", "b", "c", "d"))
    table.events(game.events[:])
    assert screen.seen.wait(SOON)
    table.close()
    assert not any(thread.name == "terminal" for thread in threading.enumerate())
    assert "東一局" in screen.getvalue()


def test_a_seats_clock_shows_its_last_answer_and_what_is_left_of_its_bank() -> None:
    clock = SeatClock(Clock(turn=5.0, reaction=3.0, bank=20.0, bank_per="round", increment=1.0))
    assert clock.text == "bank 20.0 s"
    clock.take(Answer(0, 1, None, Verdict.OK, used=7.5, allowed=25.0), turn=True)
    assert clock.text == "7.5 s of 5 s, bank 18.5 s"  # 2.5 s taken, 1 s gained
    clock.take(Answer(0, 2, None, Verdict.OK, used=0.004, allowed=21.5), turn=False)
    assert clock.text == "4 ms of 3 s, bank 19.5 s"
    clock.take(Answer(0, 3, None, Verdict.SILENT, used=30.0, allowed=24.5), turn=True)
    assert clock.text == "30.0 s of 5 s, bank 1.0 s"
    clock.new_kyoku()
    assert clock.text.endswith("bank 20.0 s")
    without = SeatClock(Clock(turn=5.0))
    without.take(Answer(0, 1, None, Verdict.OK, used=0.5, allowed=5.0), turn=True)
    assert without.text == "500 ms of 5 s"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return played(tmp_path_factory.mktemp("series"), 3, seats=4, letter="B", rounds=3)


@pytest.mark.long
def test_every_moment_of_a_round_is_the_one_that_was_played(jantaku: Jantaku, record: Record) -> None:
    """The engine plays the same series again."""
    game, number, turns = game_of(record, record.rules), 2, 0
    while game.board.round <= number and (turn := game.turn()) is not None:
        if game.board.round == number:
            shown = json.loads(jantaku("show", str(record.path), "--kyoku", "2", "--turn", str(turns), "--json").out)
            assert shown["hands"] == [cards_text(sorted(hand)) for hand in game.board.hands]
            board = game.board
            wanted = [board.revolution, board.ranks, board.points, board.places, len(board.pile), turns]
            assert [shown[key] for key in ("revolution", "ranks", "points", "places", "gone", "turn")] == wanted
            laid = [one["cards"] for one in shown["trick"] if one["cards"]]
            assert laid == [cards_text(cards) for cards in game.board.trick]
            turns += 1
        answers = (line["answers"][0]["reply"] for _, line in record.lines if "turn" in line)
        reply = list(answers)[sum(isinstance(event, events.Play) for event in game.events)]
        action = next(option for option in turn.choice.options if cards_text(getattr(option, "cards", ())) == reply)
        game.act(action)
        game.rule((None,) * game.seats)
    assert turns > 30


def test_the_table_is_drawn_with_names_ranks_hands_and_trick(jantaku: Jantaku, record: Record) -> None:
    ran = jantaku("show", str(record.path), "--kyoku", "3", "--turn", "2")
    assert (ran.code, ran.err) == (0, "")
    assert all(name in ran.out for name in record.header.player)
    assert all(mark in ran.out for mark in ("round 3", "大富豪", "大貧民", "場", "♠", "♥", "points"))
    assert ran.out.splitlines()[-1].startswith("round 3 turn 2: {")


def test_a_record_without_a_move_is_shown_as_dealt(jantaku: Jantaku, record: Record, tmp_path: Path) -> None:
    begun = tmp_path / "begun.jsonl"
    begun.write_text("".join(record.path.read_text("utf-8").splitlines(keepends=True)[:4]), "utf-8")
    assert json.loads(jantaku("show", str(begun), "--json").out)["turn"] == 0


SVG = "{http://www.w3.org/2000/svg}"


def test_every_tile_of_the_table_is_drawn_once(game_folder: Path) -> None:
    record = read_any(game_folder / "game-0000.jsonl").record
    for kyoku in range(1, len(record.log) + 1):
        moment = moment_of(record, kyoku, None)
        view = moment.data["views"][0]
        melds = [meld for of_seat in view["melds"] for meld in of_seat]
        hands = sum(sum(letter.isdigit() for letter in each["hand"].split(",")[0]) for each in moment.data["views"])
        shown = hands + sum(sum(letter.isdigit() for letter in meld) for meld in melds)
        shown += sum(map(len, view["rivers"])) + len(view["indicators"])
        drawn = [group.attrib["transform"] for group in ElementTree.fromstring(moment.svg).iter(f"{SVG}g")]
        flat = [move.endswith(")") and "scale" not in move and f" {SIDE // 2}" not in move for move in drawn]
        assert sum(flat) == shown
        assert moment._repr_svg_() == moment.svg


def test_a_hidden_hand_lies_face_down_and_names_are_text() -> None:
    board = Board()
    board.start(0, 0, 0, 0, (25000,) * 4, 4, (range(13), None, None, None))
    picture = table_svg(board, ("<b>", "&", "c\x1b\ud800", "d"), acting=0)
    assert "c\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}" in picture
    assert "&lt;b&gt;" in picture and "<b>" not in picture
    assert picture.count("#d9a441") == 3 * 13
    ElementTree.fromstring(picture)


def test_show_prints_a_picture_of_riichi_alone(jantaku: Jantaku, game_folder: Path) -> None:
    shown = jantaku("show", str(game_folder / "game-0000.jsonl"), "--turn", "5", "--svg")
    assert shown.code == 0 and ElementTree.fromstring(shown.out).tag == f"{SVG}svg"
