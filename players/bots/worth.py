"""The worth of tiles to a hand: yaku in sight, dora."""

from collections.abc import Sequence
from typing import Final

from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import EAST, FIVES, IN_PLAY, RED, WHITE, YAOCHUU

# Final copies for speed: compiled code looks another module's names up at every use
_CHI: Final = MeldKind.CHI


class Worth:
    """The worth of kinds to one seat in one kyoku. `dora` are the dora kinds; `all` is the mask of kinds in play."""

    def __init__(self, seat: int, round_wind: int, dora: list[int], seats: int) -> None:
        self.all = IN_PLAY[seats]
        self._yakuhai = [EAST + seat, EAST + round_wind, *range(WHITE, RED + 1)]
        self._dora = dora

    def of(self, kind: int, hand: Tehai) -> int:
        """How reluctantly a kind is discarded if the shape does not decide: honours go first, then terminals, then the
        rest; dora last."""
        if kind >= EAST:
            worth = 1 + 2 * hand.counts[kind] if kind in self._yakuhai else 0
        else:
            worth = 2 + min(kind % 9, 8 - kind % 9)
        if kind in FIVES and hand.reds[kind // 9] == hand.counts[kind]:
            worth += 10
        return worth + 10 * self._dora.count(kind)

    def plan(self, melds: Sequence[Meld], counts: list[int]) -> int:
        """The kinds that a hand with these melds may consist of: all, or only simples if tanyao is its only possible
        yaku."""
        is_open = False
        for meld in melds:
            is_open = is_open or meld.is_open
            if meld.kind != _CHI and meld.tile_kind in self._yakuhai:
                return self.all
        if not is_open:
            return self.all
        for kind in self._yakuhai:
            if counts[kind] >= 3:
                return self.all
        return self.all & ~YAOCHUU

    def candidates(self, hand: Tehai, keeping: int, plan: int) -> int:
        """Those of the discards `keeping` that spoil no yaku; kinds outside the hand's `plan` go first."""
        strangers = hand.one & ~plan
        if strangers & keeping:
            return strangers & keeping
        if not hand.is_closed:
            for kind in self._yakuhai:
                if hand.counts[kind] == 3:
                    keeping &= ~(1 << kind)
        return keeping
