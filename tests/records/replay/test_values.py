"""The values that Mortal and its relatives say in `meta`, and our options to which they belong."""

from typing import Any

from jantaku.table.records.replay.option_values import action_number, option_values
from tests.kit.cases import cases


@cases("option, number")
def test_every_option_is_one_of_the_46_actions(option: Any, number: int) -> None:
    assert action_number(option) == number


def test_values_stand_at_their_options() -> None:
    meta = {"q_values": [0.5, -1, 2.25], "mask_bits": 1 | 1 << 37 | 1 << 43}
    options = [{"dapai": "m1"}, {"dapai": "m1_"}, {"dapai": "m1_*"}, {"hule": "-"}, {"dapai": "m2"}]
    assert option_values(meta, options) == [0.5, 0.5, -1, 2.25, None]


@cases("meta", None, {"q_values": [1.0], "mask_bits": 1 << 70})
def test_what_tells_no_values_has_none(meta: Any) -> None:
    assert option_values(meta, [{"dapai": "m1"}]) is None
