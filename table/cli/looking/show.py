"""`jantaku show`: a position of a record in the terminal."""

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from table.cli.looking.records import RecordFile, opened_by, told_as_hidden
from table.cli.options import CommandOptions, RuleOptions, WholeNumber, argument, option, rules
from table.cli.say import say
from table.cli.screen import Screen
from table.convert.reading import Format, read_any
from table.errors import BadInput
from table.formats.facts import DrawFact, Fact, WinFact
from table.formats.follow import Follower
from table.formats.majiang.items import item_of
from table.record.read import Record
from table.record.unsealed import SeedsOf
from table.replay.decisions import view_of
from table.riichi import events
from table.riichi.flow.view import WaitsView
from table.riichi.pieces.seats import after
from table.riichi.ruleset import DEFAULT, FILES, preset
from table.view.terminal import position

PLAIN_WIDTH = 160
"""Columns assumed where there is no terminal, so that lines do not wrap."""
_TURN_ENDS = (events.TileDiscard, events.OwnKan, WinFact, DrawFact)


class ShowOptions(CommandOptions):
    """The command's options."""

    file: Path = argument("FILE", type=RecordFile())
    kyoku: int = option("The kyoku, from 1.", type=WholeNumber(1), default=1)
    turn: int | None = option("The turn within the kyoku, from 1.", type=WholeNumber(0))
    form: Format | None = option("Format of the file.  [default: found out]", flag="--read-as")
    ruling: RuleOptions = rules("Rules of a record that does not tell its own.", changes=False)
    json: bool = option("One JSON object with what each seat sees.")
    opened_by: SeedsOf = opened_by()


@ShowOptions.command(
    epilog="A turn is a discard, kan or win; --turn 0 is the deal. Without --turn the end of the kyoku."
)
def command(options: ShowOptions) -> None:
    """Print the table as it stood after a turn of a record of any format."""
    file, kyoku = options.file, options.kyoku
    record = read_any(file, options.ruling.foreign(FILES), options.form, options.opened_by).record
    told_as_hidden(record)
    if kyoku > len(record.log):
        raise BadInput(f"{file} has no kyoku {kyoku}; it has {len(record.log)}")
    facts = _facts(record, kyoku, options.turn)
    follower, waiting = Follower(f"{file} kyoku {kyoku}"), WaitsView(record.rules or preset(DEFAULT))
    for fact in facts:
        follower.take(fact)
        if isinstance(fact, events.Event):
            waiting.follow(fact)
    names = [record.names[after(record.first_dealer, follower.board.kyoku + seat)] for seat in range(4)]
    if options.json:
        views = [msgspec.to_builtins(view_of(follower.board, seat)) for seat in range(4)]
        say(msgspec.json.encode({"kyoku": kyoku, "event": follower.count, "names": names, "views": views}))
        return
    console = Screen(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    console.print(position(follower.board, names, follower.board.last_seat, ready=waiting.ready))
    console.say(f"kyoku {kyoku} event {follower.count}: {msgspec.json.encode(item_of(facts[-1])).decode()}")


def _facts(record: Record, kyoku: int, turn: int | None) -> Sequence[Fact]:
    """What happened in a kyoku up to the end of a turn."""
    facts = record.log[kyoku - 1]
    ends = [number for number, fact in enumerate(facts) if isinstance(fact, _TURN_ENDS)]
    stop = len(facts) if turn is None else 1
    if turn:
        if turn > len(ends):
            raise BadInput(f"{record.path} kyoku {kyoku} has no turn {turn}; it has {len(ends)} turns")
        stop = ends[turn - 1] + 1
    return facts[:stop]
