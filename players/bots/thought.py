"""The decisions of the bot `shanten`, from its board alone. Compiled with the core: matches spend most of their time
here."""

from collections.abc import Sequence
from typing import Final

from jantaku.players.bots.danger import BEARABLE, dangers
from jantaku.players.bots.worth import Worth
from jantaku.players.options import all_of, first_of
from jantaku.table.ground.choice import Action, Choice
from jantaku.table.riichi.actions import Call, Discard, Kan, Kyuushu, SetAside
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.tiles import KIND, RED_M, YAOCHUU, kinds_in, mask_of
from jantaku.table.riichi.points import shapes

KOKUSHI_START: Final = 10
"""With at least this many kinds of terminals and honours, the hand is played instead of aborted."""
FARTHEST_CALL: Final = 1
"""The largest shanten, after a call, at which a closed hand is opened for tanyao; with a triplet of honours it may be
larger."""

# Final copies for speed: compiled code looks another module's names up at every use
_DAIMINKAN: Final = MeldKind.DAIMINKAN
_DISCARDS: Final = (Discard,)
_KANS: Final = (Kan,)
_CALLS: Final = (Call,)
_IN_RIICHI: Final = (Kan, SetAside)
_ABORTS: Final = (Kyuushu,)
_NORTHS: Final = (SetAside,)


class Thought:
    """One look at the table from a seat. `threats` are the seats that it folds to. Of two tiles with the same worth, it
    discards the higher kind, or with `lower` the lower one."""

    def __init__(self, board: Board, seat: int, threats: list[int], *, lower: bool = False) -> None:
        self._board: Final = board
        self._seat: Final = seat
        self._hand: Final = board.hands[seat]
        self._threats: Final = threats
        self._lower: Final = lower
        self._worth: Final = Worth(seat, board.round, board.dora(), board.seats)

    # --- the seat's own turn

    def turn(self, choice: Choice) -> Action:
        """Return the action with 14 tiles if it cannot win."""
        special = self.special(choice)
        if special is not None:
            return special
        shanten, keeping = shapes.best_discards(self._hand.counts)
        return self._discard(all_of(choice.options, _DISCARDS), shanten, keeping)

    def special(self, choice: Choice) -> Action | None:
        """Return what comes before any choice among discards: what is done in riichi, an abort, a north set aside, a
        kan. None if a tile is to be chosen."""
        board, hand, options = self._board, self._hand, choice.options
        if board.riichi[self._seat]:
            return first_of(options, _IN_RIICHI) or choice.default
        if board.first_round and (hand.one & YAOCHUU).bit_count() < KOKUSHI_START:
            abort = first_of(options, _ABORTS)
            if abort is not None:
                return abort
        north = first_of(options, _NORTHS)
        if north is not None:
            return north
        kans: list[Kan] = all_of(options, _KANS) if hand.four or hand.melds else []
        return self._kan(kans, shapes.best_discards(hand.counts)[0]) if kans else None

    def _kan(self, kans: list[Kan], shanten: int) -> Kan | None:
        """Return a kan that does not raise the shanten; against a riichi only if tenpai. None if there is none."""
        if shanten > 0 and self._threats:
            return None
        hand = self._hand
        plan = self._worth.plan(hand.melds, hand.counts)
        for kan in kans:
            rest = hand.counts[:]
            rest[kan.meld.tile_kind] = 0
            if plan >> kan.meld.tile_kind & 1 and shapes.shanten(rest) <= shanten:
                return kan
        return None

    def _discard(self, discards: list[Discard], shanten: int, keeping: int) -> Discard:
        """Return the discard with the lowest shanten and then the widest ukeire; against a riichi, an acceptably safe
        one."""
        hand, worth = self._hand, self._worth
        legal = hand.one
        if hand.drawn is None:  # after a call some kinds may not be discarded (S-50)
            legal = mask_of([KIND[discard.tile] for discard in discards])
        plan = worth.plan(hand.melds, hand.counts)
        candidates = worth.candidates(hand, keeping & legal, plan) or legal
        seen = self._board.visible_to(self._seat)
        if shanten and self._threats:
            safe = [self._board.safe_against(seat) for seat in self._threats]
            if shanten == 1:
                risk = dangers(safe, seen, candidates)
                candidates = mask_of([kind for kind in kinds_in(candidates) if risk[kind] <= BEARABLE])
            if shanten > 1 or not candidates:
                return _cheapest(discards, self._safest(safe, seen, legal, keeping), riichi=False)
        # riichi discards are offered first, so there are none
        if candidates.bit_count() == 1 and not discards[0].riichi:
            return _cheapest(discards, candidates.bit_length() - 1, riichi=False)
        river = self._board.rivers[self._seat].kinds
        kinds, width = shapes.widest_discards(hand.counts, candidates, plan, seen, river)
        return _cheapest(discards, self._least_worth(kinds), riichi=width > 0)

    def _safest(self, safe: list[int], seen: list[int], legal: int, keeping: int) -> int:
        """The least dangerous kind; of equal ones, first one that keeps the shanten, then the one with the least
        worth."""
        pool = legal
        for one in safe:
            pool &= one
        pool = pool or legal
        risk = dangers(safe, seen, pool)
        best, least = -1, (0, 0, 0)
        for kind in kinds_in(pool):
            cost = risk[kind], ~keeping >> kind & 1, self._worth.of(kind, self._hand)
            if best < 0 or cost < least:
                best, least = kind, cost
        return best

    def _least_worth(self, kinds: list[int]) -> int:
        """The kind with the least worth, of kinds in ascending order."""
        best, least = kinds[0], 0
        if len(kinds) > 1:
            least = self._worth.of(best, self._hand)
            for kind in kinds[1:]:
                worth = self._worth.of(kind, self._hand)
                if worth < least or (worth == least and not self._lower):
                    best, least = kind, worth
        return best

    # --- other seats' discards

    def call(self, choice: Choice) -> Action:
        """Return the call that brings the hand nearest to a win with a yaku, otherwise the default."""
        before = shapes.shanten(self._hand.counts)
        nearest: Call | None = None
        for call in all_of(choice.options, _CALLS):
            meld: Meld = call.meld
            if meld.kind == _DAIMINKAN:
                continue
            after = self._shanten_after(meld, before)
            if after is not None and not (after and self._threats):
                nearest, before = call, after
        return choice.default if nearest is None else nearest

    def _shanten_after(self, meld: Meld, before: int) -> int | None:
        """The shanten after a call and the best discard; None if it is not lower than `before`, or if the hand has no
        yaku in sight."""
        hand, worth = self._hand, self._worth
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
        if (
            strangers & ~keeping
            or not _all_in(meld.tiles, plan)
            or sum([counts[kind] for kind in kinds_in(strangers)]) > shanten + 1
        ):
            return None
        return shanten if shanten <= FARTHEST_CALL or not hand.is_closed else None


def _all_in(tiles: Sequence[int], plan: int) -> bool:
    """Whether all these tiles are of kinds in the mask."""
    return all(plan >> KIND[tile] & 1 for tile in tiles)


def _cheapest(discards: list[Discard], kind: int, *, riichi: bool) -> Discard:
    """The discard of that kind, with riichi if that is wanted and offered, and a plain tile before a red five."""
    best: Discard | None = None
    least = 0
    for discard in discards:
        tile: int = discard.tile
        if KIND[tile] == kind:
            cost = 2 * (discard.riichi != riichi) + (tile >= RED_M)
            if best is None or cost < least:
                best, least = discard, cost
    assert best is not None, "it is discarded what may be discarded"
    return best
