"""The first line of the journal of a riichi game."""

import re
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from jantaku.table.records.journal import lines
from jantaku.table.riichi.pieces.schools import School

DERIVED = re.compile(r"game-[0-9a-f]{32}\.(?P<bots>[0-9a-f]{32})")
"""The seed of a game in a run whose seed was not chosen: see `jantaku.table.play.seeds`."""
GAME = "riichi"
"""The value of `game` in the header of such a journal."""
Players = Annotated[tuple[str, ...], Meta(min_length=3, max_length=4)]
"""Names by player."""


class Header(lines.Head, frozen=True):
    player: Players
    qijia: int
    walls: School = "shared"
    """How draws go: from one wall that all seats share, or from a wall for each seat."""
    driven: bool = False
    """Whether the game began from another record: the seed does not give its walls."""
    commit: str | UnsetType = UNSET
    """The commitment to the seed, see `sealed.py`. Journals of format 1 have none."""
    sealed: bool | UnsetType = UNSET
    """Whether this is only the public part: the game is not over."""
    title: str | UnsetType = UNSET
    """The title of the game and, in a second line, when it was played, if these were given."""


def titled(title: str, date: str, seed: str | None, number: int) -> str:
    """Build a title from its two lines. Without `title` it names the seed, if that is known and was chosen by a
    person."""
    of_seed = "" if seed is None or DERIVED.fullmatch(seed) else f" seed {seed}"
    named = title or ("" if seed is None else f"jantaku{of_seed} game {number}")
    return f"{named}\n{date}" if date else named
