"""The kinds of files that people write, recognised by their tables, so that the error for a file given to the wrong
option can name its kind."""

import difflib
from collections.abc import Collection, Mapping
from typing import Any, Final

from jantaku.table.ground.errors import BadInput, all_told

_GIVEN: Final = {
    "table": "that is a table file: use --config FILE, of jantaku play and serve",
    "match": "that is a match file: use jantaku match FILE",
    "tournament": "that is a tournament file: use jantaku tournament FILE",
}
"""For the table that only files of one kind have: how such a file is given."""
BESIDE: Final = {"rules": "[rules]", "player": "[[player]]"}
"""Tables that all of these kinds may have, and how they are written."""
_NO_RULES: Final = (*_GIVEN, *BESIDE, "clock")
"""Tables that no rule file has."""


def kind_of(tables: Mapping[str, Any]) -> str:
    """The kind of a file, by its own table, also a misspelt one; empty for a rule file."""
    found = [near for name in tables for near in difflib.get_close_matches(name, _NO_RULES, n=1, cutoff=0.8)]
    return next((name for name in _GIVEN if name in found), "table" if found else "")


def refuse_others(tables: Mapping[str, Any], where: str, own: str) -> None:
    """Raise BadInput for a file of another kind than `own`."""
    if own not in tables:
        _refuse_given(tables, where)
    if "preset" in tables:
        raise BadInput(f"that is a rule file: use --rules FILE, or write {own}.rules = FILE", where)


def refuse_bare_rules(tables: dict[str, Any], where: str, rules: Collection[str]) -> None:
    """Raise BadInput for `rules`, the tables of a rule file, outside of [rules], and take them out of `tables`."""
    with all_told() as part:
        for name in [name for name in tables if name in rules]:
            value = tables.pop(name)
            key = next(iter(value), "KEY") if isinstance(value, dict) else "KEY"
            put = f"put it below [rules] as {name}.{key}, or give the rule file by --rules FILE"
            with part():
                raise BadInput(f"[{name}] is a rule: {put}", where)


def refuse_no_rules(tables: Mapping[str, Any], where: str) -> None:
    """Raise BadInput for a file of one of these kinds that is given as a rule file."""
    _refuse_given(tables, where)
    if any(name in tables for name in _NO_RULES):
        raise BadInput(_GIVEN["table"], where)


def _refuse_given(tables: Mapping[str, Any], where: str) -> None:
    for name, said in _GIVEN.items():
        if name in tables:
            raise BadInput(said, where)
