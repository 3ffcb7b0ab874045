"""The table in a terminal."""

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from table.cli.show import command as show
from table.errors import BadInput
from table.judge.judge import OnFault
from table.judge.timing import Clock
from table.judge.way import Mode
from table.match.riichi import Keeping, RiichiTable
from table.match.roster import enlist
from table.match.runner import Plan, play
from table.match.watched import Watched
from table.riichi.pieces.melds import ankan, chi, daiminkan, kakan, pon
from table.riichi.ruleset import preset, with_settings
from table.view import terminal
from table.view.terminal import LiveTable, meld_text


def test_a_position_is_printed_plainly_without_a_terminal(game_folder: Path) -> None:
    done = CliRunner().invoke(show, [str(game_folder / "game-0000.jsonl"), "--kyoku", "1", "--turn", "8"])
    assert done.exit_code == 0, done.output
    assert "東一局 0本場" in done.output
    assert "\x1b" not in done.output
    assert "dapai" in done.output.splitlines()[-1]


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


def test_a_running_game_is_shown_and_the_terminal_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "PAUSE", 0.0)
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=140, height=40)
    rules = with_settings(preset("tenhou"), {"game.length": "one"})
    entrants = tuple(enlist(("dice", "caller", "dice", "caller")))
    plan = Plan(entrants=entrants, games=1, seed="2", mode=Mode.INLINE, clock=Clock(), on_fault=OnFault.DEFAULT)
    opener = RiichiTable(rules, [one.name for one in entrants], plan.seed, Keeping(tmp_path, "test"))
    outcomes = list(play(plan, Watched(opener, lambda: LiveTable(console))))
    assert len(outcomes) == 1
    text = screen.getvalue()
    assert "caller-1" in text
    assert "残り" in text
    assert "\x1b[?25h" in text  # the cursor is visible again
