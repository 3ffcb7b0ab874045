"""Position lines and the boards that they describe."""

from jantaku.table.ground.port import Choice
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import NOTEN, PASS, RON
from jantaku.table.riichi.flow.view import View
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.line.checks import check, turns_of
from jantaku.table.riichi.line.fields import OWN_TURN, AskedSeat, Subject, board_of_text, texts_of
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import MeldKind
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
    hand.known = question.asked is not Subject.CALL  # then it has one tile too many to wait for anything
    view.seat, view.board, view.ready = own, board, Readiness(board)
    hand.known = True
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
