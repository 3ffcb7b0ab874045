"""Worlds are compared with the true hands of real games, and the numbers by which they are drawn are fitted anew."""

import random
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jantaku.table.riichi.line import likely as file
from jantaku.table.riichi.line import read_line
from jantaku.table.riichi.line.likely import Likely
from jantaku.table.riichi.pieces.tiles import KINDS
from scripts.worlds import __main__ as worlds
from scripts.worlds import fit as fitting
from scripts.worlds.__main__ import TENPAI, WAIT, Calibration
from scripts.worlds.fit import Fit, features
from scripts.worlds.questions import Truth, others, truths
from scripts.worlds.reliability import Bin
from tests.kit.games import GAMES

GAME, OTHER, *_ = sorted((GAMES / "houou").glob("*.mjlog"))
FEW = ["--questions", "20", "--worlds", "10"]
IN_THE_FILE = np.concatenate(
    [
        *([*file._YAKUHAI], [*file._GUEST], [file._LAID_SUIT, file._TANYAO, file._ONE_SUIT]),
        *([*file._SAME], [*file._NEXT], [*file._NEAR]),
    ]
)
"""In the order of `fitting.NAMES`."""


def _questions(share: float = 0.05) -> list[Truth]:
    every = list(truths([GAME]))
    return random.Random(1).sample(every, int(share * len(every)))


def test_a_question_has_the_true_hands_of_all_seats_and_a_line_that_shows_one() -> None:
    for one in _questions():
        position = read_line(one.line)
        for seat, hand in enumerate(position.board.hands):
            assert len(one.hands[seat]) == hand.size
            assert (list(hand.counts) == one.counts[seat]) is (seat == position.seat)


def test_the_same_records_give_the_same_tables_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for name in ("one.svg", "two.svg"):
        assert worlds.main([str(GAME), str(OTHER), *FEW, "--plot", str(tmp_path / name)]) == 0
        told.append((capsys.readouterr().out, (tmp_path / name).read_text()))
    assert told[0] == told[1]
    assert told[0][0].startswith("20 questions of 2 records, 10 worlds each\n\n| log loss of | drawn blindly |")
    assert told[0][1].startswith("<svg") and TENPAI in told[0][1]


def test_likely_worlds_foretell_tenpai_better_than_blind_ones() -> None:
    found = worlds.measured(_questions(0.2), 10, "1")
    blind, own = (sum(filter(None, found[way].losses[TENPAI])) for way in worlds.WAYS)
    assert own < blind


def test_a_bin_says_what_was_foretold_and_what_was_true() -> None:
    found = Calibration()
    found.foretold[WAIT] = [(0.12, True), (0.14, False), (0.16, False), (0.16, False), (0.95, True)]
    lower, upper = found.bins(WAIT)
    assert lower.foretold == pytest.approx(0.145)
    assert lower[1:] == (0.25, 4) and upper == Bin(0.95, 1.0, 1)


def test_what_no_world_has_costs_no_infinite_loss() -> None:
    one = _questions()[0]
    position, hands, found = read_line(one.line), one.counts, Calibration()
    world = [1] + [0] * (KINDS - 1)
    found.add(position, hands, [[world] * len(hands)])
    alike = [hands[seat][kind] == world[kind] for seat in others(position) for kind in range(KINDS)]
    assert found.losses[worlds.COPY] == [pytest.approx(np.mean([-log((1.5 if one else 0.5) / 3.5) for one in alike]))]


def test_the_fit_adds_up_the_numbers_as_worlds_are_drawn() -> None:
    for line, *_ in _questions():
        position = read_line(line)
        for seat in others(position):
            drawn_by = Likely(position.board, seat)._kinds
            assert features(position.board, seat) @ IN_THE_FILE == pytest.approx(np.array(drawn_by))


def test_the_fit_finds_the_number_that_makes_true_hands_likeliest() -> None:
    fit, have = Fit(), np.zeros((2, len(fitting.NAMES)))
    have[0, 4] = 1
    fit.sets = [have, have, have, have[::-1]]
    weights, _ = fit.of_kinds()
    assert weights[4] == pytest.approx(log(3), abs=1e-3)
    assert np.abs(np.delete(weights, 4)).max() < 1e-6


def test_fitted_numbers_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert fitting.main([str(GAME), "--questions", "100", "--worlds", "30"]) == 0
    told = capsys.readouterr().out
    assert "BY_SHANTEN[0][" in told
    assert told.count(" ± ") == len(fitting.NAMES)


@pytest.mark.parametrize("script", [worlds, fitting])
def test_a_record_that_cannot_be_read_is_said_in_a_line(script: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main(["none.mjlog"]) == 2  # type: ignore[attr-defined]
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_questions_of_one_kyoku_are_one_draw_for_the_interval() -> None:
    questions = [Truth("", "", [], (GAME, kyoku)) for kyoku in (1, 1, 1, 2, 2, 2)]
    found = {way: Calibration() for way in worlds.WAYS}
    for about in (TENPAI, WAIT, worlds.COPY):
        found[worlds.BLIND].losses[about] = [0.4, 0.4, 0.4, 0.2, 0.2, None]
        found[worlds.LIKELY].losses[about] = [0.1] * 5 + [None]
    assert f"| {TENPAI} | 0.3200 | 0.1000 | 0.2200 |" in list(worlds.told(questions, found))


@pytest.mark.parametrize("script", [worlds, fitting])
def test_wrong_numbers_and_records_without_questions_are_refused_in_a_line(
    script: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ([str(GAME), "--questions", "-1"], [str(GAME), "--worlds", "0"]):
        with pytest.raises(SystemExit):
            script.main(words)
        assert "allowed are 1 and more" in capsys.readouterr().err.splitlines()[-1]
    assert script.main([str(tmp_path / "nothing.xml")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
