"""Which seats may win, and with which circumstances (S-70, S-120 to S-125)."""

from typing import Literal

from jantaku.table.riichi.law.readiness import Readiness, waits_for_kokushi
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tiles import KIND
from jantaku.table.riichi.points.scorer import Situation, has_yaku
from jantaku.table.riichi.rules import Rules

Robbed = Literal["ankan", "kakan", "north"]
"""What another seat has just melded or set aside, if one may win on it."""


def situation(board: Board, rules: Rules, seat: int, robbed: Robbed | None = None, *, tsumo: bool) -> Situation:
    """The circumstances of a win of `seat` right now, without dora. `robbed` says what it would rob. The last tile
    makes 海底 or 河底, but a rinshan tile is 嶺上 even if it is the last (S-121). Kokushi that robs an ankan is not
    槍槓 (S-58), nor is a win on a north (T-34)."""
    last = not board.live
    return Situation(
        seat=seat,
        round_wind=board.round,
        tsumo=tsumo,
        riichi=board.riichi[seat],
        ippatsu=board.ippatsu[seat] and rules.riichi.ippatsu,
        rinshan=tsumo and board.rinshan,
        chankan=robbed == "kakan",
        haitei=last and tsumo and not board.rinshan,
        houtei=last and not tsumo and robbed is None,
        first_turn=tsumo and board.first_round,
    )


def may_tsumo(board: Board, rules: Rules, ready: Readiness, seat: int) -> bool:
    """Whether `seat` may win on the tile it has just drawn."""
    tile = board.hands[seat].drawn
    if tile is None or not ready.waits[seat] >> KIND[tile] & 1:
        return False
    return has_yaku(board.hands[seat], tile, situation(board, rules, seat, tsumo=True), rules)


def may_ron(board: Board, rules: Rules, ready: Readiness, seat: int, tile: int, robbed: Robbed | None = None) -> bool:
    """Whether `seat` may win on `tile`, which was just discarded or may be robbed (`robbed`)."""
    if not ready.may_ron(seat, KIND[tile]):
        return False
    hand = board.hands[seat]
    if robbed == "ankan" and not (rules.call.kokushi_ankan and waits_for_kokushi(hand)):
        return False
    return has_yaku(hand, tile, situation(board, rules, seat, robbed, tsumo=False), rules)
