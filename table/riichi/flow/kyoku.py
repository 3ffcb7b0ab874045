"""One kyoku (局) as a state machine.

A phase says what the turn seat has to decide. `turn` offers its options, `act` makes the chosen action happen, `rule`
processes the reactions. All change goes through `_emit`: it appends an event to the stream and applies it to the board.

    DRAWN      holds a drawn tile      → Discard, Kan, SetAside, Tsumo, Kyuushu
    CALLED     has made a chi or pon   → Discard
    DECLARING  the wall is empty       → Tenpai, Noten (only where tenpai must be declared)
    OVER       the kyoku has ended; `result` is set

The points at its end follow: wins, exhaustive draws, and whether the dealer stays (S-75, S-83, S-91 to S-94).
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.events import ChomboDraw, DrawReason, Ryukyoku, Win
from jantaku.table.riichi.flow.outcome import KyokuResult, Midway
from jantaku.table.riichi.law import draws, legal, ruling
from jantaku.table.riichi.law.draws import is_tenpai
from jantaku.table.riichi.law.liability import liabilities
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.law.wins import Robbed, situation
from jantaku.table.riichi.pieces.board import STICK, Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import after, in_turn_order
from jantaku.table.riichi.pieces.tiles import KIND, NORTH
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
        """The number of sticks that each winner takes. With `own-first`, a winner gets the stick of its own riichi
        back, and every other declarer's stick goes to the next winner after that declarer; older sticks go to the
        nearest winner (S-75)."""
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


# Final copies for speed: compiled code looks another module's names up at every use
_CHOMBO: Final = actions.CHOMBO
_DISCARD: Final = actions.Discard
_KAN: Final = actions.Kan
_DRAWS: Final = events.DRAWS
_DISCARDS: Final = events.DISCARDS
NO_RESPONSES: Final[tuple[Action | None, ...]] = (None, None, None, None)
"""Responses by seat if no seat was asked, or all passed."""


def _tile_of(action: Any) -> int:
    """The tile of this discard, kan or north that other seats may claim."""
    if type(action) is _DISCARD:
        discarded: int = action.tile
        return discarded
    if type(action) is _KAN:
        melded: int = action.meld.tiles[-1]
        return melded
    return NORTH


class Phase(StrEnum):
    """What the turn seat has to decide."""

    DRAWN = "drawn"
    CALLED = "called"
    DECLARING = "declaring"
    OVER = "over"


class Kyoku:
    """The play of one kyoku between its seats. It knows the rules and all tiles, but no thread and no clock. It begins
    with a deal, or goes on midway."""

    def __init__(self, rules: Rules, wall: Wall, start: events.KyokuStart | Midway, stream: list[Any]) -> None:
        self.board = start.board if isinstance(start, Midway) else Board(rules)
        self.rules = rules
        self.wall = wall
        self._stream = stream
        if not isinstance(start, Midway):
            self._emit(start)
        self.ready = Readiness(self.board)
        self._settlement = Settlement(self.board, rules, self.ready, wall)
        self.result: KyokuResult | None = None
        self.action: Action = actions.PASS
        """The turn seat's last action."""
        self._open: int | None = None
        """The kind of the tile just discarded, added to a kan or set aside, which other seats may claim; None if there
        is none."""
        self._kan: Meld | None = None
        self._robbed: Robbed | None = None
        """What other seats may rob: the turn seat's kan or north; None after a discard."""
        self._aborts: DrawReason | None = None
        """Why the kyoku is aborted if no seat wins on the last discard; None if it goes on."""
        self._unopened = 0
        self._phase = Phase.DRAWN
        self.seat = 0
        """The turn seat."""
        if isinstance(start, Midway):
            self._go_on(start)
        else:
            self._draw(0)

    def _go_on(self, midway: Midway) -> None:
        self.seat, self._unopened, self.ready.missed = midway.seat, midway.unopened, list(midway.missed)
        action: Any = midway.action
        self.action = actions.PASS if action is None else action
        if midway.rinshan is not None:
            self._draw(self.seat, rinshan=midway.rinshan)
        elif action is None:
            self._phase = Phase.CALLED if self.board.live else Phase.DECLARING
        elif type(action) is _DISCARD:
            self._open_discard(action.tile)
        else:
            self._open_kan(action.meld if type(action) is _KAN else None)

    def __repr__(self) -> str:
        return f"<Kyoku {self.board.round}-{self.board.kyoku} {self._phase.value} seat {self.seat}>"

    def turn(self) -> tuple[int, Choice] | None:
        """Return the turn seat and its options; None when the kyoku is over."""
        if self._phase is Phase.OVER:
            return None
        if self._phase is Phase.DRAWN:  # the most frequent phase skips the table lookup
            return self.seat, self._offer_after_draw()
        return self.seat, _CHOICES[self._phase](self)

    def act(self, action: Action) -> None:
        """Make the turn seat's `action`, one of its options, happen. A CHOMBO counts as Noten once all tiles are
        played."""
        if action is _CHOMBO and self._phase is Phase.DECLARING:
            action = actions.NOTEN
        self.action = action
        if type(action) is _DISCARD:
            self._act_discard(action)
        else:
            _ACTS[type(action)](self, action)

    def reacting(self) -> list[int]:
        """The other seats that might react to the last action, in turn order."""
        if self._open is not None:
            may_call = self._robbed is None and self._aborts is None and self.board.live > 0
            return self.ready.interested(self._open, self.seat, may_call)
        return list(in_turn_order(self.seat, self.board.seats)) if self._phase is Phase.DECLARING else []

    def reaction(self, seat: int, action: Action) -> Choice | None:
        """What another seat may do about `action`, which was just made; None if nothing."""
        if self._open is not None:
            tile = _tile_of(action)
            may_call = not self._aborts
            return legal.reaction(self.board, self.rules, self.ready, seat, tile, self._robbed, may_call=may_call)
        if self._phase is Phase.DECLARING and self._may_declare(seat):
            return legal.DECLARE_TENPAI
        return None

    def rule(self, responses: Sequence[Action | None], offender: int | None = None) -> None:
        """Rule on the reactions, by seat (None: not asked), and go on to the next turn. If `offender` is set, the kyoku
        ends because of that seat's reaction."""
        if offender is not None and self._phase is not Phase.DECLARING:
            self._end_by_chombo(offender)
            return
        if type(self.action) is _DISCARD:
            self._rule_discard(responses)
        else:
            _RULES_ON[type(self.action)](self, responses)

    # What the turn seat is offered.

    def _offer_after_draw(self) -> Choice:
        return legal.after_draw(self.board, self.rules, self.ready, self.seat)

    def _offer_after_call(self) -> Choice:
        return legal.after_call(self.board.hands[self.seat], self.rules)

    def _offer_declaration(self) -> Choice:
        if self._may_declare(self.seat):
            return legal.DECLARE_TENPAI
        return Choice((actions.NOTEN,), actions.NOTEN)

    # What its action does at once.

    def _act_discard(self, action: Any) -> None:
        if self._unopened:
            self._open_indicators()
        board, seat = self.board, self.seat
        tile: int = action.tile
        tsumogiri: bool = action.tsumogiri
        riichi: bool = action.riichi
        in_riichi = bool(board.riichi[seat])
        self._stream.append(_DISCARDS[seat][tile][tsumogiri + 2 * riichi])
        board.discard(seat, tile, tsumogiri, riichi)
        self.ready.discarded(seat, tsumogiri, in_riichi)
        self._open_discard(tile)

    def _act_kan(self, action: actions.Kan) -> None:
        self._open_indicators()
        self._emit(events.OwnKan(self.seat, action.meld))
        self.ready.hand_changed(self.seat)
        self._open_kan(action.meld)

    def _act_set_aside(self, action: Action) -> None:
        self._open_indicators()
        self._emit(events.NorthAside(self.seat))
        self.ready.hand_changed(self.seat)
        self._open_kan(None)

    def _open_discard(self, tile: int) -> None:
        """Let other seats claim a discard that stands on the board."""
        self._kan, self._robbed, self._open = None, None, KIND[tile]
        self._aborts = draws.abort_after_discard(self.board, self.rules, self.seat)

    def _open_kan(self, meld: Meld | None) -> None:
        """Let other seats rob a kan, or a north that was set aside if that is None."""
        self._kan, self._open = meld, NORTH if meld is None else meld.tile_kind
        self._robbed = "north" if meld is None else "ankan" if meld.kind == MeldKind.ANKAN else "kakan"

    def _act_nothing(self, action: Action) -> None:
        """Tsumo, 九種九牌, declarations and chombo take effect in the ruling."""
        self._open = None

    # The rulings.

    def _rule_discard(self, responses: Sequence[Action | None]) -> None:
        """The order is: ron, accepted riichi, abortive draws, exhaustion, pon and kan, chi, next draw (S-35, S-43,
        S-74)."""
        board, kind = self.board, self._open
        assert kind is not None, "somebody has discarded"
        if responses is not NO_RESPONSES and (claims := self._claimants(responses)):
            self._rule_rons(claims)
            return
        self.ready.passed(kind, self.seat)
        if board.riichi[self.seat] and not board.deposited[self.seat]:
            self._emit(events.Riichi(self.seat))
        if self._aborts:
            self._abort(self._aborts, range(board.seats) if self._aborts is DrawReason.SUUCHA else ())
        elif not board.live:
            self._exhaust()
        elif responses is not NO_RESPONSES and (call := ruling.caller(responses, self.seat, board.seats)):
            self._rule_call(*call)
        else:
            self._draw(after(self.seat, 1, board.seats))

    def _claimants(self, responses: Sequence[Action | None]) -> tuple[int, ...]:
        return ruling.claimants(responses, self.seat, self.board.seats)

    def _rule_rons(self, claims: tuple[int, ...]) -> None:
        winners = ruling.winners(claims, self.rules, on_kan=self._kan is not None)
        if winners is None:
            self._abort(DrawReason.SANCHAHOU, claims)
            return
        for win in self._settlement.rons(winners, self.seat, self._robbed):
            self._emit(win)
        self._finish(dealer_stays=0 in winners and self.rules.draw.renchan != "none", won=True)

    def _rule_call(self, seat: int, meld: Meld) -> None:
        self._emit(events.MeldCall(seat, meld))
        self.seat = seat
        if meld.kind == MeldKind.DAIMINKAN:
            self._after_kan(meld)
        else:
            self._phase = Phase.CALLED

    def _rule_kan(self, responses: Sequence[Action | None]) -> None:
        """A kan that is not robbed stands: an indicator, then the rinshan tile (S-55 to S-58)."""
        kan = self._kan
        assert kan is not None
        if claims := self._claimants(responses):
            self._rule_rons(claims)
            return
        if kan.kind == MeldKind.KAKAN or self.rules.call.kokushi_ankan:
            self.ready.passed(kan.tile_kind, self.seat, kokushi_only=kan.kind == MeldKind.ANKAN)
        self._after_kan(kan)

    def _rule_set_aside(self, responses: Sequence[Action | None]) -> None:
        """A north on which no seat wins stands: a rinshan tile, but no indicator (T-25, T-26, T-37)."""
        if claims := self._claimants(responses):
            self._rule_rons(claims)
            return
        self.ready.passed(NORTH, self.seat)
        self._draw(self.seat, rinshan=True)

    def _after_kan(self, kan: Meld) -> None:
        self.ready.hand_changed(self.seat)
        if self.rules.abort.suukan == "kan" and draws.is_suukan(self.board):
            self._abort(DrawReason.SUUKAN, ())
            return
        dora = self.rules.dora
        if dora.kan:
            self._unopened += 1
            if (dora.ankan_opens if kan.kind == MeldKind.ANKAN else dora.minkan_opens) == "at-once":
                self._open_indicators()
        self._draw(self.seat, rinshan=True)

    def _rule_tsumo(self, responses: Sequence[Action | None]) -> None:
        self._emit(self._settlement.tsumo(self.seat))
        self._finish(dealer_stays=self.seat == 0 and self.rules.draw.renchan != "none", won=True)

    def _rule_kyuushu(self, responses: Sequence[Action | None]) -> None:
        self._abort(DrawReason.KYUUSHU, (self.seat,))

    def _rule_chombo(self, responses: Sequence[Action | None]) -> None:
        self._end_by_chombo(self.seat)

    def _rule_declaration(self, responses: Sequence[Action | None]) -> None:
        said = [self.action if seat == self.seat else response for seat, response in enumerate(responses)]
        self._end_exhausted([seat for seat, word in enumerate(said) if isinstance(word, actions.Tenpai)])

    # Steps.

    def _emit(self, event: events.Event) -> None:
        self._stream.append(event)
        self.board.apply(event)

    def _draw(self, seat: int, *, rinshan: bool = False) -> None:
        self.seat, self._phase = seat, Phase.DRAWN
        if rinshan:
            self._emit(events.Draw(seat, self.wall.draw_rinshan(), rinshan=True))
        else:
            tile = self.wall.draw(seat)
            self._stream.append(_DRAWS[seat][tile])
            self.board.draw(seat, tile, False)

    def _open_indicators(self) -> None:
        """Open the indicators that earlier kans left closed: at the latest before a discard or another kan (S-55)."""
        while self._unopened:
            self._unopened -= 1
            self._emit(events.Dora(self.wall.indicator(len(self.board.indicators))))

    def _may_declare(self, seat: int) -> bool:
        """Whether `seat` is tenpai and may choose to show it: a hand in riichi is shown anyway."""
        return not self.board.riichi[seat] and draws.is_tenpai(self.board, self.ready, self.rules, seat)

    def _exhaust(self) -> None:
        if self.rules.draw.declare_tenpai and any(self._may_declare(seat) for seat in range(self.board.seats)):
            self._phase = Phase.DECLARING
        else:
            self._end_exhausted(())

    def _end_exhausted(self, declared: Sequence[int]) -> None:
        draw, dealer_stays = self._settlement.exhausted(declared)
        self._emit(draw)
        self._finish(dealer_stays=dealer_stays, abortive=draw.reason is DrawReason.SANCHAHOU)

    def _abort(self, reason: DrawReason, shown: Sequence[int]) -> None:
        draw, dealer_stays = self._settlement.abort(reason, shown)
        self._emit(draw)
        self._finish(dealer_stays=dealer_stays, abortive=True)

    def _end_by_chombo(self, offender: int) -> None:
        self._emit(self._settlement.chombo(offender))
        self._finish(dealer_stays=True, abortive=True, offender=offender)

    def _finish(
        self, *, dealer_stays: bool, won: bool = False, abortive: bool = False, offender: int | None = None
    ) -> None:
        self._phase = Phase.OVER
        board = self.board
        self.result = KyokuResult(tuple(board.scores), board.sticks, dealer_stays, won, abortive, offender)


_CHOICES: Final[dict[Phase, Callable[["Kyoku"], Choice]]] = {
    Phase.DRAWN: Kyoku._offer_after_draw,
    Phase.CALLED: Kyoku._offer_after_call,
    Phase.DECLARING: Kyoku._offer_declaration,
}
_ACTS: Final[dict[type, Callable[["Kyoku", Any], None]]] = {
    actions.Discard: Kyoku._act_discard,
    actions.Kan: Kyoku._act_kan,
    actions.SetAside: Kyoku._act_set_aside,
    actions.Tsumo: Kyoku._act_nothing,
    actions.Kyuushu: Kyoku._act_nothing,
    actions.Tenpai: Kyoku._act_nothing,
    actions.Noten: Kyoku._act_nothing,
    actions.Chombo: Kyoku._act_nothing,
}
_RULES_ON: Final[dict[type, Callable[["Kyoku", Sequence[Action | None]], None]]] = {
    actions.Discard: Kyoku._rule_discard,
    actions.Kan: Kyoku._rule_kan,
    actions.SetAside: Kyoku._rule_set_aside,
    actions.Tsumo: Kyoku._rule_tsumo,
    actions.Kyuushu: Kyoku._rule_kyuushu,
    actions.Tenpai: Kyoku._rule_declaration,
    actions.Noten: Kyoku._rule_declaration,
    actions.Chombo: Kyoku._rule_chombo,
}
