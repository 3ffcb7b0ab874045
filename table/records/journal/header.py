"""The header of a journal, and how files of records are named."""

import re
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from jantaku.table.records.journal import lines
from jantaku.table.riichi.pieces.wall import School

# The folder of a match or tournament: its plan file, and beside it the folder of its records.

RECORDS = "records"
"""The folder of records in a match's folder."""
KINDS = ("match", "tournament")
"""What a folder may hold."""


def plan_name(kind: str) -> str:
    """Return the name of the plan file of a kind."""
    return f"{kind}.json"


PLANS = frozenset(map(plan_name, KINDS))
"""The names of plan files."""


Format = Literal["journal", "paifu", "2015", "mjai", "tenhou6"]
"""A format that is read and written."""
ENDINGS: tuple[tuple[str, Format], ...] = (
    (".mjai.jsonl", "mjai"),
    (".mjai.json", "mjai"),
    (".mjson", "mjai"),
    (".tenhou6.json", "tenhou6"),
    (".2015.json", "2015"),
    (".jsonl", "journal"),
    (".json", "paifu"),
)
"""Formats by the ending of a file name; the first match counts."""
REVIEWS = ".review.jsonl"
"""The ending of reviews: commands that look for records in a folder skip them."""

# The first line of the journal of a riichi game.

DERIVED = re.compile(r"game-[0-9a-f]{32}\.(?P<bots>[0-9a-f]{32})")
"""The seed of a game in a run whose seed was not chosen: see `jantaku.table.play.seeds`."""
GAME = "riichi"
"""The value of `game` in the header of such a journal."""
Players = Annotated[tuple[str, ...], Meta(min_length=3, max_length=4)]
"""Names by player."""


class Header(lines.Head, frozen=True):
    """The first line: what is needed to play the game again."""

    player: Players
    qijia: int
    walls: School = "shared"
    """The wall school: see `seat_wall.py`."""
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
