"""Position lines and the boards that they describe.

A board is made by public events that lead to the position, in one of their possible orders.

Rivers tell the order of discards and calls. Closed and added kans and norths leave no trace there, so their turns are
drawn at random among those in which their seat drew a tile.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jantaku.table.ground.chance import Numbers
from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import NOTEN, PASS, RON, SET_ASIDE, Discard, Kan
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.flow.view import View
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.line.checks import (
    OWN_CLAIMS,
    OWN_TURN,
    AskedSeat,
    LineTurn,
    Subject,
    board_of_text,
    check,
    texts_of,
    turns_of,
)
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind, pon
from jantaku.table.riichi.pieces.tiles import KIND, kinds_in


class Position:
    """What a seat knows when it is asked, and its choice: the `board` as it sees it, its waits and furiten (`ready`),
    the `rules`, its `seat`, what is `asked`, and whether it has passed up a winning tile (`missed`). The `choice` of a
    claim with which it can do nothing is a single pass; `line` is the position in normal form."""

    def __init__(self, view: View, question: AskedSeat, choice: Choice) -> None:
        self.board, self.ready, self.rules = view.board, view.ready, view.rules
        self.seat, self.asked, self.missed = question.seat, question.asked, question.missed
        self.choice, self.line = choice, " ".join(texts_of(view.board, question).values())

    def __repr__(self) -> str:
        return f"<Position {self.line}>"


def line_of(board: Board, choice: Choice, *, seat: int | None = None, missed: bool | None = None) -> str:
    """Return the line for a question. `board` stands as it is put, and `choice` is the question's.

    `seat` is asked; it may be left out where the board knows one hand only, as a player's does. `missed` says that the
    seat has passed up a winning tile since its last discard, or in riichi, which `Readiness.missed` knows and a board
    does not; if it is left out, it is found where the choice depends on it. Raises ValueError for a board that does not
    know its rules or the hand.
    """
    own = board.seat_known() if seat is None else seat
    if own is None or not board.hands[own].known or board.rules is None:
        raise ValueError("a line is written from a board that knows its rules and the hand of the seat that is asked")
    line = " ".join(texts_of(board, _question(board, choice, own, missed or False)).values())
    may_be_missed = missed is None and choice.default == PASS and RON not in choice.options
    return f"{line} missed" if may_be_missed and RON in read_line(line).choice.options else line


def read_line(text: str) -> Position:
    """Read a line. Its fields may be separated by any white space, and the tiles of the hand may be in any order.
    Raises BadInput, with the column and the field, for a line that cannot be read or that no kyoku can come to.

        >>> position = read_line(
        ...     "jtk1 tenhou E1 honba=0 sticks=0 left=69 indicators=z3 E25000 S25000 W25000 N25000 "
        ...     "hand=m123p456s789z1155+z5 ask=E/draw"
        ... )
        >>> [str(option) for option in position.choice.options][:3]
        ['Tsumo', 'Discard m1*', 'Discard m2*']
    """
    board, question, drawn, fields = board_of_text(text)
    assert board.rules is not None, "a line has rules"
    _count(board, question)
    check(board, question, drawn, fields, board.rules)
    view, own, hand = View(board.rules), question.seat, board.hands[question.seat]
    view.seat, view.board, view.ready = own, board, Readiness(board)
    view.ready.missed[own] = question.missed
    waits, settled = view.ready.waits[own], not (hand.melds or board.rinshan)
    if board.riichi[own] and not waits:
        raise fields["hand"].wrong("it waits for nothing, and its seat is in riichi")
    let_go = not settled or any(board.open_counts[kind] for kind in kinds_in(waits))  # it may have waited for others
    if question.missed and (question.asked is Subject.TENPAI or not let_go):
        raise fields["missed"].wrong("this hand has passed up nothing that it waits for; leave it out")
    if drawn is not None:
        hand.draw(drawn)
        board.last_tile = drawn
    choice = view.offer(_last_event(board, question))
    if question.asked is Subject.TENPAI:
        return Position(view, question, view.declaration() or Choice((NOTEN,), NOTEN))
    return Position(view, question, choice or Choice((PASS,), PASS))


def _question(board: Board, choice: Choice, seat: int, missed: bool) -> AskedSeat:
    """What the choice is about."""
    if choice.default == NOTEN:
        return AskedSeat(seat, Subject.TENPAI)
    if choice.default != PASS:
        drawn = Subject.RINSHAN if board.rinshan else Subject.DRAW
        return AskedSeat(seat, Subject.CALL if board.hands[seat].drawn is None else drawn, missed=missed)
    (turns, mover), source, tile = turns_of(board), board.last_seat, board.last_tile
    assert tile is not None, "a tile that may be claimed is seen by all"
    kans = [meld.kind for meld in board.hands[source].melds if meld.is_kan and meld.tile_kind == KIND[tile]]
    robbed = Subject[kans[0].name] if kans else Subject.NORTH
    return AskedSeat(seat, Subject.DISCARD if turns and source != mover else robbed, source, tile, missed)


def _count(board: Board, question: AskedSeat) -> None:
    """Set what follows from the rest: kans, sticks that are placed, the first go-round, and whose turn it was last."""
    (turns, mover), asked = turns_of(board), question.asked
    board.rare += 1  # it was not counted, and copies of the board need what is rare
    board.kans = sum(meld.is_kan for hand in board.hands for meld in hand.melds)
    board.rinshan = asked is Subject.RINSHAN
    made = sum(len(hand.melds) + hand.aside for hand in board.hands)
    unbroken = made == (asked in (Subject.ANKAN, Subject.NORTH))  # such a kan or north may still be robbed
    board.first_round = unbroken and not board.rivers[-1].tiles
    board.deposited = [bool(riichi) for riichi in board.riichi]
    discard = bool(turns) and asked in (Subject.DISCARD, Subject.TENPAI)
    board.last_seat = turns[-1].seat if discard else mover
    board.last_tile = turns[-1].tile if turns and (discard or asked is Subject.CALL) else question.tile
    if asked is Subject.DISCARD and turns and turns[-1].place in board.rivers[turns[-1].seat].sideways[:1]:
        board.deposited[turns[-1].seat] = False


def _last_event(board: Board, question: AskedSeat) -> events.Event:
    """The event that the question follows."""
    (turns, mover), asked, tile = turns_of(board), question.asked, board.last_tile
    if asked is Subject.CALL:
        return events.MeldCall(mover, board.hands[mover].melds[-1])
    if asked in OWN_TURN:
        return events.Draw(mover, tile, asked is Subject.RINSHAN)
    if asked is Subject.NORTH:
        return events.NorthAside(mover)
    if asked in (Subject.DISCARD, Subject.TENPAI):
        return events.TileDiscard(turns[-1].seat, turns[-1].tile)
    kans = [meld for meld in board.hands[mover].melds if meld.kind == MeldKind[asked.name]]
    return events.OwnKan(mover, next(kan for kan in kans if kan.tiles[-1] == tile))


def action_of(event: object) -> Action:
    """The action that makes this discard, kan or north."""
    match event:
        case events.TileDiscard(_, tile, tsumogiri, riichi):
            return Discard(tile, tsumogiri, riichi)
        case events.OwnKan(_, meld):
            return Kan(meld)
    return SET_ASIDE


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
        return events.NorthAside(self.seat) if self.meld is None else events.OwnKan(self.seat, self.meld)


def timeline_of(position: Position, numbers: Numbers) -> list[Event]:
    """Return the public events after the deal, up to the question; no draw tells its tile. Raises Unlikely if the
    turns that were drawn for own kans cannot be."""
    board = position.board
    turns, mover = turns_of(board)
    begins: list[Meld | None] = [None, *[turn.meld for turn in turns]]
    is_open = position.asked in OWN_TURN or position.asked in OWN_CLAIMS
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
    return made[:-1] if position.asked in OWN_CLAIMS else made


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
    by_own = asked in OWN_CLAIMS or (asked is Subject.RINSHAN and not called_kan)
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
