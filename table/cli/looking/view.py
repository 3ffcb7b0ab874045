"""`jantaku view`: records in the browser, or as one HTML file to send to a friend."""

import webbrowser
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from table.cli.looking.records import FAULT, RecordFile, opened_by
from table.cli.options import CommandOptions, RuleOptions, WholeNumber, argument, option, rules
from table.cli.say import say
from table.convert.reading import Format
from table.errors import BadInput
from table.games.entry import GameEntry, Reading
from table.games.known import game_of_record
from table.record.lines import write_whole
from table.record.unsealed import SeedsOf
from table.view.page import Book, Entry, Viewed, page
from table.view.server import PageServer


class ViewOptions(CommandOptions):
    """The command's options."""

    files: tuple[Path, ...] = argument("FILE…", type=RecordFile())
    export: Path | None = option("Write one HTML file.", "OUT.html")
    port: int = option("Port of the page.  [default: a free one]", type=WholeNumber(0, 65535), default=0)
    no_open: bool = option("Do not open the browser.")
    form: Format | None = option("Format of the files.  [default: found out]", flag="--read-as")
    ruling: RuleOptions = rules("Rules of records that do not tell theirs.")
    opened_by: SeedsOf = opened_by()


EPILOG = """A position has a link: it is in the address of the page. Keys are listed on the page.

FILE#fault opens the page where an answer of a player was not played for the first time."""


@ViewOptions.command(epilog=EPILOG)
def command(options: ViewOptions) -> None:
    """Look at records of any format: every hand, every decision, round by round."""
    files, anchor = _anchored(options.files)
    game = _game_of(files)
    reading = Reading(options.ruling, options.form, options.opened_by)
    records = [game.viewed(path, reading) for path in files]
    for path, record in zip(files, records, strict=True):
        if record.hidden:
            say(f"{path}: {record.hidden}", err=True)
    if (target := options.export) is not None:
        write_whole(target, page(Book([record.entry() for record in records]), game.name).content)
        say(f"{target}: {len(records)} record{'s' * (len(records) > 1)}; open it in any browser")
        return
    _serve(game, records, options.port, anchor, open_browser=not options.no_open)


def _anchored(named: Sequence[Path]) -> tuple[list[Path], str]:
    """The files, and what stands behind the page's address: where it opens."""
    seeks = [number for number, path in enumerate(named, 1) if path.name.endswith(FAULT) and not path.exists()]
    files = [Path(str(path).removesuffix(FAULT)) if n in seeks else path for n, path in enumerate(named, 1)]
    if not seeks:
        return files, ""
    return files, FAULT if seeks[0] == 1 else f"#r={seeks[0]}&fault"


def _game_of(files: Sequence[Path]) -> GameEntry:
    """The game of all records; BadInput if there are two."""
    games = [game_of_record(path) for path in files]
    for path, game in zip(files, games, strict=True):
        if game is not games[0]:
            told = f"{files[0]} is a record of {games[0].title} and {path} one of {game.title}"
            raise BadInput(f"{told}; a page shows one game, so give them to a command each")
    return games[0]


def _serve(game: GameEntry, records: list[Viewed], port: int, anchor: str, *, open_browser: bool) -> None:
    entries = [Entry(record.head, path=f"record/{n}.json") for n, record in enumerate(records)]
    made = [partial(_items, record) for record in records]
    try:
        server = PageServer(port, page(Book(entries), game.name), made)
    except OSError as error:
        raise BadInput(f"--port {port}: {error.strerror}") from error
    with server:
        say(f"{server.address}{anchor} (Ctrl-C ends)")
        if open_browser:
            webbrowser.open(server.address + anchor)
        server.serve_forever()


def _items(record: Viewed) -> bytes:
    return msgspec.json.encode(record.stream()[0])
