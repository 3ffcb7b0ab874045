"""The first line of the journal of a riichi game."""

import re
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from jantaku.table.record import lines
from jantaku.table.riichi.pieces.seat_wall import School

DERIVED = re.compile(r"game-[0-9a-f]{32}\.(?P<bots>[0-9a-f]{32})")
"""The seed of a game of a run whose seed nobody chose: see `jantaku.table.play.seeds`."""
GAME = "riichi"
"""What the header of such a journal calls its game."""
Players = Annotated[tuple[str, ...], Meta(min_length=3, max_length=4)]
"""Names by player."""


class Header(lines.Head, frozen=True):
    """The first line: what is needed to play the game again."""

    player: Players
    qijia: int
    walls: School = "shared"
    """Whose next tile a draw is: see `seat_wall.py`."""
    driven: bool = False
    """The game began from another record, so that its walls are not those of the seed."""
    commit: str | UnsetType = UNSET
    """The commitment to the seed, see `sealed.py`. Journals of format 1 have none."""
    sealed: bool | UnsetType = UNSET
    """The game is not over: this is the public part."""
    title: str | UnsetType = UNSET
    """What people call the game, and in a second line when it was played, where somebody said so."""


def titled(title: str, date: str, seed: str | None, number: int) -> str:
    """A title of a record from its two lines; without the first it names the seed, if that is known and somebody chose
    it."""
    of_seed = "" if seed is None or DERIVED.fullmatch(seed) else f" seed {seed}"
    named = title or ("" if seed is None else f"jantaku{of_seed} game {number}")
    return f"{named}\n{date}" if date else named
