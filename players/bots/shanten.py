"""Shanten: the sensible player. Greedy, without randomness, and fast."""

from functools import reduce
from operator import and_

from players.base import RiichiPlayer
from players.bots.danger import BEARABLE, dangers
from players.bots.worth import Worth
from table.port import Action, Question
from table.riichi.actions import Call, Discard, Kan, Kyuushu, Ron, SetAside, Tenpai, Tsumo
from table.riichi.pieces.melds import Meld, MeldKind
from table.riichi.pieces.tehai import Tehai
from table.riichi.pieces.tiles import KIND, RED_M, YAOCHUU, kinds_in, mask_of
from table.riichi.points import shapes

KOKUSHI_START = 10
"""With at least so many kinds of terminals and honours the hand is played instead of aborted."""
FARTHEST_CALL = 1
"""Shanten after a call for a closed hand to be opened for tanyao; a triplet of honours may be farther."""


class Shanten(RiichiPlayer):
    """Lowers its shanten by the widest ukeire, declares riichi, calls for yakuhai and tanyao, folds to a riichi. Where
    three play it sets every north aside."""

    remembers = False
    reseed = None

    def answer(self, question: Question) -> Action:
        """A win if offered, else what advances the hand."""
        if sure := self.find(question, Tsumo, Ron, Tenpai):
            return sure
        if isinstance(question.default, Discard):
            return self._turn(question)
        return self._call(self.find_all(question, Call)) or question.default

    # --- the own turn

    def _turn(self, question: Question) -> Action:
        board, seat = self.board, self.seat
        hand = board.hands[seat]
        if board.riichi[seat]:
            return self.find(question, Kan, SetAside) or question.default
        few = board.first_round and (hand.one & YAOCHUU).bit_count() < KOKUSHI_START
        if few and (abort := self.find(question, Kyuushu)):
            return abort
        if north := self.find(question, SetAside):
            return north
        shanten, keeping = shapes.best_discards(hand.counts)
        if (hand.four or hand.melds) and (kan := self._kan(question, hand, shanten)):
            return kan
        return self._discard(question, hand, shanten, keeping)

    def _kan(self, question: Question, hand: Tehai, shanten: int) -> Kan | None:
        """A kan that costs nothing; none against a riichi unless tenpai."""
        kans = self.find_all(question, Kan)
        if not kans or (shanten > 0 and self.threats):
            return None
        plan = self._worth().plan(hand.melds, hand.counts)
        for kan in kans:
            rest = hand.counts[:]
            rest[kan.meld.tile_kind] = 0
            if plan >> kan.meld.tile_kind & 1 and shapes.shanten(rest) <= shanten:
                return kan
        return None

    def _discard(self, question: Question, hand: Tehai, shanten: int, keeping: int) -> Discard:
        """The discard that keeps the shanten and the widest ukeire; against a riichi, an acceptably safe one."""
        discards = self.find_all(question, Discard)
        # After a call some kinds may not be discarded (S-50).
        legal = mask_of([KIND[discard.tile] for discard in discards]) if hand.drawn is None else hand.one
        seen, worth = self.visible, self._worth()
        plan = worth.plan(hand.melds, hand.counts)
        candidates = worth.candidates(hand, keeping & legal, plan) or legal
        if shanten and (threats := self.threats):
            safe = [self.safe_against(seat) for seat in threats]
            if shanten == 1:
                risk = dangers(safe, seen, candidates)
                candidates = mask_of([kind for kind in kinds_in(candidates) if risk[kind] <= BEARABLE])
            if shanten > 1 or not candidates:
                pool = reduce(and_, safe, legal) or legal
                risk = dangers(safe, seen, pool)
                safest = min(kinds_in(pool), key=lambda kind: (risk[kind], ~keeping >> kind & 1, worth.of(kind, hand)))
                return _cheapest(discards, safest, riichi=False)
        if candidates.bit_count() == 1 and not discards[0].riichi:  # which are offered first
            return _cheapest(discards, kinds_in(candidates)[0], riichi=False)
        kinds, width = shapes.widest_discards(hand.counts, candidates, plan, seen, self.board.rivers[self.seat].kinds)
        kind = kinds[0] if len(kinds) == 1 else min(kinds, key=lambda kind: (worth.of(kind, hand), -kind))
        return _cheapest(discards, kind, riichi=width > 0)

    # --- other seats' discards

    def _call(self, calls: list[Call]) -> Call | None:
        """The call that brings the hand nearest to a win with a yaku, None if none does."""
        hand, worth, threats = self.hand, self._worth(), self.threats
        before = shapes.shanten(hand.counts)
        nearest: Call | None = None
        for call in calls:
            if call.meld.kind == MeldKind.DAIMINKAN:
                continue
            after = self._shanten_after(hand, call.meld, worth, before)
            if after is not None and not (after and threats):
                nearest, before = call, after
        return nearest

    def _shanten_after(self, hand: Tehai, meld: Meld, worth: Worth, before: int) -> int | None:
        """The shanten that a call and the discard after it leave; None where it is not less than `before`, or where
        that hand has no yaku in sight."""
        counts = hand.counts[:]
        for tile in meld.own:
            counts[KIND[tile]] -= 1
        shanten, keeping = shapes.best_discards(counts)
        if shanten >= before:
            return None
        plan = worth.plan([*hand.melds, meld], counts)
        if plan == worth.all:
            return shanten
        strangers = shapes.held(counts) & ~plan
        fits = not (strangers & ~keeping) and all(plan >> KIND[tile] & 1 for tile in meld.tiles)
        if not fits or sum(counts[kind] for kind in kinds_in(strangers)) > shanten + 1:
            return None
        return shanten if shanten <= FARTHEST_CALL or not hand.is_closed else None

    def _worth(self) -> Worth:
        return Worth(self.seat, self.board.round, self.dora, self.board.seats)


def _cheapest(discards: list[Discard], kind: int, *, riichi: bool) -> Discard:
    """The discard of that kind, with riichi if that is wanted and offered, preferring a plain tile to a red five."""
    fitting = [discard for discard in discards if KIND[discard.tile] == kind]
    if len(fitting) == 1:
        return fitting[0]
    return min(fitting, key=lambda discard: (discard.riichi != riichi, discard.tile >= RED_M))
