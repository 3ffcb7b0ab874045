"""`jantaku convert`: a record from one format to another."""

import sys
from pathlib import Path

import click

from table.cli.looking.records import RecordFile, opened_by
from table.cli.options import CommandOptions, RuleOptions, TitleOptions, argument, option, rules
from table.cli.say import say
from table.convert.mjai import DIALECTS
from table.convert.reading import Format, read_any
from table.convert.writing import format_of, write_any
from table.record.header import titled
from table.record.lines import write_whole
from table.record.unsealed import SeedsOf
from table.replay.decisions import write_parquet
from table.riichi.ruleset import FILES

EPILOG = """Formats: journal (ours, .jsonl) · paifu (majiang-core 1.x, .json) · 2015 (.2015.json) · mjai (.mjai.jsonl,
.mjson) · tenhou6 (tenhou.net/6, .tenhou6.json). The format of IN is found out, that of OUT is taken from its name.
OUT.parquet becomes a table of all decisions, for programs that learn (needs jantaku[parquet]).

\b
  jantaku convert records/…/game-0000.jsonl game.mjson
  jantaku convert log.json game.jsonl --rules mahjongsoul
"""


class ConvertOptions(CommandOptions):
    """The command's options."""

    source: Path = argument("IN", type=RecordFile())
    target: Path = argument("OUT", type=click.Path(path_type=Path, allow_dash=True))
    source_form: Format | None = option("Format of IN.", flag="--read-as")
    target_form: Format | None = option("Format of OUT; needed for OUT = -.", flag="--write-as")
    dialect: str = option("Of mjai.", type=click.Choice(DIALECTS), default="wide")
    ruling: RuleOptions = rules("Rules of IN where it does not tell them.")
    called: TitleOptions = TitleOptions.group()
    opened_by: SeedsOf = opened_by()


@ConvertOptions.command(epilog=EPILOG)
def command(options: ConvertOptions) -> None:
    """Convert the record IN to OUT (- for the standard output), and say what OUT cannot hold.

    A file that is there already is never overwritten.
    """
    source, target = options.source, options.target
    read = read_any(source, options.ruling.foreign(FILES), options.source_form, options.opened_by)
    if target.suffix == ".parquet":
        say(f"{target}: {write_parquet(target, [read.record])} decisions", err=True)
        return
    called = options.called
    if called.title or called.date:
        title, _, date = read.record.title.partition("\n")
        seed, number = read.record.seed, read.record.number
        read.record.title = titled(called.title or title, called.date or date, seed, number)
    form = options.target_form or format_of(target)
    content, lost = write_any(read.record, form, options.dialect)
    for note in read.notes:
        say(f"{source}: {note}", err=True)
    for note in lost:
        say(f"not in {form}: {note}", err=True)
    if str(target) == "-":
        sys.stdout.buffer.write(content)
    else:
        write_whole(target, content)
        say(f"{target}: {form}, {len(read.record.log)} kyoku", err=True)
