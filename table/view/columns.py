"""Tables of text that fit a terminal: what is too wide becomes several tables of the same rows."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.cells import cell_len
from rich.table import Table

NAME = 10
"""Columns that the first column of a table has at least."""
WORDS = 12
"""Columns for words that may be broken, as faults are."""
BETWEEN = 2
"""Columns between two columns of a table."""


def fitting(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[Table]:
    """The rows under their heads, in tables of at most `width` columns. Each table begins with the first column, which
    is folded where it has to be; all others are numbers or words to the right."""
    return [_table(heads, rows, [0, *columns]) for columns in _groups(heads, rows, width)]


def _groups(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[list[int]]:
    """The columns of each table, without the first."""
    group: list[int] = []
    left = width - NAME
    for column in range(1, len(heads)):
        wide = max(map(cell_len, (heads[column], *(row[column] for row in rows))))
        needed = BETWEEN + (min(wide, WORDS) if _may_break(heads[column]) else wide)
        if group and needed > left:
            yield group
            group, left = [], width - NAME
        group.append(column)
        left -= needed
    yield group


def _may_break(head: str) -> bool:
    return head == "faults"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: Sequence[int]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column(heads[0], overflow="fold", min_width=NAME)
    for column in columns[1:]:
        table.add_column(heads[column], justify="right", no_wrap=not _may_break(heads[column]))
    for row in rows:
        table.add_row(*(row[column] for column in columns))
    return table
