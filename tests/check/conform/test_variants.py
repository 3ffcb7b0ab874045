"""Cards as variants: what differs makes of the base the variant again."""

import json

from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.check.conform.words import changed, difference, text_of

KEYS = st.sampled_from("abcd")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | KEYS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(KEYS, inside, max_size=4),
    max_leaves=12,
)


@given(JSON, JSON)
def test_a_difference_makes_the_variant_of_its_base(base: object, variant: object) -> None:
    assert changed(base, difference(base, variant)) == variant


@given(JSON)
def test_the_text_is_the_same_json(value: object) -> None:
    assert json.loads(text_of({"a": value, "b": ["x" * 60] * 3})) == {"a": value, "b": ["x" * 60] * 3}


def test_what_is_small_stands_on_one_line_and_what_is_large_has_a_line_for_each_part() -> None:
    assert text_of({"a": [1, 2], "b": {"c": "x" * 100}}).decode().splitlines() == [
        "{",
        ' "a": [1, 2],',
        ' "b": {',
        f'  "c": "{"x" * 100}"',
        " }",
        "}",
    ]
