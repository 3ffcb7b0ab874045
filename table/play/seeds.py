"""Seeds: of a run that nobody gave one, of each of its games, and of the bots in them.

A seed that is given is used as it is: the same text deals the same walls for ever. Without one a run has a seed of 256
random bits in two halves, `WALLS.BOTS`. Its games have seeds of their own that lead to no other game and not back to
the run, so that a finished record gives nothing away of what is still to be played; and a bot's seed comes from the
second half alone, so that it says nothing of any wall.
"""

import hashlib
import re
import secrets

from table.errors import BadInput

_HALF = 16  # bytes
_RUN = re.compile(r"[0-9a-f]{32}\.[0-9a-f]{32}")
_GAME = re.compile(r"game-[0-9a-f]{32}\.(?P<bots>[0-9a-f]{32})")


def fresh() -> str:
    """The seed of a run to which none was given."""
    return f"{secrets.token_hex(_HALF)}.{secrets.token_hex(_HALF)}"


def read(text: str | int, where: str) -> str | int:
    """A seed as somebody gave it: a text, or a number if JSON can hold it as one. BadInput for what a record cannot
    hold. `7` and `"7"` are the same seed."""
    seed = str(text)
    if not seed or not seed.isprintable():
        raise BadInput(f"{where}: {seed!r} is no seed; allowed is a number or any other text")
    if not re.fullmatch(r"-?[1-9][0-9]{0,17}|0", seed):
        return seed
    return int(seed)


def of_game(seed: str | int, number: int | str) -> str:
    """The seed of a game of a run: `number` names it, a game (or wall set) by its number. One that was given is that of
    all games, which differ by their numbers."""
    text = str(seed)
    if not _RUN.fullmatch(text):
        return text
    walls, bots = text.split(".")
    return f"game-{_derived(f'walls|{walls}.{bots}|{number}')}.{_derived(f'bots|{bots}|{number}')}"


def of_room(seed: str, room: str, number: int) -> str:
    """The seed of a game in one of several rooms, whose games have numbers of their own."""
    own = of_game(seed, f"{room}|{number}")
    return f"{seed}|{room}" if own == seed else own


def of_bot(seed: str, game: int, place: int) -> int:
    """The seed of a player in a game with that seed: another for each game and place, the same in every run."""
    own = _GAME.fullmatch(seed)
    secret = f"1|{seed}" if own is None else f"2|{own['bots']}"
    text = f"jantaku player {secret}|{game}|{place}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _derived(text: str) -> str:
    return hashlib.blake2b(f"jantaku seed 1|{text}".encode(), digest_size=_HALF).hexdigest()
