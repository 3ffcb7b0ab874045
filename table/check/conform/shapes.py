"""The shape of messages as JSON Schema, and JSON that is a variant of other JSON."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

# JSON that is a variant of other JSON: their difference, and its text form.

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


# The shape of messages as JSON Schema: drawn from example messages, and checked against others.
#
# The checker knows only the keywords that are drawn here: type, enum, pattern, properties, required, items, minItems,
# maxItems, anyOf, $ref. Further properties are always allowed.

Schema = dict[str, Any]


class Naming(msgspec.Struct, frozen=True):
    """How a shape names values. `patterns`: kinds of text by name, the narrowest first. `seats`: keys whose numbers are
    seats. `listed`: keys whose texts are listed one by one. `opaque`: keys whose objects are not described further."""

    patterns: Mapping[str, str] = {}
    seats: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    opaque: frozenset[str] = frozenset()

    @property
    def defs(self) -> Schema:
        """The `$defs` of a page whose shapes use these names."""
        texts = {name: {"type": "string", "pattern": f"^(?:{text})$"} for name, text in self.patterns.items()}
        return {**texts, "seat": SEAT} if self.seats else texts


SEAT: Final[Schema] = {"type": "integer", "enum": [0, 1, 2, 3]}
_JSON: Final[Mapping[type, str]] = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
}
_SHOWN = 60  # characters of a value in a misfit


def drawn(values: Sequence[Any], naming: Naming, key: str = "") -> Schema:
    """Return the common shape of all these values, found under `key`."""
    by_kind: dict[str, list[Any]] = {}
    for value in values:
        by_kind.setdefault(_kind(value), []).append(value)
    if {"integer", "number"} <= by_kind.keys():
        by_kind["number"] += by_kind.pop("integer")
    shapes = [
        _DRAWN[kind](by_kind[kind], naming, key) if kind in _DRAWN else {"type": kind} for kind in sorted(by_kind)
    ]
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


def _kind(value: Any) -> str:
    return "null" if value is None else _JSON[type(value)]


def _integer(values: Sequence[int], naming: Naming, key: str) -> Schema:
    return {"$ref": "#/$defs/seat"} if key in naming.seats else {"type": "integer"}


def _text(values: Sequence[str], naming: Naming, key: str) -> Schema:
    if key in naming.listed:
        return {"enum": sorted(set(values))}
    for name, pattern in naming.patterns.items():
        if all(re.fullmatch(pattern, value) for value in set(values)):
            return {"$ref": f"#/$defs/{name}"}
    return {"type": "string"}


def _array(values: Sequence[list[Any]], naming: Naming, key: str) -> Schema:
    shape: Schema = {"type": "array"}
    items = [item for value in values for item in value]
    if items:
        shape["items"] = drawn(items, naming, key)
    sizes = set(map(len, values))
    if len(sizes) == 1 and len(values) > 1 and sizes != {0}:
        shape |= {"minItems": min(sizes), "maxItems": max(sizes)}
    return shape


def _object(values: Sequence[dict[str, Any]], naming: Naming, key: str) -> Schema:
    if key in naming.opaque:
        return {"type": "object"}
    keys = dict.fromkeys(name for value in values for name in value)
    found = {name: [value[name] for value in values if name in value] for name in keys}
    properties = {name: drawn(inside, naming, name) for name, inside in found.items()}
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in keys if len(found[name]) == len(values)],
    }


_DRAWN: Final[Mapping[str, Callable[[Any, Naming, str], Schema]]] = {
    "object": _object,
    "array": _array,
    "string": _text,
    "integer": _integer,
}


def misfits(value: Any, shape: Schema, defs: Schema, path: str = "") -> Iterator[str]:
    """Yield in words where a value differs from a shape; `defs` are the named shapes."""
    if "$ref" in shape:
        name = shape["$ref"].rpartition("/")[2]
        if any(misfits(value, defs[name], defs)):
            yield f"{path or 'it'} is {_shown(value)}, not a {name}"
    elif "anyOf" in shape:
        if not any(not any(misfits(value, one, defs)) for one in shape["anyOf"]):
            yield f"{path or 'it'} is {_shown(value)}, of none of the shapes allowed there"
    elif "enum" in shape:
        if value not in shape["enum"]:
            yield f"{path or 'it'} is {_shown(value)}, not one of {', '.join(map(str, shape['enum']))}"
    elif not _is(value, shape["type"]):
        yield f"{path or 'it'} is {_shown(value)}, not of type {shape['type']}"
    elif "pattern" in shape and not re.search(shape["pattern"], value):
        yield f"{path or 'it'} is {_shown(value)}, not like {shape['pattern']}"
    elif shape["type"] == "object":
        yield from _object_misfits(value, shape, defs, path)
    elif shape["type"] == "array":
        yield from _array_misfits(value, shape, defs, path)


def _is(value: Any, kind: str) -> bool:
    return _kind(value) == kind or (kind == "number" and _kind(value) == "integer")


def _object_misfits(value: dict[str, Any], shape: Schema, defs: Schema, path: str) -> Iterator[str]:
    for name in shape.get("required", ()):
        if name not in value:
            yield f"{path or 'it'} has no {name}"
    for name, inside in shape.get("properties", {}).items():
        if name in value:
            yield from misfits(value[name], inside, defs, f"{path}.{name}" if path else name)


def _array_misfits(value: list[Any], shape: Schema, defs: Schema, path: str) -> Iterator[str]:
    least, most = shape.get("minItems", 0), shape.get("maxItems", len(value))
    if not least <= len(value) <= most:
        yield f"{path or 'it'} has {len(value)} items, not {least if least == most else f'{least} to {most}'}"
    for number, item in enumerate(value):
        yield from misfits(item, shape.get("items", {"enum": [item]}), defs, f"{path}[{number}]")


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
