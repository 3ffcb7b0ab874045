"""`jantaku decisions`: every decision of many records as one table for programs that learn."""

from collections.abc import Sequence
from pathlib import Path

from jantaku.table.cli.commands.many import Found, each, ins_and_out, parted
from jantaku.table.cli.commands.records import opened_by
from jantaku.table.cli.options import CommandOptions, RuleOptions, option, rules
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.killed import SeedsOf
from jantaku.table.records.replay.decision_table import DecisionTable
from jantaku.table.riichi.ruleset import FILES

EPILOG = """IN: records of any format that `jantaku convert` reads, folders of matches and games, trees of records. Of
one game in several formats, lying side by side, one is taken. OUT is a Parquet file (needs jantaku[parquet]).

\b
  jantaku decisions matches/2025-08-01 decisions.parquet
  jantaku decisions logs/ more/*.mjson decisions.parquet --rules tenhou
  jantaku decisions logs/ decisions.parquet --line

Exit code 0 if all went into the table, 1 if some only up to where the rules do not fit them, 2 if some could not be
read.
"""


class DecisionsOptions(CommandOptions):
    """The command's options."""

    paths: tuple[Path, ...] = ins_and_out()
    ruling: RuleOptions = rules("Rules of records that do not tell theirs.")
    line: bool = option("Also a column with each question as a line, for `jantaku show 'LINE'`.")
    opened_by: SeedsOf = opened_by()


@DecisionsOptions.command(epilog=EPILOG)
def command(options: DecisionsOptions) -> int:
    """Write every decision of the records IN to the table OUT: what the seat saw, what it could do and did, and what
    came of it. Actions are numbers that never change.

    A file that is there already is never overwritten.
    """
    words = parted(options.paths)
    return tabulate(words.found, words.target, options.ruling, options.opened_by, lined=options.line)


def tabulate(found: Sequence[Found], target: Path, ruling: RuleOptions, seeds: SeedsOf, *, lined: bool = False) -> int:
    """Write the decisions of all these records to one table, record after record, if `lined` with their position
    lines. Return the exit code."""
    if target.suffix != ".parquet":
        raise BadInput(f"{target}: a table of decisions is a Parquet file; end its name with .parquet")
    given = ruling.foreign(FILES)
    with DecisionTable(target, lined=lined) as table:

        def add(one: Found) -> str:
            read = read_any(one.path, given, seeds=seeds)
            if len(found) == 1:
                say(*(f"{one.path}: {note}" for note in read.notes), err=True)
            where = table.add(read.record)
            return f"{one.path}: decisions only up to {where}" if where else ""

        code = each(found, add)
    rows = f"{table.rows} decision{'s' * (table.rows != 1)}"
    say(f"{target}: {rows} of {table.games} game{'s' * (table.games != 1)}", err=True)
    return code
