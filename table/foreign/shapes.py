"""Values from outside are held against a shape at the door: behind it every key is there and of its kind."""

from typing import Any, TypeVar, overload

import msgspec

from table.errors import BadInput

T = TypeVar("T")


@overload
def shaped(value: object, kind: type[T], *place: str) -> T: ...
@overload
def shaped(value: object, kind: Any, *place: str) -> Any: ...
def shaped(value: object, kind: Any, *place: str) -> Any:
    """`value` as one of `kind`. Raises BadInput, at `place`, if it has not its keys and kinds of value."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadInput(str(error), *place) from None
