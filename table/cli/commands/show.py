"""`jantaku show`: a position of a record in the terminal."""

import sys
from pathlib import Path

import msgspec

from jantaku.table.cli.commands.records import RecordFile, opened_by
from jantaku.table.cli.options import CommandOptions, RuleOptions, WholeNumber, argument, option, rules
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.games.entry import Reading
from jantaku.table.play.games.known import game_of_record
from jantaku.table.records.convert.readers import Readable
from jantaku.table.records.journal.sealed import SeedsOf

PLAIN_WIDTH = 160
"""Columns without a terminal, so that lines do not wrap."""


class ShowOptions(CommandOptions):
    """The command's options."""

    file: Path = argument("FILE", type=RecordFile())
    kyoku: int = option("The kyoku or round, from 1.", type=WholeNumber(1), default=1)
    turn: int | None = option("The turn in it, from 1.", type=WholeNumber(0))
    form: Readable | None = option("Format of the file.  [default: found out]", flag="--read-as")
    ruling: RuleOptions = rules("Rules of a record that does not tell its own.", changes=False)
    json: bool = option("One JSON object with what each seat sees.")
    svg: bool = option("A picture of the table (SVG), for a page or notebook.")
    opened_by: SeedsOf = opened_by()


@ShowOptions.command(
    epilog="A turn is a discard, kan or win, in 大富豪 a play or pass; --turn 0 is the deal. Without --turn the end."
)
def command(options: ShowOptions) -> None:
    """Print the table as it stood after a turn of a record of any format."""
    file, reading = options.file, Reading(options.ruling, options.form, options.opened_by)
    moment = game_of_record(file).moment(file, reading, options.kyoku, options.turn)
    if moment.hidden:
        say(f"{file}: {moment.hidden}", err=True)
    if options.svg:
        if not moment.svg:
            raise BadInput(f"{file}: there is no picture of this game; without --svg it is printed")
        say(moment.svg)
        return
    if options.json:
        say(msgspec.json.encode(moment.data))
        return
    console = Screen(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    console.print(moment.table)
    console.say(moment.said)
