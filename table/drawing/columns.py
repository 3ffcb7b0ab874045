"""Fits output into a terminal of any size: a table that is too wide is split into several, hands stand below their
players, and the screen of a running game never needs more lines than the terminal has."""

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
"""The fewest columns of a table's first column."""
WORDS = 12
"""Columns for text that may be wrapped, such as faults."""
BETWEEN = 2
"""Spaces between two columns of a table."""
HAND = 42
"""Columns of a hand beside words: fourteen tiles. Melds may wrap to the next line."""
INDENT = 4
"""Spaces before a hand that stands below its player."""
LONGEST = 4000
"""The most characters of a text that are laid out: each takes time, and a stranger's record may have millions."""
_LINE: Final = box.Box(str(box.SIMPLE_HEAD), ascii=True)
"""The line below the heads. `ascii`: a terminal without line characters gets hyphens."""


def shortened(name: str, letters: int = LONGEST) -> str:
    """Cut a name to `letters` characters."""
    return name if len(name) <= letters else f"{name[: letters - 1]}…"


def counted(number: int, word: str) -> str:
    """Write a number of things: `1 set`, `2 sets`."""
    return f"{number} {word}{'s' * (number != 1)}"


def fitting(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[Table]:
    """Put the rows under their heads, in tables of at most `width` columns. Each table begins with the first column,
    which is folded if necessary; the others are numbers or words, aligned to the right."""
    rows = [[shortened(cell) for cell in row] for row in rows]
    fewest = len(list(_groups(heads, rows, width - NAME)))
    longest = max((cell_len(row[0]) for row in rows), default=NAME)
    # use as few tables as possible, and give names the room that is left
    names = range(max(NAME, longest), NAME - 1, -1)
    room = next(name for name in names if name == NAME or len(list(_groups(heads, rows, width - name))) == fewest)
    return [_table(heads, rows, [0, *columns]) for columns in _groups(heads, rows, width - room)]


def _groups(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[list[int]]:
    """Yield the columns of each table without the first one, whose width is not part of `width`."""
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
    """One row per seat: words about it (the second word is its name), and its hand. If the terminal is too narrow,
    the hand stands below the words. That does not depend on the hand, so that a running game does not jump."""

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
    """Shows `above` and then as many of the last `lines` as fit. It leaves the terminal's last line free: lines that
    scroll off the top could not be redrawn."""

    def __init__(self, above: RenderableType, lines: Sequence[Text]) -> None:
        self._above, self._lines = above, lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        most = max(options.size.height - 1, 1)
        above = console.render_lines(self._above, options, pad=False, new_lines=True)[:most]
        for line in above:
            yield Segments(line)
        room = most - len(above)
        yield from self._lines[-room:] if room else ()
