"""docs/majiang.md: every message and reply of both dialects that it shows is what the table says and understands, and
there is none that it does not show."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.ground.port import Action
from jantaku.table.languages.majiang.paifu import paifu_of
from jantaku.table.languages.wire.dialect import Dialect
from jantaku.table.languages.wire.majiang import Majiang, Majiang2015
from jantaku.table.languages.wire.majiang_reader import MajiangReader, MajiangReader2015
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import KYUUSHU, NOTEN, PASS, RON, TENPAI, TSUMO, Call, Discard, Kan
from jantaku.table.riichi.flow.hanchan import final
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.pieces.notation import parse_meld, parse_tile
from jantaku.table.riichi.ruleset import preset
from tests.kit.cases import cases
from tests.kit.position import Table, table
from tests.languages.wire.driving import ask, question

PAGE = Path(__file__).parents[3] / "docs" / "majiang.md"
PRESETS = {Majiang: "majiang", Majiang2015: "majiang-2015"}
ME = 3
"""The player that is told: 北 in 東三局."""
TURN = (Discard(parse_tile("z7")), Discard(parse_tile("p8"), tsumogiri=True))
REPLIES: dict[str, tuple[Action, tuple[Action, ...]]] = {
    "p8": (Discard(parse_tile("p8")), TURN),
    "p8_": (Discard(parse_tile("p8"), tsumogiri=True), TURN),
    "p8*": (Discard(parse_tile("p8"), riichi=True), TURN),
    "p8_*": (Discard(parse_tile("p8"), tsumogiri=True, riichi=True), TURN),
    "chi": (Call(parse_meld("p78-9")), (RON, PASS)),
    "pon": (Call(parse_meld("z666=")), (RON, PASS)),
    "daiminkan": (Call(parse_meld("s5550-")), (RON, PASS)),
    "ankan": (Kan(parse_meld("z1111")), TURN),
    "kakan": (Kan(parse_meld("s505+5")), TURN),
    "tsumo": (TSUMO, (TSUMO, *TURN)),
    "ron": (RON, (RON, PASS)),
    "kyuushu": (KYUUSHU, (KYUUSHU, *TURN)),
    "tenpai": (TENPAI, (TENPAI, NOTEN)),
    "nothing": (PASS, (RON, PASS)),
}
"""What a seat may want to say, and what it is offered."""


def won(rules: str) -> Table:
    """東三局2本場 of the documents, won by 北: a pon, a kakan, a riichi and a chi, then tsumo; 20 fu, 5 han."""
    hands = ["", "s23", "m19p19s19z3345667", "m78p405667s34577"]
    draws = "z6 s1 z2 z2 z6 z5 s1 p2 m9"
    played = table(hands, rules=rules, number=2, honba=2, draws=draws, rinshan="p3", dora="m5 z2", ura="s2 m4")
    return played.play("東z6_ 西z666= 西m1 北s1_ 東z2_ 南z2_ 西z666=6 西s9 北z5_* 東s1_ 南s1-23 南s9 西p2_ 北tsumo")


def drawn(rules: str) -> Table:
    """東一局 of the documents, from their deal to their draw: 東, 南 and 北 open their tenpai hands."""
    hands = ["m178p36s15578z356", "m177p225s069z1247", "m299p1158s288z356", "m44p1234089s3z222"]
    draws = "m6 m1 z7 p9 p6 p4 m9 s6 p6 s5 s3 p7 z7 s2 s4 m9 p8 s8 z4 z1 m8 m3 p9"
    played = table(hands, rules=rules, draws=draws, rinshan="m5 z4", dora="s7")
    played.play("東z3 南z7 西z7_ 北p8 東z5 南z1 西z3 北s6_ 東s6-78 東z6 南s9 西s5_ 東s555= 東p3 南p2 西p7_ 北s3 東m1")
    played.play("南p2 西m9999 西m5_ 北p8_ 東s8_ 南z2 北z2222= 北z4_ 南z444= 南s6 西z1_ 北m8_ 東m3_ 南p9_ 北p999= 北z7")
    return played.pass_to_the_end()


def heard(dialect: Dialect, rules: str) -> Iterator[bytes]:
    """What player `ME` is told of these two kyoku and of the end in the documents' example."""
    first, second = won(rules), drawn(rules)
    yield dialect.tell(first.game.masked(0, ME))
    for played in (first, second):
        for at in range(1, len(played.stream) + 1):
            yield dialect.tell(played.game.masked(at, ME))
    yield dialect.tell(final(Standing(8, 0, 0, (36700, 25300, 19700, 18300), 7), preset(rules), 2))


def messages(kind: type[Majiang]) -> tuple[Any, ...]:
    """All different messages of a dialect, long parts of 1.x left out as on the page."""
    told = [json.loads(line) for lines in heard(kind(), PRESETS[kind]) for line in lines.splitlines()]
    if kind is Majiang:
        told += [json.loads(line) for line in _warning().splitlines()]
    return tuple(_shortened(message) for message in told)


def _warning() -> bytes:
    """What is said to a kuikae discard that a seat may mend."""
    dialect = Majiang()
    start = events.HanchanStart(START.names, 0, preset("showa"), 0)
    for event in (start, *_draws(2), events.MeldCall(0, parse_meld("m4-56"))):
        dialect.tell(event)
    put = question(*(Discard(parse_tile(tile)) for tile in ("m9", "p2")))
    return ask(dialect, put, b'{"dapai":"m4","seq":5}', b'{"dapai":"m9","seq":6}')[0]


def _shortened(message: Any) -> Any:
    if "kaiju" in message:
        message["kaiju"] |= {"rule": "…", "jantaku": "…"}
    if "jieju" in message:
        message["jieju"] |= {"log": "…"}
    return message


def shown() -> list[Any]:
    return [json.loads(text) for text in re.findall(r"`(\{.*?\})`", PAGE.read_text("utf-8"))]


def written(message: Any) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("kind", [Majiang, Majiang2015])
def test_every_message_of_the_page_is_said_character_by_character(kind: type[Majiang]) -> None:
    page, said = PAGE.read_text("utf-8"), [written(message) for message in messages(kind)]
    is_old = kind is Majiang2015
    theirs = [one for one in shown() if ("type" in one) == is_old and _is_message(one)]
    assert [written(one) for one in theirs if written(one) not in said] == []
    assert {_kind(one) for one in theirs} == {_kind(json.loads(one)) for one in said}
    assert all(f"`{written(one)}`" in page for one in theirs)


def _kind(message: Any) -> str:
    return str(message["type"] if "type" in message else next(iter(message)))


def _is_message(one: Any) -> bool:
    data = one.get("data") if "type" in one else next(iter(one.values()))
    return isinstance(data, dict)


def test_every_reply_of_the_page_is_understood_and_there_is_no_other() -> None:
    old, new = MajiangReader2015(preset("majiang-2015")), MajiangReader()
    expected = []
    for word, (action, options) in REPLIES.items():
        if word != "tenpai":  # in 2015 there is no word for it: it is always declared
            expected.append(old.write(action, 0))
            assert _understood(Majiang2015(), options, expected[-1]) == action
        expected.append(new.write(action, 7))
        assert _understood(Majiang(), options, expected[-1]) == action
    replies = [written(one) for one in shown() if not _is_message(one)]
    assert replies == [line.decode().strip() for line in expected]


def _understood(dialect: Majiang, options: tuple[Action, ...], reply: bytes) -> Action:
    """What a reply to message 7 of 1.x, and to the sixth of 2015 that wants one, means."""
    for event in (START, *_draws(6 if isinstance(dialect, Majiang2015) else 5)):
        dialect.tell(event)
    nothing = b'{"type":""}' if isinstance(dialect, Majiang2015) else b"{}"
    return ask(dialect, question(*options), *[nothing] * (dialect.due - 1), reply)[1]


START = events.HanchanStart(("A", "B", "C", "D"), 0, preset("majiang"), 0)


def _draws(count: int) -> list[events.Event]:
    hands = (tuple(range(13)), None, None, None)
    deal = events.KyokuStart(0, 0, 0, 0, 0, (25000,) * 4, parse_tile("p9"), hands)
    return [deal, *(events.Draw(at % 3 + 1, None) for at in range(count))]


PRINTED = {
    "qipai": '{"zhuangfeng":0,"jushu":0,"changbang":0,"lizhibang":0,"defen":[25000,25000,25000,25000],"baopai":"s7",'
    '"shoupai":["m178p36s15578z356","m177p225s069z1247","m299p1158s288z356","m44p1234089s3z222"]}',
    "hule": '{"l":3,"shoupai":"m78p405667s34577m9","baojia":null,"fubaopai":["s2","m4"],"fu":20,"fanshu":5,'
    '"defen":8000,"hupai":[{"name":"立直","fanshu":1},{"name":"門前清自摸和","fanshu":1},{"name":"平和","fanshu":1},'
    '{"name":"赤ドラ","fanshu":1},{"name":"裏ドラ","fanshu":1}],"fenpei":[-4200,-2200,-2200,9600]}',
    "pingju": '{"name":"荒牌平局","shoupai":["m678p66s12,s6-78,s555=","m1177p456s340,z444=","",'
    '"m44p12340,z2222=,p999="],"fenpei":[1000,1000,-3000,1000]}',
    "jieju": '{"defen":[36700,25300,19700,18300],"rank":[1,2,3,4],"point":[47,5,-20,-32]}',
}
"""The deal of 東一局, the win of 北 in 東三局2本場, the draw and the end of a game, as the documents print them."""


def test_the_hands_of_the_documents_come_out_as_printed() -> None:
    told = {_kind(message): written(message["data"]) for message in messages(Majiang2015)}
    assert {kind: told[kind] for kind in PRINTED if kind != "qipai"} == {
        kind: text for kind, text in PRINTED.items() if kind != "qipai"
    }


@pytest.mark.parametrize("seat", range(4))
def test_the_deal_of_the_documents_shows_a_seat_its_own_hand_and_the_record_all_four(seat: int) -> None:
    game = drawn("majiang-2015").game
    dialect = Majiang2015()
    dialect.tell(game.masked(0, seat))
    deal = json.loads(PRINTED["qipai"])
    own = deal | {"shoupai": [hand if at == seat else "" for at, hand in enumerate(deal["shoupai"])]}
    assert written(json.loads(dialect.tell(game.masked(1, seat)))["data"]) == written(own)
    record = paifu_of(game.events, preset("majiang-2015"), "東一局")["log"][0]
    assert written(record[0]["qipai"]) == PRINTED["qipai"] and written(record[-1]["pingju"]) == PRINTED["pingju"]


@cases("kan, made, played", ("ankan", "m9999", drawn), ("kakan", "z666=6", won), ("daiminkan", "z2222=", drawn))
def test_an_indicator_is_told_and_kept_as_the_page_says(kan: str, made: str, played: Callable[[str], Table]) -> None:
    game = played("majiang-2015").game
    row = re.search(rf"^\| {kan} \| ([a-z ]+) \| ([a-z ]+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    dialect = Majiang2015()
    told = [json.loads(one) for at in range(len(game.events)) for one in dialect.tell(game.masked(at, ME)).splitlines()]
    record = paifu_of(game.events, preset("majiang-2015"), "")["log"][0]
    at = next(at for at, message in enumerate(told) if (message["data"] or {}).get("m") == made)
    at_record = next(at for at, item in enumerate(record) if next(iter(item.values())).get("m") == made)
    assert row and row[1].split() == [_kind(message) for message in told[at : at + 4]]
    assert row[2].split() == [_kind(item) for item in record[at_record : at_record + 4]]


@cases(
    "event, data",
    (events.Draw(0, parse_tile("s1")), {"l": 0, "p": "s1"}),
    (events.TileDiscard(0, parse_tile("s1"), tsumogiri=True, riichi=True), {"l": 0, "p": "s1_*"}),
    (events.MeldCall(1, parse_meld("s1-23")), {"l": 1, "m": "s1-23"}),
    (events.MeldCall(2, parse_meld("z666=")), {"l": 2, "m": "z666="}),
    (events.OwnKan(2, parse_meld("p555=0")), {"l": 2, "m": "p555=0"}),
    (events.OwnKan(2, parse_meld("z666=6")), {"l": 2, "m": "z666=6"}),
    (events.OwnKan(3, parse_meld("z1111")), {"l": 3, "m": "z1111"}),
    (events.Draw(0, parse_tile("p0"), rinshan=True), {"l": 0, "p": "p0"}),
    (events.Dora(parse_tile("p0")), {"baopai": "p0"}),
)
def test_the_small_examples_of_the_documents_are_the_same_messages(event: events.Event, data: Any) -> None:
    dialect = Majiang2015()
    pons = [events.MeldCall(2, parse_meld(pon)) for pon in ("z666=", "p555=")]
    for before in (START, *_draws(1), *pons):
        dialect.tell(before)
    assert written(json.loads(dialect.tell(event))["data"]) == written(data)
