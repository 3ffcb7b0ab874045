"""How a kyoku ended, and where a game stands between two kyoku."""

import msgspec

from jantaku.table.riichi.events import PerSeat


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
