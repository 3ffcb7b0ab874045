"""What a player says beside its answer, for its author: JSON of a bounded length, which changes nothing."""

from typing import Any, Final

import msgspec

LONGEST: Final = 4096
"""Bytes of JSON that are kept."""


def remark_text(said: object) -> str:
    """What was said as JSON text; empty for nothing, and a note in its place for what is too long.

    Arrays and numbers of numpy and torch are lists and numbers. Writing foreign objects runs their code: whoever calls
    this is ready for anything it raises.
    """
    if said is None:
        return ""
    text = msgspec.json.encode(said, enc_hook=_plain)
    return text.decode() if len(text) <= LONGEST else lost(f"{len(text)} bytes of JSON; at most {LONGEST} are kept")


def lost(reason: str) -> str:
    """What is kept in place of a remark that cannot be."""
    return msgspec.json.encode({"lost": reason}).decode()


def _plain(thing: Any) -> Any:
    """What msgspec has no JSON for, in lists and numbers where it has `tolist`."""
    if hasattr(thing, "tolist"):
        return thing.tolist()
    raise TypeError(f"a {type(thing).__name__} cannot be written as JSON")
