"""A player's remark beside its answer, for its author: JSON of bounded length, without effect on the game."""

from typing import Any, Final, TypeVar, overload

import msgspec

from jantaku.table.ground.errors import BadInput

LONGEST: Final = 4096
"""The most bytes of JSON that are kept."""


def remark_text(said: object) -> str:
    """Return a remark as JSON text; empty for None, and a note in its place if it is too long.

    Arrays and numbers of numpy and torch become lists and numbers. Encoding foreign objects runs their code: callers
    must expect any exception.
    """
    if said is None:
        return ""
    text = msgspec.json.encode(said, enc_hook=_plain)
    return text.decode() if len(text) <= LONGEST else lost(f"{len(text)} bytes of JSON; at most {LONGEST} are kept")


def lost(reason: str) -> str:
    """The note that replaces a remark that cannot be kept."""
    return msgspec.json.encode({"lost": reason}).decode()


def _plain(thing: Any) -> Any:
    """Convert an object that msgspec cannot encode, if it has `tolist`. Raises TypeError otherwise."""
    if hasattr(thing, "tolist"):
        return thing.tolist()
    raise TypeError(f"a {type(thing).__name__} cannot be written as JSON")


# Validates untrusted values against msgspec types: afterwards every key is present and has its type.

T = TypeVar("T")


@overload
def shaped(value: object, kind: type[T], *place: str) -> T: ...
@overload
def shaped(value: object, kind: Any, *place: str) -> Any: ...
def shaped(value: object, kind: Any, *place: str) -> Any:
    """Convert `value` to `kind`. Raises BadInput, at `place`, if a key is missing or has another type."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadInput(str(error), *place) from None
