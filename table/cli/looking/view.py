"""`jantaku view`: records in the browser, or as one HTML file to send to a friend."""

import webbrowser
from functools import partial
from pathlib import Path

import msgspec

from table.cli.looking.records import RecordFile, opened_by, told_as_hidden
from table.cli.options import CommandOptions, RuleOptions, WholeNumber, argument, option, rules
from table.cli.say import say
from table.convert.reading import Format, Read, read_any
from table.errors import BadInput
from table.record.lines import write_whole
from table.record.unsealed import SeedsOf
from table.riichi.ruleset import FILES
from table.view.page import Book, Entry, page
from table.view.riichi import entry_of, head_of, stream_of
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


@ViewOptions.command(epilog="A position has a link: it is in the address of the page. Keys are listed on the page.")
def command(options: ViewOptions) -> None:
    """Look at records of any format: every hand, every decision, kyoku by kyoku."""
    rules = options.ruling.foreign(FILES)
    reads = [read_any(path, rules, options.form, options.opened_by) for path in options.files]
    for read in reads:
        told_as_hidden(read.record)
    if (target := options.export) is not None:
        write_whole(target, page(Book([entry_of(read.record, read.notes) for read in reads])).content)
        say(f"{target}: {len(reads)} record{'s' * (len(reads) > 1)}; open it in any browser")
        return
    _serve(reads, options.port, open_browser=not options.no_open)


def _items(read: Read) -> bytes:
    return msgspec.json.encode(stream_of(read.record)[0])


def _serve(reads: list[Read], port: int, *, open_browser: bool) -> None:
    entries = [Entry(head_of(read.record, read.notes), path=f"record/{n}.json") for n, read in enumerate(reads)]
    made = [partial(_items, read) for read in reads]
    try:
        server = PageServer(port, page(Book(entries)), made)
    except OSError as error:
        raise BadInput(f"--port {port}: {error.strerror}") from error
    with server:
        say(f"{server.address} (Ctrl-C ends)")
        if open_browser:
            webbrowser.open(server.address)
        server.serve_forever()
