"""`jantaku show`: a position of a record in the terminal."""

import sys
from pathlib import Path

import click
import msgspec

from table.cli.looking.records import RecordFile, seed_option, told_as_hidden
from table.cli.options import RuleOptions, rule_options
from table.cli.say import say
from table.cli.screen import Screen
from table.convert.reading import FORMATS, Format, read_any
from table.errors import BadInput
from table.formats.facts import DrawFact, WinFact
from table.formats.follow import Follower
from table.formats.majiang.items import item_of
from table.formats.majiang.words import Item
from table.record.read import Record
from table.record.unsealed import SeedsOf
from table.replay.decisions import view_of
from table.riichi import events
from table.riichi.pieces.seats import after
from table.view.terminal import position

PLAIN_WIDTH = 160
"""Columns where there is no terminal, so that lines do not break."""
_TURN_ENDS = (events.Discard, events.Kan, WinFact, DrawFact)


@click.command(epilog="A turn is a discard, kan or win; --turn 0 is the deal. Without --turn the end of the kyoku.")
@click.argument("file", type=RecordFile(), metavar="FILE")
@click.option("--kyoku", type=click.IntRange(1), default=1, show_default=True, help="The kyoku, from 1.")
@click.option("--turn", type=click.IntRange(0), help="The turn within the kyoku, from 1.")
@click.option("--from", "form", type=click.Choice(FORMATS), help="Format of the file.  [default: found out]")
@rule_options("Rules of a record that does not tell its own.", changes=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object with what each seat sees.")
@seed_option
def command(
    file: Path,
    kyoku: int,
    turn: int | None,
    form: Format | None,
    rules: str | None,
    as_json: bool,
    opened_by: SeedsOf,
) -> None:
    """Print the table as it stood after a turn of a record of any format."""
    record = read_any(file, RuleOptions(rules=rules).of_foreign, form, opened_by).record
    told_as_hidden(record)
    if kyoku > len(record.log):
        raise BadInput(f"{file} has no kyoku {kyoku}; it has {len(record.log)}")
    follower, last = _followed(record, kyoku, turn)
    names = [record.names[after(record.first_dealer, follower.board.kyoku + seat)] for seat in range(4)]
    if as_json:
        views = [msgspec.to_builtins(view_of(follower.board, seat)) for seat in range(4)]
        say(msgspec.json.encode({"kyoku": kyoku, "event": follower.count, "names": names, "views": views}))
        return
    console = Screen(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    console.print(position(follower.board, names, follower.board.last_seat))
    console.say(f"kyoku {kyoku} event {follower.count}: {msgspec.json.encode(last).decode()}")


def _followed(record: Record, kyoku: int, turn: int | None) -> tuple[Follower, Item | None]:
    """The board after a turn of a kyoku, and the item that made it."""
    facts = record.log[kyoku - 1]
    ends = [number for number, fact in enumerate(facts) if isinstance(fact, _TURN_ENDS)]
    stop = len(facts) if turn is None else 1
    if turn:
        if turn > len(ends):
            raise BadInput(f"{record.path} kyoku {kyoku} has no turn {turn}; it has {len(ends)} turns")
        stop = ends[turn - 1] + 1
    follower = Follower(f"{record.path} kyoku {kyoku}")
    for fact in facts[:stop]:
        follower.take(fact)
    return follower, item_of(facts[stop - 1])
