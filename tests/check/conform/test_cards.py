"""The cards: drawn from what is said, complete, and as published."""

import inspect
import re

import msgspec
import pytest

from jantaku.table.check.conform.card import FOLDER, Message, Reply, card_of, filed, made
from jantaku.table.check.conform.rounds import ROUNDS
from jantaku.table.check.conform.troubles import TROUBLES, said
from jantaku.table.check.conform.words import MANNERS, Naming, drawn, misfits
from jantaku.table.daifugo.neof5 import Kind
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.netplay import game, lobby, server
from jantaku.table.serve.netplay import game as messages
from scripts import cards
from scripts.laws import page_with
from tests.kit.command import Jantaku


@pytest.mark.parametrize("dialect", list(MANNERS))
def test_a_card_is_what_the_code_says(dialect: str) -> None:
    card = made(dialect)
    assert card == card_of(dialect), "run python -m scripts.cards"
    text = filed(dialect, {name: card_of(name) for name in MANNERS} | {dialect: card})
    assert (FOLDER / f"{dialect}.json").read_bytes() == text, "run python -m scripts.cards"


def test_the_page_shows_the_cards() -> None:
    text = cards.PAGE.read_text("utf-8")
    drawn = cards.drawn({name: card_of(name) for name in MANNERS})
    assert page_with(text, drawn, cards.COMMAND) == text, "run python -m scripts.cards"


@pytest.mark.parametrize("dialect", list(MANNERS))
def test_a_card_has_every_message_and_reply_with_its_meaning_and_no_other(dialect: str) -> None:
    card, manner = card_of(dialect), MANNERS[dialect]
    assert list(card.messages) == list(manner.messages)
    assert list(card.replies) == list(manner.replies)
    assert [kind for kind, message in card.messages.items() if not message.shape["properties"]] == []


@pytest.mark.parametrize("dialect", list(MANNERS))
def test_the_examples_of_a_card_fit_its_shapes(dialect: str) -> None:
    card = card_of(dialect)
    every: list[Message | Reply] = [*card.messages.values(), *card.replies.values()]
    for one in every:
        assert list(misfits(one.example, one.shape, card.defs)) == []


def test_every_trouble_is_tried_where_the_dialect_can_say_it() -> None:
    assert list(card_of("majiang").troubles) == [name for name in TROUBLES if name != "wrong seat"]
    assert list(card_of("riichilab").troubles) == list(TROUBLES)
    assert list(card_of("netplay").troubles) == list(card_of("majiang").troubles)
    assert list(card_of("daifugo").troubles) == list(ROUNDS)
    without_numbers = {"wrong number", "old number", "no number"}
    for name in set(DIALECTS) - {"majiang", "majiang-2015", "riichilab"}:
        assert list(card_of(name).troubles) == [name for name in TROUBLES if name not in without_numbers]


def test_only_what_is_needed_is_required_of_a_reply() -> None:
    """Gimite's clients and Akagi's leave out `actor`, and a `dahai` whose reading is certain its `tsumogiri`."""
    replies = card_of("mjsonp").replies
    assert replies["none"].shape["required"] == ["type"]
    assert replies["dahai"].shape["required"] == ["type", "pai"]
    assert replies["dahai"].sometimes == ("tsumogiri",)
    assert replies["chi"].shape["required"] == ["type", "pai", "consumed"]
    assert card_of("majiang").replies["dapai"].shape["required"] == ["dapai"]
    assert card_of("netplay").replies["dapai"].shape["required"] == ["dapai", "seq"]


def test_the_card_of_daifugo_has_every_kind_of_the_wire() -> None:
    assert set(card_of("daifugo").messages) == set(Kind)


def test_the_card_of_net_play_has_every_event_of_its_server() -> None:
    """Its words are in the sources of the lobby, of what frames messages, and of the server that listens."""
    source = "".join(inspect.getsource(module) for module in (lobby, messages, game, server))
    said = set(re.findall(r'say\(\s*"([A-Z]+)"', source)) | {"players", "say"}
    heard = set(re.findall(r'"([A-Z]+)": self\._', source))
    card = card_of("netplay")
    assert said - {"GAME"} == set(card.messages) - set(card_of("majiang").messages)
    assert heard - {"GAME"} == set(card.replies) - set(card_of("majiang").replies)
    assert card.longest_line == Limits().message


def test_messages_of_a_seat_say_no_tile_that_it_may_not_see() -> None:
    for lines in said("mjai-lines"):
        for line in lines:
            told = msgspec.json.decode(line.data)
            if line.by_table and told["type"] == "start_kyoku":
                assert sum("?" in hand for hand in told["tehais"]) == 3


NAMING = Naming({"tile": "[mps][0-9]"}, frozenset({"actor"}), frozenset({"type"}), frozenset({"rule"}))


def test_a_shape_is_drawn_from_values_and_found_wanting_in_others() -> None:
    values = [
        {"type": "a", "actor": 3, "pai": "m1", "rule": {"x": 1}, "list": [1, 2], "also": None},
        {"type": "b", "actor": 0, "pai": "p0", "rule": {}, "list": [2, 3], "also": 1.5, "more": True},
    ]
    shape = drawn(values, NAMING)
    assert shape["required"] == ["type", "actor", "pai", "rule", "list", "also"]
    for value in values:
        assert list(misfits(value, shape, NAMING.defs)) == []
    wrong = {"type": "c", "actor": 4, "pai": "z1", "list": [1], "also": "x", "more": 1}
    assert list(misfits(wrong, shape, NAMING.defs)) == [
        "it has no rule",
        'type is "c", not one of a, b',
        "actor is 4, not a seat",
        'pai is "z1", not a tile',
        "list has 1 items, not 2",
        'also is "x", of none of the shapes allowed there',
        "more is 1, not of type boolean",
    ]


def test_the_command_prints_a_card(jantaku: Jantaku) -> None:
    ran = jantaku("conform", "--card", "mjai")
    assert (ran.code, msgspec.json.decode(ran.out)["dialect"]) == (0, "mjai")
