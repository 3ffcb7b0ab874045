"""The first line of the journal of a riichi game."""

from msgspec import UNSET, UnsetType

from table.record import lines
from table.riichi.pieces.seat_wall import School


class Header(lines.Head, frozen=True):
    """The first line: what it takes to play the game again."""

    player: tuple[str, str, str, str]
    qijia: int
    walls: School = "shared"
    """Whose next tile a draw is: see `seat_wall.py`."""
    driven: bool = False
    """The game began from another record, so that its walls are not those of the seed."""
    commit: str | UnsetType = UNSET
    """The commitment to the seed, see `sealed.py`. Journals of format 1 have none."""
    sealed: bool | UnsetType = UNSET
    """The game is not over: this is what the public saw of it."""
