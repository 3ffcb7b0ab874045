"""Scripts are plain data: a line that can be read back, and refused where it asks for what cannot be."""

import pytest

from tests.simulation.drawn import script_of
from tests.simulation.scripted import Refused, read

pytestmark = pytest.mark.pure
LINE = (
    "riichi:7 seats=3 mode=resident turn=2 reaction=1 bank=0.5 increment=0.125 margin=0.0625 max_faults=2 "
    "bank_per=round on_fault=chombo | hear:3 thinks:0.5 raises, thinks:0.25 freezes:0.5 option:2, at:margin, never "
    "| after:bank illegal, late:0.125 malformed, computes:0.25 incomparable | leaves"
)


def test_a_script_is_the_same_after_its_line_was_read_back() -> None:
    assert str(read(LINE)) == LINE
    for game, count in (("toy", 100), ("clocks", 100), ("riichi", 5)):
        for number in range(count):
            script = script_of(number, game)
            assert read(str(script)) == script and "\n" not in str(script)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("chess:1 | default", "'chess': allowed are toy, riichi"),
        ("toy:1 | default", "1 seats are told of, and the table has 4"),
        ("toy:1 tempo=3", "unexpected keyword argument 'tempo'|Unexpected keyword argument 'tempo'"),
        ("toy:1 turn=0.1", "0.1: seconds are whole ticks of 1/1024"),
        ("toy:1 bank=1", "clock.bank: 1.0 s without clock.turn or clock.reaction"),
        ("toy:1 | waits:3", "'waits': allowed are default, option"),
        ("toy:1 | never", "never: without turn and reaction there is no moment"),
        ("toy:1 turn=1 reaction=1 | at:noon", "'noon': allowed are limit, bank, margin"),
    ],
)
def test_what_cannot_be_is_refused(line: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        read(line)
