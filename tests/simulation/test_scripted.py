"""Scripts are plain data: a line that can be read back, and refused with the place where it asks for what cannot be."""

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


CLOCK = "turn=1 reaction=1"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "place 1, '': a script begins with its game; allowed are toy:N, riichi:N"),
        ("chess:1", "place 1, 'chess:1': a script begins with its game"),
        ("toy:0", "place 1, 'toy:0': a toy game has 1 to 20 turns"),
        ("toy:x", "place 1, 'toy:x': that is not a whole number"),
        ("toy:1 seats=5", "place 7, 'seats=5': a table has 3 or 4 seats"),
        ("toy:1 seats=3 | default | default | default | raises", "place 46: 4 seats are told of, and the table has 3"),
        ("toy:1 | default", "place 8: 1 seats are told of, and the table has 4"),
        ("toy:1 tempo=3", "place 7, 'tempo=3': no such setting; allowed are seats, mode, turn"),
        ("toy:1 mode=fast", "place 7, 'mode=fast': allowed are per-turn, resident, inline"),
        ("toy:1 on_fault=cry", "place 7, 'on_fault=cry': allowed are default, forfeit, void, chombo"),
        ("toy:1 on_fault=chombo", "place 7, 'on_fault=chombo': the toy game knows no chombo"),
        ("toy:1 mode=inline turn=2", "place 19, 'turn=2': inline has no clock: nobody could cut a player off"),
        ("toy:1 bank=1", "place 7: clock.bank: 1.0 s without clock.turn or clock.reaction"),
        ("toy:1 turn=soon", "place 7, 'turn=soon': that is not a number of seconds"),
        ("toy:1 turn=0.1", "place 7, 'turn=0.1': seconds are from 0 to 1000000, in whole ticks of 1/1024"),
        ("toy:1 bank_per=week", "place 7, 'bank_per=week': allowed are game, round"),
        ("toy:1 | waits:3", "place 9, 'waits:3': no such step here; allowed are thinks, freezes"),
        ("toy:1 | raises default", "place 9, 'raises': no such step here"),
        ("toy:1 | never", "place 9, 'never': without turn and reaction there is no moment at which time is up"),
        ("toy:1 turn=1 | late:1", "place 16, 'late:1': without turn and reaction there is no moment"),
        (f"toy:1 {CLOCK} | at:noon", "place 27, 'at:noon': allowed are limit, bank, margin"),
        (f"toy:1 {CLOCK} | hear:2 option:1", "place 34, 'option:1': what is heard is not answered"),
        (f"toy:1 {CLOCK} | hear:2 at:limit", "place 34, 'at:limit': while it hears, a player knows no moment"),
        ("toy:1 mode=inline | clock turn=2", "place 7, 'mode=inline': inline has no clock"),
        ("toy:1 prompt=yes", "place 7, 'prompt=yes': allowed is yes, where mode=resident"),
        ("toy:1 mode=resident prompt=no", "place 21, 'prompt=no': allowed is yes, where mode=resident"),
        ("toy:1 | clock seats=3", "place 15, 'seats=3': no such setting; allowed are turn, reaction"),
        ("toy:1 | never, clock turn=1", "place 9, 'never': without turn and reaction"),
        ("toy:1 | default, clock turn=1", "place 18, 'clock': no such step here"),
        (f"toy:1 {CLOCK} | hear:x", "place 27, 'hear:x': that is not a whole number"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(line: str, why: str) -> None:
    others = "" if "told of" in why else " | default" * (4 - line.count("|"))
    with pytest.raises(Refused) as problem:
        read(line + others)
    assert str(problem.value).startswith(why)
