"""Items of a record: their form is Majiang's, and indicators stand where a 牌譜 has them."""

from collections.abc import Sequence

import pytest

from jantaku.table.languages.majiang.forms import FORM_2015
from jantaku.table.languages.majiang.items import Encoder
from jantaku.table.languages.majiang.order import by_kyoku
from jantaku.table.languages.majiang.rule import Item, reply
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.notation import parse_meld
from jantaku.table.riichi.pieces.tiles import TILE
from jantaku.table.riichi.points.payments import Liability
from jantaku.table.riichi.points.yaku import HandValue
from tests.kit.cases import cases


def items(*names: str) -> list[Item]:
    """Items by their initials as in the tables of Majiang's kan order: Q, Z(imo), D(apai), F(ulou), G(ang), K."""
    keys = {"Q": "qipai", "Z": "zimo", "D": "dapai", "F": "fulou", "G": "gang", "K": "kaigang", "L": "lizhi"}
    return [{keys[name[0]]: name} for name in names]


@cases("heard, recorded")
def test_an_indicator_is_heard_before_and_recorded_behind_what_it_belongs_to(heard: str, recorded: str) -> None:
    assert by_kyoku(items("Q", *heard.split()))[0][1:] == items(*recorded.split())


@pytest.mark.parametrize(
    ("action", "expected"),
    [
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
    ],
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
