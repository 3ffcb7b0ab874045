"""Hands: other people's with their answers (tests/data/hands), and those that are given as text."""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.notation import tiles as read_tiles
from jantaku.table.riichi.pieces.tiles import KIND, NAMES, full_set, tiles_text
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.hand import Hand
from jantaku.table.riichi.ruleset import preset, with_settings
from scripts.hands.__main__ import main
from scripts.hands.formats import meld_of
from tests.kit.cases import cases, kept_cases

DATA = Path(__file__).parents[2] / "data" / "hands"
FILES = sorted(DATA.glob("*.jsonl"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_hand_agrees_with_the_answer_that_came_with_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = len(file.read_text("utf-8").splitlines())
    assert main([str(file)]) == 0
    out = capsys.readouterr().out
    told = f"{file}  {hands} hands  {hands} identical  0 different  0 skipped"
    assert out.splitlines() == [told, f"TOTAL {hands} hands 0 different"]


def test_the_collections_are_there() -> None:
    assert len(FILES) == 5


@kept_cases("key, wrong, words")
def test_a_wrong_answer_is_shown_with_its_id(
    key: str, wrong: object, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (DATA / "majiang_core_hule.jsonl").read_text("utf-8").splitlines()
    record = json.loads(lines[0])
    assert record["id"] == 0
    record["out"][key] = wrong
    file = tmp_path / "wrong.jsonl.gz"
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.write("\n".join([lines[1], json.dumps(record)]))
    assert main([str(file)]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"{file}  2 hands  1 identical  1 different  0 skipped"
    assert printed[1].startswith("    0: ")
    assert words in printed[1]
    assert printed[-1] == "TOTAL 2 hands 1 different"


@kept_cases("content, words", (None, "there is no such file"))
def test_a_file_that_cannot_be_read_is_refused_in_one_line(
    content: str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hands.jsonl"
    if content is not None:
        file.write_text(content, "utf-8")
    assert main([str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"hands: {file}")
    assert words in printed.err
    assert printed.err.count("\n") == 1


@cases(
    "text, kind, source, own, called, added",
    ("m34-0", MeldKind.CHI, 3, "m3 m0", "m4", None),
    ("z777=", MeldKind.PON, 2, "z7 z7", "z7", None),
    ("p550+", MeldKind.PON, 1, "p5 p5", "p0", None),
    ("p5550+", MeldKind.DAIMINKAN, 1, "p5 p5 p5", "p0", None),
    ("s555=0", MeldKind.KAKAN, 2, "s5 s5", "s5", "s0"),
    ("s1111", MeldKind.ANKAN, 0, "s1 s1 s1 s1", None, None),
)
def test_melds_are_read_in_majiangs_notation(
    text: str, kind: MeldKind, source: int, own: str, called: str | None, added: str | None
) -> None:
    meld = meld_of(text)
    assert (meld.kind, meld.source) == (kind, source)
    assert " ".join(NAMES[tile] for tile in meld.own) == own
    assert (meld.called is None and called is None) or (meld.called is not None and NAMES[meld.called] == called)
    assert (meld.added is None and added is None) or (meld.added is not None and NAMES[meld.added] == added)


READY = "m234p406s22678s34"
WON = READY + " +s5"


@given(st.integers(0, 2**32), st.sampled_from([4, 5, 7, 8, 10, 11, 13, 14]))
def test_a_hand_is_read_as_it_is_written_in_both_notations(seed: int, size: int) -> None:
    tiles = random.Random(seed).sample(full_set(1, 1, 1), size)
    hand = Hand(tiles_text(tiles))
    assert Hand(str(hand)) == hand and hash(Hand(str(hand))) == hash(hand)
    behind = "".join(f"{name[1]}{name[0]}" for name in (tiles_text([tile]) for tile in tiles))
    assert Hand(behind) == hand and read_tiles(behind) == tiles
    assert hand.shanten == shapes.shanten(hand.tehai.counts)


@given(st.integers(0, 2**32))
def test_what_a_hand_accepts_is_what_lowers_its_shanten(seed: int) -> None:
    tiles = random.Random(seed).sample(full_set(0, 0, 0), 13)
    hand = Hand(tiles_text(tiles))
    held = [KIND[tile] for tile in tiles]
    lowering = {
        tiles_text([kind]): 4 - held.count(kind)
        for kind in range(34)
        if held.count(kind) < 4 and Hand(f"{tiles_text(tiles)} +{tiles_text([kind])}").shanten < hand.shanten
    }
    assert hand.accepted == lowering
    assert hand.waits == (tuple(lowering) if hand.shanten == 0 else ())


def test_the_discards_are_the_best_ones_with_the_widest_first() -> None:
    hand = Hand("m123p406s27899z11 +m4")
    assert list(hand.discards) == ["s9", "s2", "m1", "m4"]
    widths = [sum(accepted.values()) for accepted in hand.discards.values()]
    assert widths == sorted(widths, reverse=True) and hand.accepted == {} and hand.waits == ()
    assert Hand("m123p406s27899z11").discards == {}


def test_copies_in_melds_are_not_accepted() -> None:
    assert Hand("m23p456s66z555 s78-9").accepted == {"m1": 4, "m4": 4}
    assert Hand("m23p456s66 z555- m444=").accepted == {"m1": 4, "m4": 1}


def test_a_tsumo_is_explained_by_yaku_fu_limit_and_payments() -> None:
    score = Hand(WON).score(seat="south", riichi=1, flags=("ippatsu",), dora="s1", ura="z1")
    assert score is not None
    assert str(score) == "立直 1, 一発 1, 門前清自摸和 1, 平和 1, 断幺九 1, ドラ 2, 赤ドラ 1 (8 han 20 fu): 倍満 16000"
    assert (score.fu, score.points) == ((("every hand", 20),), 16000)
    assert score.payment.total == (-8000, 16000, -4000, -4000)


def test_a_ron_is_paid_by_the_loser_with_honba_and_sticks() -> None:
    hand = Hand("m23p456s66 s78-9 z222=")
    score = hand.score("4m", seat="south", loser="west", dora="m3", honba=2, sticks=1)
    assert score is not None and score.limit == ""
    assert score.fu == (("every hand", 20), ("open triplet of terminals or honours", 4))
    assert (score.payment.hand, score.payment.total) == ((0, 2000, -2000, 0), (0, 3600, -2600, 0))


@pytest.mark.parametrize(("fu", "written"), [(2, 30), (4, 40)])
def test_the_fu_of_a_double_wind_pair_follow_the_rules(fu: int, written: int) -> None:
    rules = with_settings(preset("tenhou"), {"score.double_wind_fu": str(fu)})
    score = Hand("m123p406s789m567z1").score("z1", riichi=1, rules=rules)
    assert score is not None and ("pair of the own and the round's wind", fu) in score.fu
    assert -(-sum(each for _, each in score.fu) // 10) * 10 == score.value.fu


def test_a_hand_without_yaku_or_not_complete_is_worth_nothing() -> None:
    assert Hand("m23p456s66 s78-9 z222=").score("m4", seat="west") is None
    assert Hand(READY).score("z1") is None


def test_a_picture_is_one_sound_element_with_every_tile() -> None:
    picture = ElementTree.fromstring(Hand("m40p1z5 s78-9 p505=5 +z3")._repr_svg_())
    groups = picture.findall("{http://www.w3.org/2000/svg}g")
    assert len(groups) == 4 + 1 + 3 + 4
    assert sum("rotate" in group.attrib["transform"] for group in groups) == 3
    width = float(picture.attrib["viewBox"].split()[2])
    assert all(float(group.attrib["transform"][10:].split()[0]) <= width for group in groups)


@kept_cases("text, said")
def test_text_that_is_no_hand_is_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        Hand(text)
    assert said in str(refused.value)


def test_a_win_that_cannot_be_is_refused_with_the_reason() -> None:
    refused: dict[str, Callable[[], object]] = {
        "has drawn already": lambda: Hand(WON).score("m1"),
        "has drawn no tile": lambda: Hand(READY).score(),
        "is not a seat here: allowed are east, south, west": lambda: Hand(WON).score(seat="north", rules="tenhou-3p"),
        "cannot win from itself": lambda: Hand(READY).score("s5", seat="south", loser="south"),
        "riichi=3 cannot be": lambda: Hand(WON).score(riichi=3),
        "the flag tenhou cannot be": lambda: Hand(WON).score(flags=("tenhou",)),  # type: ignore[arg-type]
        "cannot win like this": lambda: Hand(WON).score(flags=("chankan",)),
        "is not one tile": lambda: Hand(READY).score("s55"),
        "has the four s2 itself": lambda: Hand("m123p456s2222678").score("s2"),
        "there is no preset": lambda: Hand(WON).score(rules="tenhuo"),
    }
    for said, ask in refused.items():
        with pytest.raises(BadInput, match=said):
            ask()


@kept_cases("given, said")
def test_a_value_of_another_kind_is_refused_with_its_name(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Hand(WON).score(**given)
    wrong: Any = 5
    with pytest.raises(BadInput, match="hand=5 is not a hand as a text"):
        Hand(wrong)
