"""What each seat may do: the options of every question, and the default that is played in silence."""

from table.port import Action, Choice
from table.riichi.actions import (
    DISCARDS,
    KYUUSHU,
    NOTEN,
    PASS,
    RIICHI_DISCARDS,
    RIICHI_TSUMOGIRI,
    RON,
    TENPAI,
    TSUMO,
    TSUMOGIRI,
    Call,
    Kan,
)
from table.riichi.law.calls import calls, kuikae
from table.riichi.law.draws import is_kyuushu
from table.riichi.law.furiten import Readiness
from table.riichi.law.kans import own_kans
from table.riichi.law.winning import may_ron, may_tsumo
from table.riichi.pieces.board import Board
from table.riichi.pieces.melds import Meld
from table.riichi.pieces.tehai import Tehai
from table.riichi.pieces.tiles import KIND
from table.riichi.points import shapes
from table.riichi.rules import Rules

DECLARE_TENPAI = Choice((TENPAI, NOTEN), NOTEN)
"""Whoever says nothing has not declared (S-38)."""


def after_draw(board: Board, rules: Rules, ready: Readiness, seat: int) -> Choice:
    """The turn seat holds a drawn tile: win, abort, kan, riichi, discard (S-28, S-30). Default 自摸切り (S-39)."""
    hand = board.hands[seat]
    drawn = hand.drawn
    assert drawn is not None, "the turn seat has drawn"
    options: list[Action] = []
    if may_tsumo(board, rules, ready, seat):
        options.append(TSUMO)
    if board.first_round and rules.abort.kyuushu and is_kyuushu(hand):
        options.append(KYUUSHU)
    options += [Kan(meld) for meld in own_kans(board, rules, seat, ready.waits[seat])]
    if not board.riichi[seat]:
        options += _riichi_discards(board, rules, seat)
        options += [DISCARDS[tile] for tile in dict.fromkeys(hand.tiles_before_draw)]
    options.append(TSUMOGIRI[drawn])
    return Choice(tuple(options), TSUMOGIRI[drawn])


def after_call(hand: Tehai, rules: Rules) -> Choice:
    """The turn seat has just made a chi or pon: discards without kuikae (S-50, S-54). Default: the highest tile."""
    banned = kuikae(hand.melds[-1], rules)
    options = tuple(DISCARDS[tile] for tile in dict.fromkeys(hand.tiles) if not banned >> KIND[tile] & 1)
    return Choice(options, options[-1])


def reaction(
    board: Board, rules: Rules, ready: Readiness, seat: int, kan: Meld | None, *, may_call: bool = True
) -> Choice | None:
    """What `seat` may do about the last discard, or about the kan just made; None if nothing (S-44).

    A discard that ends the kyoku unless somebody wins on it cannot be called: `may_call` is False.
    """
    options: list[Action] = [RON] if may_ron(board, rules, ready, seat, kan) else []
    if kan is None and may_call:
        options += [Call(meld) for meld in calls(board, rules, seat)]
    if not options:
        return None
    options.append(PASS)
    return Choice(tuple(options), PASS)


def _riichi_discards(board: Board, rules: Rules, seat: int) -> list[Action]:
    """Discards with which `seat` may declare riichi (S-72)."""
    hand, riichi = board.hands[seat], rules.riichi
    too_poor = riichi.min_points and board.scores[seat] < riichi.min_points  # 0 asks for nothing, even below 0
    if board.live < riichi.min_tiles or too_poor or not hand.is_closed:
        return []
    kinds = shapes.tenpai_discards(hand.counts)
    if kinds and hand.melds and not rules.draw.own_four_is_tenpai:
        kinds = _with_a_wait_left(hand, kinds)
    if not kinds:
        return []
    options: list[Action] = [
        RIICHI_DISCARDS[tile] for tile in dict.fromkeys(hand.tiles_before_draw) if kinds >> KIND[tile] & 1
    ]
    if hand.drawn is not None and kinds >> KIND[hand.drawn] & 1:
        options.append(RIICHI_TSUMOGIRI[hand.drawn])
    return options


def _with_a_wait_left(hand: Tehai, kinds: int) -> int:
    """Those of `kinds` after whose discard some wait is not wholly in the own hand and ankan (S-71)."""
    closed = shapes.own_four(hand)
    left = 0
    for kind, count in enumerate(hand.counts):
        if count and kinds >> kind & 1:
            counts = hand.counts[:]
            counts[kind] -= 1
            if shapes.waits(counts) & ~(closed & ~(1 << kind)):
                left |= 1 << kind
    return left
