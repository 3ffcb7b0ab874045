"""Lines that cannot be read, and lines that no kyoku comes to: each is refused with the column, the field and what is
allowed."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.line import line_of, read_line
from jantaku.table.riichi.pieces.seats import WINDS
from tests.kit.cases import cases, kept_cases
from tests.kit.position import table
from tests.riichi.line import CLAIM, OWN, THREE

START = (
    "jtk1 tenhou E1 honba=0 sticks=0 left=69 indicators=z7 E25000 S25000 W25000 N25000 hand=m123p456s789z1155+z5 "
    "ask=E/draw"
)
KAN = (
    "jtk1 tenhou E1 honba=0 sticks=0 left=68 indicators=z7m1 E25000//z1111 S25000 W25000 N25000 "
    "hand=m123p456s789z2+z5 ask=E/rinshan"
)
LINES = {"START": START, "KAN": KAN, "OWN": OWN, "CLAIM": CLAIM, "THREE": THREE}


def refusal(line: str) -> str:
    with pytest.raises(BadInput) as refused:
        read_line(line)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_the_lines_that_are_changed_here_are_right() -> None:
    for line in LINES.values():
        assert read_line(line).line == line


@kept_cases("line, old, new, place, said")
def test_a_line_is_refused_with_its_place(line: str, old: str, new: str, place: str, said: str) -> None:
    """`place` is the column, from 1, and the field."""
    assert old in LINES[line]
    told = refusal(LINES[line].replace(old, new, 1))
    assert told.startswith(f"position line, column {place}: {said}" if place else f"position line: {said}")


def after_a_chi(discard: str) -> str:
    """The line of 西, which has drawn after 南 called m1 with m23 and discarded."""
    t = table(["m1", "m2346p1199s1199z1", "z1"], rules="tenhou", draws="m1 z5").play("東m1 南m1-23 南z1")
    choice = t.choice("西")
    assert choice is not None
    return line_of(t.board, choice, seat=WINDS.index("西")).replace(" S25000/z1/", f" S25000/{discard}/")


@cases(
    "discard, said",
    ("z1.", "z1 (discard 1): it follows m1-23, so it was not just drawn and has no dot"),
    ("m4", "m4 (discard 1): kuikae forbids it after m1-23"),
    ("m1", "m1 (discard 1): kuikae forbids it after m1-23"),
    ("z1RI", "it is in riichi with an open meld"),
)
def test_what_follows_a_call_is_a_discard_from_the_hand_that_kuikae_allows(discard: str, said: str) -> None:
    assert read_line(after_a_chi("z1")).line == after_a_chi("z1")
    assert said in refusal(after_a_chi(discard))


def test_a_call_that_leaves_nothing_to_discard_is_refused() -> None:
    line = (
        "jtk1 tenhou E1 honba=0 sticks=0 left=63 indicators=z7 E25000/z5Sz6Sm1S S25000/z1z4/z555-,z666-,m1-23 "
        "W25000/z2s1 N25000/z3s1 hand=m14444 ask=S/call"
    )
    assert read_line(line.replace("m14444", "m14445")).choice.options
    assert "(hand): kuikae leaves nothing to discard" in refusal(line)


EDITS = ("", "m", "z", "0", "5", ".", "R", "I", "N", "/", ",", "+", " ", "=")


def test_a_hand_in_riichi_waits_for_something() -> None:
    line = (
        "jtk1 tenhou E1 honba=0 sticks=1 left=65 indicators=z7 E24000/z7DI S25000/z1 W25000/s9. N25000/z2. "
        "hand=m234678p34s34588+m1 ask=E/draw"
    )
    assert read_line(line).line == line
    assert "(hand): it waits for nothing, and its seat is in riichi" in refusal(line.replace("p34s", "p29s"))


def test_at_the_end_of_the_wall_nothing_is_missed_any_more() -> None:
    t = table(["m234678s34588p34"], hidden="p25", settings={"draw.declare_tenpai": "true"}).pass_until(0).play(".")
    choice = t.act(f"{t.turn}noten").choice("東")
    assert choice is not None
    line = line_of(t.board, choice, seat=0, missed=True)
    assert read_line(line).line == line and not line.endswith("missed")
    assert "(missed): this hand has passed up nothing that it waits for; leave it out" in refusal(f"{line} missed")


@settings(derandomize=True, max_examples=300, database=None, deadline=None)
@given(
    st.sampled_from((START, KAN, OWN, CLAIM, THREE)),
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from(EDITS)), min_size=1, max_size=4),
)
def test_a_spoiled_line_is_refused_or_comes_back(line: str, edits: list[tuple[int, str]]) -> None:
    """A character is replaced, or taken out, in some places: no error but BadInput, and what is read has a line."""
    for place, new in edits:
        place %= len(line)
        line = line[:place] + new + line[place + 1 :]
    with contextlib.suppress(BadInput):
        read = read_line(line)
        assert read_line(read.line).line == read.line
