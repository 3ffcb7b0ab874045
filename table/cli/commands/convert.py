"""`jantaku convert`: records from one format to another, or to a table of decisions."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from jantaku.table.cli.commands.many import Found, InsAndOut, each, ins_and_out, parted
from jantaku.table.cli.commands.records import opened_by
from jantaku.table.cli.options import CommandOptions, RuleOptions, TitleOptions, option, rules
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.mjai.speaker import DIALECTS
from jantaku.table.records.convert.readers import (
    FORMATS,
    Format,
    Read,
    Readable,
    ending_of,
    format_of,
    read_any,
    write_any,
)
from jantaku.table.records.journal.header import titled
from jantaku.table.records.journal.killed import SeedsOf
from jantaku.table.records.journal.lines import write_whole
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.decision_table import DecisionTable
from jantaku.table.riichi.pieces.seats import THREE
from jantaku.table.riichi.ruleset import FILES

EPILOG = """Formats: journal (ours, .jsonl) · paifu (majiang-core 1.x, .json) · 2015 (.2015.json) · mjai (.mjai.jsonl,
.mjson) · tenhou6 (tenhou.net/6, .tenhou6.json); only read: mjlog (XML of Tenhou). The format of IN is detected, the
format of OUT follows from its name.

Several files, or folders with everything in them, become files of the same names in the folder OUT, in the format
of --write-as. If a game is there in several formats, one of them is read.

OUT.parquet becomes a table of all decisions in numbers, for programs that learn (needs jantaku[parquet]).

\b
  jantaku convert records/…/game-0000.jsonl game.mjson
  jantaku convert log.json game.jsonl --rules mahjongsoul
  jantaku convert three.jsonl three.json --penuki
  jantaku convert matches/2025-08-01 logs --write-as mjai
  jantaku convert matches/2025-08-01 more/*.mjson decisions.parquet

Exit code: 0 all records are converted; 1 some only up to the point where the rules do not fit them; 2 some could not
be read.
"""


class ConvertOptions(CommandOptions):
    paths: tuple[Path, ...] = ins_and_out()
    source_form: Readable | None = option("Format of IN.", flag="--read-as")
    target_form: Format | None = option("Format of OUT; needed for a folder and for OUT = -.", flag="--write-as")
    dialect: str = option("Dialect of mjai.", type=click.Choice(DIALECTS), default="wide")
    penuki: bool = option("Write three players as paifu, with the item penuki, which other programs do not read.")
    line: bool = option("Add a column to a table of decisions: each as a position line, for `jantaku show`.")
    ruling: RuleOptions = rules("Rules of IN, if it does not name them.")
    called: TitleOptions = TitleOptions.group()
    opened_by: SeedsOf = opened_by()


@ConvertOptions.command(epilog=EPILOG)
def command(options: ConvertOptions) -> int:
    """Convert the record IN to OUT (- for the standard output), and say what OUT cannot hold; or all records of folders
    to a folder, or to a table of decisions.

    A file that is there already is never overwritten. What cannot be read is named, left out, and leads to exit code 2.
    """
    words = parted(options.paths)
    if words.target.suffix == ".parquet":
        return _tabulate(options, words)
    if options.line:
        raise BadInput(f"--line: {words.target} has no columns; a table of decisions ends with .parquet")
    if words.several:
        return _convert_all(options, words)
    ((source, _),) = words.found
    target = words.target
    read = _read(options, source)
    form = options.target_form or format_of(target)
    content, lost = _written(options, read.record, form)
    for note in read.notes:
        say(f"{source}: {note}", err=True)
    for note in lost:
        say(f"not in {form}: {note}", err=True)
    if str(target) == "-":
        sys.stdout.buffer.write(content)
    else:
        write_whole(target, content)
        say(f"{target}: {form}, {len(read.record.log)} kyoku", err=True)
    return 0


def _read(options: ConvertOptions, source: Path) -> Read:
    read = read_any(source, options.ruling.foreign(FILES), options.source_form, options.opened_by)
    called = options.called
    if called.title or called.date:
        title, _, date = read.record.title.partition("\n")
        seed, number = read.record.seed, read.record.number
        read.record.title = titled(called.title or title, called.date or date, seed, number)
    return read


def _written(options: ConvertOptions, record: Record, form: Format) -> tuple[bytes, list[str]]:
    """Write the record. BadInput for a format that cannot express the game (T-76)."""
    if len(record.names) == THREE and form in ("paifu", "2015") and not (form == "paifu" and options.penuki):
        way = "--penuki" if form == "paifu" else "--write-as paifu --penuki"
        raise BadInput(f"{record.path}: Majiang's format has four players only; {way} writes three in our own format")
    return write_any(record, form, options.dialect)


def _convert_all(options: ConvertOptions, words: InsAndOut) -> int:
    form = options.target_form
    if form is None:
        formats = ", ".join(FORMATS)
        raise BadInput(
            f"{words.target}: several records are written to a folder; name the format with --write-as ({formats})"
        )
    written, targets = 0, _targets(words.found, words.target, ending_of(form))

    def convert(one: Found) -> str:
        nonlocal written
        read = _read(options, one.path)
        content, _ = _written(options, read.record, form)
        target = targets[one.path]
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"{target} cannot be written: {error.strerror}") from error
        write_whole(target, content)
        written += 1
        return "\n".join(f"{one.path}: {note}" for note in read.notes) if read.kept else ""

    code = each(words.found, convert)
    say(f"{words.target}: {form}, {written} record{'s' * (written != 1)}", err=True)
    return code


def _targets(found: Sequence[Found], folder: Path, ending: str) -> dict[Path, Path]:
    """Return the file in `folder` for every record. BadInput if one exists already, or two records would share one."""
    sources: dict[Path, Path] = {}
    for path, place in found:
        target = folder / place.with_name(place.name + ending)
        if target in sources:
            raise BadInput(f"{sources[target]} and {path} would both become {target}; convert them to two folders")
        if os.path.lexists(target):
            raise BadInput(f"{target} exists already; nothing was overwritten")
        sources[target] = path
    return {path: target for target, path in sources.items()}


def _tabulate(options: ConvertOptions, words: InsAndOut) -> int:
    """Write the decisions of all records to one table, record after record."""
    with DecisionTable(words.target, lined=options.line) as table:

        def add(one: Found) -> str:
            read = _read(options, one.path)
            if not words.several:
                say(*(f"{one.path}: {note}" for note in read.notes), err=True)
            where = table.add(read.record)
            return f"{one.path}: decisions only up to {where}" if where else ""

        code = each(words.found, add)
    rows = f"{table.rows} decision{'s' * (table.rows != 1)}"
    say(f"{words.target}: {rows} of {table.games} game{'s' * (table.games != 1)}", err=True)
    return code
