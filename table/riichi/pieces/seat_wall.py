"""Wall schools: whose next tile a draw is. `shared` is the real wall; `per-seat` pairs hands better in matches.

In the school `per-seat` the live tiles are dealt out into a queue for each seat, as a kyoku without calls would draw
them: the first to 東, the second to 南 and so on. A seat draws from its own queue, so that a call, which skips
or repeats turns, does not shift the tiles of anybody else.

Last tiles: still 70 draws (55 where three play), rinshan tiles counted, end the kyoku. A seat whose queue is empty
while live tiles are left gets the last tile of the longest queue (of equals, that of the lowest seat). The dead wall is
nobody's: rinshan tiles and indicators leave it in the order of the kans, as in the shared school. Live tiles that may
become indicators, where three play, are in no queue: they are drawn when all queues are empty.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from jantaku.table.riichi.pieces.wall import DEAD, INDICATORS, Wall


class SeatWall(Wall):
    """A wall with a draw queue of its own for each seat."""

    __slots__ = ("_last", "_queues", "_taken")

    def __init__(
        self,
        hands: Sequence[Sequence[int]],
        live: Sequence[int],
        dead: Sequence[int],
        dice: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(hands, live, dead, dice)
        queued = len(live) - (2 * INDICATORS + self._rinshan - DEAD)
        self._queues = [list(range(seat, queued, self.seats)) for seat in range(self.seats)]
        """By seat, places in the live wall, the next one first."""
        self._last = list(range(queued, len(live)))
        self._taken: list[int] = []

    def draw(self, seat: int) -> int:
        """The next tile of `seat`'s own queue."""
        own = self._queues[seat]
        longest = max(self._queues, key=len)
        place = own.pop(0) if own else longest.pop() if longest else self._last.pop(0)
        self.drawn += 1
        self._taken.append(place)
        return self._live[place]

    def _gone(self) -> Sequence[int]:
        return self._taken


School = Literal["shared", "per-seat"]
WALLS: Mapping[School, type[Wall]] = {"shared": Wall, "per-seat": SeatWall}
"""The schools by the name that stands in records."""
