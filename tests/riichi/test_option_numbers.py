"""Actions as numbers for programs that learn: what has a number keeps it."""

import hashlib
import random
import re
from pathlib import Path

import pytest

from jantaku.table.ground.port import Action
from jantaku.table.riichi import actions
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.option_numbers import COUNT, NAMES, VERSION, number_of
from jantaku.table.riichi.pieces.melds import Meld, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.tiles import TILE
from jantaku.table.riichi.ruleset import preset, with_settings

M3, M4, M5, M0, P5, P0, Z1 = (TILE[name] for name in ("m3", "m4", "m5", "m0", "p5", "p0", "z1"))
ONE_OF_EACH: list[tuple[int, str, Action]] = [
    (0, "discard m1", actions.Discard(0)),
    (34, "discard m0", actions.Discard(M0)),
    (37 + 33, "discard z7_", actions.Discard(33, tsumogiri=True)),
    (74 + 35, "discard p0*", actions.Discard(P0, riichi=True)),
    (111, "discard m1_*", actions.Discard(0, tsumogiri=True, riichi=True)),
    (148, "tsumo", actions.TSUMO),
    (149, "ron", actions.RON),
    (150, "kyuushu", actions.KYUUSHU),
    (151, "pass", actions.PASS),
    (152, "tenpai", actions.TENPAI),
    (153, "noten", actions.NOTEN),
    (158, "chi with m34", actions.Call(chi(M5, M3, M4))),
    (158, "chi with m34", actions.Call(chi(M0, M4, M3))),
    (162, "chi with m40", actions.Call(chi(M3, M4, M0))),
    (215, "pon with m55", actions.Call(pon(M0, 2, M5, M5))),
    (216, "pon with m05", actions.Call(pon(M5, 1, M5, M0))),
    (217, "pon with m00", actions.Call(pon(M5, 1, M0, M0))),
    (251 + 13, "daiminkan p5", actions.Call(daiminkan(P0, 3, P5, P5, P5))),
    (285 + 13, "ankan p5", actions.Kan(ankan(P0, P5, P5, P5))),
    (319 + 27, "kakan z1", actions.Kan(kakan(pon(Z1, 1, Z1, Z1), Z1))),
]
MEANING = "f153fe8c"
"""The start of the digest of all names in order. Whoever changes it changes what tables mean: a new `VERSION`."""


@pytest.mark.parametrize(("number", "name", "action"), ONE_OF_EACH)
def test_an_action_has_its_number_and_name(number: int, name: str, action: Action) -> None:
    assert (number_of(action), NAMES[number]) == (number, name)


def test_no_number_changes_its_meaning_within_a_version() -> None:
    assert (VERSION, COUNT, len(set(NAMES))) == (1, 353, 354)  # the last one is for three players only
    assert hashlib.sha256("\n".join(NAMES[:COUNT]).encode()).hexdigest().startswith(MEANING)


def test_the_table_of_the_docs_is_that_of_the_code() -> None:
    page = (Path(__file__).parents[2] / "docs" / "self-play.md").read_text("utf-8")
    shown = re.findall(r"^\| (\d+) … (\d+) \| .*`(.+?)` … `(.+?)` \|$", page, re.MULTILINE)
    spans = [(int(first), int(last)) for first, last, *_ in shown]
    assert [number for first, last in spans for number in range(first, last + 1)] == list(range(COUNT))
    assert [(NAMES[first], NAMES[last]) for first, last in spans] == [(one, other) for *_, one, other in shown]


@pytest.mark.parametrize("reds", [0, 1, 3])
def test_the_options_of_a_question_have_different_numbers(reds: int) -> None:
    """Of random games, in which everybody calls what it can."""
    settings = {f"tiles.red_{suit}": str(reds) for suit in "mps"} | {"draw.declare_tenpai": "true"}
    rules = with_settings(preset("tenhou"), settings)
    rng, kinds = random.Random(reds), set[str]()
    for number in range(3):
        game = RiichiGame(rules, walls_from("numbers", number, rules), ("a", "b", "c", "d"))
        while (turn := game.turn()) is not None:
            action = rng.choice(turn.choice.options)
            game.act(action)
            found = {seat: game.reaction(seat, action) for seat in game.reacting()}
            reactions = {seat: choice for seat, choice in found.items() if choice is not None}
            game.rule([rng.choice(reactions[seat].options) if seat in reactions else None for seat in range(4)])
            for choice in [turn.choice, *reactions.values()]:
                numbers = [number_of(option) for option in choice.options]
                assert len(set(numbers)) == len(numbers)
                kinds |= {NAMES[one].split()[0] for one in numbers}
    assert {"discard", "pass", "chi", "pon", "ankan"} <= kinds


def test_what_is_no_action_has_no_number() -> None:
    with pytest.raises(KeyError):
        number_of("ron")
    with pytest.raises(KeyError):
        number_of(actions.Call(Meld(chi(M5, M3, M4).kind, (0, 9), 5, 3)))
