"""Rule files of a game: presets, files that start from a preset, and `KEY=VALUE` words. Knows no game.

A rule file is TOML. `preset = "NAME"` at its top names what it starts from, its keys override that, and words
from a command line override the file. `to_toml` writes a complete, commented file; the presets are such files.
"""

import hashlib
import os
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from table.errors import BadInput
from table.settings import layers as settings
from table.settings.layers import Layer

T = TypeVar("T", bound=msgspec.Struct)


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A table of the TOML file.

    A key without a default was there before the first record was written. Every key that came later has one: the value
    that stands for its absence, which is how games were played before there was the key. So records, match files and
    messages that were written without it are read as they were meant. A key that has this value is not written, so that
    digests of old rules stay as they are. Presets name it all the same.
    """


def key(text: str, *, ge: int | None = None, le: int | None = None, multiple_of: int | None = None) -> msgspec.Meta:
    """A rule key's description, shown in every preset file, and its limits."""
    return msgspec.Meta(description=text, ge=ge, le=le, multiple_of=multiple_of)


class RuleFile(msgspec.Struct, Generic[T], frozen=True):
    """Rules and the preset that they start from."""

    preset: str
    rules: T


def digest(rules: msgspec.Struct) -> str:
    """Twelve hex digits that are equal for equal rules, on every machine and Python."""
    return hashlib.sha256(msgspec.json.encode(rules)).hexdigest()[:12]


def _nothing(layer: Layer) -> Layer:
    return {}


class Presets(Generic[T]):
    """The presets of one game and all that is made from them.

    `texts` says of each preset what sets it apart; its file is `presets/NAME.toml` in `package`. `game` is
    what a file's first line calls the game. `implied` gives the keys that go with those that a file or a
    person sets; `refuse(rules, where)` raises BadInput for values that are each allowed but not together.
    """

    def __init__(
        self,
        kind: type[T],
        package: str,
        game: str,
        texts: Mapping[str, str],
        default: str,
        refuse: Callable[[T, str], None],
        implied: Callable[[Layer], Layer] = _nothing,
    ) -> None:
        self.texts = texts
        self.default = default
        self._kind, self._package, self._game = kind, package, game
        self._refuse, self._implied = refuse, implied
        self._read: dict[str, T] = {}

    def preset(self, name: str) -> T:
        """The rules of a preset. BadInput if there is none of that name."""
        if name not in self.texts:
            raise BadInput(f"there is no preset {settings.toml(name)}; {self._the_presets(name)}")
        if name not in self._read:
            place = files(self._package) / "presets" / f"{name}.toml"
            table = settings.read_toml(Path(str(place)))
            table.pop("preset")
            where = f"preset {name}"
            layer = settings.read_layer(table, self._kind, where)
            self._read[name] = settings.build(self._kind, layer, where, every=True)
        return self._read[name]

    def read(self, path: str | Path) -> RuleFile[T]:
        """A rule file. BadInput with file and key for whatever cannot be used in it."""
        return self.from_table(settings.read_toml(path), str(path))

    def resolve(self, source: str) -> RuleFile[T]:
        """The preset or else the file that is called `source`; BadInput if it is neither."""
        if source in self.texts:
            return RuleFile(source, self.preset(source))
        if Path(source).suffix == ".toml" or (source and os.path.exists(source)):
            return self.read(source)
        raise BadInput(f"{settings.toml(source)} is no preset and no file; {self._the_presets(source)}")

    def from_table(self, table: Mapping[str, Any], where: str) -> RuleFile[T]:
        """Rules from a parsed TOML table as it stands in a rule file. `where` names its source in errors."""
        keys = dict(table)
        base = keys.pop("preset", self.default)
        if not isinstance(base, str) or base not in self.texts:
            raise BadInput(f"{where}: preset = {settings.toml(base)} is not allowed; {self._the_presets(str(base))}")
        layer = settings.read_layer(keys, self._kind, where)
        return RuleFile(base, self._override(self.preset(base), layer, where))

    def with_settings(self, rules: T, texts: Mapping[str, str], where: str = "--set") -> T:
        """`rules` with some keys set as on a command line, for example `{"ron.max_winners": "1"}`."""
        return self._override(rules, settings.read_texts(texts, self._kind, where), where)

    def to_toml(self, rules: T, base: str) -> str:
        """A complete rule file, every key with its comment; `base` is the preset that it names."""
        changed = [name for name, _, _ in settings.difference(self.preset(base), rules)]
        head = [f"# Rules of a {self._game} game for jantaku: preset {base}{', changed' if changed else ''}."]
        head += settings.comment(self.texts[base])
        if changed:
            head += settings.comment(f"Changed: {', '.join(changed)}.")
        return settings.render(rules, [*head, "", f"preset = {settings.toml(base)}"])

    def describe(self, rules: T) -> str:
        """The preset that is nearest, and what differs from it: `tenhou, game.length = "tonpu"`."""
        differences = {name: settings.difference(self.preset(name), rules) for name in self.texts}
        nearest = min(differences, key=lambda name: len(differences[name]))
        changed = [f"{key} = {settings.toml(value)}" for key, _, value in differences[nearest]]
        return ", ".join([nearest, *changed])

    def _override(self, rules: T, layer: Layer, where: str) -> T:
        merged = settings.build(self._kind, settings.flat(rules) | self._implied(layer) | layer, where)
        self._refuse(merged, where)
        return merged

    def _the_presets(self, given: str) -> str:
        return f"{settings.did_you_mean(given, self.texts)}the presets are {', '.join(self.texts)}"
