"""Melds (副露 and 暗槓): kind, tiles, the called tile and whom it came from."""

from enum import IntEnum

import msgspec

from table.riichi.pieces.tiles import KIND, ORDER


class MeldKind(IntEnum):
    """The five kinds of meld (S-06)."""

    CHI = 0
    PON = 1
    DAIMINKAN = 2
    ANKAN = 3
    KAKAN = 4


class Meld(msgspec.Struct, frozen=True, gc=False):
    """One meld.

    `own` are the tiles that came from the hand when the meld was first made, sorted; `called` is the
    tile taken from another seat (None for an ankan); `source` is that seat relative to the owner,
    1 下家, 2 対面, 3 上家 (0 for an ankan); `added` is the fourth tile of a kakan.
    """

    kind: MeldKind
    own: tuple[int, ...]
    called: int | None = None
    source: int = 0
    added: int | None = None

    def twin(self) -> "Meld":
        """An equal meld, see `table.choice.Choice`."""
        return Meld(self.kind, self.own, self.called, self.source, self.added)

    @property
    def tiles(self) -> tuple[int, ...]:
        """All three or four tiles; own ones first, then the called and the added one."""
        rest = tuple(tile for tile in (self.called, self.added) if tile is not None)
        return self.own + rest

    @property
    def tile_kind(self) -> int:
        """The kind of a triplet or kan; the lowest kind of a chi."""
        return min(KIND[tile] for tile in self.tiles)

    @property
    def is_kan(self) -> bool:
        """Daiminkan, ankan or kakan."""
        return self.kind >= MeldKind.DAIMINKAN

    @property
    def is_open(self) -> bool:
        """All but the ankan open the hand."""
        return self.kind != MeldKind.ANKAN


def sorted_own(*tiles: int) -> tuple[int, ...]:
    """Own tiles of a meld in their canonical order."""
    return tuple(sorted(tiles, key=ORDER.__getitem__))


def chi(called: int, *own: int) -> Meld:
    """A run: `called` from 上家 and two own tiles."""
    return Meld(MeldKind.CHI, sorted_own(*own), called, 3)


def pon(called: int, source: int, *own: int) -> Meld:
    """A triplet: `called` from `source` (relative) and two own tiles."""
    return Meld(MeldKind.PON, sorted_own(*own), called, source)


def daiminkan(called: int, source: int, *own: int) -> Meld:
    """An open kan: `called` from `source` (relative) and three own tiles."""
    return Meld(MeldKind.DAIMINKAN, sorted_own(*own), called, source)


def ankan(*own: int) -> Meld:
    """A closed kan of four own tiles."""
    return Meld(MeldKind.ANKAN, sorted_own(*own))


def kakan(pon_meld: Meld, added: int) -> Meld:
    """A pon made a kan with the fourth tile."""
    return Meld(MeldKind.KAKAN, pon_meld.own, pon_meld.called, pon_meld.source, added)
