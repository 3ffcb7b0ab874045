"""`jantaku convert`: a record from one format to another."""

import sys
from pathlib import Path

import click

from table.cli.looking.records import RecordFile, seed_option
from table.cli.options import RuleOptions, options_of, rule_options
from table.cli.say import say
from table.convert.mjai import DIALECTS
from table.convert.reading import FORMATS, Format, read_any
from table.convert.writing import format_of, write_any
from table.record.lines import write_whole
from table.record.unsealed import SeedsOf
from table.replay.decisions import write_parquet

EPILOG = """Formats: journal (ours, .jsonl) · paifu (majiang-core 1.x, .json) · 2015 (.2015.json) · mjai (.mjai.jsonl,
.mjson) · tenhou6 (tenhou.net/6, .tenhou6.json). The format of IN is found out, that of OUT is taken from its name.
OUT.parquet becomes a table of all decisions, for programs that learn (needs jantaku[parquet]).

\b
  jantaku convert records/…/game-0000.jsonl game.mjson
  jantaku convert log.json game.jsonl --rules mahjongsoul
"""


class ConvertOptions(RuleOptions, frozen=True, kw_only=True):
    """What was asked for."""

    source: Path
    target: Path
    source_form: Format | None
    target_form: Format | None
    dialect: str
    opened_by: SeedsOf


@click.command(epilog=EPILOG)
@click.argument("source", type=RecordFile(), metavar="IN")
@click.argument("target", type=click.Path(path_type=Path, allow_dash=True), metavar="OUT")
@click.option("--from", "source_form", type=click.Choice(FORMATS), help="Format of IN.")
@click.option("--to", "target_form", type=click.Choice(FORMATS), help="Format of OUT; needed for OUT = -.")
@click.option("--dialect", type=click.Choice(DIALECTS), default="wide", show_default=True, help="Of mjai.")
@rule_options("Rules of IN where it does not tell them.")
@seed_option
@options_of(ConvertOptions)
def command(options: ConvertOptions) -> None:
    """Convert the record IN to OUT (- for the standard output), and say what OUT cannot hold.

    A file that is there already is never overwritten.
    """
    source, target = options.source, options.target
    read = read_any(source, options.of_foreign, options.source_form, options.opened_by)
    if target.suffix == ".parquet":
        say(f"{target}: {write_parquet(target, [read.record])} decisions", err=True)
        return
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
