"""A player's remark beside an answer, for the player's author: JSON of bounded length, without effect on the game."""

from typing import Any, Final

import msgspec

LONGEST_REMARK: Final = 4096
"""The most bytes of JSON that are kept."""


def remark_text(said: object) -> str:
    """Return a remark as JSON text; empty for None, and a note in its place if it is too long. Arrays and numbers of
    numpy and torch become lists and numbers. Encoding foreign objects runs their code: callers must expect any
    exception."""
    if said is None:
        return ""
    text = msgspec.json.encode(said, enc_hook=_plain)
    if len(text) > LONGEST_REMARK:
        return lost(f"{len(text)} bytes of JSON; at most {LONGEST_REMARK} are kept")
    return text.decode()


def lost(reason: str) -> str:
    """The note that replaces a remark that cannot be kept."""
    return msgspec.json.encode({"lost": reason}).decode()


def _plain(thing: Any) -> Any:
    """Convert an object that msgspec cannot encode, if it has `tolist`. Raises TypeError otherwise."""
    if hasattr(thing, "tolist"):
        return thing.tolist()
    raise TypeError(f"a {type(thing).__name__} cannot be written as JSON")
