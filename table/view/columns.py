"""What fits a terminal of any size: a table that is too wide becomes several, hands stand below their players, and the
screen of a running game never needs more lines than there are."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segments
from rich.table import Table
from rich.text import Text

NAME = 10
"""Columns that the first column of a table has at least."""
WORDS = 12
"""Columns for words that may be broken, as faults are."""
BETWEEN = 2
"""Columns between two columns of a table."""
HAND = 42
"""Columns of a hand beside words: fourteen tiles. Melds may stand in the next line."""
INDENT = 4
"""Columns before a hand that stands below its player."""
LONGEST = 4000
"""Letters of a text that are laid out at most: each takes time, and a stranger's record may hold millions."""
_LINE: Final = box.Box(str(box.SIMPLE_HEAD), ascii=True)
"""A line below the heads. `ascii`: the same where the terminal has no such line, which then is of hyphens."""


def shortened(name: str, letters: int = LONGEST) -> str:
    """A name cut to so many letters."""
    return name if len(name) <= letters else f"{name[: letters - 1]}…"


def fitting(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[Table]:
    """The rows under their heads, in tables of at most `width` columns. Each table begins with the first column, which
    is folded where it has to be; all others are numbers or words to the right."""
    rows = [[shortened(cell) for cell in row] for row in rows]
    fewest = len(list(_groups(heads, rows, width - NAME)))
    longest = max((cell_len(row[0]) for row in rows), default=NAME)
    # As few tables as there can be, and names as whole as those leave them.
    names = range(max(NAME, longest), NAME - 1, -1)
    room = next(name for name in names if name == NAME or len(list(_groups(heads, rows, width - name))) == fewest)
    return [_table(heads, rows, [0, *columns]) for columns in _groups(heads, rows, width - room)]


def _groups(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[list[int]]:
    """The columns of each table without the first, for which `width` does not count."""
    group: list[int] = []
    left = width
    for column in range(1, len(heads)):
        wide = max(map(cell_len, (heads[column], *(row[column] for row in rows))))
        needed = BETWEEN + (min(wide, WORDS) if _may_break(heads[column]) else wide)
        if group and needed > left:
            yield group
            group, left = [], width
        group.append(column)
        left -= needed
    yield group


def _may_break(head: str) -> bool:
    return head == "faults"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: Sequence[int]) -> Table:
    table = Table(box=_LINE, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column(heads[0], overflow="fold", min_width=NAME)
    for column in columns[1:]:
        table.add_column(heads[column], justify="right", no_wrap=not _may_break(heads[column]))
    for row in rows:
        table.add_row(*(row[column] for column in columns))
    return table


class SeatRows:
    """A row for each seat: words about it, the second of which is its name, and its hand, which stands below them where
    it has no room beside them. That does not change with the hand, so that a running game does not jump."""

    def __init__(self, rows: Sequence[tuple[Sequence[str], Text]]) -> None:
        self._rows = rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widths = [max(map(cell_len, column)) for column in zip(*(words for words, _ in self._rows), strict=True)]
        over = sum(widths) + BETWEEN * len(widths) - options.max_width
        if over + HAND <= 0:
            grid = Table.grid(expand=False, padding=(0, BETWEEN))
            for words, hand in self._rows:
                grid.add_row(*(Text(word, no_wrap=True) for word in words), hand)
            yield grid
            return
        widths[1] = max(widths[1] - max(over, 0), 1)
        for words, hand in self._rows:
            cells = [Text(word) for word in words]
            for cell, wide in zip(cells, widths, strict=True):
                cell.truncate(wide, overflow="ellipsis", pad=True)
            yield Text(" " * BETWEEN, no_wrap=True).join(cells)
            yield Padding(hand, (0, 0, 0, INDENT))


class WholeScreen:
    """What must be seen, and below it the last of the `lines` for which there is room. It leaves the last line of the
    terminal free: what scrolls off its top cannot be taken back."""

    def __init__(self, above: RenderableType, lines: Sequence[Text]) -> None:
        self._above, self._lines = above, lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        most = max(options.size.height - 1, 1)
        above = console.render_lines(self._above, options, pad=False, new_lines=True)[:most]
        for line in above:
            yield Segments(line)
        room = most - len(above)
        yield from self._lines[-room:] if room else ()
