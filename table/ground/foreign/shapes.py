"""Validates untrusted values against msgspec types: afterwards every key is present and has its type."""

from typing import Any, TypeVar, overload

import msgspec

from jantaku.table.ground.errors import BadInput

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
