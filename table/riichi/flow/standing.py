"""What kyoku and game come to: how a kyoku ended, and where the game stands between two of them."""

import msgspec

from jantaku.table.riichi.events import PerSeat


class KyokuResult(msgspec.Struct, frozen=True):
    """How a kyoku ended. `scores` by seat; `abortive` is an abortive draw (途中流局)."""

    scores: tuple[int, ...]
    sticks: int
    dealer_stays: bool
    won: bool
    abortive: bool
    offender: int | None = None
    """Whose fault ended it, if one did."""


class Standing(msgspec.Struct, frozen=True):
    """Where a game stands between two kyoku. `number` counts kyoku from East 1 = 0; `last` is the planned last."""

    number: int
    honba: int
    sticks: int
    scores: PerSeat
    last: int
    again: int = 0
    """How often this kyoku was dealt before with as many honba: a chombo has ended each of these."""
    chombos: PerSeat = (0, 0, 0, 0)
    """By player, how many kyoku its faults have ended."""

    @property
    def round_wind(self) -> int:
        """0 東 .. 3 北."""
        return self.number // len(self.scores)

    @property
    def kyoku(self) -> int:
        """From 0 within the round, which has as many as players."""
        return self.number % len(self.scores)
