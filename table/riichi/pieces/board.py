"""The board of one kyoku, as one seat or the game itself sees it. Only events change it.

The game's own board knows every tile; a player's board, fed with masked events, knows its own. Seats are the kyoku's: 0
東 (the dealer) to 3 北, or to 2 西 in a three-player game.

A `River` (河) has the discards of one seat in order, each with how it was discarded and whether it was called.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.pieces.seats import SEATS, WINDS
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import KIND, KINDS, NAMES, NORTH, YAOCHUU, dora_of, tiles_text
from jantaku.table.riichi.rules import Rules

# The kinds of change that an event makes to a board: branching on a number is far quicker than on a class.
NOTHING: Final = 0
GAME: Final = 1
"""The rules become known."""
DEAL: Final = 2
DRAW: Final = 3
DISCARD: Final = 4
RIICHI: Final = 5
"""A riichi is accepted: the stick is placed."""
CALL: Final = 6
KAN: Final = 7
NORTH_ASIDE: Final = 8
INDICATOR: Final = 9
WIN: Final = 10
RYUKYOKU: Final = 11


class River:
    """One seat's discards. Called tiles stay in the list: they still count for furiten and against 流し満貫."""

    __slots__ = ("_bend_next", "called_by", "kinds", "sideways", "tiles", "tsumogiri")

    def __init__(self) -> None:
        self.tiles: list[int] = []
        """Its discards, from the first to the last."""
        self.tsumogiri: list[bool] = []
        """For each of `tiles`, whether it was the tile just drawn."""
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


LIVE_TILES = {4: 70, 3: 55}
"""By number of seats, the draws of a kyoku: 136 - 14 - 4 x 13 (S-45), 108 - 14 - 3 x 13 (T-04)."""
STICK: Final = 1000
"""Points that a riichi stick is worth."""
MOST_KANS: Final = 4
"""The most kans that one kyoku can have."""

# Final copies for speed: compiled code looks another module's names up at every use
_DAIMINKAN: Final = MeldKind.DAIMINKAN


class Board:
    """Hands, rivers, points and counters of a running kyoku. Events call its methods."""

    __slots__ = (
        "deposited",
        "first_round",
        "hands",
        "honba",
        "indicators",
        "ippatsu",
        "kans",
        "kyoku",
        "last_seat",
        "last_tile",
        "live",
        "open_counts",
        "rare",
        "riichi",
        "rinshan",
        "rivers",
        "round",
        "rules",
        "scores",
        "seats",
        "sticks",
    )

    def __init__(self, rules: Rules | None = None) -> None:
        self.rules = rules
        """The rules of the game; None until they are known."""
        seats = SEATS if rules is None else rules.game.players
        self.start(0, 0, 0, 0, (0,) * seats, 0, (None,) * seats)

    def __str__(self) -> str:
        """The kyoku in a line, then a line for each seat."""
        return "\n".join([self._head(), *[self._of_seat(seat) for seat in range(self.seats)]])

    def __repr__(self) -> str:
        return f"<Board {self._head()}>"

    def start(
        self,
        round_wind: int,
        kyoku: int,
        honba: int,
        sticks: int,
        scores: Iterable[int],
        indicator: int,
        hands: Sequence[Iterable[int] | None],
    ) -> None:
        """Begin a new kyoku. `round_wind` and `kyoku` count from 0; a hidden hand is None."""
        self.round = round_wind
        """The wind of the round: 0 東, 1 南, 2 西, 3 北."""
        self.kyoku = kyoku
        """The number of the kyoku within its round, from 0: 東1局 is 0."""
        self.honba = honba
        """Counters (本場) on the table."""
        self.sticks = sticks
        """Riichi sticks on the table."""
        self.scores = list(scores)
        """Points by seat."""
        self.indicators = [indicator]
        """The open dora indicators, as tiles; `dora` has the kinds that they show."""
        self.hands: list[Tehai] = [Tehai(tiles) for tiles in hands]
        """By seat, the hand with its melds; of another's hand a player's board knows the melds and the size."""
        self.seats = len(self.hands)
        """Number of seats."""
        self.open_counts = [int(kind == KIND[indicator]) for kind in range(KINDS)]
        """By kind, the copies that every seat sees: in rivers, melds, norths set aside and indicators."""
        self.rare = 0
        self._clear(self.seats)

    def _clear(self, seats: int) -> None:
        """Nothing has happened yet in this kyoku."""
        self.rivers: list[River] = [River() for _ in range(seats)]
        """By seat, its discards."""
        self.live = LIVE_TILES[seats]
        """Tiles left to draw, without the dead wall."""
        self.kans = 0
        """Kans that all seats have made."""
        self.riichi = [0] * seats
        """By seat: 0 no riichi, 1 riichi, 2 double riichi; set with the declaring discard."""
        self.deposited = [False] * seats
        """By seat: whether its riichi is accepted and its stick is on the table."""
        self.ippatsu = [False] * seats
        """By seat: whether it is within the ippatsu of its riichi."""
        self.first_round = True
        """Whether the first go-round is unbroken: a call, a rinshan draw or the last seat's first discard ends it."""
        self.rinshan = False
        """Whether the tile just drawn is a rinshan tile."""
        self.last_seat = 0
        """The last seat that drew, discarded or melded."""
        self.last_tile: int | None = None
        """The last tile drawn, discarded, added to a kan or set aside; None if it is hidden."""

    def apply(self, event: Any) -> None:
        """Update the board with an event of `jantaku.table.riichi.events`. The most frequent kinds come first."""
        change: int = event.change
        if change == DRAW:
            self.draw(event.seat, event.tile, event.rinshan)
        elif change == DISCARD:
            self.discard(event.seat, event.tile, event.tsumogiri, event.riichi)
        elif change == RIICHI:
            self.accept_riichi(event.seat)
        elif change == CALL:
            self.call(event.seat, event.meld)
        elif change == KAN:
            self.kan(event.seat, event.meld)
        elif change == NORTH_ASIDE:
            self.set_aside(event.seat)
        elif change == INDICATOR:
            self.open_indicator(event.indicator)
        else:
            self._begin_or_end(change, event)

    def _begin_or_end(self, change: int, event: Any) -> None:
        if change == WIN:
            self.pay(event.deltas, event.sticks)
        elif change == RYUKYOKU:
            self.pay(event.deltas, self.sticks - sum(event.deltas) // STICK)
        elif change == DEAL:
            place = event.round_wind, event.kyoku, event.honba
            self.start(*place, event.sticks, event.scores, event.indicator, event.hands)
        elif change == GAME:
            self.rules = event.rules

    def draw(self, seat: int, tile: int | None, rinshan: bool) -> None:
        """A seat draws. A rinshan draw ends every seat's ippatsu and the first go-round (S-31, S-78)."""
        if rinshan:
            self._break_round()
        self.live -= 1
        self.rinshan = rinshan
        self.hands[seat].draw(tile)
        self.last_seat, self.last_tile = seat, tile

    def discard(self, seat: int, tile: int, tsumogiri: bool, riichi: bool) -> None:
        """A seat discards; with `riichi` it declares, and the ruling still has to accept that (S-73)."""
        if riichi or self.ippatsu[seat]:
            self.rare += 1
            self.ippatsu[seat] = riichi
        if riichi:
            self.riichi[seat] = 2 if self.first_round else 1
        self.hands[seat].discard(tile)
        self.rivers[seat].add(tile, tsumogiri, riichi)
        self.open_counts[KIND[tile]] += 1
        if seat == self.seats - 1:
            self.first_round = False
        self.rinshan = False
        self.last_seat, self.last_tile = seat, tile

    def call(self, seat: int, meld: Meld) -> None:
        """A seat calls the last discard."""
        self.rivers[self.last_seat].call_last(seat)
        self._lay(seat, meld)
        self.kans += meld.kind == _DAIMINKAN
        self._break_round()
        self.last_seat = seat

    def kan(self, seat: int, meld: Meld) -> None:
        """A seat makes an ankan or kakan. Ippatsu lasts until the rinshan draw, as the kan may be robbed."""
        self._lay(seat, meld)
        self.kans += 1
        self.last_seat, self.last_tile = seat, meld.tiles[-1]

    def set_aside(self, seat: int) -> None:
        """A seat sets a north aside. Ippatsu lasts until the rinshan draw, as with a kan (T-30, T-35)."""
        self.rare += 1
        self.hands[seat].set_aside()
        self.open_counts[NORTH] += 1
        self.last_seat, self.last_tile = seat, NORTH

    def open_indicator(self, tile: int) -> None:
        """Open one more dora indicator."""
        self.rare += 1
        self.indicators.append(tile)
        self.open_counts[KIND[tile]] += 1

    def accept_riichi(self, seat: int) -> None:
        """Accept a riichi, whose discard no seat won on: the stick is placed (S-74)."""
        self.rare += 1
        self.deposited[seat] = True
        self.scores[seat] -= STICK
        self.sticks += 1

    def pay(self, deltas: Sequence[int], sticks_left: int) -> None:
        """Apply the payments at the end of the kyoku."""
        self.rare += 1
        self.scores = [score + delta for score, delta in zip(self.scores, deltas, strict=True)]
        self.sticks = sticks_left

    def catch_up(self, other: "Board", seat: int) -> None:
        """Become what `seat` sees of `other`, a later state of the same kyoku; hidden hands stay hidden.

        `rare` counts every change except draws and plain discards, so that the other fields are copied only when
        needed.
        """
        self.live, self.kans, self.sticks = other.live, other.kans, other.sticks
        self.first_round, self.rinshan = other.first_round, other.rinshan
        last = self.last_seat = other.last_seat
        self.last_tile = None if last != seat and other.hands[last].drawn is not None else other.last_tile
        hands, rivers, counts = self.hands, self.rivers, self.open_counts
        for at in range(self.seats):
            hands[at].catch_up(other.hands[at])
            rivers[at].catch_up(other.rivers[at], counts)
        if self.rare != other.rare:
            self._catch_up_with_what_is_rare(other)

    def _catch_up_with_what_is_rare(self, other: "Board") -> None:
        self.rare = other.rare
        self.open_counts[:] = other.open_counts
        self.riichi[:], self.deposited[:], self.ippatsu[:] = other.riichi, other.deposited, other.ippatsu
        self.scores[:], self.indicators[:] = other.scores, other.indicators
        for at in range(self.seats):
            self.hands[at].melds[:], self.hands[at].aside = other.hands[at].melds, other.hands[at].aside

    def seat_known(self) -> int | None:
        """The first seat whose tiles are known, on a player's board its own; None if no hand is known."""
        for seat, hand in enumerate(self.hands):
            if hand.known:
                return seat
        return None

    def hand_known(self) -> Tehai | None:
        """The first hand that is known, on a player's board its own; None if no hand is known."""
        seat = self.seat_known()
        return None if seat is None else self.hands[seat]

    def dora(self) -> list[int]:
        """The dora kinds; a kind that two indicators show is listed twice."""
        return [dora_of(indicator, self.seats) for indicator in self.indicators]

    def visible_to(self, seat: int) -> list[int]:
        """By kind, the copies that `seat` sees: the open ones and its own tiles."""
        seen, held = self.open_counts, self.hands[seat].counts
        return [seen[kind] + held[kind] for kind in range(KINDS)]

    def safe_against(self, seat: int) -> int:
        """The kinds that `seat` cannot ron now (現物, S-77), as a bit mask.

        These are the kinds in its river, and those that others discarded since it declared riichi or, without riichi,
        since its last discard.
        """
        river = self.rivers[seat]
        since = river.sideways[0] if self.riichi[seat] else len(river.tiles) - 1
        safe, passing = river.kinds, since < 0
        next_index = [0] * self.seats
        turn, seats = 0, self.seats
        while True:
            here, index = self.rivers[turn], next_index[turn]
            tiles = here.tiles
            if index >= len(tiles):
                return safe
            if passing:
                safe |= 1 << KIND[tiles[index]]
            elif turn == seat and index == since:
                passing = True
            next_index[turn] = index + 1
            # Rivers share no clock, so the turns are replayed: they go round, and a seat that calls discards next
            # (S-44).
            turn = turn + 1 if turn + 1 < seats else 0
            if here.called_by:
                turn = here.called_by.get(index, turn)

    def _lay(self, seat: int, meld: Meld) -> None:
        """Put a meld down. The called tile stays in the river that it was called from."""
        self.rare += 1
        for tile in self.hands[seat].meld(meld):
            self.open_counts[KIND[tile]] += 1

    def _break_round(self) -> None:
        self.rare += 1
        self.ippatsu = [False] * self.seats
        self.first_round = False

    def _head(self) -> str:
        kyoku = kyoku_text(self.round, self.kyoku, self.honba)
        return f"{kyoku}, {self.sticks} sticks, indicators {tiles_text(self.indicators)}, {self.live} tiles to draw"

    def _of_seat(self, seat: int) -> str:
        riichi = ("", "riichi ", "double riichi ")[self.riichi[seat]]
        return f"{WINDS[seat]} {self.scores[seat]} {riichi}{self.hands[seat]}, river: {self.rivers[seat]}"
