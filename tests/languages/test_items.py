"""Items of a record, whose form is Majiang's, and the packed numbers and tags of Tenhou's logs."""

from collections.abc import Sequence

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.majiang.forms import FORM_2015
from jantaku.table.languages.majiang.items import Encoder
from jantaku.table.languages.majiang.order import by_kyoku
from jantaku.table.languages.majiang.rule import Item, reply
from jantaku.table.languages.mjlog import is_north, numbered, tags_of, unpack
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.melds import MeldKind, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.notation import parse_meld
from jantaku.table.riichi.pieces.tiles import RED_M, TILE
from jantaku.table.riichi.points.payments import Liability
from jantaku.table.riichi.points.yaku import HandValue
from tests.kit.cases import cases, kept_cases


def items(*names: str) -> list[Item]:
    """Items by their initials as in the tables of Majiang's kan order: Q, Z(imo), D(apai), F(ulou), G(ang), K."""
    keys = {"Q": "qipai", "Z": "zimo", "D": "dapai", "F": "fulou", "G": "gang", "K": "kaigang", "L": "lizhi"}
    return [{keys[name[0]]: name} for name in names]


@kept_cases("heard, recorded")
def test_an_indicator_is_heard_before_and_recorded_behind_what_it_belongs_to(heard: str, recorded: str) -> None:
    assert by_kyoku(items("Q", *heard.split()))[0][1:] == items(*recorded.split())


@cases(
    "action, expected",
    (actions.Discard(TILE["m0"]), {"dapai": "m0"}),
    (actions.Discard(TILE["z7"], tsumogiri=True, riichi=True), {"dapai": "z7_*"}),
    (actions.Call(parse_meld("p3-40")), {"fulou": "p3-40"}),
    (actions.Kan(parse_meld("s505+5")), {"gang": "s505+5"}),
    (actions.RON, {"hule": "-"}),
    (actions.TSUMO, {"hule": "-"}),
    (actions.KYUUSHU, {"daopai": "-"}),
    (actions.TENPAI, {"daopai": "-"}),
    (actions.NOTEN, {}),
    (actions.PASS, {}),
)
def test_actions_are_written_as_majiang_replies(action: actions.RiichiAction, expected: Item) -> None:
    assert reply(action) == expected


def _encoded(stream: Sequence[events.Event]) -> list[Item | None]:
    encoder = Encoder()
    return [encoder.encode(event) for event in stream]


def _daisangen() -> events.Win:
    melds = tuple(parse_meld(text) for text in ("z555=", "z6666", "z777-"))
    return events.Win(
        seat=1,
        source=3,
        tile=TILE["m1"],
        hand=(TILE["m1"], TILE["p2"], TILE["p3"], TILE["p4"]),
        melds=melds,
        riichi=0,
        ura=None,
        value=HandValue((("大三元", 1),), yakuman=1),
        points=32000,
        deltas=(-16000, 32000, 0, -16000),
        liable=(Liability("daisangen", 0),),
    )


def test_a_yakuman_has_stars_and_says_who_is_liable() -> None:
    item = _encoded([_daisangen()])[0]
    assert item == {
        "hule": {
            "l": 1,
            "shoupai": "m1p234m1,z555=,z6666,z777-",
            "baojia": 3,
            "fubaopai": None,
            "damanguan": 1,
            "defen": 32000,
            "hupai": [{"name": "大三元", "fanshu": "*", "baojia": "-"}],
            "fenpei": [-16000, 32000, 0, -16000],
        }
    }


def test_the_form_of_2015_has_no_riichi_mark_and_no_liable_seat() -> None:
    hule = _encoded([_daisangen()])[0]
    assert hule is not None
    assert FORM_2015.item(hule)["hule"]["hupai"] == [{"name": "大三元", "fanshu": "*"}]
    pingju: Item = {"pingju": {"name": "荒牌平局", "shoupai": ["m123*,z555=", "", "", ""], "fenpei": [0, 0, 0, 0]}}
    paifu = {"player": [], "qijia": 0, "log": [[pingju]], "defen": [], "rank": [], "point": ["53.0", "-1.5"]}
    old = FORM_2015.whole({"title": "t", **paifu})
    assert old["log"][0][0]["pingju"]["shoupai"] == ["m123,z555=", "", "", ""]
    assert old["point"] == [53, -1.5]


def test_a_hidden_draw_has_no_tile() -> None:
    assert _encoded([events.Draw(2, None, rinshan=True)]) == [{"gangzimo": {"l": 2, "p": ""}}]


CHI_OF_RED = (3 * 3 + 1) << 10 | 0x4 | 3
"""4-5-6 of m, every copy the first, the five called."""


def test_melds_are_unpacked() -> None:
    """One of each kind, taken from logs; 16 is the red 5m."""
    assert unpack(50251, numbered) == pon(TILE["z6"], 3, TILE["z6"], TILE["z6"])
    assert unpack(17408, numbered) == ankan(*[TILE["p9"]] * 4)
    assert unpack(8265, numbered).kind == MeldKind.PON
    assert unpack(CHI_OF_RED, numbered) == chi(RED_M, TILE["m4"], TILE["m6"])
    assert unpack(16 << 8 | 1, numbered) == daiminkan(RED_M, 1, *[TILE["m5"]] * 3)
    added = (4 * 3) << 9 | 0x10 | 2  # the first copy was added, the second one called
    assert unpack(added, numbered) == kakan(pon(TILE["m5"], 2, TILE["m5"], TILE["m5"]), RED_M)


@cases(
    "packed",
    0x20 | 120 << 8,  # a north set aside
    CHI_OF_RED & ~3 | 1,  # a chi from 下家
    (21 * 3) << 10 | 0x4 | 3,  # a chi of honours
    0x8,  # a pon from nobody
    (34 * 3) << 9 | 0x8 | 1,  # a pon of no kind
    34 * 4 << 8,  # an ankan of no kind
    1 << 16 | CHI_OF_RED,
    -1,
)
def test_a_number_that_is_no_meld_is_refused(packed: int) -> None:
    with pytest.raises(BadInput, match=r"is not a (meld|tile)"):
        unpack(packed, numbered)


def test_a_north_that_three_players_set_aside_is_no_meld() -> None:
    assert is_north(0x20 | 120 << 8)
    assert not is_north(CHI_OF_RED)


def test_tags_carry_names_numbers_and_attributes() -> None:
    found = tags_of(b'<mjloggm ver="2.3"><T71/><AGARI ba="0,2" who="3" /></mjloggm>')
    _, draw, end = found.all
    assert (draw.name, draw.number) == ("T", 71)
    assert (end.name, end.number, end.ints("ba"), end.ints("hai")) == ("AGARI", None, [0, 2], [])
    assert not found.broken


def test_a_broken_file_is_read_as_far_as_it_goes() -> None:
    found = tags_of(b"<mjloggm><T71/><D71/><U3")
    assert [tag.name for tag in found.all] == ["mjloggm", "T", "D"]
    assert found.broken


@cases(
    "content, problem",
    (b'<!DOCTYPE a [<!ENTITY b "bbbb">]><mjloggm>&b;</mjloggm>', "it has <!DOCTYPE"),
    (b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><mjloggm/>', "it has <!DOCTYPE"),
    ('<?xml version="1.0" encoding="utf-16"?><!DOCTYPE a><mjloggm/>'.encode("utf-16"), "not UTF-8"),
    (b"<mjloggm>&b;</mjloggm>", "not XML .undefined entity"),
    (b"<mjloggm><T1></D1></mjloggm>", "not XML .mismatched tag"),
    (b"<mjloggm>" + b"<T1/>" * 100_000 + b"</mjloggm>", "more than 100000 tags"),
)
def test_what_no_log_has_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        tags_of(content)


@pytest.mark.parametrize(("text", "problem"), [("1,x", "“x” is not a number"), ("9" * 30, "is not a number")])
def test_an_attribute_that_is_no_number_is_named(text: str, problem: str) -> None:
    tag = tags_of(f'<a><N m="{text}"/></a>'.encode()).all[1]
    with pytest.raises(BadInput, match=f"<N> m: .*{problem}"):
        tag.ints("m")
    with pytest.raises(BadInput, match="<N> who: nothing; a number from 0 to 3 is expected"):
        tag.one("who", 4)
