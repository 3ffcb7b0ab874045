"""The first line of the journal of a riichi game."""

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
