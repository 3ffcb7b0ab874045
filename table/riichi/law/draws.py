"""Draws of a kyoku (流局), and which seats are tenpai at the end (S-82 to S-90)."""

from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.pieces.board import MOST_KANS, Board
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import EAST, KIND, NORTH, YAOCHUU
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.rules import Rules

KYUUSHU_KINDS = 9


def is_kyuushu(hand: Tehai) -> bool:
    """九種九牌: nine or more kinds of terminals and honours in hand (S-87)."""
    return (hand.one & YAOCHUU).bit_count() >= KYUUSHU_KINDS


def is_suufon(board: Board) -> bool:
    """四風連打: the discards of all seats in an unbroken first go-round are the same wind (S-84)."""
    kinds = board.rivers[0].kinds
    if not EAST <= KIND[board.rivers[0].tiles[0]] <= NORTH or any(hand.melds for hand in board.hands):
        return False
    return all(len(river.tiles) == 1 and river.kinds == kinds for river in board.rivers)


def is_suucha(board: Board) -> bool:
    """四家立直: all seats are in riichi (S-86)."""
    return all(board.riichi)


def is_suukan(board: Board) -> bool:
    """四開槓: four kans, not all of one seat (S-61, S-85)."""
    if board.kans < MOST_KANS:
        return False
    return all(sum(meld.is_kan for meld in hand.melds) < MOST_KANS for hand in board.hands)


def abort_after_discard(board: Board, rules: Rules, seat: int) -> DrawReason | None:
    """Why the kyoku is aborted if no seat wins on the last discard, made by `seat`; None if it goes on."""
    if board.riichi[seat] and rules.abort.suucha and is_suucha(board):
        return DrawReason.SUUCHA
    if seat == board.seats - 1 and len(board.rivers[seat].tiles) == 1 and rules.abort.suufon and is_suufon(board):
        return DrawReason.SUUFON
    if board.kans == MOST_KANS and rules.abort.suukan == "discard" and is_suukan(board):
        return DrawReason.SUUKAN
    return None


def is_tenpai(board: Board, ready: Readiness, rules: Rules, seat: int) -> bool:
    """Whether a seat has a wait. If the rule asks so, a wait whose four copies are all in its own hand does not count
    (S-71)."""
    waits = ready.waits[seat]
    if waits and not rules.draw.own_four_is_tenpai:
        waits &= ~shapes.own_four(board.hands[seat])
    return bool(waits)
