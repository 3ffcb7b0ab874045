"""A moment of a record in the terminal: the common type, and riichi's moments."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from rich.console import RenderableType

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import DrawFact, Fact, WinFact
from jantaku.table.languages.follow import Follower
from jantaku.table.languages.majiang.items import item_of
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.decisions import view_of
from jantaku.table.records.view.terminal import position
from jantaku.table.riichi import events
from jantaku.table.riichi.flow.view import WaitsView
from jantaku.table.riichi.pieces.seats import after
from jantaku.table.riichi.ruleset import DEFAULT, preset

_TURN_ENDS = (events.TileDiscard, events.OwnKan, events.NorthAside, WinFact, DrawFact)


class Moment(NamedTuple):
    """The table at one moment: drawn, as data, and with the last event in one line."""

    table: RenderableType
    data: dict[str, Any]
    said: str
    hidden: str = ""
    """Why only the public part of the record could be read; empty for a whole record."""


def moment_of(record: Record, kyoku: int, turn: int | None) -> Moment:
    """The table after a turn of a kyoku, both counted from 1; turn 0 is the deal, None the end. Raises BadInput if
    there is no such turn."""
    if kyoku > len(record.log):
        raise BadInput(f"{record.path} has no kyoku {kyoku}; it has {len(record.log)}")
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
        position(board, names, board.last_seat, ready=waiting.ready),
        {"kyoku": kyoku, "event": follower.count, "names": names, "views": views},
        f"kyoku {kyoku} event {follower.count}: {msgspec.json.encode(item_of(facts[-1])).decode()}",
        record.hidden,
    )


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
