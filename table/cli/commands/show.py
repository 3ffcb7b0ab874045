"""`jantaku show`: draws a position in the terminal, from a record or a position line."""

import re
import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from jantaku.table.cli.commands.records import RecordFile, opened_by
from jantaku.table.cli.options import CommandOptions, RuleOptions, WholeNumber, argument, option, rules
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.entry import Reading, game_of_record
from jantaku.table.records.convert.readers import Readable
from jantaku.table.records.journal.killed import SeedsOf
from jantaku.table.records.view.moment import Moment, moment_of_line
from jantaku.table.riichi.line import read_line

PLAIN_WIDTH = 160
"""Columns without a terminal, so that lines do not wrap."""
_LINE = re.compile(r"\s*jtk\d+(?:\s|$)")


def is_line(text: str) -> bool:
    """Whether a word of the command line is a position line. Raises BadInput for the beginning of one."""
    if not _LINE.match(text):
        return False
    if len(text.split()) == 1:
        raise BadInput(f"a position line has spaces; put all of it in single quotes: jantaku show '{text} …'")
    return True


class RecordOrLine(RecordFile):
    """A file with a record, or a position line."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return str(value) if is_line(str(value)) else super().convert(value, param, ctx)


class ShowOptions(CommandOptions):
    """The command's options."""

    source: Path | str = argument("FILE|'LINE'", type=RecordOrLine())
    kyoku: int | None = option("The kyoku or round, from 1.  [default: 1]", type=WholeNumber(1))
    turn: int | None = option("The turn in it, from 1.", type=WholeNumber(0))
    line: bool = option("Print the questions of that turn, or of all turns, as lines.")
    form: Readable | None = option("Format of the file.  [default: found out]", flag="--read-as")
    ruling: RuleOptions = rules("Rules of a record that does not tell its own.", changes=False)
    json: bool = option("One JSON object with what each seat sees.")
    svg: bool = option("A picture of the table (SVG), for a page or notebook.")
    opened_by: SeedsOf = opened_by()


@ShowOptions.command(
    epilog="""A turn is a discard, kan or win, in 大富豪 a play or pass; --turn 0 is the deal. Without --turn the end.

LINE is one question to one seat of riichi, in single quotes: all that the seat may know, as --line prints it
(docs/position-line.md). Its board is drawn, with the options and the shanten.

\b
  jantaku show games/game-0000.jsonl --kyoku 2 --turn 12
  jantaku show games/game-0000.jsonl --kyoku 2 --turn 12 --line
  jantaku show 'jtk1 tenhou E1 … ask=S/draw'
"""
)
def command(options: ShowOptions) -> None:
    """Print the table as it stood after a turn of a record of any format, or as a line tells it."""
    if isinstance(options.source, Path) and options.line:
        _print_lines(options, options.source)
        return
    moment = _moment(options)
    if moment.hidden:
        say(f"{options.source}: {moment.hidden}", err=True)
    if options.svg:
        if not moment.svg:
            raise BadInput(f"{options.source}: there is no picture of this game; without --svg it is printed")
        say(moment.svg)
        return
    if options.json:
        say(msgspec.json.encode(moment.data))
        return
    console = Screen(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    console.print(moment.table)
    console.say(moment.said)


def _moment(options: ShowOptions) -> Moment:
    if isinstance(options.source, Path):
        game = game_of_record(options.source)
        return game.moment(options.source, _reading(options), options.kyoku or 1, options.turn)
    given: dict[str, Any] = {"--kyoku": options.kyoku, "--turn": options.turn, "--line": options.line or None}
    given |= {"--read-as": options.form, "--rules": options.ruling.rules}
    if needless := [flag for flag, value in given.items() if value is not None]:
        raise BadInput(f"{', '.join(needless)}: for a record; a position line is one question, and names its rules")
    return moment_of_line(read_line(options.source))


def _print_lines(options: ShowOptions, file: Path) -> None:
    if options.json:
        raise BadInput("--line and --json exclude each other; give one of them")
    number, printed = options.kyoku or 1, False
    for line in game_of_record(file).lines(file, _reading(options), number, options.turn):
        say(line)
        printed = True
    if not printed:
        turn = "" if options.turn is None else f" turn {options.turn}"
        raise BadInput(
            f"{file} kyoku {number}{turn}: no seat had more than one option there; another --turn may have one"
        )


def _reading(options: ShowOptions) -> Reading:
    return Reading(options.ruling, options.form, options.opened_by)
