"""Rollout: what it plays out, that it sees no more than its seat does, and that it keeps its time. Its strength is
measured by matches."""

import re
from pathlib import Path

import pytest

from jantaku.players import rollout
from jantaku.players.bots.allround import Allround
from jantaku.players.rollout import Rollout
from jantaku.table.ground.port import Action, Question
from jantaku.table.play import playouts
from jantaku.table.riichi.line import Position, read_line
from jantaku.table.riichi.mask import dealt_to
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.world import Worlds
from tests.kit.command import Jantaku
from tests.riichi.line import CLAIM, OWN, THREE


def asked(bot: Allround | Rollout, table: Board, position: Position) -> Action:
    """The answer of a bot that sees a table from the seat of a position."""
    shown = bot.shown_board
    assert shown is not None
    dealt_to(position.seat, table, shown)
    shown.catch_up(table, position.seat)
    return bot.answer(Question(1, position.seat, position.choice))


@pytest.mark.parametrize("line", [OWN, CLAIM])
def test_it_answers_the_same_whatever_is_hidden(line: str) -> None:
    position = read_line(line)
    tables = [Worlds(position, "hidden").draw(number).kyoku().board for number in range(4)]
    answers = {str(asked(Rollout(worlds=16, ms=60_000), table, position)) for table in tables}
    assert len({str(table) for table in tables}) == 4 and len(answers) == 1


@pytest.mark.parametrize("line", [OWN, CLAIM, THREE])
def test_the_first_that_it_plays_out_is_the_answer_of_allround(line: str) -> None:
    position = read_line(line)
    table, bot = Worlds(position, "1").draw(0).kyoku().board, Rollout()
    own = asked(Allround(), table, position)
    asked(bot, table, position)
    candidates = [option for _, option in bot.candidates(Question(1, position.seat, position.choice))]
    assert candidates[0] == own and set(candidates) <= set(position.choice.options)
    assert len(candidates) == len(set(candidates)) <= 6


def test_without_time_for_a_world_it_answers_as_allround_does(monkeypatch: pytest.MonkeyPatch) -> None:
    position = read_line(OWN)
    table = Worlds(position, "1").draw(0).kyoku().board
    monkeypatch.setattr(rollout, "now", lambda: 0.0)
    monkeypatch.setattr(playouts, "now", iter(range(10**6)).__next__)
    assert asked(Rollout(), table, position) == asked(Allround(), table, position)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("arg.ms=0", "ms = 0: allowed is 1 to 60000 milliseconds"),
        ("arg.worlds=0", "worlds = 0: allowed is 1 to 10000"),
        ("arg.worlds=many", "worlds = many: allowed is 1 to 10000"),
        ("arg.by=nobody", "player nobody: "),
        ("arg.by=exec:cat", "exec:cat is no bot of this process, so it cannot play on; allowed are shanten"),
        ("arg.by=ws:a", "ws:a is no bot of this process, so it cannot play on; allowed are shanten"),
        ("arg.by=stuck", "Stuck has to hear what came before, so it cannot play on from a position"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_line(words: str, problem: str, jantaku: Jantaku) -> None:
    ran = jantaku("play", "--players", f"rollout?{words},shanten,shanten,shanten", "--length", "one")
    assert (ran.code, ran.out) == (2, "") and problem in ran.err and ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("deed", "problem"),
    [
        ("raise ValueError('no idea')", "by = {bot}: Odd raised ValueError: no idea (odd.py line 6)"),
        ("return 'tsumo'", "by = {bot}: Odd: an answer that is not among the options"),
    ],
)
def test_a_fault_of_the_bot_that_plays_on_is_its_own(deed: str, problem: str, tmp_path: Path) -> None:
    bot = tmp_path / "odd.py"
    head = "from jantaku.players.base import RiichiPlayer\nclass Odd(RiichiPlayer):\n    remembers = False\n"
    bot.write_text(f"{head}    reseed = None\n    def answer(self, question):\n        {deed}\n", "utf-8")
    position = read_line(OWN)
    table = Worlds(position, "1").draw(0).kyoku().board
    with pytest.raises(RuntimeError, match=re.escape(problem.format(bot=bot))):
        asked(Rollout(worlds=1, ms=60_000, by=str(bot)), table, position)
