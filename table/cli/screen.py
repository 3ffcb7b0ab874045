"""The only place that makes a rich console: for tables, bars and other drawings."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from jantaku.table.cli.say import broken, visible

if TYPE_CHECKING:  # rich takes its time to import what draws bars
    from rich.progress import Progress, ProgressColumn, TextColumn
    from rich.table import Column


class Screen(Console):
    """A console that interprets no markup, emoji codes or numbers in text, and escapes invisible characters."""

    def __init__(self, *, quiet: bool = False, width: int | None = None, err: bool = False) -> None:
        """`err`: on standard error."""
        super().__init__(quiet=quiet, width=width, stderr=err, markup=False, emoji=False, highlight=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Escape the text of all content; segments of rich's own control codes are marked as such and pass."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text, lines=True))

    def say(self, text: str) -> None:
        """Print one line of text of any length; see `broken` for terminals."""
        line = visible(text)
        self.print(Text(broken(line, self.width) if self.is_terminal else line), soft_wrap=True)

    def tell(self, text: str) -> None:
        """Print sentences, wrapped between words."""
        self.print(Text(visible(text)))


def description(column: "Column | None" = None) -> "TextColumn":
    from rich.progress import TextColumn

    return TextColumn("{task.description}", markup=False, table_column=column)


def bar(screen: Screen, *columns: "ProgressColumn", shown: bool, expand: bool = False, hertz: float = 10) -> "Progress":
    """Make a progress bar, drawn `hertz` times a second; one that is not `shown` prints nothing. Without `columns` it
    says what is done, how much of it and for how long."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = columns or (description(), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = screen if shown else Screen(quiet=True)  # rich 13 ends it with an empty line even if it is disabled
    return Progress(
        *columns, console=console, disable=not shown, transient=True, expand=expand, refresh_per_second=hertz
    )
