"""The values that Mortal and its relatives say in `meta`, and our options to which they belong."""

from typing import Any

import pytest

from jantaku.table.records.replay.option_values import action_number, option_values


@pytest.mark.parametrize(
    ("option", "number"),
    [
        ({"dapai": "m1"}, 0),
        ({"dapai": "p9_"}, 17),
        ({"dapai": "s5"}, 22),
        ({"dapai": "s0_"}, 36),
        ({"dapai": "m0"}, 34),
        ({"dapai": "z1"}, 27),
        ({"dapai": "z7_"}, 33),
        ({"dapai": "m1_*"}, 37),
        ({"fulou": "m1-23"}, 38),
        ({"fulou": "m12-3"}, 39),
        ({"fulou": "m123-"}, 40),
        ({"fulou": "m340-"}, 40),
        ({"fulou": "m40-6"}, 39),
        ({"fulou": "p0-67"}, 38),
        ({"fulou": "z111="}, 41),
        ({"fulou": "s505+"}, 41),
        ({"fulou": "z1111="}, 42),
        ({"gang": "z1111"}, 42),
        ({"gang": "s505+5"}, 42),
        ({"hule": "-"}, 43),
        ({"daopai": "-"}, 44),
        ({}, 45),
    ],
)
def test_every_option_is_one_of_the_46_actions(option: Any, number: int) -> None:
    assert action_number(option) == number


def test_values_stand_at_their_options() -> None:
    meta = {"q_values": [0.5, -1, 2.25], "mask_bits": 1 | 1 << 37 | 1 << 43}
    options = [{"dapai": "m1"}, {"dapai": "m1_"}, {"dapai": "m1_*"}, {"hule": "-"}, {"dapai": "m2"}]
    assert option_values(meta, options) == [0.5, 0.5, -1, 2.25, None]


@pytest.mark.parametrize(
    "meta",
    [
        None,
        [1],
        "q_values",
        {},
        {"q_values": [1.0]},
        {"q_values": [1.0], "mask_bits": 3},
        {"q_values": [1.0], "mask_bits": True},
        {"q_values": ["1"], "mask_bits": 1},
        {"q_values": [True], "mask_bits": 1},
        {"q_values": [], "mask_bits": 0},
        {"q_values": {"0": 1.0}, "mask_bits": 1},
        {"q_values": [1.0], "mask_bits": 1 << 70},
        {"q_values": [1.0], "mask_bits": -1},
    ],
)
def test_what_tells_no_values_has_none(meta: Any) -> None:
    assert option_values(meta, [{"dapai": "m1"}]) is None
