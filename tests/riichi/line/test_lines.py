"""One line of text for a decision: it comes back as it was, with the same question and options."""

import contextlib
import doctest
import io
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice, Question, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.replay.decisions import decisions, own_hand
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.actions import SET_ASIDE
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.line import Position, line_of, position, read_line
from jantaku.table.riichi.line.checks import Subject
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import WINDS, seat_of
from jantaku.table.riichi.position import begin, stack
from jantaku.table.riichi.words import word_of
from scripts import lines
from scripts.lines import LinesTally
from tests.kit.games import FILES
from tests.kit.position import Table, table
from tests.riichi.line import CLAIM, OWN, THREE
from tests.walks.play import rules_of

PAGE = "".join(
    (Path(__file__).parents[3] / "docs" / f"position-{name}.md").read_text("utf-8") for name in ("line", "fields")
)
LOGS = FILES[0].parents[1] / "logs"
PINFU = "m234678s34588p34"
"""Waits for p2 and p5 with 平和 and 断么九."""


def asked(t: Table, wind: str) -> Position:
    seat, tally, choice = WINDS.index(wind), LinesTally(), t.choice(wind)
    assert choice is not None
    read = tally.compare(t.board, seat, choice, missed=t.kyoku.ready.missed[seat])
    assert read is not None and tally.different == []
    return read


def words(position: Position) -> list[str]:
    return [word_of(option) for option in position.choice.options]


# --- what a line looks like


def test_the_first_question_of_a_kyoku_is_a_short_line() -> None:
    read = asked(table(["m123p456s789z1155"], draws="z5", rules="tenhou"), "東")
    assert read.line == (
        "jtk1 tenhou E1 honba=0 sticks=0 left=69 indicators=z7 E25000 S25000 W25000 N25000 "
        "hand=m123p456s789z1155+z5 ask=E/draw"
    )
    assert read.asked is Subject.DRAW and words(read)[0] == "tsumo"


def test_rules_are_the_nearest_preset_and_the_keys_that_differ() -> None:
    for changed, word in (
        ({}, "mleague"),
        ({"ron.max_winners": "3"}, "mleague;ron.max_winners=3;ron.chankan_max_winners=3"),
        ({"game.uma": "20,10,-10,-20"}, "mleague;game.uma=20.0,10.0,-10.0,-20.0"),
        ({"call.pao": "[]", "riichi.ippatsu": "false"}, "mleague;riichi.ippatsu=false;call.pao=[]"),
    ):
        rules = ruleset.with_settings(ruleset.preset("mleague"), changed)
        read = asked(table(rules="mleague", settings=changed), "東")
        assert read.line.split()[1] == word and read.rules == rules


def test_a_key_of_the_rules_changes_no_other_key_on_a_line() -> None:
    """Unlike `--set`, by which `ron.chankan_max_winners` follows `ron.max_winners`."""
    ron = read_line(OWN.replace("tenhou;", "tenhou;ron.max_winners=1;")).rules.ron
    assert (ron.max_winners, ron.chankan_max_winners) == (1, 2)


@pytest.mark.parametrize("line", [OWN, CLAIM, THREE])
def test_a_line_comes_back_as_it_was(line: str) -> None:
    read = read_line(line)
    assert read.line == line == line_of(read.board, read.choice, missed=read.missed)


def test_fields_may_stand_apart_and_tiles_of_the_hand_in_any_order() -> None:
    given = OWN.replace(" ", " \n  ").replace("hand=m8p3s3599z3", "hand=z3s9539p3m8")
    assert read_line(given).line == OWN


def test_a_line_says_what_the_seat_sees() -> None:
    read = read_line(CLAIM)
    board = read.board
    assert (read.seat, read.asked, read.missed) == (0, Subject.DISCARD, False)
    assert (board.round, board.kyoku, board.honba, board.sticks, board.live) == (0, 1, 0, 1, 36)
    assert str(board.rivers[3]) == "z7 z6 z1 (m1) p3 m7 s6* p5_ m9_"
    assert board.riichi == [0, 0, 0, 1] and board.deposited == [False, False, False, True]
    assert [str(meld) for meld in board.hands[1].melds] == ["chi p123-"]
    assert own_hand(board, 0) == "m4788p4407s4z1,m1-23" and board.hand_known() is board.hands[0]
    assert words(read) == ["m789-", "pass"]


# --- what is asked, one of each


def test_a_call_is_followed_by_a_discard_that_kuikae_allows() -> None:
    t = table(["m1", "m2346p1199s1199z1"], rules="tenhou", draws="m1").play("東m1 南m1-23")
    read = asked(t, "南")
    assert (read.asked, read.line.split()[-1]) == (Subject.CALL, "ask=S/call")
    assert " E25000/m1S S25000//m1-23 " in read.line and "m4" not in words(read)
    assert read.ready.waits[1] == 0


def test_a_kan_from_the_hand_is_followed_by_a_rinshan_tile() -> None:
    read = asked(table(["z111"], draws="z1", rinshan="m5", dora="m1 p1").play("東z1111"), "東")
    assert " left=68 indicators=m1p1 E25000//z1111 " in read.line and read.line.endswith("+m5 ask=E/rinshan")


@pytest.mark.parametrize(("discard", "river"), [("西z4_", "z4."), ("西z4_*", "z4.RI")])
def test_a_kakan_is_asked_about_by_the_tile_that_it_adds(discard: str, river: str) -> None:
    hands = ["p55m199p19s19z1234", "", PINFU]
    t = table(hands, draws="z6 p5 z3 z4 z7 p5", dora="m9").play(f"東z6_ 南p5_ 東p555+ 東m1 南z3_ {discard} 北z7_")
    read = asked(t.act("東p555+5"), "西")
    assert f"/{river} " in read.line and read.line.endswith(" ask=W/kakan/E/p5")
    assert words(read) == ["ron", "pass"]


def test_kokushi_is_asked_whether_it_robs_a_closed_kan() -> None:
    hands = ["z111m2468p2468s24", "m119p19s19z234567"]
    t = table(hands, draws="z1", rinshan="s6", settings={"call.kokushi_ankan": "true"}).act("東z1111")
    read = asked(t, "南")
    assert read.line.endswith(" ask=S/ankan/E/z1") and words(read) == ["ron", "pass"]


def test_a_north_of_three_players_may_be_won_on() -> None:
    rules = ruleset.preset("tenhou-3p")
    hands = ("m19p147s258z12344", "p123456789s22z44", "m19p147s258z12355")
    game = begin(rules, stack(rules, hands, draws="z5", hidden="z4"))
    game.act(SET_ASIDE)
    choice, tally = game.reaction(1, SET_ASIDE), LinesTally()
    assert choice is not None
    read = tally.compare(game.kyoku.board, 1, choice)
    assert read is not None and tally.different == []
    assert " left=54 " in read.line and " E35000//n1 S35000 W35000 " in read.line
    assert read.line.endswith(" ask=S/north/E/z4") and words(read) == ["ron", "pass"]


def test_tenpai_is_asked_for_at_the_end_of_the_wall() -> None:
    t = table([PINFU], hidden="p25", settings={"draw.declare_tenpai": "true"}).pass_until(0).play(".")
    read = asked(t.act(f"{t.turn}noten"), "東")
    assert " left=0 " in read.line and read.line.endswith(" ask=E/tenpai")
    assert words(read) == ["tenpai", "noten"]


def test_a_seat_that_can_do_nothing_may_only_pass() -> None:
    assert words(read_line(CLAIM.replace("hand=m4788p4407s4z1", "hand=m4p4407s4567z1"))) == ["pass"]


# --- what is hidden, and what cannot be seen


def test_whether_a_winning_tile_was_passed_up_is_on_the_line() -> None:
    """In riichi a seat that let a tile go wins by tsumo only (S-77)."""
    t = table([PINFU], draws="z7 p5 z1 z2 p5 s1 z1 z2 p2", rules="tenhou", hidden="p25").play(
        "東z7_* 南p5_ 西z1_ 北z2_"
    )
    read = asked(t, "東")
    assert read.line.endswith(" ask=E/draw missed") and read.missed and words(read)[0] == "tsumo"
    assert read.ready.missed == [True, False, False, False]


def test_what_was_passed_up_decides_whether_ron_is_offered() -> None:
    hand = "hand=m234678s34588p34"
    claim = (
        f"jtk1 tenhou E1 honba=0 sticks=0 left=67 indicators=z7 E25000/z7. S25000/z1 W25000/p2. N25000 {hand} "
        "ask=E/discard/W/p2"
    )
    assert words(read_line(claim)) == ["ron", "pass"]
    assert words(read_line(f"{claim} missed")) == ["pass"]
    assert words(read_line(claim.replace("z7.", "p5."))) == ["pass"], "furiten by the own river needs no word"


def test_what_was_passed_up_is_found_where_the_options_show_it() -> None:
    line = (
        "jtk1 tenhou E1 honba=0 sticks=0 left=66 indicators=z7 E25000/z7. S25000/z1 W25000/p5. N25000/p2. "
        "hand=m234678p34s34588 ask=E/discard/N/p2"
    )
    for told, options in ((line, ["ron", "p2-34", "pass"]), (f"{line} missed", ["p2-34", "pass"])):
        read = read_line(told)
        assert words(read) == options and read.line == told == line_of(read.board, read.choice)


class Writer(RiichiPlayer):
    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        self.asked, self._random = 0, random.Random(seed)

    def answer(self, question: Question) -> Action:
        assert read_line(line_of(self.board, question.choice)).choice == question.choice
        self.asked += 1
        return self._random.choice(question.options)


def test_a_bot_writes_the_line_of_its_question() -> None:
    rules = ruleset.with_settings(ruleset.preset("tenhou"), {"game.length": "one"})
    writers = [Writer(seed) for seed in range(4)]
    result = Judge(RiichiGame(rules, walls_from("w", 0, rules), ("a", "b", "c", "d")), writers, mode="inline").run()
    good = sum(report.verdicts[Verdict.OK] for report in result.seats)
    assert good == sum(writer.asked for writer in writers) > 40


def test_no_hidden_tile_is_on_a_line() -> None:
    """The line from the board of the whole game is that from the seat's own board."""
    record = read_any(LOGS / "mortal_two_kyoku.mjson").record
    for one in list(decisions(record, lined=True))[:60]:
        read = read_line(one.line)
        assert [hand.known for hand in read.board.hands] == [seat == one.view.seat for seat in range(4)]
        assert own_hand(read.board, read.seat) == one.view.hand and read.board.scores == list(one.view.scores)


def test_a_board_that_knows_no_hand_or_no_rules_has_no_line() -> None:
    choice = read_line(OWN).choice
    for board in (Board(), Board(ruleset.preset("tenhou"))):
        with pytest.raises(ValueError, match="knows its rules and the hand"):
            line_of(board, choice)


def test_every_line_of_the_specification_comes_back() -> None:
    found = re.findall(r"jtk1 \S+ [ESWN]\d [^'`\n]*ask=\S+?(?=['`\s])", PAGE)
    assert len(found) == 5 and set(found) == {OWN, CLAIM, THREE}
    for line in found:
        assert read_line(line).line == line


def test_the_program_of_the_specification_prints_what_stands_below_it() -> None:
    (program, printed) = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", PAGE, re.DOTALL)[0]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(program, {})
    assert out.getvalue() == printed


def test_the_error_of_the_specification_is_what_a_reader_says() -> None:
    with pytest.raises(BadInput) as refused:
        read_line(CLAIM.replace("p123-", "p12-3"))
    assert f"\n{refused.value}\n" in PAGE


def test_the_example_of_the_documentation_is_right() -> None:
    tried = doctest.testmod(position)
    assert (tried.attempted, tried.failed) == (2, 0)


# --- many games


def play(seed: int, players: int) -> LinesTally:
    """Play some kyoku of random legal actions under random rules; every question goes to a line and back, and has a
    past."""
    chance, rules, tally = random.Random(seed), rules_of(f"lines {seed}", players), LinesTally(pasts=True)
    game = RiichiGame(rules, walls_from(str(seed), 0, rules), ("a", "b", "c", "d")[:players], seed % players)

    def pick(choice: Choice) -> Any:
        return chance.choice(choice.options) if chance.random() < 0.5 else choice.options[0]

    while (turn := game.turn()) is not None and game.rounds < 3:
        dealer = game.first_dealer + game.standing.kyoku
        tally.take(game, seat_of(turn.seat, dealer, players), turn.choice)
        action = pick(turn.choice)
        game.act(action)
        responses: list[Any] = [None] * players
        for player in game.reacting():
            if (choice := game.reaction(player, action)) is not None:
                tally.take(game, seat_of(player, dealer, players), choice)
                responses[player] = pick(choice)
        game.rule(responses)
    return tally


@pytest.mark.long
@settings(derandomize=True, max_examples=12, database=None, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from((4, 3)))
def test_every_question_of_random_games_comes_back(seed: int, players: int) -> None:
    tally = play(seed, players)
    assert tally.asked.total() > 20
    assert tally.different == []


def compared(most: int, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """Compare decisions of recorded games, at most so many of a file; return all that is printed, and its last line."""
    ours = sorted((LOGS.parent / "records-1").glob("*/game-*.json*"))
    files = [str(path) for path in (*FILES, *sorted(LOGS.glob("*.*json")), *ours) if "daifugo" not in str(path)]
    assert lines.main([*files, "--decisions", str(most)]) == 0
    printed = capsys.readouterr().out
    return printed, printed.splitlines()[-1]


@pytest.mark.long
def test_decisions_of_records_of_every_format_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    printed, total = compared(300, capsys)
    assert total == "TOTAL 3513 decisions 0 different"
    assert all(f" {kind}" in printed for kind in ("draw", "discard", "call", "rinshan"))


@pytest.mark.long
@pytest.mark.slow
def test_twenty_thousand_decisions_of_records_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    printed, total = compared(20_000, capsys)
    assert int(total.split()[1]) >= 20_000 and total.endswith(" 0 different")
    assert all(f" {kind}" in printed for kind in Subject)


def test_a_line_that_comes_back_changed_is_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "read_line", lambda line: read_line(line.replace("honba=0", "honba=1")))
    assert lines.main([str(LOGS / "mortal_two_kyoku.mjson"), "--decisions", "4"]) == 1
    printed = capsys.readouterr().out
    assert "the line, the board" in printed and printed.endswith("TOTAL 4 decisions 4 different\n")
