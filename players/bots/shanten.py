"""Shanten: the sensible player. Greedy, without randomness, and fast."""

from players.base import RiichiPlayer
from players.bots.danger import BEARABLE, dangers
from players.bots.worth import ALL_KINDS, Worth, kinds_in, ukeire
from table.port import Action, Question
from table.riichi.actions import Call, Discard, Kan, Kyuushu, Ron, Tenpai, Tsumo
from table.riichi.pieces.melds import Meld, MeldKind
from table.riichi.pieces.tehai import Tehai
from table.riichi.pieces.tiles import KIND, RED_M, YAOCHUU, mask_of
from table.riichi.points import shapes

KOKUSHI_START = 10
"""With at least so many kinds of terminals and honours the hand is played instead of aborted."""
FARTHEST_CALL = 1
"""Shanten after a call for a closed hand to be opened for tanyao; a triplet of honours may be farther."""


class Shanten(RiichiPlayer):
    """Lowers its shanten by the widest ukeire, declares riichi, calls for yakuhai and tanyao, folds to a riichi."""

    remembers = False
    reseed = None

    def answer(self, question: Question) -> Action:
        """A win if offered, else what advances the hand."""
        if sure := self.find(question, Tsumo, Ron, Tenpai):
            return sure
        if calls := self.find_all(question, Call):
            return self._call(calls) or question.default
        return self._turn(question)

    # --- the own turn

    def _turn(self, question: Question) -> Action:
        hand = self.hand
        if self.board.riichi[self.seat]:
            return self.find(question, Kan) or question.default
        if (abort := self.find(question, Kyuushu)) and (hand.one & YAOCHUU).bit_count() < KOKUSHI_START:
            return abort
        shanten, keeping = shapes.best_discards(hand.counts)
        return self._kan(question, hand, shanten) or self._discard(question, hand, shanten, keeping)

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

    def _discard(self, question: Question, hand: Tehai, shanten: int, keeping: int) -> Action:
        """The discard that keeps the shanten and the widest ukeire; against a riichi, an acceptably safe one."""
        discards = self.find_all(question, Discard)
        legal = mask_of({KIND[discard.tile] for discard in discards})
        seen, worth = self.visible, self._worth()
        candidates = worth.candidates(hand, keeping & legal) or legal
        if threats := self.threats:
            risk = dangers(self, threats, seen)
            if shanten == 1:
                candidates = mask_of(kind for kind in kinds_in(candidates) if risk[kind] <= BEARABLE)
            if shanten > 1 or not candidates:
                safest = min(kinds_in(legal), key=lambda kind: (risk[kind], ~keeping >> kind & 1, worth.of(kind, hand)))
                return _cheapest(discards, safest, riichi=False)
        plan = worth.plan(hand.melds, hand.counts)
        (_, width), _, kind = max(
            (self._outlook(hand, kind, plan, seen), -worth.of(kind, hand), kind) for kind in kinds_in(candidates)
        )
        return _cheapest(discards, kind, riichi=width > 0)

    def _outlook(self, hand: Tehai, kind: int, plan: int, seen: list[int]) -> tuple[int, int]:
        """After the discard of `kind`: the shanten, negated, and how many unseen tiles lower it; half if furiten."""
        counts = hand.counts
        counts[kind] -= 1
        shanten, useful = shapes.useful(counts)
        counts[kind] += 1
        width = ukeire(useful & plan, seen)
        furiten = shanten == 0 and useful & (self.board.rivers[self.seat].kinds | 1 << kind)
        return -shanten, width // 2 if furiten else width

    # --- other seats' discards

    def _call(self, calls: list[Call]) -> Call | None:
        """The call that brings the hand nearest to a win with a yaku, None if none does."""
        hand, worth = self.hand, self._worth()
        before = shapes.shanten(hand.counts)
        nearest: Call | None = None
        for call in calls:
            if call.meld.kind == MeldKind.DAIMINKAN:
                continue
            after = self._shanten_after(hand, call.meld, worth)
            if after is not None and after < before and not (after and self.threats):
                nearest, before = call, after
        return nearest

    def _shanten_after(self, hand: Tehai, meld: Meld, worth: Worth) -> int | None:
        """The shanten that a call and the discard after it leave; None where that hand has no yaku in sight."""
        counts = hand.counts[:]
        for tile in meld.own:
            counts[KIND[tile]] -= 1
        shanten, keeping = shapes.best_discards(counts)
        plan = worth.plan([*hand.melds, meld], counts)
        if plan == ALL_KINDS:
            return shanten
        strangers = shapes.held(counts) & ~plan
        fits = not (strangers & ~keeping) and all(plan >> KIND[tile] & 1 for tile in meld.tiles)
        if not fits or sum(counts[kind] for kind in kinds_in(strangers)) > shanten + 1:
            return None
        return shanten if shanten <= FARTHEST_CALL or not hand.is_closed else None

    def _worth(self) -> Worth:
        return Worth(self.seat, self.board.round, self.dora)


def _cheapest(discards: list[Discard], kind: int, *, riichi: bool) -> Discard:
    """The discard of that kind, with riichi if that is wanted and offered, preferring a plain tile to a red five."""
    return min(
        (discard for discard in discards if KIND[discard.tile] == kind),
        key=lambda discard: (discard.riichi != riichi, discard.tile >= RED_M),
    )
