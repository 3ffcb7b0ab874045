"""The public events that lead to a position, in one of their possible orders.

Rivers tell the order of discards and calls. Closed and added kans and norths leave no trace there, so their turns are
drawn at random among those in which their seat drew a tile.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jantaku.table.ground.chance import Numbers
from jantaku.table.riichi import events
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.line.checks import LineTurn, turns_of
from jantaku.table.riichi.line.fields import OWN_TURN, Subject
from jantaku.table.riichi.line.position import Position
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind, pon

_OWN_CLAIMS = (Subject.KAKAN, Subject.ANKAN, Subject.NORTH)


class Unlikely(Exception):
    """What was drawn at random leads to no past; another draw may."""


class OwnTile(NamedTuple):
    """A closed or added kan of a seat, or a north (`meld` is None), with the turns between which it was made: after
    `low` and before `high`, by their number in the order of play."""

    seat: int
    meld: Meld | None
    low: int
    high: int

    @property
    def event(self) -> Event:
        """The event of making it."""
        return events.NorthAside(self.seat) if self.meld is None else events.OwnKan(self.seat, self.meld)


def timeline_of(position: Position, numbers: Numbers) -> list[Event]:
    """Return the public events after the deal, up to the question; no draw tells its tile. Raises Unlikely if the
    turns that were drawn for own kans cannot be."""
    board = position.board
    turns, mover = turns_of(board)
    begins: list[Meld | None] = [None, *[turn.meld for turn in turns]]
    is_open = position.asked in OWN_TURN or position.asked in _OWN_CLAIMS
    own = _placed(position, turns, mover, numbers)
    made: list[Event] = []
    for number, seat in enumerate([*[turn.seat for turn in turns], *([mover] if is_open else [])]):
        made += _beginning(seat, begins[number])
        for one in own[number]:
            made += one.event, events.Draw(seat, None, rinshan=True)
        if number < len(turns):
            river, place = board.rivers[seat], turns[number].place
            riichi = place in river.sideways[:1]
            made.append(events.TileDiscard(seat, river.tiles[place], river.tsumogiri[place], riichi))
    return made[:-1] if position.asked in _OWN_CLAIMS else made


def _beginning(seat: int, meld: Meld | None) -> Iterator[Event]:
    """A turn begins with a draw or a call; the call of a kan that was added to later was a pon."""
    if meld is None:
        yield events.Draw(seat, None)
        return
    assert meld.called is not None, "a call has a called tile"
    yield events.MeldCall(seat, pon(meld.called, meld.source, *meld.own) if meld.added is not None else meld)
    if meld.kind == MeldKind.DAIMINKAN:
        yield events.Draw(seat, None, rinshan=True)


def _placed(
    position: Position, turns: Sequence[LineTurn], mover: int, numbers: Numbers
) -> defaultdict[int, list[OwnTile]]:
    """Draw the turn of every own kan and north, and return them by it."""
    board, asked, now = position.board, position.asked, len(turns)
    waiting = [one for seat in range(board.seats) for one in _own_tiles(board, seat, turns)]
    called_kan = bool(turns and turns[-1].meld)  # it brought a rinshan tile as well
    by_own = asked in _OWN_CLAIMS or (asked is Subject.RINSHAN and not called_kan)
    last = _last(position, waiting, mover, numbers) if by_own else None
    called = {number for number, turn in enumerate(turns, 1) if turn.meld and turn.meld.kind != MeldKind.DAIMINKAN}
    low, high = _bounds(board, turns)
    placed = defaultdict[int, list[OwnTile]](list)
    for one in waiting:
        if one is last:
            continue
        able = [
            number
            for number in range(max(one.low, low), min(one.high, now + (asked is Subject.RINSHAN)))
            if (turns[number].seat if number < now else mover) == one.seat and number not in called
        ]
        early = [number for number in able if number <= high[one.seat]]
        if not able:
            raise Unlikely
        among = early or able
        placed[among[numbers.below(len(among))]].append(one)
    for ones in placed.values():
        ones.sort(key=lambda one: one.low)
    if last is not None:
        placed[now].append(last)
    return placed


def _own_tiles(board: Board, seat: int, turns: Sequence[LineTurn]) -> Iterator[OwnTile]:
    """The own kans of a seat, between the calls before and after them, and its norths."""
    calls = {id(turn.meld): number for number, turn in enumerate(turns, 1) if turn.meld}
    melds = board.hands[seat].melds
    for place, meld in enumerate(melds):
        if meld.kind == MeldKind.ANKAN:
            before = [calls[id(other)] for other in melds[:place] if id(other) in calls]
            after = [calls[id(other)] for other in melds[place:] if id(other) in calls]
            yield OwnTile(seat, meld, max(before, default=0), min(after, default=len(turns) + 1))
        elif meld.kind == MeldKind.KAKAN:
            yield OwnTile(seat, meld, calls[id(meld)], len(turns) + 1)
    for _ in range(board.hands[seat].aside):
        yield OwnTile(seat, None, 0, len(turns) + 1)


def _last(position: Position, waiting: Sequence[OwnTile], mover: int, numbers: Numbers) -> OwnTile:
    """Choose what was laid down just before the question: what may be robbed, or what brought the rinshan tile."""
    melds, tile = position.board.hands[mover].melds, position.board.last_tile
    own = [one for one in waiting if one.seat == mover]
    match position.asked:
        case Subject.NORTH:
            own = [one for one in own if one.meld is None]
        case Subject.KAKAN:
            own = [one for one in own if one.meld is not None and one.meld.added == tile]
        case Subject.ANKAN:
            own = [one for one in own if one.meld is not None and one.meld is melds[-1]]
        case _:
            own = [one for one in own if one.meld is None or one.meld.added is not None or one.meld is melds[-1]]
    if not own:
        raise Unlikely
    return own[numbers.below(len(own))]


def _bounds(board: Board, turns: Sequence[LineTurn]) -> tuple[int, list[int]]:
    """The first turn for own kans, which is after every double riichi; and by seat the last one that they had better
    be made in: the turn of its riichi, or of one whose ippatsu is alive."""
    declared = {
        turn.seat: number for number, turn in enumerate(turns) if turn.place in board.rivers[turn.seat].sideways[:1]
    }
    low = max([number + 1 for seat, number in declared.items() if board.riichi[seat] == 2], default=0)
    alive = min([number for seat, number in declared.items() if board.ippatsu[seat]], default=len(turns))
    return low, [min(alive, declared.get(seat, len(turns))) for seat in range(board.seats)]
