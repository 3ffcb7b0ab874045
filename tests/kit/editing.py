"""Changes of something that came of JSON, for tests of what is refused."""

from collections.abc import Callable
from typing import Any


def put_at(whole: Any, *keys: Any, to: object) -> None:
    """Put a value under these keys, one inside another."""
    for key in keys[:-1]:
        whole = whole[key]
    whole[keys[-1]] = to


def putting(*keys: Any, to: object) -> Callable[[Any], None]:
    """A change that puts a value under these keys."""
    return lambda whole: put_at(whole, *keys, to=to)
