"""`jantaku convert`: a record from one format to another."""

import sys
from pathlib import Path

import click

from table.cli.say import say
from table.convert.mjai import DIALECTS
from table.convert.reading import FORMATS, Format, read_any
from table.convert.writing import format_of, write_any
from table.errors import BadInput
from table.record.decisions import write_parquet
from table.record.lines import write_whole
from table.riichi import ruleset
from table.riichi.rules import Rules
from table.settings import split_texts

EPILOG = """Formats: journal (ours, .jsonl) · paifu (majiang-core 1.x, .json) · 2015 (.2015.json) · mjai (.mjai.jsonl,
.mjson) · tenhou6 (tenhou.net/6, .tenhou6.json). The format of IN is found out, that of OUT is taken from its name.
OUT.parquet becomes a table of all decisions, for programs that learn (needs jantaku[parquet]).

\b
  jantaku convert records/…/game-0000.jsonl game.mjson
  jantaku convert log.json game.jsonl --rules mahjongsoul
"""


@click.command(epilog=EPILOG)
@click.argument("source", type=click.Path(path_type=Path), metavar="IN")
@click.argument("target", type=click.Path(path_type=Path, allow_dash=True), metavar="OUT")
@click.option("--from", "source_form", type=click.Choice(FORMATS), help="Format of IN.")
@click.option("--to", "target_form", type=click.Choice(FORMATS), help="Format of OUT; needed for OUT = -.")
@click.option("--dialect", type=click.Choice(DIALECTS), default="wide", show_default=True, help="Of mjai.")
@click.option("--rules", "rule_source", metavar="PRESET|FILE", help="Rules of IN where it does not tell them.")
@click.option("--set", "texts", multiple=True, metavar="KEY=VALUE", help="Change one rule.")
def command(
    source: Path,
    target: Path,
    source_form: Format | None,
    target_form: Format | None,
    dialect: str,
    rule_source: str | None,
    texts: tuple[str, ...],
) -> None:
    """Convert the record IN to OUT (- for the standard output), and say what OUT cannot hold.

    A file that is there already is never overwritten.
    """
    read = read_any(source, rules_given(rule_source, texts), source_form)
    if target.suffix == ".parquet":
        say(f"{target}: {write_parquet(target, [read.record])} decisions", err=True)
        return
    form = target_form or format_of(target)
    content, lost = write_any(read.record, form, dialect)
    for note in read.notes:
        say(f"{source}: {note}", err=True)
    for note in lost:
        say(f"not in {form}: {note}", err=True)
    if str(target) == "-":
        sys.stdout.buffer.write(content)
    else:
        write_whole(target, content)
        say(f"{target}: {form}, {len(read.record.log)} kyoku", err=True)


def rules_given(source: str | None, texts: tuple[str, ...]) -> Rules | None:
    """The rules of the options --rules and --set; None if neither is given. Raises BadInput."""
    changes = split_texts(texts, "--set")
    if source is None:
        if changes:
            raise BadInput("--set changes the rules that --rules names; give both")
        return None
    rules = ruleset.resolve(source).rules
    return ruleset.with_settings(rules, changes) if changes else rules
