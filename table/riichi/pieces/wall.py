"""The wall (牌山): shuffle, dice, break, dead wall and the order in which tiles leave it (S-20 to S-27).

Tiles leave stack by stack, the upper one first. In that order there are 52 dealt tiles, 70 live ones and 14 of the
dead wall, which lies right of the break. Its seven stacks, as its owner sees them from the left, are two of rinshan
tiles and five of dora indicators (upper tiles) with the ura indicators below them.

In a three-player game the numbers are 39, 55 and 14 (T-02 to T-06). Four of the seven stacks then hold rinshan
tiles, since norths need them too, and two of the five stacks of indicators are the last two of the live wall: by the
time they are opened, kans have moved these tiles into the dead wall.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from jantaku.table.ground.chance import Numbers, shuffled
from jantaku.table.riichi.pieces.seats import SEATS, after

HAND = 13
"""Number of tiles that each seat is dealt."""
DEAD = 14
STACKS = {4: 17, 3: 18}
"""By number of seats, the stacks of each wall. There are as many walls as seats."""
RINSHAN = {4: 4, 3: 8}
"""By number of seats, the rinshan tiles."""
INDICATORS = 5
SIZES = {2 * stacks * seats: seats for seats, stacks in STACKS.items()}
"""By number of tiles in a wall, the number of seats."""


class Shuffle(NamedTuple):
    """The result of a shuffle: the tiles in their physical places, and the two dice."""

    tiles: tuple[int, ...]
    dice: tuple[int, int]


def shuffle(
    tiles: Iterable[int], seed: str, game: int, round_wind: int, kyoku: int, honba: int, again: int = 0
) -> Shuffle:
    """The wall and dice of one kyoku. They depend on these arguments alone. `again` is how often the kyoku was dealt
    before with the same honba."""
    numbers = Numbers(f"jantaku wall 1|{seed}|{game}|{round_wind}|{kyoku}|{honba}{f'|{again}' if again else ''}")
    dice = (numbers.below(6) + 1, numbers.below(6) + 1)
    return Shuffle(tuple(shuffled(tiles, numbers)), dice)


def seat_draw(seed: str, game: int, seats: int = SEATS) -> tuple[int, tuple[int, ...]]:
    """つかみ取り (S-11, S-12): return the first dealer's place and, by place, the index of the player who sits there.
    Players sit in places from 0 on and draw one wind tile each. The player who drew 東 stays; the others move to the
    places right of that player, in the order of their winds."""
    winds = shuffled(range(seats), Numbers(f"jantaku seats 1|{seed}|{game}"))
    first = winds.index(0)
    order = [0] * seats
    for player, wind in enumerate(winds):
        order[after(first, wind, seats)] = player
    return first, tuple(order)


@cache
def leaving_order(dice: tuple[int, int], seats: int = SEATS) -> tuple[int, ...]:
    """The physical places in the order in which tiles leave the wall. A place is (wall x stacks of a wall + stack) x 2
    + level: walls 0..3 stand before 東南西北, stacks count from the right as their owner sees them, level 0 is the
    upper tile. The wall of seat (sum - 1) mod 4 is broken at `sum` stacks from the right (S-21, S-22); tiles leave
    leftwards and on into the next wall clockwise."""
    total, stacks = sum(dice), STACKS[seats]
    wall = after(0, total - 1, seats)
    places = []
    for step in range(total, total + seats * stacks):
        stack = after(wall, -(step // stacks), seats) * stacks + step % stacks
        places += [stack * 2, stack * 2 + 1]
    return tuple(places)


class Wall:
    """The tiles of one kyoku in the order in which they leave the wall, and how many have left."""

    __slots__ = ("_dead", "_live", "_rinshan", "dice", "drawn", "hands", "kans", "seats")

    def __init__(
        self,
        hands: Sequence[Sequence[int]],
        live: Sequence[int],
        dead: Sequence[int],
        dice: tuple[int, int] | None = None,
    ) -> None:
        self.hands = tuple(tuple(hand) for hand in hands)
        """The 13 dealt tiles of each seat."""
        self.seats = len(self.hands)
        self._rinshan = RINSHAN[self.seats]
        self._live = tuple(live)
        self._dead = tuple(dead)
        self.dice = dice
        """The two dice; None if a record does not contain them."""
        self.drawn = 0
        """Number of live tiles drawn from the front."""
        self.kans = 0
        """Number of rinshan tiles drawn."""

    @classmethod
    def of(cls, mixed: Shuffle) -> "Wall":
        """Break a shuffled wall and deal: three rounds of four tiles, then one each (S-27). In the last round 東 takes
        the 1st and the 5th tile (チョンチョン); the 5th is 東's first draw."""
        seats = SIZES[len(mixed.tiles)]
        order = [mixed.tiles[place] for place in leaving_order(mixed.dice, seats)]
        hands: list[list[int]] = [[] for _ in range(seats)]
        for turn in range(3 * seats):
            hands[turn % seats] += order[turn * 4 : turn * 4 + 4]
        for seat in range(seats):
            hands[seat].append(order[12 * seats + seat])
        return cls(hands, order[HAND * seats : -DEAD], _dead_from_the_left(order[-DEAD:]), mixed.dice)

    def draw(self, seat: int) -> int:
        """Draw the next live tile. The seat makes no difference here, but it does in a `SeatWall`."""
        self.drawn += 1
        return self._live[self.drawn - 1]

    def draw_rinshan(self) -> int:
        """Draw the next rinshan tile; one live tile moves into the dead wall (S-55)."""
        self.kans += 1
        return self._dead[self.kans - 1]

    def indicator(self, number: int) -> int:
        """Dora indicator 0..4: the upper tiles of the five stacks of indicators (S-26)."""
        return self._on_stack(number, 0)

    def ura(self, number: int) -> int:
        """Ura dora indicator 0..4: the tile below that dora indicator."""
        return self._on_stack(number, 1)

    def _on_stack(self, number: int, level: int) -> int:
        """The upper (0) or lower (1) tile of a stack of indicators."""
        beyond = self._rinshan + 2 * number - DEAD
        return self._dead[beyond + level] if beyond < 0 else self._live[level - 2 - beyond]

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles: the hands of 東南西北 (13 each), the live ones, the dead wall from the left."""
        return (*[tile for hand in self.hands for tile in hand], *self._live, *self._dead)

    @classmethod
    def from_tiles(cls, tiles: Sequence[int], dice: tuple[int, int] | None = None) -> "Wall":
        seats = SIZES[len(tiles)]
        hands = [tiles[seat * HAND : seat * HAND + HAND] for seat in range(seats)]
        return cls(hands, tiles[HAND * seats : -DEAD], tiles[-DEAD:], dice)

    @classmethod
    def filled(
        cls,
        hands: Sequence[Sequence[int]],
        live: Sequence[int],
        rinshan: Sequence[int],
        dora: Sequence[int],
        ura: Sequence[int],
        rest: Iterator[int],
    ) -> "Wall":
        """Make a wall that gives these tiles in this order; `rest` fills all other places."""
        most = RINSHAN[len(hands)]
        stacks = (DEAD - most) // 2
        beyond = max(len(dora), len(ura), stacks) - stacks  # stacks of indicators at the end of the live wall (T-06)
        size = (2 * STACKS[len(hands)] - HAND) * len(hands) - DEAD - 2 * beyond
        full = [*live, *[next(rest) for _ in range(size - len(live))]]
        dead = [*rinshan, *[next(rest) for _ in range(most - len(rinshan))]]
        pairs = [
            [known[place] if place < len(known) else next(rest) for known in (dora, ura)]
            for place in range(stacks + beyond)
        ]
        for pair in reversed(pairs[stacks:]):
            full += pair
        for pair in pairs[:stacks]:
            dead += pair
        return cls(hands, full, dead)

    def unseen(self, indicators: int) -> list[int]:
        """The places in `tiles` whose order cannot be known from all hands and draws, with this many indicators
        open."""
        live, size, gone = HAND * self.seats, len(self._live), set(self._gone())
        dead, stacks = live + size, (DEAD - self._rinshan) // 2
        gone |= {size - 2 - 2 * (number - stacks) for number in range(stacks, indicators)}
        rinshan = [dead + place for place in range(self.kans, self._rinshan)]
        upper = [dead + self._rinshan + 2 * number for number in range(indicators, stacks)]
        lower = [dead + self._rinshan + 1 + 2 * number for number in range(stacks)]
        return [*(live + place for place in range(size) if place not in gone), *rinshan, *upper, *lower]

    def _gone(self) -> Sequence[int]:
        """Places in the live wall whose tiles have been drawn."""
        return range(self.drawn)

    def standing(self) -> list[int | None]:
        """The physical wall as it stands: by place its tile, None if the tile is gone (S-24, S-25). Without dice the
        wall is shown as if broken by 1 and 1."""
        order = leaving_order(self.dice or (1, 1), self.seats)
        wall: list[int | None] = [None] * len(order)
        gone = set(self._gone())
        for index, tile in enumerate(self._live):
            if index not in gone:
                wall[order[HAND * self.seats + index]] = tile
        for place, tile in zip(order[-DEAD:], _dead_from_the_left(self._dead), strict=True):
            wall[place] = tile
        for index in range(self.kans):
            wall[order[-2 - 2 * (index // 2) + index % 2]] = None
        return wall


def _dead_from_the_left(tiles: Sequence[int]) -> list[int]:
    """Reverse the order of the seven stacks, with the upper tile still first. Applied twice, it gives the original
    order."""
    return [tile for stack in range(DEAD - 2, -2, -2) for tile in tiles[stack : stack + 2]]
