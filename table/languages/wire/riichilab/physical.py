"""Gives tiles numbers of their own, as RiichiLab's observations have them: `kind * 4 + copy`, where copy 0 of a five is
the red one.

mjai does not distinguish copies. A tile gets the next free number of its kind when this seat first sees it, and keeps
it for the kyoku.
"""

from typing import Any

from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import SEATS, at_side, player_of
from jantaku.table.riichi.pieces.tiles import FIVES, KIND, NORTH, RED_M
from jantaku.table.riichi.rules import Rules

COPIES = 4
"""Copies of each kind."""
_KINDS = {
    MeldKind.CHI: "Chi",
    MeldKind.PON: "Pon",
    MeldKind.DAIMINKAN: "Daiminkan",
    MeldKind.ANKAN: "Ankan",
    MeldKind.KAKAN: "Kakan",
}


class Physical:
    """What one seat sees of a kyoku. Lists are by seat of the kyoku; `follow` processes its events."""

    def __init__(self) -> None:
        self._reds = (1, 1, 1)
        self._deal(0, ())

    def _deal(self, seat: int, hand: tuple[int, ...], seats: int = SEATS) -> None:
        self.seat = seat
        """The own seat."""
        self.tile: dict[int, int] = {}
        """By number, the tile, 0..36."""
        self._given: dict[int, int] = {}
        """By tile, how many copies were seen."""
        self.hand = sorted(map(self._new, hand))
        """The own tiles, sorted, the drawn one last."""
        self.drawn: int | None = None
        self.rivers: list[list[int]] = [[] for _ in range(seats)]
        """By seat, all discards, called ones included."""
        self.melds: list[list[dict[str, Any]]] = [[] for _ in range(seats)]
        """By seat, its melds as in observations, except that `from_who` is the side relative to the owner."""
        self.indicators: list[int] = []
        self.riichi: list[int | None] = [None] * seats
        """By seat, the tile with which it declared riichi."""
        self.tedashi: list[int | None] = [None] * seats
        """By seat, the last tile that it discarded from its hand."""
        self.last: int | None = None
        """The last discard."""
        self.added: int | None = None
        """The tile that was added to a kan, or set aside, in the last event."""

    def follow(self, event: events.Event) -> None:
        """Process an event, masked for the seat."""
        self.added = None
        match event:
            case events.HanchanStart():
                self._reds = _reds(event.rules)
            case events.KyokuStart():
                seat = next((seat for seat, hand in enumerate(event.hands) if hand is not None), 0)
                self._deal(seat, event.hands[seat] or (), len(event.hands))
                self.indicators.append(self._new(event.indicator))
            case events.Draw(seat, tile) if tile is not None and seat == self.seat:
                self.drawn = self._new(tile)
                self.hand.append(self.drawn)
            case events.TileDiscard():
                self._discard(event)
            case events.MeldCall(seat, meld):
                self._call(seat, meld)
            case events.OwnKan(seat, meld):
                self._kan(seat, meld)
            case events.NorthAside(seat):
                self.added = self._take(seat, NORTH)
                self._settle(seat)
            case events.Dora(indicator):
                self.indicators.append(self._new(indicator))

    def _discard(self, event: events.TileDiscard) -> None:
        seat = event.seat
        number = self._take(seat, event.tile, drawn=event.tsumogiri)
        self.rivers[seat].append(number)
        self.last = number
        if event.riichi:
            self.riichi[seat] = number
        if not event.tsumogiri:
            self.tedashi[seat] = number
        self._settle(seat)

    def _call(self, seat: int, meld: Meld) -> None:
        assert self.last is not None, "who calls calls a discard"
        own = [self._take(seat, tile) for tile in meld.own]
        self.melds[seat].append(_told(meld, [*own, self.last], self.last))
        self._settle(seat)

    def _kan(self, seat: int, meld: Meld) -> None:
        if meld.added is None:
            own = [self._take(seat, tile) for tile in meld.own]
            self.added = own[0]
            self.melds[seat].append(_told(meld, own, None))
        else:
            self.added = self._take(seat, meld.added)
            under = self.pon_of(seat, meld.tile_kind)
            under.update(_told(meld, [*under["tiles"], self.added], under["called_tile"]))
        self._settle(seat)

    def pon_of(self, seat: int, kind: int) -> dict[str, Any]:
        """The pon of that kind that a seat has called."""
        found = (meld for meld in self.melds[seat] if meld["meld_type"] == _KINDS[MeldKind.PON])
        return next(meld for meld in found if meld["tiles"][0] // COPIES == kind)

    def _settle(self, seat: int) -> None:
        """Make the drawn tile, if there is one, part of the hand."""
        if seat == self.seat:
            self.hand.sort()
            self.drawn = None

    def _take(self, seat: int, tile: int, *, drawn: bool = False) -> int:
        """The number of a tile that leaves a hand: if `drawn`, the one just drawn, otherwise another copy if there is
        one."""
        if seat != self.seat:
            return self._new(tile)
        alike = [number for number in self.hand if self.tile[number] == tile]
        others = [number for number in alike if number != self.drawn]
        number = self.drawn if drawn and self.drawn is not None else (others or alike)[0]
        self.hand.remove(number)
        return number

    def _new(self, tile: int) -> int:
        """Give a number to a tile that is seen for the first time."""
        seen = self._given.get(tile, 0)
        self._given[tile] = seen + 1
        number = KIND[tile] * COPIES + self._copies(tile)[seen]
        self.tile[number] = tile
        return number

    def _copies(self, tile: int) -> tuple[int, ...]:
        if tile not in FIVES and tile < RED_M:
            return (0, 1, 2, 3)
        reds = self._reds[KIND[tile] // 9]
        if tile >= RED_M:
            return tuple(range(reds))
        return (*range(max(1, reds), COPIES), *(() if reds else (0,)))


def told_melds(melds: list[dict[str, Any]], seat: int, dealer: int, seats: int) -> list[dict[str, Any]]:
    """The melds of `seat` as in observations, with the player that each came from."""
    whose = [at_side(seat, meld["from_who"], seats) for meld in melds]
    return [
        {**meld, "from_who": player_of(source, dealer, seats) if meld["from_who"] else -1}
        for meld, source in zip(melds, whose, strict=True)
    ]


def _told(meld: Meld, numbers: list[int], called: int | None) -> dict[str, Any]:
    return {
        "meld_type": _KINDS[meld.kind],
        "tiles": sorted(numbers),
        "opened": meld.is_open,
        "from_who": meld.source,
        "called_tile": called,
    }


def _reds(rules: Rules) -> tuple[int, int, int]:
    tiles = rules.tiles
    return tiles.red_m, tiles.red_p, tiles.red_s
