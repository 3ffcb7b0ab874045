"""Melds (副露 and 暗槓): their kind, their tiles, the called tile and the seat that it came from."""

from enum import IntEnum

import msgspec

from jantaku.table.riichi.pieces.tiles import KIND, NAMES, ORDER, is_tile

MARKS = " +=-"
"""The mark of each relative source: 1 下家 `+`, 2 対面 `=`, 3 上家 `-`."""


class MeldKind(IntEnum):
    """The five kinds of meld (S-06)."""

    CHI = 0
    PON = 1
    DAIMINKAN = 2
    ANKAN = 3
    KAKAN = 4


class Meld(msgspec.Struct, frozen=True, gc=False):
    """One meld.

    `own` are the tiles that came from the hand when the meld was first made, sorted; `called` is the tile taken from
    another seat (None for an ankan); `source` is that seat relative to the owner: 1 下家, 2 対面, 3 上家 (0 for an
    ankan); `added` is the fourth tile of a kakan.
    """

    kind: MeldKind
    own: tuple[int, ...]
    called: int | None = None
    source: int = 0
    added: int | None = None

    def __str__(self) -> str:
        return f"{MeldKind(self.kind).name.lower()} {meld_text(self)}" if self._is_sound() else super().__repr__()

    def __repr__(self) -> str:
        return f"<Meld {self}>" if self._is_sound() else super().__repr__()

    def twin(self) -> "Meld":
        """An equal copy; see `jantaku.table.ground.choice.Choice`."""
        return Meld(self.kind, self.own, self.called, self.source, self.added)

    @property
    def tiles(self) -> tuple[int, ...]:
        """All three or four tiles: the own ones, then the called one, then the added one."""
        tiles = self.own
        if self.called is not None:
            tiles += (self.called,)
        if self.added is not None:
            tiles += (self.added,)
        return tiles

    @property
    def place(self) -> int:
        """Where the called tile lies among the own ones, from the left: on the side that it came from."""
        return {3: 0, 2: 1}.get(self.source, len(self.own))

    @property
    def tile_kind(self) -> int:
        """The kind of a triplet or kan; the lowest kind of a chi."""
        return min([KIND[tile] for tile in self.tiles])

    @property
    def is_kan(self) -> bool:
        """Daiminkan, ankan or kakan."""
        return self.kind >= MeldKind.DAIMINKAN

    @property
    def is_open(self) -> bool:
        """Whether the meld opens the hand: every kind but the ankan does."""
        return self.kind != MeldKind.ANKAN

    def _is_sound(self) -> bool:
        """Whether the meld can be written as text: a bot can make one from any objects."""
        whole = isinstance(self.own, tuple) and self.own and self.kind in tuple(MeldKind) and self.source in range(4)
        return bool(whole) and all(is_tile(tile) for tile in self.tiles)


def meld_text(meld: Meld) -> str:
    """A meld in Majiang's notation, in its normal form: `m34-0`, `p505=`, `z1111`, `p505=5`."""
    suit = NAMES[meld.tiles[0]][0]
    mark = MARKS[meld.source]
    if meld.kind == MeldKind.CHI:
        order = sorted(meld.tiles, key=lambda tile: KIND[tile])
        return suit + "".join(NAMES[tile][1] + (mark if tile == meld.called else "") for tile in order)
    text = suit + "".join(NAMES[tile][1] for tile in reversed(meld.own))
    if meld.called is not None:
        text += NAMES[meld.called][1] + mark
    return text if meld.added is None else text + NAMES[meld.added][1]


def sorted_own(*tiles: int) -> tuple[int, ...]:
    """Sort the own tiles of a meld into their canonical order."""
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
    """A kan made of a pon and its fourth tile."""
    return Meld(MeldKind.KAKAN, pon_meld.own, pon_meld.called, pon_meld.source, added)
