"""`jantaku view`: records in the browser, or as one HTML file to send to a friend."""

import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from jantaku.table.cli.commands.records import ANCHOR, opened_by
from jantaku.table.cli.commands.shelf import opener, shelved
from jantaku.table.cli.commands.show import is_line
from jantaku.table.cli.options import CommandOptions, RuleOptions, WholeNumber, argument, option, rules
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.entry import DEFAULT, GAMES, GameEntry, Reading
from jantaku.table.records.convert.readers import Readable
from jantaku.table.records.journal.killed import SeedsOf
from jantaku.table.records.journal.lines import write_whole
from jantaku.table.records.replay.past import past_of
from jantaku.table.records.view.page import Book, Viewed, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.records.view.server import PageServer
from jantaku.table.riichi.line import read_line


class FileOrLine(click.Path):
    """A file or folder, or a position line."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return str(value) if is_line(str(value)) else super().convert(value, param, ctx)


class ViewOptions(CommandOptions):
    files: tuple[Path | str, ...] = argument("FILE|DIR…|'LINE'", type=FileOrLine())
    export: Path | None = option("Write one HTML file.", "OUT.html")
    port: int = option("Port of the page.  [default: a free one]", type=WholeNumber(0, 65535), default=0)
    no_browser: bool = option("Only print the address.")
    form: Readable | None = option("Format of the files.  [default: detected]", flag="--read-as")
    ruling: RuleOptions = rules("Rules of records that do not name theirs.")
    opened_by: SeedsOf = opened_by()


EPILOG = """The page's address is a link to the position shown. Keys are listed on the page.

On the page, the key O opens more files; files can also be dropped on it.

For a folder, the page lists every record in it and in its folders, with results.

A position line is shown with a past that could have led to it: hidden tiles and draws are made up.

FILE#fault opens the page at the first fault, 'FILE#k=3&e=27' at the position of that link."""


@ViewOptions.command(epilog=EPILOG)
def command(options: ViewOptions) -> None:
    """Look at records of any format: every hand, every decision, round by round."""
    reading = Reading(options.ruling, options.form, options.opened_by)
    lines = [one for one in options.files if isinstance(one, str)]
    if lines:
        game, shown, anchor = _of_line(*lines, *[str(one) for one in options.files if isinstance(one, Path)])
        troubles: list[str] = []
    else:
        named, anchor = _anchored([one for one in options.files if isinstance(one, Path)])
        game, shown, troubles = shelved(named, reading)
    for path, record in shown.items():
        if record.hidden:
            say(f"{path}: {record.hidden}", err=True)
    say(*(f"not shown: {trouble}" for trouble in troubles), err=True)
    if (target := options.export) is not None:
        entries = [record.entry() for record in shown.values()]
        write_whole(target, page(Book(entries, troubles=troubles), game.name).content)
        say(f"{target}: {len(entries)} record{'s' * (len(entries) > 1)}; open it in any browser")
        return
    try:
        server = PageServer(options.port, list(shown.values()), game.name, troubles, opener(game, reading))
    except OSError as error:
        raise BadInput(f"--port {options.port}: {error.strerror}") from error
    _serve(server, anchor, open_browser=not options.no_browser)


def _of_line(line: str, *others: str) -> tuple[GameEntry, dict[Path, Viewed], str]:
    """Return the game, a past of the position line, and where the page opens."""
    if others:
        raise BadInput(f"a position line is viewed alone; leave {others[0]} away")
    past = past_of(read_line(line), "1")
    note = "a past that could have led to this position: its hidden tiles, draws and turns of own kans are made up"
    return GAMES[DEFAULT], {past.whole.path: viewed(past.whole, [note])}, f"#k=1&e={len(past.whole.log[0])}"


def _anchored(named: Sequence[Path]) -> tuple[list[Path], str]:
    """Return the files, and the fragment of the page's address that says where it opens."""
    seeks = {n: found for n, path in enumerate(named, 1) if (found := ANCHOR.search(path.name)) and not path.exists()}
    files = [Path(str(path).removesuffix(seeks[n][0])) if n in seeks else path for n, path in enumerate(named, 1)]
    if not seeks:
        return files, ""
    first = min(seeks)
    return files, seeks[first][0] if first == 1 else f"#r={first}&{seeks[first][1]}"


def _serve(server: PageServer, anchor: str, *, open_browser: bool) -> None:
    with server:
        say(f"{server.address}{anchor} (Ctrl-C ends)")
        if open_browser:
            webbrowser.open(server.address + anchor)
        server.serve_forever()
