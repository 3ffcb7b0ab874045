"""How two players meet: games that are the same, and results beyond what the others let expect."""

import random
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.arena.match.figures.opponents import Divergence, strengths
from jantaku.table.arena.match.figures.statistics import Figures, Interval, Pair
from jantaku.table.arena.match.report.verdict import remarks
from tests.kit.command import Jantaku

QUICK = ("--length", "one", "--sets", "2", "--workers", "0")


def test_a_set_diverges_if_one_of_its_comparable_games_differs() -> None:
    found = Divergence()
    for number, digests in enumerate(["aaaa", "aaba", "cccc"]):
        for place, digest in enumerate(digests):
            found.add(number, ["old"] * place + ["new"] + ["old"] * (3 - place), digest)
    assert found.shares() == {("new", "old"): 1 / 3}


def test_games_of_other_opponents_are_not_compared() -> None:
    found = Divergence()
    for number, (third, digest) in enumerate([("c", "x"), ("d", "y")]):
        found.add(0, ("a", "b", third, third), digest)
        found.add(0, ("b", "a", third, third), digest)
        assert found.shares() == {("a", "b"): 0.0}, number


def test_a_set_in_which_every_seating_has_other_opponents_tells_nothing() -> None:
    found = Divergence()
    for turned in range(4):
        names = "abcd"
        found.add(0, (*names[turned:], *names[:turned]), str(turned))
    assert found.shares() == {}


@given(st.integers(3, 9), st.randoms(use_true_random=False))
def test_differences_that_agree_with_strengths_are_expected_exactly(players: int, draw: random.Random) -> None:
    true = {str(number): draw.uniform(-1, 1) for number in range(players)}
    names = sorted(true)
    met = {*pairwise(names)} | {(names[0], b) for b in names[1:]}
    found = strengths({(a, b): (true[a] - true[b], draw.randint(1, 50)) for a, b in met})
    assert all(found[a] - found[b] == pytest.approx(true[a] - true[b], abs=1e-6) for a, b in met)


def test_who_beats_only_one_opponent_does_better_against_it_than_expected() -> None:
    round_about: Mapping[tuple[str, str], tuple[float, int]] = {
        ("a", "b"): (-0.5, 10),
        ("a", "c"): (0.5, 10),
        ("b", "c"): (-0.5, 10),
    }
    found = strengths(round_about)
    assert max(map(abs, found.values())) == pytest.approx(0, abs=1e-9)  # each is as good as the others on the whole
    pair = Pair("a", "b", Interval(-0.5, 0.2), Interval(0, 1), expected=found["a"] - found["b"])
    assert pair.beyond is not None and (round(pair.beyond.mean, 9), pair.beyond.half) == (0.5, 0.2)


def test_only_a_pair_that_leaves_its_expectation_by_more_than_chance_is_named() -> None:
    near = Pair("a", "b", Interval(-0.2, 0.19), Interval(0, 1), expected=0.0)
    far = Pair("a", "c", Interval(0.4, 0.19), Interval(0, 1), expected=0.0)
    (told,) = remarks(Figures(sets=40, games=160, void=0, players=(), pairs=(near, far)))
    assert told.startswith("c does better against a by 0.400 ± 0.190 ranks than")


@pytest.mark.parametrize("bot", ["shanten", "dice", "caller"])
def test_a_bot_that_repeats_itself_cancels_against_itself(jantaku: Jantaku, tmp_path: Path, bot: str) -> None:
    said = jantaku("match", "--check", "--players", bot, *QUICK, "--out", str(tmp_path / "m"))
    assert (said.code, said.out.splitlines()[-1]) == (
        0,
        f"{bot} against itself cancels: in 2 wall sets every game is the same",
    )
    assert "ndecided" not in said.out


def test_a_bot_with_lots_of_its_own_does_not_cancel_and_two_games_are_named(jantaku: Jantaku, tmp_path: Path) -> None:
    bot = tmp_path / "chancy.py"
    bot.write_text(
        "import random\n"
        "from jantaku.players.base import RiichiPlayer\n"
        "class Bot(RiichiPlayer):\n"
        "    def answer(self, question):\n"
        "        return random.SystemRandom().choice(question.options)\n"
    )
    said = jantaku(
        "match", "--check", "--players", str(bot), "--length", "one", "--sets", "2", "--out", str(tmp_path / "m")
    )
    last = said.out.splitlines()[-1]
    assert said.code == 1
    assert "does not cancel: 2 of 2 wall sets have games that differ, first " in last
    assert all((tmp_path / "m" / "records" / f"game-000{number}.jsonl").name in last for number in (0, 1))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["--players", "dice,shanten"],
            "name one with --players; given are dice, shanten",
        ),
        ([], "name one with --players; given are none"),
        (
            ["--players", "dice", "--part", "1/2", "--out", "x"],
            "leave --resume and --part away",
        ),
        (["--players", "dice", "--pt", "1,0,-1"], "rank points 1,0,-1: 3 numbers; a game of 4 players needs 4"),
        (["--players", "dice", "--pt", "houou"], "rank points “houou”: allowed are houou-DAN, tokujou-DAN"),
    ],
)
def test_a_check_that_cannot_be_played_is_refused_in_one_line(jantaku: Jantaku, words: list[str], says: str) -> None:
    said = jantaku("match", "--check", *words)
    assert said.code == 2
    assert says in said.err
    assert len(said.err.splitlines()) == 1


def test_a_check_of_games_without_a_result_compares_nothing(jantaku: Jantaku, tmp_path: Path) -> None:
    bot = tmp_path / "mute.py"
    bot.write_text(
        "from jantaku.players.base import RiichiPlayer\n"
        "class Bot(RiichiPlayer):\n"
        "    def answer(self, question):\n"
        "        return None\n"
    )
    file = tmp_path / "match.toml"
    file.write_text(f'[match]\nplayers = ["{bot}"]\non_fault = "void"\n')
    said = jantaku("match", str(file), "--check", *QUICK, "--out", str(tmp_path / "m"))
    assert (said.code, said.out.splitlines()[-1]) == (
        1,
        f"{bot} against itself was not compared: 8 kyoku of 2 wall sets have no result",
    )
