"""Draws the reference of all rule keys: `python -m scripts.rulepages` updates docs/rules/.

Every table of a rule file has a page. Its head is written by hand; the part between the two marks comes from the rules
themselves (`table/riichi/rules.py`, `table/daifugo/rules.py`) and from the presets.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.daifugo import rules as daifugo
from jantaku.table.ground import settings as layers
from jantaku.table.ground.presets import Presets
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.rules import Rules
from scripts.laws import bring_up_to_date

FOLDER = Path(__file__).parents[1] / "docs" / "rules"
COMMAND = "scripts.rulepages"


def pages() -> Mapping[Path, str]:
    """Return by page the text between its marks."""
    riichi = ruleset.FILES
    tables = dict.fromkeys(name.partition(".")[0] for name in layers.keys(Rules))
    found = {FOLDER / f"{table}.md": drawn(riichi, table) for table in tables}
    return found | {
        FOLDER / "index.md": presets(riichi),
        FOLDER / "daifugo.md": "\n\n".join([presets(daifugo.FILES), drawn(daifugo.FILES)]),
    }


def presets(files: Presets[Any]) -> str:
    """Return the presets of a game and their special features."""
    return "\n".join(
        f"- **`{name}`**{' (the default)' if name == files.default else ''}: {text}"
        for name, text in files.texts.items()
    )


def drawn(files: Presets[Any], table: str = "") -> str:
    """Return every key of one table, or of all: its meaning, its allowed values, and the presets by value."""
    kind: type[msgspec.Struct] = files.kind
    return "\n\n".join(
        "\n".join(_entry(files, key))
        for name, key in layers.keys(kind).items()
        if not table or name.startswith(f"{table}.")
    )


def _entry(files: Presets[Any], key: layers.Key) -> Iterator[str]:
    chosen = _chosen(files, key.name)
    choice = [layers.toml(value) for value in layers.literals(key.annotation)]
    intro, meanings = _meanings(key.text, [value.strip('"') for value in choice])
    yield from (f"## `{key.name}`", "")
    if intro:
        yield from (f"{intro if '_' in intro.split()[0] else intro[0].upper() + intro[1:]}.", "")
    if meanings:
        for value, meaning in zip(choice, meanings, strict=True):
            yield f"- `{value}`: {meaning}{f' ({_names(chosen[value], files)})' if value in chosen else ''}"
    else:
        if (allowed := layers.allowed(key.annotation)) != "true or false":  # the next line says as much
            yield f"- Allowed: {allowed}"
        *few, (most, _) = sorted(chosen.items(), key=lambda one: len(one[1]))
        presets = [*(f"`{value}` in {', '.join(names)}" for value, names in few), f"`{most}` in all"]
        yield f"- Presets: {'; '.join(presets)}{' others' if few else ''}"
    if not key.required:
        yield f"- Missing: `{layers.toml(_default(files.kind, key.name))}`"
    words: Mapping[str, str] = getattr(files.kind, "WORDS", {})
    said: dict[str, list[str]] = {}
    for word, meant in words.items():
        if key.name in re.findall(r"[a-z]+\.[a-z_]+", meant):
            said.setdefault(meant, []).append(word)
    for meant, names in said.items():
        yield f"- {f'`{meant}` is also called' if meant != key.name else 'Also called'} {', '.join(names)}"


def _chosen(files: Presets[Any], name: str) -> Mapping[str, list[str]]:
    """Return the presets by the value that they give to a key, in TOML."""
    found: dict[str, list[str]] = {}
    for preset in files.texts:
        found.setdefault(layers.toml(layers.flat(files.preset(preset))[name]), []).append(preset)
    return found


def _names(presets: list[str], files: Presets[Any]) -> str:
    """Return the names of presets; of most of them those that are missing."""
    others = [name for name in files.texts if name not in presets]
    if len(others) >= len(presets):
        return ", ".join(presets)
    return f"all but {', '.join(others)}" if others else "all"


def _meanings(text: str, values: list[str]) -> tuple[str, list[str]]:
    """Split a description of the form "what it is about. one: this; other: that"; no parts if it has another form."""
    parts = re.split("|".join(rf"(?:^|[;.] ){re.escape(value)}: " for value in values), text) if values else []
    return (parts[0], parts[1:]) if len(parts) == len(values) + 1 else (text, [])


def _default(kind: type[msgspec.Struct], name: str) -> object:
    table, _, field = name.partition(".")
    section = {one.name: one.type for one in msgspec.structs.fields(kind)}[table]
    return next(one.default for one in msgspec.structs.fields(section) if one.name == field)


def main() -> int:
    return max([bring_up_to_date(page, text, COMMAND) for page, text in pages().items()])


if __name__ == "__main__":
    sys.exit(main())
