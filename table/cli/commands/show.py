"""`jantaku show`: prints a position of a record, a position line or a hand, as text, as a picture or in facts."""

import os
import re
import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from jantaku.table.cli.commands.facts import NOBODY, FactsOptions, print_hand, print_of_line, print_of_record
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
from jantaku.table.riichi.points.hand import Hand

PLAIN_WIDTH = 160
"""Columns without a terminal, so that lines do not wrap."""
_LINE = re.compile(r"\s*jtk\d+(?:\s|$)")
_HAND = re.compile(r"[\dmpsz+=, -]*\d[\dmpsz+=, -]*")


def is_line(text: str) -> bool:
    """Whether a word of the command line is a position line. Raises BadInput for the beginning of one."""
    if not _LINE.match(text):
        return False
    if len(text.split()) == 1:
        raise BadInput(f"a position line has spaces; put all of it in single quotes: jantaku show '{text} …'")
    return True


class RecordLineOrHand(RecordFile):
    """A file with a record, a position line, or a hand."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = str(value)
        if is_line(text):
            return text
        if _HAND.fullmatch(text) and not os.path.lexists(text):
            return Hand(text)
        return super().convert(value, param, ctx)


class ShowOptions(CommandOptions):
    source: Path | str | Hand = argument("FILE|'LINE'|'HAND'", type=RecordLineOrHand())
    kyoku: int | None = option("The kyoku or round, from 1.  [default: 1]", type=WholeNumber(1))
    turn: int | None = option("The turn in that kyoku or round, from 1.", type=WholeNumber(0))
    line: bool = option("Print the questions of that turn, or of all turns, as position lines.")
    worked: FactsOptions = FactsOptions.group()
    form: Readable | None = option("Format of the file.  [default: detected]", flag="--read-as")
    ruling: RuleOptions = rules("Rules of a record that does not name its own.", changes=False)
    svg: bool = option("Print a picture of the table or hand (SVG), for a page or notebook.")
    opened_by: SeedsOf = opened_by()


@ShowOptions.command(
    epilog="""A turn is a discard, kan or win, in 大富豪 a play or pass; --turn 0 is the deal. Without --turn: its end.

LINE is one question to one seat of riichi, in single quotes: all that the seat may know, as --line prints it
(docs/position-line.md). Its board is drawn, with the options and the shanten.

HAND is tiles, the drawn tile after +, then melds: s78-9 (chi), z222= (pon), p5555 (ankan), p505=5 (kakan). The mark
after the called tile says from which seat it came: - left, = opposite, + right. 0 is a red five.

The facts count the copies of a tile that the seat does not see, and points without honba, sticks and ura dora.

\b
  jantaku show games/game-0000.jsonl --kyoku 2 --turn 12
  jantaku show games/game-0000.jsonl --kyoku 2 --turn 12 --line
  jantaku show games/game-0000.jsonl --kyoku 2 --turn 12 --facts --worth 100 --by shanten
  jantaku show 'jtk1 tenhou E1 … ask=S/draw'
  jantaku show 'm123p406s27899z11 +m4' --svg > hand.svg
"""
)
def command(options: ShowOptions) -> None:
    """Print the table as it stood after a turn of a record of any format, or as a position line tells it; or a hand."""
    source, worked = options.source, options.worked
    worked.check()
    _refuse_needless(options)
    if isinstance(source, Hand):
        if options.svg:
            say(source.svg())
        else:
            print_hand(source)
    elif options.line or worked.facts:
        _print_questions(options, source)
    else:
        _print_moment(options, _moment(options, source))


def _refuse_needless(options: ShowOptions) -> None:
    """BadInput for options that say nothing about this source, or exclude each other."""
    worked, source = options.worked, options.source
    given: dict[str, Any] = {"--kyoku": options.kyoku, "--turn": options.turn, "--line": options.line or None}
    given |= {"--player": worked.player, "--read-as": options.form, "--rules": options.ruling.rules}
    if isinstance(source, Hand):
        given |= {"--facts": worked.facts or None, "--json": worked.json or None}
    needless = [flag for flag, value in given.items() if value is not None]
    if needless and isinstance(source, Hand):
        raise BadInput(f"{', '.join(needless)}: not for a hand; it takes only --svg")
    if needless and isinstance(source, str):
        raise BadInput(f"{', '.join(needless)}: only for records; a position line is one question, and names its rules")
    chosen = {"--line": options.line, "--facts": worked.facts, "--svg": options.svg}
    chosen |= {"--json": worked.json and not worked.facts}
    if len(excluding := [flag for flag, wanted in chosen.items() if wanted]) > 1:
        raise BadInput(f"{' and '.join(excluding)} exclude each other; give one of them")


def _print_questions(options: ShowOptions, source: Path | str) -> None:
    number, printed = options.kyoku or 1, False
    if isinstance(source, str):
        print_of_line(options.worked, source)
        return
    if options.worked.facts:
        print_of_record(options.worked, source, _reading(options), number, options.turn)
        return
    for line in game_of_record(source).lines(source, _reading(options), number, options.turn):
        say(line)
        printed = True
    if not printed:
        turn = "" if options.turn is None else f" turn {options.turn}"
        raise BadInput(NOBODY.format(file=source, kyoku=number, turn=turn))


def _moment(options: ShowOptions, source: Path | str) -> Moment:
    if isinstance(source, str):
        return moment_of_line(read_line(source))
    return game_of_record(source).moment(source, _reading(options), options.kyoku or 1, options.turn)


def _print_moment(options: ShowOptions, moment: Moment) -> None:
    if moment.hidden:
        say(f"{options.source}: {moment.hidden}", err=True)
    if options.svg:
        if not moment.svg:
            raise BadInput(f"{options.source}: there is no picture of this game; leave --svg away to print it as text")
        say(moment.svg)
        return
    if options.worked.json:
        say(msgspec.json.encode(moment.data))
        return
    console = Screen(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    console.print(moment.table)
    console.say(moment.said)


def _reading(options: ShowOptions) -> Reading:
    return Reading(options.ruling, options.form, options.opened_by)
