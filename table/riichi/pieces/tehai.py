"""A hand (手牌): the concealed tiles, the tile just drawn and the melds of one seat.

The bit masks `one`..`four` (kinds held at least that often) are updated with every change, so that "could this seat
call or rob that tile" is a bit test.
"""

from collections.abc import Iterable
from typing import Final

from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.tiles import FIVES, KIND, KINDS, NAMES, NORTH, RED_M, sort_tiles, tiles_text

# Final copies for speed: compiled code looks another module's names up at every use
_ANKAN: Final = MeldKind.ANKAN
_KAKAN: Final = MeldKind.KAKAN


class Tehai:
    """One seat's hand. `known` is False if the tiles are hidden: then only `size` and the melds are valid."""

    __slots__ = ("aside", "counts", "drawn", "four", "known", "melds", "one", "reds", "size", "three", "two")

    def __init__(self, tiles: Iterable[int] | None = None, size: int = 13) -> None:
        self.counts = [0] * KINDS
        """Concealed tiles by kind, including the drawn tile and red fives."""
        self.reds = [0, 0, 0]
        """Red fives among the concealed tiles, by suit."""
        self.one = self.two = self.three = self.four = 0
        self.drawn: int | None = None
        """The tile just drawn, still in hand; None after a discard or call, and for a hidden tile."""
        self.melds: list[Meld] = []
        """In the order in which they were made; a kakan has the place of its pon."""
        self.aside = 0
        """Number of norths set aside (抜きドラ); three-player games only."""
        self.known = tiles is not None
        self.size = 0
        """Number of concealed tiles."""
        for tile in tiles or ():
            self.add(tile)
        if not self.known:
            self.size = size

    def __str__(self) -> str:
        """The hand as `m123p0s77z1 +z5, pon p505=`: the drawn tile after `+`, then the melds."""
        text = tiles_text(self.tiles_before_draw) if self.known else f"{self.size} hidden"
        drawn = [] if self.drawn is None else [f"+{NAMES[self.drawn]}"]
        aside = [f"{self.aside} {NAMES[NORTH]} aside"] if self.aside else []
        return ", ".join([" ".join([text, *drawn]), *[str(meld) for meld in self.melds], *aside])

    def __repr__(self) -> str:
        return f"<Tehai {self}>"

    def add(self, tile: int) -> None:
        """Add a concealed tile."""
        kind = KIND[tile]
        if tile >= RED_M:
            self.reds[tile - RED_M] += 1
        count = self.counts[kind] = self.counts[kind] + 1
        bit = 1 << kind
        if count == 1:
            self.one |= bit
        elif count == 2:
            self.two |= bit
        elif count == 3:
            self.three |= bit
        else:
            self.four |= bit
        self.size += 1

    def remove(self, tile: int) -> None:
        """Remove a concealed tile. Raises ValueError if the hand does not have it."""
        kind = KIND[tile]
        count = self.counts[kind]
        if not count or not self.holds(tile):
            raise ValueError(f"tile {tile} is not in the hand")
        if tile >= RED_M:
            self.reds[tile - RED_M] -= 1
        self.counts[kind] = count - 1
        bit = 1 << kind
        if count == 1:
            self.one ^= bit
        elif count == 2:
            self.two ^= bit
        elif count == 3:
            self.three ^= bit
        else:
            self.four ^= bit
        self.size -= 1

    def holds(self, tile: int) -> bool:
        """Whether this exact tile is concealed in the hand: a red five is not a plain one."""
        return self.count_of(tile) > 0

    def count_of(self, tile: int) -> int:
        """How many copies of this exact tile are concealed: red and plain fives are counted apart."""
        if tile >= RED_M:
            return self.reds[tile - RED_M]
        count = self.counts[tile]
        return count - self.reds[tile // 9] if tile in FIVES else count

    def draw(self, tile: int | None) -> None:
        """Take a tile from the wall; None if it is hidden."""
        if tile is None:
            self.size += 1
        else:
            self.add(tile)
        self.drawn = tile

    def discard(self, tile: int) -> None:
        """Discard a tile; the drawn tile, if it stays, becomes part of the hand."""
        if self.known:
            self.remove(tile)
        else:
            self.size -= 1
        self.drawn = None

    def meld(self, meld: Meld) -> tuple[int, ...]:
        """Put the own tiles of a meld down; a kakan replaces its pon. Returns the tiles that leave the hand."""
        if meld.kind == _KAKAN:
            self.melds[self._pon_under(meld)] = meld
            lost: tuple[int, ...] = (meld.tiles[-1],)
        else:
            self.melds.append(meld)
            lost = meld.own
        if self.known:
            for tile in lost:
                self.remove(tile)
        else:
            self.size -= len(lost)
        self.drawn = None
        return lost

    def set_aside(self) -> None:
        """Set a north aside."""
        if self.known:
            self.remove(NORTH)
        else:
            self.size -= 1
        self.aside += 1
        self.drawn = None

    def _pon_under(self, kakan: Meld) -> int:
        """The index of the pon that a kakan extends (S-56). Raises ValueError if there is none."""
        for index, meld in enumerate(self.melds):
            if meld.kind == MeldKind.PON and (meld.own, meld.called) == (kakan.own, kakan.called):
                return index
        raise ValueError("there is no pon under this kakan")

    @property
    def is_closed(self) -> bool:
        """Whether the hand is closed (門前): it has no meld but ankan."""
        for meld in self.melds:  # noqa: SIM110  (compiled, a generator takes several times as long)
            if meld.kind != _ANKAN:
                return False
        return True

    @property
    def tiles(self) -> list[int]:
        """The concealed tiles, sorted, including the drawn one."""
        held = []
        for kind, count in enumerate(self.counts):
            if count:
                red = self.reds[kind // 9] if kind in FIVES else 0
                held += [RED_M + kind // 9] * red + [kind] * (count - red)
        return held

    def choices(self) -> int:
        """The different tiles that may be discarded from the hand, as a bit mask. The drawn tile is left out unless the
        hand has another copy of it."""
        mask, reds = self.one, self.reds
        if reds[0] or reds[1] or reds[2]:
            for suit in range(3):
                if reds[suit]:
                    mask |= 1 << RED_M + suit
                    if self.counts[FIVES[suit]] == reds[suit]:
                        mask ^= 1 << FIVES[suit]
        drawn = self.drawn
        if drawn is not None and (not self.two >> KIND[drawn] & 1 or self.count_of(drawn) == 1):
            mask ^= 1 << drawn
        return mask

    @property
    def tiles_before_draw(self) -> list[int]:
        """The concealed tiles, sorted, without the drawn one."""
        held = self.tiles
        if self.drawn is not None:
            held.remove(self.drawn)
        return held

    def catch_up(self, other: "Tehai") -> None:
        """Become `other`, a later state of this hand, except for its melds. Of a hidden hand only the size changes."""
        self.size = other.size
        if not self.known:
            return
        self.drawn = other.drawn
        changed = (
            (self.one ^ other.one) | (self.two ^ other.two) | (self.three ^ other.three) | (self.four ^ other.four)
        )
        self.one, self.two, self.three, self.four = other.one, other.two, other.three, other.four
        counts, counted = self.counts, other.counts
        for kind in range(KINDS):
            if changed >> kind & 1:
                counts[kind] = counted[kind]
        if self.reds != other.reds:
            self.reds[:] = other.reds

    def copy(self) -> "Tehai":
        """An independent copy."""
        other = Tehai()
        other.counts, other.reds = self.counts[:], self.reds[:]
        other.one, other.two, other.three, other.four = self.one, self.two, self.three, self.four
        other.drawn, other.melds, other.known, other.size = self.drawn, self.melds[:], self.known, self.size
        other.aside = self.aside
        return other


def tehai_of(tiles: Iterable[int], melds: Iterable[Meld] = ()) -> Tehai:
    """A hand with these concealed tiles and melds already on the table."""
    hand = Tehai(sort_tiles(tiles))
    hand.melds.extend(melds)
    return hand
