"""Settings: converts TOML tables to frozen structs, with errors that a person can act on. Knows no game.

A settings type is a frozen `msgspec.Struct`; its fields are values, or further such structs: the tables of the file. A
value's field is `Annotated[type, msgspec.Meta(description=..., ge=..., le=...)]`: the check, the comment in a rendered
file and the text of an error are made from that.

In between, settings are *layers*: dicts from the dotted key ("ron.max_winners") to the checked value, so that later
layers win by `|` (preset < file < command line).
"""

import difflib
import json
import textwrap
import tomllib
import typing
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from jantaku.table.ground.errors import BadInput, all_told
from jantaku.table.ground.foreign.files import bytes_of

T = TypeVar("T", bound=msgspec.Struct)
Layer = dict[str, Any]

_COLUMNS = 100
_SHOWN = 6  # how many names an error lists before it only counts the rest
_DEEPEST = 20  # most levels of nested tables and lists; no settings type needs as many
_LONGEST = 14_000  # most bits of a number: Python prints no more than 4,300 digits
_LARGEST = 1 << 20  # most bytes of a file; our longest has about ten thousand
_SURE = 0.85  # similarity, from 0 to 1, at which a word is taken for a word of the field
_MOST_DOTS = 200  # most dots in a line: parsing takes time with the square of the number of key parts
_TOO_LONG = "a number has more than 4,200 digits"
_TOO_DEEP = f"tables or lists are nested more than {_DEEPEST} deep"


class Key(msgspec.Struct, frozen=True):
    """One value of a settings type: its dotted name, its annotation, its description."""

    name: str
    annotation: Any
    text: str
    required: bool


@lru_cache
def keys(kind: type[msgspec.Struct], prefix: str = "") -> dict[str, Key]:
    """Return all values of a settings type by their dotted name, in the order of the file."""
    found: dict[str, Key] = {}
    hints = typing.get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        name, hint = prefix + field.name, hints[field.name]
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            found |= keys(hint, name + ".")
        else:
            found[name] = Key(name, hint, _limits(hint).description or "", field.required)
    return found


# --- reading -----------------------------------------------------------------------------------


def read_toml(path: str | Path) -> dict[str, Any]:
    """Return the tables of a TOML file. Raises BadInput if it cannot be read or is not TOML (with line and column)."""
    content = bytes_of(path, _LARGEST)
    try:
        return _parsed(content.decode("utf-8-sig"))  # Windows editors begin a file with a byte order mark
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: is not a text file in UTF-8 (byte {error.start})") from None
    except ValueError as error:  # includes TOMLDecodeError
        raise BadInput(f"{path}: is not valid TOML: {error}") from None


def _parsed(text: str) -> dict[str, Any]:
    """Parse a TOML text. Raises ValueError if it is not TOML, nests too deeply, or has a number too long to print."""
    if any(line.count(".") > _MOST_DOTS for line in text.splitlines()):
        raise ValueError(_TOO_DEEP)
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python refuses to convert the digits
        raise ValueError(_TOO_LONG) from None
    level: list[Any] = [found]
    for _ in range(_DEEPEST):
        if any(isinstance(value, int) and value.bit_length() > _LONGEST for value in level):
            raise ValueError(_TOO_LONG)
        level = [item for value in level for item in _items(value)]
    if level:
        raise ValueError(_TOO_DEEP)
    return found


def _items(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def read_layer(table: Mapping[str, Any], kind: type[msgspec.Struct], where: str) -> Layer:
    """Return the checked values of a nested table. `where` names its source in errors. BadInput for every key that does
    not exist, wrong type and value that is not allowed."""
    return _read(table, kind, where, "")


def _read(table: Mapping[str, Any], kind: type[msgspec.Struct], where: str, prefix: str) -> Layer:
    found: Layer = {}
    with all_told() as part:
        for key, value in table.items():
            with part():
                found |= _read_key(prefix + key, value, kind, where)
    return found


def _read_key(name: str, value: Any, kind: type[msgspec.Struct], where: str) -> Layer:
    known = keys(kind)
    if name in known:
        return {name: _checked(known[name], value, where, kind)}
    if name not in _tables(known):
        raise BadInput(_unknown(name, value, kind), where)
    if isinstance(value, Mapping):
        return _read(value, kind, where, name + ".")
    hint = meant(kind, value) or f"[{name}] is a table of keys, not one value"
    raise BadInput(f"{name} = {toml(value)}: {hint}", where)


def split_texts(
    items: Iterable[str], where: str, kind: type[msgspec.Struct] = msgspec.Struct, example: str = "ron.max_winners=1"
) -> dict[str, str]:
    """Split `KEY=VALUE` words, for keys of `kind`, into a dict; the last of several for the same key wins. Raises
    BadInput for a word of another form."""
    found = {}
    for item in items:
        name, equals, text = item.partition("=")
        if not equals or not name.strip():
            hint = meant(kind, item) or f"for example {example}"
            raise BadInput(f"{item!r} is not of the form KEY=VALUE, {hint}", where)
        found[name.strip()] = text.strip()
    return found


def read_texts(texts: Mapping[str, str], kind: type[msgspec.Struct], where: str) -> Layer:
    """Read values typed on a command line, by dotted key: TOML, a bare word, or several separated by commas. A single
    value becomes a list of one if the key holds a list. Raises BadInput as `read_layer` does."""
    known = keys(kind)
    found: Layer = {}
    for name, text in texts.items():
        if name not in known:
            raise BadInput(_unknown(name, text, kind), where)
        value = read_text(name, text, where)
        alone = _is_list(known[name].annotation) and not isinstance(value, list)
        found[name] = _checked(known[name], [value] if alone else value, where, kind)
    return found


def read_text(name: str, text: str, where: str) -> Any:
    """Read a value typed on a command line for the key `name`. Raises BadInput if it nests too deeply or has too long a
    number."""
    try:
        return _typed(text)
    except ValueError as error:
        raise BadInput(f"{name}: {error}", where) from None


def _typed(text: str) -> Any:
    """Parse a TOML value; text that is not TOML is a bare word. Raises ValueError if it nests too deeply or has too
    long a number."""
    try:
        read = _parsed(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return [_typed(part.strip()) for part in text.split(",")] if "," in text else text
    return read["value"] if len(read) == 1 else text


def _checked(key: Key, value: Any, where: str, kind: type[msgspec.Struct]) -> Any:
    try:
        checked = msgspec.convert(value, key.annotation)
    except (msgspec.ValidationError, UnicodeEncodeError):  # the latter for bytes of a command line that are no text
        hint = meant(kind, value) or f"allowed: {allowed(key.annotation)}"
        raise BadInput(f"{key.name} = {toml(value)} is not allowed; {hint}", where) from None
    if not _is_set(key.annotation):
        return checked
    if len(set(checked)) < len(checked):
        raise BadInput(f"{key.name} = {toml(value)} names something twice", where)
    # Equal sets get the same order, so that equal settings are equal values.
    order = get_args(get_args(_bare(key.annotation))[0])
    return tuple(sorted(checked, key=order.index))


def build(kind: type[T], layer: Layer, where: str, *, every: bool = False) -> T:
    """Build a settings value from a layer. Raises BadInput if a key without a default is missing; with `every`, if any
    key is."""
    missing = [name for name, key in keys(kind).items() if (every or key.required) and name not in layer]
    if missing:
        raise BadInput(f"not given: {_few(missing)}", where)
    nested: dict[str, Any] = {}
    for name, value in layer.items():
        *tables, key = name.split(".")
        place = nested
        for table in tables:
            place = place.setdefault(table, {})
        place[key] = value
    return msgspec.convert(nested, kind)


# --- writing and comparing -----------------------------------------------------------------------


def flat(value: msgspec.Struct, prefix: str = "") -> Layer:
    """Return the layer with every value of `value`."""
    found: Layer = {}
    for field in value.__struct_fields__:
        item = getattr(value, field)
        if isinstance(item, msgspec.Struct):
            found |= flat(item, f"{prefix}{field}.")
        else:
            found[prefix + field] = item
    return found


def difference(a: T, b: T) -> list[tuple[str, Any, Any]]:
    """Return (key, value in a, value in b) for every key in which two values of the same type differ."""
    of_b = flat(b)
    return [(name, value, of_b[name]) for name, value in flat(a).items() if value != of_b[name]]


def render(value: msgspec.Struct, head: Iterable[str] = ()) -> str:
    """Write a complete TOML file: the lines of `head`, then every key below its description and its allowed values."""
    lines, table = list(head), ""
    known = keys(type(value))
    for name, item in flat(value).items():
        parent, _, key = name.rpartition(".")
        if parent != table:
            table = parent
            lines += ["", f"[{table}]"]
        lines += [*comment(known[name].text), *comment(f"allowed: {allowed(known[name].annotation)}")]
        lines.append(f"{key} = {toml(item)}")
    return "\n".join(lines) + "\n"


def comment(text: str) -> list[str]:
    return textwrap.wrap(text, _COLUMNS, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def toml(value: object) -> str:
    """One value as TOML text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {toml(item)}' for key, item in value.items())}}}"
    return str(value)


def plain_text(value: object) -> str:
    """One value as `read_texts` reads it: without quotes, brackets and spaces, a list by its commas."""
    if isinstance(value, list | tuple):
        return ",".join(map(plain_text, value)) or "[]"
    return value if isinstance(value, str) else toml(value)


# --- a type in words -----------------------------------------------------------------------------


def allowed(annotation: Any) -> str:
    """The allowed values of a type, in words for a person."""
    bare = _bare(annotation)
    origin, args = get_origin(bare), get_args(bare)
    if origin is Literal:
        return _either([toml(value) for value in literals(annotation)])
    if origin is UnionType or origin is typing.Union:
        return _either([allowed(arg) for arg in args if arg is not NoneType])
    limits = _limits(annotation)
    if origin is tuple and limits.min_length is not None:
        return f"a list of {limits.min_length} or {limits.max_length}, each {allowed(args[0])}"
    if origin is tuple and args[-1] is Ellipsis:
        item = _bare(args[0])
        choice = ", ".join(toml(value) for value in get_args(item)) if _is_set(bare) else allowed(args[0])
        return f"a list of any of {choice}"
    if origin is tuple:
        return f"a list of {len(args)}, each {allowed(args[0])}"
    if isinstance(bare, type) and issubclass(bare, Enum):
        return _either([toml(one.value) for one in bare])
    if origin is dict:
        return "a table" if args[1] is Any else f"a table in which each value is {allowed(args[1])}"
    if origin is list:
        return "a list"
    if bare is bool:
        return "true or false"
    if bare in (int, float):
        return _number("a whole number" if bare is int else "a number", limits)
    return "a text in quotes"


def literals(annotation: Any) -> tuple[Any, ...]:
    """The values of a Literal type; empty for any other type."""
    bare = _bare(annotation)
    return get_args(bare) if get_origin(bare) is Literal else ()


def _number(noun: str, limits: msgspec.Meta) -> str:
    if limits.ge is not None and limits.le is not None:
        noun += f" from {limits.ge} to {limits.le}"
    elif limits.ge is not None:
        noun += f", {limits.ge} or more"
    return noun + (f" in steps of {limits.multiple_of}" if limits.multiple_of else "")


def _limits(annotation: Any) -> msgspec.Meta:
    if get_origin(annotation) is typing.Annotated:
        for extra in get_args(annotation)[1:]:
            if isinstance(extra, msgspec.Meta):
                return extra
    return msgspec.Meta()


def _bare(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is typing.Annotated else annotation


def _is_list(annotation: Any) -> bool:
    """Whether the type is a list of any length."""
    args = get_args(_bare(annotation))
    return len(args) == 2 and args[1] is Ellipsis


def _is_set(annotation: Any) -> bool:
    """Whether the type is a list of names without order."""
    return _is_list(annotation) and get_origin(_bare(get_args(_bare(annotation))[0])) is Literal


def _tables(known: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name.rpartition(".")[0] for name in known if "." in name))


def _unknown(name: str, value: object, kind: type[msgspec.Struct]) -> str:
    """The message for a key or table that does not exist: what was probably meant, or else what exists."""
    names = list(keys(kind))
    tables = _tables(names)
    table, _, last = name.rpartition(".")
    elsewhere = [other for other in names if other.rpartition(".")[2] == last]
    if not elsewhere and (hint := meant(kind, name, value)):
        return f"there is no key {name}; {hint}"
    if name in tables:
        inside = [other for other in names if other.startswith(f"{name}.")]
        return f"there is no key {name}; [{name}] is a table, its keys are {', '.join(inside)}"
    beside = {other.rpartition(".")[2]: other for other in names + tables if other.rpartition(".")[0] == table}
    beside |= {} if table else getattr(kind, "BESIDE", {})
    near = elsewhere or [beside[key] for key in difflib.get_close_matches(last, beside, n=1)]
    near = near or difflib.get_close_matches(name, names, n=1, cutoff=0.75)
    if near:
        return f"there is no key {name}; did you mean {_as_written(near[0], tables)}?"
    if table and not beside:
        return f"there is no table [{table}]; the tables are {', '.join(f'[{other}]' for other in tables)}"
    inside = [key if other in names else _as_written(other, tables) for key, other in beside.items()]
    return f"there is no key {name}; the keys{f' of [{table}]' if table else ''} are {', '.join(inside)}"


def _as_written(name: str, tables: Sequence[str]) -> str:
    return f"[{name}]" if name in tables else name


def meant(kind: type[msgspec.Struct], *said: object) -> str:
    """The key for a word of the field (`WORDS` of the settings type) that occurs in `said`; empty if there is none."""
    words: Mapping[str, str] = getattr(kind, "WORDS", {})
    plain = {_plain(word): word for word in words}
    for text in said:
        for part in (str(text), str(text).rpartition(".")[2], str(text).partition("=")[0]):
            for near in difflib.get_close_matches(_plain(part), plain, n=1, cutoff=_SURE):
                return f"{plain[near]} is {words[plain[near]]} here"
    return ""


def _plain(word: str) -> str:
    return "".join(char for char in word.lower() if char.isalnum())


def did_you_mean(name: str, among: Iterable[str]) -> str:
    """ "did you mean …?" with the nearest of `among`; empty if none is near."""
    near = difflib.get_close_matches(name, list(among), n=1)
    return f"did you mean {near[0]}? " if near else ""


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _few(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
