"""Which seats may win, and the ruling on simultaneous claims."""

from collections.abc import Sequence
from typing import Literal

from jantaku.table.ground.port import Action
from jantaku.table.riichi.actions import CHOMBO, Call, Chombo, Ron
from jantaku.table.riichi.law.readiness import Readiness, waits_for_kokushi
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import in_turn_order
from jantaku.table.riichi.pieces.tiles import KIND
from jantaku.table.riichi.points.scorer import Situation, has_yaku
from jantaku.table.riichi.rules import Rules

# The ruling on simultaneous claims (S-35 to S-37, S-43). The order of seats decides, never the order of arrival.


def claimants(responses: Sequence[Action | None], source: int, seats: int) -> tuple[int, ...]:
    """The seats that claim ron on `source`, the nearest first."""
    return tuple([seat for seat in in_turn_order(source, seats) if isinstance(responses[seat], Ron)])


def winners(claims: tuple[int, ...], rules: Rules, *, on_kan: bool) -> tuple[int, ...] | None:
    """The claimants that win: the nearest ones; None if three claims abort the kyoku (三家和)."""
    ron = rules.ron
    aborts, most = (ron.chankan_sanchahou, ron.chankan_max_winners) if on_kan else (ron.sanchahou, ron.max_winners)
    if len(claims) == 3 and aborts:
        return None
    return claims[:most]


def offender(responses: Sequence[Action | None]) -> int | None:
    """The seat whose unusable response ends the kyoku: the first of several in the order of `responses`. None if there
    is none, or if a seat wins, which takes precedence."""
    if CHOMBO not in responses or any(isinstance(response, Ron) for response in responses):
        return None
    return next(seat for seat, response in enumerate(responses) if isinstance(response, Chombo))


def caller(responses: Sequence[Action | None], source: int, seats: int) -> tuple[int, Meld] | None:
    """The seat that gets the discard by a call, and its meld: pon or daiminkan before chi. None if there is no call."""
    chi: tuple[int, Meld] | None = None
    for seat in in_turn_order(source, seats):
        response = responses[seat]
        if isinstance(response, Call):
            if response.meld.kind != MeldKind.CHI:
                return seat, response.meld
            chi = seat, response.meld
    return chi


# Which seats may win, and with which circumstances (S-70, S-120 to S-125).

Robbed = Literal["ankan", "kakan", "north"]
"""What another seat has just melded or set aside, if one may win on it."""


def situation(board: Board, rules: Rules, seat: int, robbed: Robbed | None = None, *, tsumo: bool) -> Situation:
    """The circumstances of a win of `seat` right now, without dora. `robbed` says what it would rob.

    The last tile makes 海底 or 河底, but a rinshan tile is 嶺上 even if it is the last (S-121). Kokushi that robs an
    ankan is not 槍槓 (S-58), nor is a win on a north (T-34).
    """
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
