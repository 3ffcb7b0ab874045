"""Shared by all importers: facts are followed on a board as they come, and results are completed from it."""

from collections.abc import Sequence

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import DrawFact, EndFact, Fact, Follower, WinFact, open_hand, shown_hands
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason, PerSeat
from jantaku.table.riichi.pieces.board import MOST_KANS, Board
from jantaku.table.riichi.pieces.seats import SEATS, after, by_player
from jantaku.table.riichi.points.shapes import waits

NOTEN_MOST = 3000
"""The most that is paid between tenpai and noten: a draw that pays more is 流し満貫."""


MANY = 1000
"""Kyoku, some seconds of them, after which a person is told how far a long log is read."""
ASSUMED = "tenhou"
"""The preset assumed for a log that does not name its rules."""


class Imported(msgspec.Struct):
    """A foreign log as a record. `ended` says that the log ends its game, `reds` that red fives are used, `tonpu` that
    the game is a tonpu. `draws` has, by kyoku from 1, alternatives for a draw that the log does not fully describe.
    `base` is the preset that is assumed, `changes` are rules that the log tells besides, as texts by key.
    `final` has the end as the log tells it, without ranks; `notes` are for a person."""

    record: Record
    ended: bool = False
    reds: bool = True
    tonpu: bool = False
    draws: dict[int, list[DrawFact]] = {}
    base: str = ASSUMED
    changes: dict[str, str] = {}
    final: EndFact | None = None
    notes: list[str] = []

    def take(self, log: Sequence["Builder"]) -> None:
        """Set the record's log, after all of the header is known."""
        first_dealer = self.record.first_dealer
        self.record.log = [builder.counted_from(first_dealer) for builder in log]
        self.draws = {number: builder.draws for number, builder in enumerate(log, 1)}


class Builder:
    """The facts of one kyoku in the order of play. `place` names the log and the kyoku in errors."""

    def __init__(self, place: str, follower: Follower | None = None) -> None:
        self._place = place
        self._follower = follower or Follower()
        self.facts: list[Fact] = []
        self.draws: list[DrawFact] = []
        """Alternatives for the draw: logs do not list every hand that was opened."""

    @property
    def board(self) -> Board:
        return self._follower.board

    @property
    def deal(self) -> events.KyokuStart:
        deal = self.facts[0]
        assert isinstance(deal, events.KyokuStart), "the follower has held that"
        return deal

    def counted_from(self, first_dealer: int) -> list[Fact]:
        """Return the facts with player ids. `first_dealer` is the id of the player from whom the log counts."""
        deal = self.deal
        dealer = after(first_dealer, deal.kyoku, len(deal.hands))
        return [msgspec.structs.replace(deal, dealer=dealer), *self.facts[1:]]

    def add(self, fact: Fact) -> None:
        """Add one fact. Raises BadInput if it contradicts earlier ones."""
        if isinstance(fact, WinFact):
            fact = self._won(fact)
        elif isinstance(fact, DrawFact):
            fact = self._drawn(fact)
        try:
            self._follower.take(fact)
        except BadInput as error:
            raise error.within(self._place) from None
        self.facts.append(fact)

    def _won(self, win: WinFact) -> WinFact:
        """Complete a win with the winner's hand from the board."""
        board, hand = self.board, self.board.hands[win.seat]
        return msgspec.structs.replace(
            win,
            tile=board.last_tile,
            hand=tuple(hand.tiles_before_draw if win.source is None else hand.tiles),
            melds=tuple(hand.melds),
            riichi=bool(board.riichi[win.seat]),
        )

    def _drawn(self, draw: DrawFact) -> DrawFact:
        """Complete a draw with all opened hands. If the log does not list them, return the most likely reading; `draws`
        gets the others."""
        deltas = draw.deltas or (0,) * self.board.seats
        reason = draw.reason or self._reason(deltas)
        if draw.hands is not None:
            shown = [seat for seat in range(self.board.seats) if draw.hands[seat] is not None]
            return self._opened(reason, deltas, shown, draw.offender)
        likeliest = self._opened(reason, deltas, self._openers(reason, deltas), draw.offender)
        riichi = [seat for seat in range(self.board.seats) if self.board.riichi[seat]]
        for other in tuple(DrawReason) if draw.reason is None else (reason,):
            for seats in (self._openers(other, deltas), riichi, []):
                if (may_be := self._opened(other, deltas, seats)) not in self.draws:
                    self.draws.append(may_be)
        return likeliest

    def _opened(self, reason: str, deltas: PerSeat, seats: Sequence[int], offender: int | None = None) -> DrawFact:
        """A draw at which these seats open their hands. A chombo without an offender is attributed to the seat that
        loses most."""
        hands = [open_hand(hand) if seat in seats else None for seat, hand in enumerate(self.board.hands)]
        if reason == DrawReason.CHOMBO and offender is None and min(deltas) < 0:
            offender = deltas.index(min(deltas))
        return DrawFact(reason=reason, deltas=deltas, **shown_hands(hands, self.board), offender=offender)

    def _openers(self, reason: str, deltas: PerSeat) -> list[int]:
        """The seats that open their hands at a draw, by its reason and payments alone."""
        board = self.board
        if reason == DrawReason.KYUUSHU:
            return [board.last_seat]
        if reason == DrawReason.SUUCHA:
            return list(range(board.seats))
        if reason == DrawReason.SANCHAHOU:
            return [seat for seat in range(board.seats) if seat != board.last_seat]
        if reason == DrawReason.EXHAUSTIVE and any(deltas):
            return [seat for seat in range(board.seats) if deltas[seat] > 0]
        if reason in (DrawReason.EXHAUSTIVE, DrawReason.NAGASHI):
            return [seat for seat, hand in enumerate(board.hands) if waits(hand.counts)]
        return []

    def _reason(self, deltas: PerSeat) -> DrawReason:
        """The reason of a draw, by its payments and the board alone."""
        board = self.board
        if any(deltas):
            return DrawReason.NAGASHI if max(deltas) > NOTEN_MOST else DrawReason.EXHAUSTIVE
        if board.hands[board.last_seat].drawn is not None:
            return DrawReason.KYUUSHU
        if all(board.riichi):
            return DrawReason.SUUCHA
        if sum(any(meld.is_kan for meld in hand.melds) for hand in board.hands) > 1 and board.kans == MOST_KANS:
            return DrawReason.SUUKAN
        if not board.live:
            return DrawReason.EXHAUSTIVE
        first = {tuple(river.tiles[:1]) for river in board.rivers}
        return DrawReason.SUUFON if len(first) == 1 and board.seats == SEATS else DrawReason.SANCHAHOU


def rotated(names: Sequence[str], first_dealer: int) -> tuple[str, ...]:
    """Reorder names from the log's order, beginning with the first dealer, to player ids."""
    return by_player(names, first_dealer)
