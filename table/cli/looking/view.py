"""`jantaku view`: records in the browser, or as one HTML file to send to a friend."""

import webbrowser
from functools import partial
from pathlib import Path

import click
import msgspec

from table.cli.looking.records import RecordFile, seed_option, told_as_hidden
from table.cli.options import RuleOptions, options_of, rule_options
from table.cli.say import say
from table.convert.reading import FORMATS, Format, Read, read_any
from table.errors import BadInput
from table.record.lines import write_whole
from table.record.unsealed import SeedsOf
from table.view.page import Book, Entry, entry_of, head_of, page, stream_of
from table.view.server import PageServer


class ViewOptions(RuleOptions, frozen=True, kw_only=True):
    """What was asked for."""

    files: tuple[Path, ...]
    target: Path | None
    port: int
    no_open: bool
    form: Format | None
    opened_by: SeedsOf


@click.command(epilog="A position has a link: it is in the address of the page. Keys are listed on the page.")
@click.argument("files", nargs=-1, required=True, type=RecordFile(), metavar="FILE…")
@click.option("--export", "target", type=click.Path(path_type=Path), metavar="OUT.html", help="Write one HTML file.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the page.  [default: a free one]")
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
@click.option("--from", "form", type=click.Choice(FORMATS), help="Format of the files.  [default: found out]")
@rule_options("Rules of records that do not tell theirs.")
@seed_option
@options_of(ViewOptions)
def command(options: ViewOptions) -> None:
    """Look at records of any format: every hand, every decision, kyoku by kyoku."""
    rules = options.of_foreign
    reads = [read_any(path, rules, options.form, options.opened_by) for path in options.files]
    for read in reads:
        told_as_hidden(read.record)
    if (target := options.target) is not None:
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
