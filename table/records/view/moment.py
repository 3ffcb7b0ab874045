"""A moment of a record in the terminal: the common type, and riichi's moments."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from rich.console import RenderableType

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import DrawFact, Fact, Follower, WinFact
from jantaku.table.languages.majiang.items import item_of
from jantaku.table.languages.majiang.rule import reply
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.decisions import decisions_seen, view_of
from jantaku.table.records.replay.drive import Difference
from jantaku.table.records.view.riichi import table_svg
from jantaku.table.records.view.terminal import position as draw_table
from jantaku.table.riichi import events
from jantaku.table.riichi.flow.view import WaitsView
from jantaku.table.riichi.line import Position
from jantaku.table.riichi.line.checks import Subject
from jantaku.table.riichi.option_numbers import number_of
from jantaku.table.riichi.pieces.seats import WINDS, after
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.ruleset import DEFAULT, preset
from jantaku.table.riichi.words import word_of

_TURN_ENDS = (events.TileDiscard, events.OwnKan, events.NorthAside, WinFact, DrawFact)


class Moment(NamedTuple):
    """The table at one moment: drawn, as data, and with the last event in one line."""

    table: RenderableType
    data: dict[str, Any]
    said: str
    hidden: str = ""
    """Why only the public part of the record could be read; empty for a whole record."""
    svg: str = ""
    """The table as a picture; empty for a game that has none."""

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        return self.svg or None


def moment_of(record: Record, kyoku: int, turn: int | None) -> Moment:
    """The table after a turn of a kyoku, both counted from 1; turn 0 is the deal, None the end. Raises BadInput if
    there is no such turn."""
    _refuse_kyoku(record, kyoku)
    facts = _facts(record, kyoku, turn)
    follower, waiting = Follower(f"{record.path} kyoku {kyoku}"), WaitsView(record.rules or preset(DEFAULT))
    for fact in facts:
        follower.take(fact)
        if isinstance(fact, events.Event):
            waiting.follow(fact)
    board = follower.board
    seats = range(board.seats)
    names = [record.names[after(record.first_dealer, board.kyoku + seat, len(seats))] for seat in seats]
    views = [msgspec.to_builtins(view_of(board, seat)) for seat in seats]
    return Moment(
        draw_table(board, names, board.last_seat, ready=waiting.ready),
        {"kyoku": kyoku, "event": follower.count, "names": names, "views": views},
        f"kyoku {kyoku} event {follower.count}: {msgspec.json.encode(item_of(facts[-1])).decode()}",
        record.hidden,
        table_svg(board, names, acting=board.last_seat),
    )


def lines_of(record: Record, kyoku: int, turn: int | None) -> Iterator[str]:
    """Yield the position line of every question in a turn of a kyoku, both counted from 1; with None in all of its
    turns. Raises BadInput if the record has no such kyoku, if its rules are not known, or from where on they do not fit
    it."""
    _refuse_kyoku(record, kyoku)
    if record.hidden:
        raise BadInput(f"{record.path}: {record.hidden}; decisions are not known")
    differences: list[Difference] = []
    for one in decisions_seen(record, view_of, parted=differences.append, lined=True):
        if one.kyoku == kyoku and turn in (one.turn, None):
            yield one.line
        elif one.kyoku > kyoku:
            return
    if differences:
        raise BadInput(f"{record.path}: decisions only up to {differences[0]}")


def moment_of_line(position: Position) -> Moment:
    """The table of a position line, with what is asked and the options."""
    board, seat, tile = position.board, position.seat, position.board.last_tile
    told = _ASKED[position.asked].format(tile="" if tile is None else NAMES[tile], seat=WINDS[board.last_seat])
    shanten = shapes.shanten(board.hands[seat].counts)
    options = position.choice.options
    return Moment(
        draw_table(board, ("",) * board.seats, board.last_seat, ready=position.ready),
        {
            "line": position.line,
            "asked": position.asked,
            "view": msgspec.to_builtins(view_of(board, seat)),
            "options": [reply(option) for option in options],
            "numbers": [number_of(option) for option in options],
            "shanten": shanten,
        },
        f"{WINDS[seat]} {told}, shanten {shanten}; it may: {' '.join(map(word_of, options))}",
        svg=table_svg(board, ("",) * board.seats, seat, board.last_seat),
    )


_ASKED = {
    Subject.DRAW: "has drawn {tile}",
    Subject.RINSHAN: "has drawn {tile} from the dead wall",
    Subject.CALL: "has called {tile} and discards",
    Subject.DISCARD: "may claim {tile} of {seat}",
    Subject.KAKAN: "may rob {tile}, which {seat} adds to a kan",
    Subject.ANKAN: "may rob the closed kan {tile} of {seat}",
    Subject.NORTH: "may win on {tile}, which {seat} sets aside",
    Subject.TENPAI: "may declare tenpai",
}


def _refuse_kyoku(record: Record, kyoku: int) -> None:
    if kyoku > len(record.log):
        raise BadInput(f"{record.path} has no kyoku {kyoku}; it has {len(record.log)}")


def _facts(record: Record, kyoku: int, turn: int | None) -> Sequence[Fact]:
    """The facts of a kyoku up to the end of a turn."""
    facts = record.log[kyoku - 1]
    ends = [number for number, fact in enumerate(facts) if isinstance(fact, _TURN_ENDS)]
    stop = len(facts) if turn is None else 1
    if turn:
        if turn > len(ends):
            raise BadInput(
                f"{record.path} kyoku {kyoku} has no turn {turn}; it has {len(ends)} turn{'s' * (len(ends) != 1)}"
            )
        stop = ends[turn - 1] + 1
    return facts[:stop]
