"""One trick: the last play and the passes since (§6.4)."""

from collections.abc import Iterable


class Trick:
    """A trick from its lead to the 流れ. A pass does not exclude a seat: it may play again later."""

    def __init__(self) -> None:
        self._maker: int | None = None
        self._passed: set[int] = set()

    def play(self, seat: int) -> None:
        """Note that `seat` has played cards."""
        self._maker = seat
        self._passed.clear()

    def pass_by(self, seat: int) -> None:
        """Note that `seat` has passed."""
        self._passed.add(seat)

    def is_over(self, holders: Iterable[int]) -> bool:
        """Whether all seats that still hold cards, except the maker of the last play, have passed since that play."""
        return all(seat == self._maker or seat in self._passed for seat in holders)
