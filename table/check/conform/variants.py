"""JSON that is a variant of other JSON: their difference, and its text form."""

import json
from typing import Any

_WITHOUT = "-"
"""Key under which a difference lists the keys that the variant lacks."""
_DEPTH, _WIDTH = 4, 100
"""Objects and arrays are broken into lines down to `_DEPTH`, unless they fit into `_WIDTH` columns."""


def difference(base: Any, variant: Any) -> Any:
    """Return the difference from which `changed` makes `variant` of `base`. Both are JSON without the key "-"."""
    if not (isinstance(base, dict) and isinstance(variant, dict)):
        return variant
    found = {
        key: difference(base[key], value) if key in base else value
        for key, value in variant.items()
        if key not in base or base[key] != value
    }
    without = [key for key in base if key not in variant]
    return {_WITHOUT: without} | found if without else found


def changed(base: Any, differs: Any) -> Any:
    """Apply a difference to `base`: an object changes the keys that it names, any other value replaces what was
    there."""
    if not (isinstance(base, dict) and isinstance(differs, dict)):
        return differs
    kept = {key: value for key, value in base.items() if key not in differs.get(_WITHOUT, ())}
    return kept | {key: changed(kept.get(key), value) for key, value in differs.items() if key != _WITHOUT}


def text_of(value: Any) -> bytes:
    """Write JSON in a few lines; a value that is short or deeply nested stays on one line."""
    return f"{_laid(value, _DEPTH, 0)}\n".encode()


def _laid(value: Any, depth: int, indent: int) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if not depth or not value or not isinstance(value, dict | list) or len(line) + indent <= _WIDTH:
        return line
    inner = " " * (indent + 1)
    begins, ends = "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, dict):
        parts = [(f"{json.dumps(key, ensure_ascii=False)}: ", one) for key, one in value.items()]
    else:
        parts = [("", one) for one in value]
    lines = ",\n".join(f"{inner}{name}{_laid(one, depth - 1, indent + 1)}" for name, one in parts)
    return f"{begins}\n{lines}\n{' ' * indent}{ends}"
