"""Tables that fit a terminal, however narrow."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from jantaku.table.cli import letters
from jantaku.table.drawing.columns import LONGEST, SeatRows, WholeScreen, fitting

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


def test_names_are_as_whole_as_the_same_number_of_tables_leaves_them() -> None:
    rows = [("a-name-of-20-letters", "1" * 9, "2" * 9, "3" * 9, "4" * 9)]
    both = fitting(("player", "a", "b", "c", "d"), rows, 44)
    assert [len(table.columns) for table in both] == [3, 3]
    assert all("a-name-of-20-letters" in line for table in both for line in printed(table, 44)[2:])


def printed(renderable: object, width: int, encoding: str = "utf-8") -> list[str]:
    content = io.BytesIO()
    screen = io.TextIOWrapper(content, encoding=encoding, errors=letters.ERRORS, write_through=True)
    Console(file=screen, width=width, markup=False).print(renderable)
    return content.getvalue().decode(encoding).splitlines()


def test_no_more_of_a_name_is_laid_out_than_anybody_reads() -> None:
    (table,) = fitting(("player", "rank"), [("n" * 5_000_000, "1"), ("m", "2")], 80)
    console = Console(width=80, file=io.StringIO())
    console.print(table)
    assert isinstance(console.file, io.StringIO) and console.file.getvalue().count("n") <= LONGEST + 1


def test_the_columns_of_a_terminal_without_lines_are_those_of_any_other() -> None:
    (table,) = fitting(HEADS, ROWS, 90)
    japanese, ascii_only = (printed(table, 90, encoding) for encoding in ("utf-8", "ascii"))
    single = [line.replace("~", "±").replace("-", "─") for line in ascii_only]
    assert single == [line.replace("-", "─") for line in japanese]


SEATS = [((mark, name, "25000"), Text("1m " * 13)) for mark, name in ((">", "shanten"), (" ", "a-bot-of-somebody"))]


def test_a_hand_stands_beside_its_player_where_there_is_room_for_fourteen_tiles() -> None:
    beside = printed(SeatRows(SEATS), 71)
    assert len(beside) == 2 and all("25000  1m 1m" in line for line in beside)


@pytest.mark.parametrize("width", [30, 50, 70])
def test_a_hand_without_that_room_stands_below_and_a_long_name_pushes_nothing_out(width: int) -> None:
    below = printed(SeatRows(SEATS), width)
    assert max(map(len, below)) <= width
    assert sum("25000" in line for line in below) == 2 and not any("25000  1m" in line for line in below)
    assert "".join(below).count("1m") == 26


@pytest.mark.parametrize(("height", "words"), [(3, []), (6, ["word 8"]), (9, ["word 5", "word 6", "word 7", "word 8"])])
def test_what_is_drawn_again_and_again_leaves_a_line_free_and_keeps_last_words(height: int, words: list[str]) -> None:
    console = Console(width=40, height=height, force_terminal=True)
    screen = WholeScreen(Text("\n".join("abcd")), [Text(f"word {number}") for number in range(9)])
    lines = ["".join(segment.text for segment in line) for line in console.render_lines(screen, pad=False)]
    assert lines == [*"abcd"[: height - 1], *words]
