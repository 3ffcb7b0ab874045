"""Wall schools: which tile a draw takes. `shared` is the real wall; `per-seat` makes paired hands in matches more
alike.

In the school `per-seat`, the live tiles are dealt into a queue for each seat, in the order in which a kyoku without
calls would draw them: the first to 東, the second to 南 and so on. A seat draws from its own queue, so that a call,
which skips or repeats turns, does not shift the other seats' tiles.

The last tiles: 70 draws (55 in a three-player game), rinshan draws included, still end the kyoku. A seat whose queue
is empty while live tiles are left gets the last tile of the longest queue (of equally long ones, the lowest seat's).
The dead wall belongs to no seat: rinshan tiles and indicators leave it in the order of the kans, as in the shared
school. Live tiles that may become indicators in a three-player game are in no queue: they are drawn when all queues
are empty.
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
        """By seat, the places in the live wall that are still in its queue, the next one first."""
        self._last = list(range(queued, len(live)))
        self._taken: list[int] = []

    def draw(self, seat: int) -> int:
        """Draw the next tile of `seat`'s own queue."""
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
"""The schools by the name that records use."""
