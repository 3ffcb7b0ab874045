"""Finds options of certain kinds, for bots."""

from typing import Final, TypeVar, cast

from jantaku.table.ground.choice import Action, Options

A = TypeVar("A")


def first_of(options: Options, kinds: tuple[type[A], ...]) -> A | None:
    """Return the first of these options that is of one of these kinds of action; None if there is none."""
    is_one = _known(kinds)
    last: type | None = None
    for option in options:
        kind = type(option)
        if kind is not last:  # options of one kind are adjacent
            if _is_one(option, kinds, is_one):
                return cast(A, option)
            last = kind
    return None


def all_of(options: Options, kinds: tuple[type[A], ...]) -> list[A]:
    is_one = _known(kinds)
    found: list[A] = []
    last: type | None = None
    is_wanted = False
    for option in options:
        kind = type(option)
        if kind is not last:
            last, is_wanted = kind, _is_one(option, kinds, is_one)
        if is_wanted:
            found.append(cast(A, option))
    return found


def _known(kinds: tuple[type, ...]) -> dict[type, bool]:
    is_one = _KINDS.get(kinds)
    if is_one is None:
        is_one = _KINDS[kinds] = {}
    return is_one


def _is_one(option: Action, kinds: tuple[type, ...], is_one: dict[type, bool]) -> bool:
    known = is_one.get(type(option))
    if known is None:
        known = is_one[type(option)] = isinstance(option, kinds)
    return known


_KINDS: Final[dict[tuple[type, ...], dict[type, bool]]] = {}
"""By the kinds that were looked for: for each type of action, whether it is one of them. Cached, as isinstance is slow
for structs."""
