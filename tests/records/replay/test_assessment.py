"""What is worked out of a decision, against what the records say came of it; and the values that Mortal and its
relatives say in `meta`."""

from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.languages.facts import WinFact
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.replay.assessment import assess
from jantaku.table.records.replay.decisions import decisions_seen
from jantaku.table.records.replay.option_values import action_number, option_values
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.hand import Hand
from tests.kit.cases import kept_cases
from tests.kit.command import Jantaku

LUCK = {"槍槓", "裏ドラ"}
"""Yaku that depend on more than what a seat sees when it is asked."""


def board_of(hand: str, *, rivers: tuple[list[str], ...] = ((), (), (), ()), riichi: int | None = None) -> Board:  # type: ignore[assignment]
    """A board on which seat 0 has this hand, and the others these rivers."""
    board = Board()
    held = Hand(hand).tehai
    board.start(0, 0, 0, 0, (25000,) * 4, 27, (held.tiles, None, None, None))
    board.hands[0].drawn = held.drawn
    for seat, river in enumerate(rivers):
        for text in river:
            board.rivers[seat].add(NAMES.index(text), False, False)
            board.open_counts[NAMES.index(text) % 34] += 1
    if riichi is not None:
        board.riichi[riichi] = 1
        board.rivers[riichi].sideways.append(0)
    return board


def test_every_win_of_a_record_is_worth_what_was_paid(game_folder: Path) -> None:
    record = read_any(game_folder / "game-0000.jsonl").record
    facts = [(number, fact) for number, log in enumerate(record.log, 1) for fact in log]
    wins = {(number, fact.seat): fact for number, fact in facts if isinstance(fact, WinFact)}
    tried = 0
    for decision in decisions_seen(record, assess):
        if "hule" in decision.answer:
            fact = wins[decision.kyoku, decision.view.seat]
            assert fact.yaku is not None and fact.tile is not None
            if LUCK.isdisjoint(name for name, _ in fact.yaku):
                by = "ron" if fact.source is not None else "tsumo"
                (win,) = (w for w in decision.view.wins if (w.by, w.tile, w.riichi) == (by, NAMES[fact.tile], False))
                assert win.points == fact.points
                tried += 1
    assert tried


def test_the_outlook_of_a_discard_is_that_of_the_hand_left(game_folder: Path) -> None:
    record = read_any(game_folder / "game-0000.jsonl").record
    for decision in list(decisions_seen(record, lambda board, seat: (assess(board, seat), board.hands[seat].copy())))[
        :60
    ]:
        facts, hand = decision.view
        for discard in facts.discards:
            rest = hand.copy()
            rest.discard(NAMES.index(discard.tile))
            assert discard.shanten == shapes.shanten(rest.counts) >= facts.shanten
            assert all(0 < count <= facts.unseen[tile] for tile, count in discard.accepted.items())
            assert discard.width == sum(discard.accepted.values())
        order = [(discard.shanten, -discard.width) for discard in facts.discards]
        assert order == sorted(order)


@kept_cases("river, tile, safety")
def test_the_safety_of_a_tile_against_a_riichi(river: list[str], tile: str, safety: str) -> None:
    facts = assess(board_of("m25682p4067z1234 +s1", rivers=([], river, [], []), riichi=1), 0)
    (discard,) = (each for each in facts.discards if each.tile == tile)
    assert discard.safety[0] is None and discard.safety[1] == safety


def test_a_wait_in_the_own_river_is_furiten() -> None:
    assert assess(board_of("m23p456s66678z555", rivers=(["m1"], [], [], [])), 0).furiten
    assert not assess(board_of("m23p456s66678z555", rivers=(["p1"], [], [], [])), 0).furiten
    (discard,) = (each for each in assess(board_of("m23p456s66678z555 +m1"), 0).discards if each.tile == "m1")
    assert discard.furiten and discard.shanten == 0


def test_wins_say_their_points_and_the_rank_that_they_make() -> None:
    facts = assess(board_of("m23p456s66678z555"), 0)
    said = {(win.by, win.tile, win.riichi): (win.points, win.ranks) for win in facts.wins}
    assert said["ron", "m1", False] == (2000, (None, 1, 1, 1))
    assert said["ron", "m1", True][0] > 2000 and said["tsumo", "m4", True][1] == (1,)
    assert {tile for _, tile, _ in said} == {"m1", "m4"}


def test_a_wait_for_a_five_is_worth_more_with_the_red_one_while_it_is_unseen() -> None:
    board = board_of("m34p456s66678z555")
    said = {(win.by, win.tile): win.points for win in assess(board, 0).wins if not win.riichi}
    assert said["ron", "m0"] > said["ron", "m5"] > 0
    board.rivers[2].add(NAMES.index("m0"), False, False)
    assert "m0" not in {win.tile for win in assess(board, 0).wins}


def test_facts_are_printed_for_people_and_as_json(jantaku: Jantaku, game_folder: Path) -> None:
    path = str(game_folder / "game-0000.jsonl")
    shown = jantaku("show", path, "--facts", "--turn", "1")
    assert shown.code == 0 and "from tenpai; answered {" in shown.out and "×" in shown.out
    told = jantaku("show", path, "--facts", "--player", "1", "--json")
    lines = [msgspec.json.decode(line) for line in told.out.splitlines()]
    assert lines and {line["player"] for line in lines} == {1}
    assert {"shanten", "discards", "wins", "unseen"} <= lines[0]["view"].keys()


def test_facts_of_a_position_line_are_those_of_its_decision(jantaku: Jantaku, game_folder: Path) -> None:
    path = str(game_folder / "game-0000.jsonl")
    lines = jantaku("show", path, "--turn", "1", "--line").out.splitlines()
    told = [
        msgspec.json.decode(line)["view"]
        for line in jantaku("show", path, "--facts", "--turn", "1", "--json").out.splitlines()
    ]
    assert [msgspec.json.decode(jantaku("show", line, "--facts", "--json").out)["view"] for line in lines] == told
    assert "from tenpai" in jantaku("show", lines[0], "--facts").out
    refused = jantaku("show", lines[0], "--facts", "--turn", "1")
    assert refused.code == 2 and "a position line is one question" in refused.err


@kept_cases("option, number")
def test_every_option_is_one_of_the_46_actions(option: Any, number: int) -> None:
    assert action_number(option) == number


def test_values_stand_at_their_options() -> None:
    meta = {"q_values": [0.5, -1, 2.25], "mask_bits": 1 | 1 << 37 | 1 << 43}
    options = [{"dapai": "m1"}, {"dapai": "m1_"}, {"dapai": "m1_*"}, {"hule": "-"}, {"dapai": "m2"}]
    assert option_values(meta, options) == [0.5, 0.5, -1, 2.25, None]


@kept_cases("meta", None, {"q_values": [1.0], "mask_bits": 1 << 70})
def test_what_tells_no_values_has_none(meta: Any) -> None:
    assert option_values(meta, [{"dapai": "m1"}]) is None
