"""How a kyoku ended, where a game stands between two kyoku, and a state in the middle of one."""

import msgspec

from jantaku.table.ground.choice import Action
from jantaku.table.riichi.events import PerSeat
from jantaku.table.riichi.pieces.board import Board


class KyokuResult(msgspec.Struct, frozen=True):
    """How a kyoku ended. `scores` are by seat; `abortive` says that it was an abortive draw (途中流局)."""

    scores: tuple[int, ...]
    sticks: int
    dealer_stays: bool
    won: bool
    abortive: bool
    offender: int | None = None
    """The seat whose unusable answer ended the kyoku; None if there is none."""


class Standing(msgspec.Struct, frozen=True):
    """Where a game stands between two kyoku. `number` counts kyoku from East 1 = 0; `last` is the planned last
    kyoku."""

    number: int
    honba: int
    sticks: int
    scores: PerSeat
    last: int
    again: int = 0
    """How often this kyoku was dealt before with the same honba, each time ended by a chombo."""
    chombos: PerSeat = (0, 0, 0, 0)
    """By player, the number of kyoku that its chombo ended."""

    @property
    def round_wind(self) -> int:
        """The round's wind, 0 東 .. 3 北."""
        return self.number // len(self.scores)

    @property
    def kyoku(self) -> int:
        """The number of the kyoku in its round, from 0; a round has one kyoku for each player."""
        return self.number % len(self.scores)


class Midway(msgspec.Struct, frozen=True):
    """The state of a kyoku at a turn of `seat`, from which it can go on. The `board` knows all hands; `missed` says by
    seat whether it passed up a winning tile, `unopened` how many indicators of kans are still closed.

    The seat is about to draw from the wall (`rinshan` None: it has called or the wall is empty, and it draws nothing),
    or it has just done `action`, which other seats may claim.
    """

    board: Board
    seat: int
    missed: tuple[bool, ...]
    unopened: int = 0
    rinshan: bool | None = None
    action: Action | None = None
