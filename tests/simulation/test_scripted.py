"""Scripts are plain data: a line that can be read back, and refused where it asks for what cannot be."""

import pytest

from tests.kit.cases import cases
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


@cases("line, why")
def test_what_cannot_be_is_refused(line: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        read(line)
