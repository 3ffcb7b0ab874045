"""The points at the end of a kyoku: wins, exhaustive draws, and whether the dealer stays (S-75, S-83, S-91 to S-94)."""

from collections.abc import Sequence

import msgspec

from jantaku.table.riichi.events import ChomboDraw, DrawReason, Ryukyoku, Win
from jantaku.table.riichi.law.calls import liabilities
from jantaku.table.riichi.law.readiness import Readiness, is_tenpai
from jantaku.table.riichi.law.ruling import Robbed, situation
from jantaku.table.riichi.pieces.board import STICK, Board
from jantaku.table.riichi.pieces.seats import in_turn_order
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.points.payments import chombo_payments, nagashi_payments, noten_payments, settle
from jantaku.table.riichi.points.scorer import hand_value
from jantaku.table.riichi.rules import Rules

Hands = tuple[tuple[int, ...] | None, ...]


class Settlement:
    """Settles one kyoku. It reads the board and the wall and returns events; it changes neither."""

    def __init__(self, board: Board, rules: Rules, ready: Readiness, wall: Wall) -> None:
        self._board, self._rules, self._ready, self._wall = board, rules, ready, wall

    def tsumo(self, seat: int) -> Win:
        """`seat` wins on its own draw."""
        return self._win(seat, None, None, self._board.honba, self._board.sticks, 0)

    def rons(self, winners: Sequence[int], source: int, robbed: Robbed | None) -> list[Win]:
        """The winners, nearest first, win on the action of `source`; each gets its share of honba and sticks."""
        board, rules = self._board, self._rules
        sticks = self._shares_of_sticks(winners, source)
        left, wins = board.sticks, []
        for place, seat in enumerate(winners):
            honba = board.honba if place == 0 or rules.ron.honba == "each" else 0
            left -= sticks[place]
            wins.append(self._win(seat, source, robbed, honba, sticks[place], left))
        return wins

    def _shares_of_sticks(self, winners: Sequence[int], source: int) -> list[int]:
        """The number of sticks that each winner takes.

        With `own-first`, a winner gets the stick of its own riichi back, and every other declarer's stick goes to the
        next winner after that declarer; older sticks go to the nearest winner (S-75).
        """
        board = self._board
        if self._rules.ron.sticks == "nearest" or len(winners) == 1:
            return [board.sticks] + [0] * (len(winners) - 1)
        shares = [0] * len(winners)
        declared = [seat for seat, placed in enumerate(board.deposited) if placed]
        for seat in declared:
            nearest = next(other for other in (seat, *in_turn_order(seat, board.seats)) if other in winners)
            shares[winners.index(nearest)] += 1
        shares[0] += board.sticks - len(declared)
        return shares

    def _win(
        self, seat: int, source: int | None, robbed: Robbed | None, honba: int, sticks: int, sticks_left: int
    ) -> Win:
        board, rules = self._board, self._rules
        hand, tile = board.hands[seat], board.last_tile
        assert tile is not None, "somebody wins on a known tile"
        indicators = range(len(board.indicators))
        riichi = board.riichi[seat]
        ura = tuple(self._wall.ura(n) for n in indicators if n == 0 or rules.dora.kan_ura)
        how = msgspec.structs.replace(
            situation(board, rules, seat, robbed, tsumo=source is None), dora=tuple(board.indicators), ura=ura
        )
        value = hand_value(hand, tile, how, rules)
        assert value is not None, "only a hand with a yaku may win"
        liable = tuple(one for one in liabilities(hand.melds, seat, board.seats) if one.yakuman in rules.call.pao)
        payment = settle(value, seat, source, rules, honba=honba, sticks=sticks, liable=liable)
        return Win(
            seat=seat,
            source=source,
            tile=tile,
            hand=tuple(hand.tiles_before_draw if source is None else hand.tiles),
            melds=tuple(hand.melds),
            riichi=riichi,
            ura=ura if riichi and rules.dora.ura else None,
            value=value,
            points=payment.defen,
            deltas=payment.total,
            sticks=sticks_left,
            liable=liable,
        )

    def exhausted(self, declared: Sequence[int]) -> tuple[Ryukyoku, bool]:
        """Settle an empty wall: return the draw, and whether the dealer stays. `declared` are the seats that declared
        tenpai."""
        rules, board = self._rules, self._board
        shown = [self._shows_tenpai(seat, declared) for seat in range(board.seats)]
        stays = rules.draw.renchan == "always" or (rules.draw.renchan == "tenpai" and shown[0])
        rivers = [seat for seat, river in enumerate(board.rivers) if river.is_nagashi]
        if rules.draw.nagashi_mangan and rivers:
            if rules.draw.nagashi_several == "nearest":
                if len(rivers) >= 3:  # S-90: like three claims (三家和)
                    return self.abort(DrawReason.SANCHAHOU, ())
                rivers = rivers[:1]
            return Ryukyoku(DrawReason.NAGASHI, self._hands(shown), nagashi_payments(rivers, rules)), stays
        deltas = noten_payments(shown, rules.draw.noten_penalty)
        return Ryukyoku(DrawReason.EXHAUSTIVE, self._hands(shown), deltas), stays

    def _shows_tenpai(self, seat: int, declared: Sequence[int]) -> bool:
        """Whether `seat` shows a tenpai hand. A hand in riichi must; another does if it declared (where that is
        required) and if points or the deal depend on it."""
        draw = self._rules.draw
        if not self._board.riichi[seat]:
            if draw.declare_tenpai and seat not in declared:
                return False
            if not draw.noten_penalty and not (seat == 0 and draw.renchan == "tenpai"):
                return False
        return is_tenpai(self._board, self._ready, self._rules, seat)

    def abort(self, reason: DrawReason, shown: Sequence[int]) -> tuple[Ryukyoku, bool]:
        """Return an abortive draw that shows the hands of `shown`, and whether the dealer stays (S-89)."""
        board = self._board
        hands = self._hands([seat in shown for seat in range(board.seats)])
        return Ryukyoku(reason, hands, (0,) * board.seats), reason in self._rules.abort.renchan

    def chombo(self, offender: int) -> ChomboDraw:
        """End the kyoku because `offender` gave an unusable answer."""
        rules, placed = self._rules.chombo, self._board.deposited
        deltas = chombo_payments(offender, self._rules) if rules.payment == "mangan" else (0,) * len(placed)
        if rules.sticks == "returned":
            deltas = tuple([delta + STICK * back for delta, back in zip(deltas, placed, strict=True)])
        return ChomboDraw(DrawReason.CHOMBO, (None,) * len(placed), deltas, offender)

    def _hands(self, shown: Sequence[bool]) -> Hands:
        """The concealed tiles of the seats that show them, the tile just drawn last; None for the others."""
        hands = []
        for seat, hand in enumerate(self._board.hands):
            drawn = () if hand.drawn is None else (hand.drawn,)
            hands.append((*hand.tiles_before_draw, *drawn) if shown[seat] else None)
        return tuple(hands)
