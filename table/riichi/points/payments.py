"""Payments in points between the seats. Seats are winds of the kyoku: 0 is the dealer."""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from jantaku.table.riichi.pieces.board import STICK
from jantaku.table.riichi.pieces.seats import in_turn_order
from jantaku.table.riichi.points.yaku import PAO_YAKU, HandValue
from jantaku.table.riichi.rules import Rules, ScoreRules

HONBA = 100
"""Points of one honba from each payer of a tsumo; the payer of a ron pays the sum (T-52)."""

MANGAN, HANEMAN, BAIMAN, SANBAIMAN, YAKUMAN = 2000, 3000, 4000, 6000, 8000
"""Base points of each limit."""

ALMOST_MANGAN = 1920
"""Base points of 30 fu 4 han, 60 fu 3 han and 120 fu 2 han, which kiriage rounds up (S-107)."""

_LIMITS = {MANGAN: "満貫", HANEMAN: "跳満", BAIMAN: "倍満", SANBAIMAN: "三倍満", YAKUMAN: "役満"}
_MULTIPLES = ("", "", "ダブル", "トリプル", "四倍", "五倍", "六倍")

Deltas = tuple[int, ...]
"""By seat, the points that it gains."""


class Liability(msgspec.Struct, frozen=True, gc=False):
    """包: `seat` fed the last meld of a yakuman and is liable for it (S-60)."""

    yakuman: Literal["daisangen", "daisuushi", "suukantsu"]
    seat: int


class Payment(msgspec.Struct, frozen=True, gc=False):
    """One settled win. `defen` is the hand's value alone; `hand` has the payments for it, `total` those with honba and
    sticks."""

    defen: int
    hand: Deltas
    total: Deltas


def base_points(fu: int, han: int, yakuman: int, score: ScoreRules) -> int:
    """Base points: what a non-dealer pays a non-dealer for a tsumo, before rounding (S-106 to S-108)."""
    if yakuman:
        return YAKUMAN * yakuman
    if han >= 13:
        return YAKUMAN if score.kazoe else SANBAIMAN
    if han >= 11:
        return SANBAIMAN
    if han >= 8:
        return BAIMAN
    if han >= 6:
        return HANEMAN
    base = fu << han + 2
    if han == 5 or (score.kiriage and base == ALMOST_MANGAN):
        return MANGAN
    return min(base, MANGAN)


def limit_name(value: HandValue, score: ScoreRules) -> str:
    """The limit that the hand reaches, in Japanese; empty below mangan."""
    if value.yakuman > 1:
        return _MULTIPLES[value.yakuman] + "役満" if value.yakuman < len(_MULTIPLES) else f"{value.yakuman}倍役満"
    name = _LIMITS.get(base_points(value.fu, value.han, value.yakuman, score), "")
    return "数え役満" if name == "役満" and not value.yakuman else name


def settle(
    value: HandValue,
    winner: int,
    loser: int | None,
    rules: Rules,
    *,
    honba: int = 0,
    sticks: int = 0,
    liable: Sequence[Liability] = (),
) -> Payment:
    """Settle one win; `loser` is None for a tsumo.

    `honba` and `sticks` are the counts that this winner is paid: in a multiple ron the caller gives each winner its
    share. `liable` are all seats that are liable for a yakuman of this hand; those whose yakuman the hand lacks, or
    that the rules do not cover, are ignored.
    """
    base = base_points(value.fu, value.han, value.yakuman, rules.score)
    liable = [one for one in liable if one.yakuman in rules.call.pao and value.units(PAO_YAKU[one.yakuman])]
    seats = rules.game.players
    hand = [0] * seats
    rest = base
    for one in liable:
        part = rest if rules.call.pao_covers == "all" else min(YAKUMAN * value.units(PAO_YAKU[one.yakuman]), rest)
        rest -= part
        whole = sum(_shares(part, winner, rules).values()) if loser is None else _whole(part, winner)
        _pay(hand, whole, winner, (one.seat,) if loser is None else (one.seat, loser))
    if loser is None:
        for seat, share in _shares(rest, winner, rules).items():
            _pay(hand, share, winner, (seat,))
    else:
        _pay(hand, _whole(rest, winner), winner, (loser,))
    total = hand[:]
    _pay(total, HONBA * (seats - 1) * honba, winner, _honba_payers(winner, loser, liable, rest, rules))
    total[winner] += STICK * sticks
    return Payment(hand[winner], tuple(hand), tuple(total))


def noten_payments(tenpai: Sequence[bool], penalty: int) -> Deltas:
    """The payments of an exhaustive draw: noten seats pay `penalty` points in total to the tenpai seats (S-83,
    T-54)."""
    gets = [seat for seat, shown in enumerate(tenpai) if shown]
    pays = [seat for seat, shown in enumerate(tenpai) if not shown]
    deltas = [0] * len(tenpai)
    if gets and pays:
        for seats, sign in ((gets, 1), (pays, -1)):
            share, odd = divmod(penalty, len(seats))
            for seat in seats:
                deltas[seat] = sign * share
            deltas[seats[0]] += (
                sign * odd
            )  # if the penalty does not divide evenly, the seat nearest to the dealer has the rest
    return tuple(deltas)


def nagashi_payments(winners: Iterable[int], rules: Rules) -> Deltas:
    """流し満貫: every one of `winners` is paid a mangan tsumo, without honba (S-90, T-55)."""
    deltas = [0] * rules.game.players
    for winner in winners:
        for seat, share in _shares(MANGAN, winner, rules).items():
            _pay(deltas, share, winner, (seat,))
    return tuple(deltas)


def chombo_payments(offender: int, rules: Rules) -> Deltas:
    """チョンボ: a mangan tsumo the other way round, without honba."""
    return tuple([-points for points in nagashi_payments((offender,), rules)])


def _honba_payers(
    winner: int, loser: int | None, liable: Sequence[Liability], rest: int, rules: Rules
) -> tuple[int, ...]:
    """The seats that pay honba: the liable seat for a tsumo that it pays alone, else as `call.pao_honba` says."""
    if liable and (rules.call.pao_honba == "liable" or (loser is None and not rest)):
        return (liable[0].seat,)
    return in_turn_order(winner, rules.game.players) if loser is None else (loser,)


def _whole(base: int, winner: int) -> int:
    """What one seat pays for all: six or four times the base, rounded up (S-106)."""
    return _rounded(base * (6 if winner == 0 else 4))


def _shares(base: int, winner: int, rules: Rules) -> dict[int, int]:
    """By payer, its share of a tsumo: a dealer gets and pays double, rounded up (S-106). In a three-player game the
    missing player's share is lost, or split in halves that are rounded up as well (T-51, T-84)."""
    payers = in_turn_order(winner, rules.game.players)
    parts = {payer: base * (2 if 0 in (winner, payer) else 1) * 2 for payer in payers}
    if len(payers) == 2 and rules.sanma.tsumo_loss == "split":
        parts = {payer: part + base * (2 if winner == 0 else 1) for payer, part in parts.items()}
    return {payer: _rounded(-(-part // 2)) for payer, part in parts.items()}


def _rounded(points: int) -> int:
    return -(-points // 100) * 100


def _pay(deltas: list[int], points: int, to: int, payers: Sequence[int]) -> None:
    """Move points from the payers to `to`, in equal parts."""
    for payer in payers:
        deltas[payer] -= points // len(payers)
    deltas[to] += points
