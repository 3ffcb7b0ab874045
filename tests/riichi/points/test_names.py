"""Yaku, limits and results in the world's words: one list for library, records and viewer, with its numbers."""

from collections import Counter
from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.majiang.rule import DRAW_NAMES
from jantaku.table.languages.mjai.words import YAKU as MJAI_YAKU
from jantaku.table.riichi.points.hand import Hand
from jantaku.table.riichi.points.names import DRAWS, LIMITS, WINS, YAKU, Name, name_of
from jantaku.table.riichi.points.payments import limit_name
from jantaku.table.riichi.points.yaku import NORTH_DORA, RANK, HandValue
from jantaku.table.riichi.ruleset import PRESETS, preset
from scripts import names

EVERYTHING = (*YAKU, *LIMITS, *DRAWS, *WINS)
SHARED = {10: "自風", 11: "場風"}
"""What Mahjong Soul gives one id, whichever the wind."""


def test_every_yaku_that_a_hand_can_have_has_a_name_in_each_language_and_its_numbers() -> None:
    for yaku in {*RANK, *MJAI_YAKU.values()}:
        name = name_of(yaku)
        assert name.ja == yaku and name.en.isascii() and name.zh, name
        assert name.mahjong_soul is not None and (name.tenhou is not None) == (yaku != NORTH_DORA), name


def test_a_number_stands_for_one_yaku() -> None:
    tenhou = [name.tenhou for name in YAKU if name.tenhou is not None]
    assert tenhou == list(range(55)) and all(name_of(tenhou=number).tenhou == number for number in tenhou)
    ids = Counter(name.mahjong_soul for name in YAKU)
    assert {number: count for number, count in ids.items() if count > 1} == dict.fromkeys(SHARED, 4)
    found = {number: name_of(mahjong_soul=number) for number in ids if number is not None}
    assert all(name.mahjong_soul == number for number, name in found.items())
    assert {number: found[number].ja for number in SHARED} == SHARED


def test_a_word_of_any_language_stands_for_one_thing() -> None:
    assert all(name_of(word) == name for name in EVERYTHING for word in (name.ja, name.en, name.zh) if word)
    assert [name.ja for name in EVERYTHING if not name.zh] == [DRAW_NAMES[reason] for reason in DRAW_NAMES][-1:]


def test_every_limit_and_draw_has_a_name() -> None:
    plain = [HandValue((), fu, han) for fu in (20, 25, 30, 70, 110) for han in range(1, 20)]
    values = plain + [HandValue((), yakuman=units) for units in range(1, 7)]
    limits = {limit_name(value, preset(name).score) for name in PRESETS for value in values} - {""}
    assert limits == {name.ja for name in LIMITS}
    assert [name.ja for name in DRAWS] == list(DRAW_NAMES.values())


def test_the_viewer_calls_yaku_and_draws_as_the_library_does() -> None:
    text = names.PAGE.read_text("utf-8")
    assert names.drawn(text) == text, "run python -m scripts.names"
    assert all(f': "{name.en}",\n' in text for name in (*YAKU, *DRAWS))


def test_a_hand_tells_its_yaku_in_every_language() -> None:
    score = Hand("m234p406s22678s34 +s5").score(seat="south", riichi=1, dora="s1")
    assert score is not None
    assert [name.ja for name in score.value.names] == [yaku for yaku, _ in score.value.yaku]
    assert score.value.names[0] == Name("立直", "Riichi", "立直", mahjong_soul=2, tenhou=1)
    assert (name_of(score.limit).en, name_of(score.limit).zh) == ("Haneman", "跳满")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": "tanyao"}, "name_of: text='tanyao' is not known: allowed are a yaku, limit or result"),
        ({"text": ""}, "text='' is not known"),
        ({"text": ["立直"]}, "text=['立直'] is not known"),
        ({"tenhou": 55}, "tenhou=55 is not known: allowed are 0 to 54"),
        ({"mahjong_soul": 46}, "mahjong_soul=46 is not known: allowed are 1 to 45, 47 to 50 and 59"),
        ({"mahjong_soul": None}, "name_of: give a text, tenhou=NUMBER or mahjong_soul=NUMBER, and one of them"),
        ({"text": "立直", "tenhou": 1}, "and one of them"),
    ],
)
def test_what_no_yaku_is_called_is_refused_in_one_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput) as refused:
        name_of(**given)
    assert said in str(refused.value) and "\n" not in str(refused.value)


def test_the_numbers_that_are_told_to_be_allowed_are_those_that_are_known() -> None:
    known = {name.mahjong_soul for name in YAKU}
    assert known == {*range(1, 46), *range(47, 51), 59}
