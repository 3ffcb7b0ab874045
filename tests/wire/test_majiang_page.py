"""docs/majiang.md: every message and reply of both dialects that it shows is what the table says and understands, and
there is none that it does not show."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table.port import Action
from table.riichi import events
from table.riichi.actions import KYUUSHU, NOTEN, PASS, RON, TENPAI, TSUMO, Call, Discard, Kan
from table.riichi.flow.hanchan import final
from table.riichi.flow.standing import Standing
from table.riichi.pieces.notation import parse_meld, parse_tile
from table.riichi.ruleset import preset
from table.wire.dialect import Dialect
from table.wire.majiang import Majiang, Majiang2015
from table.wire.majiang_reader import MajiangReader, MajiangReader2015
from tests.kit.position import Table, table
from tests.wire.driving import ask, question

PAGE = Path(__file__).parents[2] / "docs" / "majiang.md"
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
    """東三局2本場, won by 北: a pon, a kakan, a riichi and an ankan, then tsumo; 20 fu, 5 han."""
    hands = ["z111", "", "m19p19s19z3345667", "m234678s34588p34"]
    draws, rinshan = "z6 s1 z2 z2 z6 z5 z1 m9 s9 p2", "p0 p6"
    played = table(hands, rules=rules, number=2, honba=2, draws=draws, rinshan=rinshan, dora="z4 m4 p9", ura="m1 z7 z7")
    return played.play("東z6_ 西z666= 西m1 北s1_ 東z2_ 南z2_ 西z666=6 西m9 北z5_* 東z1111 東p6_ 南m9_ 西s9_ 北tsumo")


def drawn(rules: str) -> Table:
    """東一局 without a winner: 東, 南 and 北 open their tenpai hands."""
    hands = ["m234678p22s34567", "p456789s11z55566", "m159p159s159z1234", "m789p123s789z3377"]
    return table(hands, rules=rules, draws="m1").pass_to_the_end()


def heard(dialect: Dialect, rules: str) -> Iterator[bytes]:
    """What player `ME` is told of these two kyoku and of the end in the documents' example."""
    first, second = won(rules), drawn(rules)
    start, *rest = (first.game.masked(at, ME) for at in range(len(first.game.events)))
    yield dialect.tell(start)
    for event in rest[: len(first.stream)]:
        yield dialect.tell(event)
    yield dialect.tell(second.game.masked(1, ME))
    yield dialect.tell(second.draw)
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
    """All JSON objects of the page, in order."""
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


def test_the_examples_of_the_documents_come_out_as_printed() -> None:
    """The win of 北 in 東三局2本場 and its payments, the draw with three open hands, and the end with its points."""
    by_kind = {_kind(message): message["data"] for message in messages(Majiang2015)}
    hule, pingju, jieju = by_kind["hule"], by_kind["pingju"], by_kind["jieju"]
    assert list(hule) == ["l", "shoupai", "baojia", "fubaopai", "fu", "fanshu", "defen", "hupai", "fenpei"]
    assert (hule["l"], hule["baojia"], hule["fu"], hule["fanshu"], hule["defen"]) == (3, None, 20, 5, 8000)
    assert hule["fenpei"] == [-4200, -2200, -2200, 9600]
    assert list(pingju) == ["name", "shoupai", "fenpei"]
    assert [bool(hand) for hand in pingju["shoupai"]] == [True, True, False, True]
    assert (pingju["name"], pingju["fenpei"]) == ("荒牌平局", [1000, 1000, -3000, 1000])
    assert jieju == {"defen": [36700, 25300, 19700, 18300], "rank": [1, 2, 3, 4], "point": [47, 5, -20, -32]}
    assert list(jieju) == ["defen", "rank", "point"]


@pytest.mark.parametrize(
    ("event", "data"),
    [
        (events.TileDiscard(0, parse_tile("z6")), {"l": 0, "p": "z6"}),
        (events.MeldCall(2, parse_meld("z666=")), {"l": 2, "m": "z666="}),
        (events.OwnKan(2, parse_meld("z666=6")), {"l": 2, "m": "z666=6"}),
        (events.OwnKan(0, parse_meld("z1111")), {"l": 0, "m": "z1111"}),
        (events.Draw(0, parse_tile("p0"), rinshan=True), {"l": 0, "p": "p0"}),
        (events.Dora(parse_tile("p0")), {"baopai": "p0"}),
    ],
)
def test_the_small_examples_of_the_documents_are_the_same_messages(event: events.Event, data: Any) -> None:
    dialect = Majiang2015()
    for before in (START, *_draws(1), events.MeldCall(2, parse_meld("z666="))):
        dialect.tell(before)
    assert json.loads(dialect.tell(event))["data"] == data
