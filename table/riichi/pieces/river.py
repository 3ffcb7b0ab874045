"""A river (河): the discards of one seat in order, each with how it was discarded and whether it was called."""

from jantaku.table.riichi.pieces.tiles import KIND, NAMES, YAOCHUU


class River:
    """One seat's discards. Called tiles stay in the list: they still count for furiten and against 流し満貫."""

    __slots__ = ("_bend_next", "called_by", "kinds", "sideways", "tiles", "tsumogiri")

    def __init__(self) -> None:
        self.tiles: list[int] = []
        self.tsumogiri: list[bool] = []
        self.called_by: dict[int, int] = {}
        """For the index of each called discard, the seat that called it."""
        self.sideways: list[int] = []
        """Indexes of the tiles laid sideways: the riichi tile, and the next one if that was called (S-41, S-73)."""
        self.kinds = 0
        """All discarded kinds as a bit mask."""
        self._bend_next = False

    def __str__(self) -> str:
        """The river as `z1 m9_ (p3) s5_*`: `_` tsumogiri, `*` sideways for a riichi, `(…)` called."""
        return " ".join([self._text(index) for index in range(len(self.tiles))])

    def __repr__(self) -> str:
        return f"<River {self}>"

    def add(self, tile: int, tsumogiri: bool, riichi: bool) -> None:
        """Add one discard."""
        if riichi or self._bend_next:
            self.sideways.append(len(self.tiles))
            self._bend_next = False
        self.tiles.append(tile)
        self.tsumogiri.append(tsumogiri)
        self.kinds |= 1 << KIND[tile]

    def call_last(self, seat: int) -> None:
        """`seat` calls the last discard. If that lay sideways, the next one will."""
        index = len(self.tiles) - 1
        self.called_by[index] = seat
        self._bend_next = bool(self.sideways) and self.sideways[-1] == index

    def catch_up(self, other: "River", counts: list[int]) -> None:
        """Become `other`, a later state of this river, and add the new tiles to `counts`, by kind."""
        if len(self.called_by) != len(other.called_by):
            self.called_by.update(other.called_by)
        if len(self.sideways) != len(other.sideways):
            self.sideways[:] = other.sideways
        self.kinds, self._bend_next = other.kinds, other._bend_next
        for index in range(len(self.tiles), len(other.tiles)):
            tile = other.tiles[index]
            self.tiles.append(tile)
            self.tsumogiri.append(other.tsumogiri[index])
            counts[KIND[tile]] += 1

    @property
    def is_nagashi(self) -> bool:
        """Whether it has only terminals and honours, none of them called (S-90). An empty river counts."""
        return not self.called_by and not self.kinds & ~YAOCHUU

    def _text(self, index: int) -> str:
        text = NAMES[self.tiles[index]] + "_" * self.tsumogiri[index] + "*" * (index in self.sideways)
        return f"({text})" if index in self.called_by else text
