"""Seeds of runs, of their games, and of the bots in them.

A given seed is used unchanged: the same text always deals the same walls. Without one, a run gets a seed of 256 random
bits in two halves, `WALLS.BOTS`. The seeds of its games are derived from it by a one-way function, and lead neither to
another game nor back to the run, so that a finished record reveals nothing about games still to be played. A bot's seed
is derived from the second half alone, so that it reveals no wall.
"""

import hashlib
import os
import re

from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.header import DERIVED

_HALF = 16  # bytes
_RUN = re.compile(r"[0-9a-f]{32}\.[0-9a-f]{32}")


def fresh() -> str:
    """Return a random seed for a run."""
    return f"{os.urandom(_HALF).hex()}.{os.urandom(_HALF).hex()}"


def read(text: str | int, where: str) -> str | int:
    """Read a seed as a person gave it: text, or a number if JSON can represent it. Raises BadInput if a record cannot
    contain it. `7` and `"7"` are the same seed."""
    seed = str(text)
    if not seed or not seed.isprintable():
        raise BadInput(f"{where}: {seed!r} is not a seed; allowed is a number or any other text")
    if not re.fullmatch(r"-?[1-9][0-9]{0,17}|0", seed):
        return seed
    return int(seed)


def of_game(seed: str | int, number: int | str) -> str:
    """Return the seed of a game of a run; `number` is the game's or the wall set's. A given seed is shared by all
    games, which differ by their numbers."""
    text = str(seed)
    if not _RUN.fullmatch(text):
        return text
    walls, bots = text.split(".")
    return f"game-{_derived(f'walls|{walls}.{bots}|{number}')}.{_derived(f'bots|{bots}|{number}')}"


def of_room(seed: str, room: str, number: int) -> str:
    """Return the seed of a game in one of several rooms, each of which counts its own games."""
    own = of_game(seed, f"{room}|{number}")
    return f"{seed}|{room}" if own == seed else own


def of_bot(seed: str, game: int, place: int) -> int:
    """Return the seed of a player in a game with this seed: different for each game and place, the same in every
    run."""
    own = DERIVED.fullmatch(seed)
    secret = f"1|{seed}" if own is None else f"2|{own['bots']}"
    text = f"jantaku player {secret}|{game}|{place}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _derived(text: str) -> str:
    return hashlib.blake2b(f"jantaku seed 1|{text}".encode(), digest_size=_HALF).hexdigest()
