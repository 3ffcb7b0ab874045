"""Tables that fit a terminal, however narrow."""

import io

import pytest
from rich.console import Console

from table.view.columns import fitting

HEADS = ("player", "mean rank", "points", "1st 2nd 3rd 4th %", "rating", "faults")
ROWS = (
    ("shanten-of-somebody", "1.62 ± 1.59", "+22.8 ± 15.9", " 75   0  12  12", "32.7", "none"),
    ("dice", "2.79 ± 0.53", "-7.6 ± 5.3", "  8  33  29  29", "22.4", "silent 12, illegal 3, gone 2217"),
)


@pytest.mark.parametrize("width", [40, 50, 60, 80, 120])
def test_every_number_is_whole_and_no_line_is_longer_than_the_terminal(width: int) -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=width)
    for table in fitting(HEADS, ROWS, width):
        console.print(table)
    text = screen.getvalue()
    assert "…" not in text and max(map(len, text.splitlines())) <= width
    assert all(cell in text for row in ROWS for cell in row[1:5])
    assert all(head in text for head in HEADS)


def test_what_fits_is_one_table_and_the_rest_repeats_the_names() -> None:
    assert [len(table.columns) for table in fitting(HEADS, ROWS, 80)] == [6]
    assert [len(table.columns) for table in fitting(HEADS, ROWS, 52)] == [3, 4]
