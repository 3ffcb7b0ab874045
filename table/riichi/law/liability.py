"""Liability (包, S-60): which seat fed the meld that makes a yakuman certain."""

from collections.abc import Sequence

from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import SEATS, at_side
from jantaku.table.riichi.pieces.tiles import EAST, NORTH, RED, WHITE
from jantaku.table.riichi.points.payments import Liability

DRAGON_KINDS = range(WHITE, RED + 1)
WIND_KINDS = range(EAST, NORTH + 1)


def liabilities(melds: Sequence[Meld], owner: int, seats: int = SEATS) -> tuple[Liability, ...]:
    """The liable seats for every yakuman that these melds show, whether or not the rules apply liability."""
    found = []
    triplets = [meld for meld in melds if meld.kind != MeldKind.CHI]
    if feeder := _feeder([meld for meld in triplets if meld.tile_kind in DRAGON_KINDS], 3):
        found.append(Liability("daisangen", at_side(owner, feeder, seats)))
    if feeder := _feeder([meld for meld in triplets if meld.tile_kind in WIND_KINDS], 4):
        found.append(Liability("daisuushi", at_side(owner, feeder, seats)))
    kans = [meld for meld in triplets if meld.is_kan]
    if len(kans) == 4 and kans[-1].kind == MeldKind.DAIMINKAN:
        found.append(Liability("suukantsu", at_side(owner, kans[-1].source, seats)))
    return tuple(found)


def _feeder(melds: list[Meld], needed: int) -> int:
    """The side that the last of `needed` melds was called from; 0 if it was closed, or if there are fewer melds."""
    return melds[needed - 1].source if len(melds) >= needed else 0
