"""Rule files of a game: presets, files that start from a preset, and `KEY=VALUE` settings. Knows no game.

A rule file is TOML. `preset = "NAME"` at its top names the preset that it starts from, its keys override the preset,
and settings on a command line override the file. `to_toml` writes a complete, commented file. A preset's own file is
bare: the first one has every key, the others have only the keys that differ from the preset that they name.
"""

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from jantaku.table.ground import settings
from jantaku.table.ground.errors import BadInput, all_told
from jantaku.table.ground.kinds import refuse_no_rules
from jantaku.table.ground.settings import Layer

T = TypeVar("T", bound=msgspec.Struct)


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base of the tables of a rule file. A key without a default is as old as the first record. Every later key has a
    default, the value that stands for its absence: how games were played before the key existed. So records, match
    files and messages written without it are still read correctly. A key that has its default value is not written, so
    that digests of old rules stay the same; but the first preset names it."""

    def __post_init__(self) -> None:
        """Replace values that equal their default by the default itself: msgspec omits a default only by identity, and
        a value from a file or another process is merely equal."""
        named = zip(reversed(self.__struct_fields__), reversed(self.__struct_defaults__), strict=False)
        for name, default in named:
            value = getattr(self, name)
            if value is not default and value == default:
                msgspec.structs.force_setattr(self, name, default)


def key(
    text: str,
    *,
    ge: int | None = None,
    le: int | None = None,
    multiple_of: int | None = None,
    lengths: tuple[int | None, int | None] = (None, None),
) -> msgspec.Meta:
    """Describe a rule key (shown in every printed rule file), with its limits. `lengths` are the least and most entries
    of a list."""
    if lengths != (None, None):
        return msgspec.Meta(description=text, min_length=lengths[0], max_length=lengths[1])
    return msgspec.Meta(description=text, ge=ge, le=le, multiple_of=multiple_of)


class RuleFile(msgspec.Struct, Generic[T], frozen=True):
    """Rules, and the preset that they start from."""

    preset: str
    rules: T


def digest(rules: msgspec.Struct) -> str:
    """Twelve hex digits, equal for equal rules on every machine and Python version."""
    return hashlib.sha256(msgspec.json.encode(rules)).hexdigest()[:12]


NOTHING: Mapping[str, Any] = {}


def _nothing(layer: Layer) -> Layer:
    return {}


class Presets(Generic[T]):
    """The presets of one game, and everything made from them. `texts` says for each preset what distinguishes it; its
    values are in `presets/NAME.toml` in `package`. `game` is the game's name in a file's first line. `implied` returns
    the keys that follow from the keys that a file or a person sets; `refuse(rules, where)` raises BadInput for values
    that exclude each other. `choices` are printed with a preset; `lengths` has the keys of a preset that follow from
    its `game.length`, unless they are set."""

    def __init__(
        self,
        kind: type[T],
        package: str,
        game: str,
        texts: Mapping[str, str],
        default: str,
        refuse: Callable[[T, str], None],
        implied: Callable[[Layer], Layer] = _nothing,
        choices: Mapping[str, Sequence[str]] = NOTHING,
        lengths: Mapping[str, Mapping[str, Layer]] = NOTHING,
    ) -> None:
        self.texts = texts
        self.default = default
        self.kind, self._package, self._game = kind, package, game
        self._refuse, self._implied = refuse, implied
        self.choices, self._lengths = choices, lengths
        self._read: dict[str, T] = {}

    def preset(self, name: str) -> T:
        """Return the rules of a preset. Raises BadInput if there is none of that name."""
        if name not in self.texts:
            raise BadInput(f"there is no preset {settings.toml(name)}; {self._the_presets(name)}")
        if name not in self._read:
            table = settings.read_toml(Path(import_module(self._package).__path__[0], "presets", f"{name}.toml"))
            base: str | None = table.pop("preset", None)
            where = f"preset {name}"
            layer = {} if base is None else settings.flat(self.preset(base))
            layer |= settings.read_layer(table, self.kind, where)
            self._read[name] = settings.build(self.kind, layer, where, every=True)
        return self._read[name]

    def read(self, path: str | Path) -> RuleFile[T]:
        """Read a rule file. Raises BadInput, with file and key, if it is invalid."""
        tables = settings.read_toml(path)
        refuse_no_rules(tables, str(path))
        return self.from_table(tables, str(path))

    def resolve(self, source: str) -> RuleFile[T]:
        """Return the preset, or else the file, called `source`. Raises BadInput if it is neither."""
        if source in self.texts:
            return RuleFile(source, self.preset(source))
        if Path(source).suffix == ".toml" and not os.path.exists(source) and (stem := Path(source).stem) in self.texts:
            raise BadInput(f"{source}: there is no such file; the preset is called {stem}")
        if Path(source).suffix == ".toml" or (source and os.path.exists(source)):
            return self.read(source)
        meant = settings.meant(self.kind, source)
        raise BadInput(f"{settings.toml(source)} is neither a preset nor a file; {meant or self._the_presets(source)}")

    def from_table(self, table: Mapping[str, Any], where: str) -> RuleFile[T]:
        """Read rules from a parsed TOML table of a rule file. `where` names its source in errors."""
        keys = dict(table)
        base = keys.pop("preset", self.default)
        with all_told() as part:
            if not isinstance(base, str) or base not in self.texts:
                told = f"preset = {settings.toml(base)} is not allowed; {self._the_presets(str(base))}"
                with part():
                    raise BadInput(told, where)
            with part():
                layer = settings.read_layer(keys, self.kind, where)
        return RuleFile(base, self._override(self.preset(base), layer, where, base))

    def with_settings(self, rules: T | RuleFile[T], texts: Mapping[str, str], where: str = "--set") -> T:
        """Return `rules` with some keys set as on a command line, for example `{"ron.max_winners": "1"}`."""
        if not isinstance(rules, RuleFile):
            rules = RuleFile(next((name for name in self._lengths if self.preset(name) == rules), ""), rules)
        return self._override(rules.rules, settings.read_texts(texts, self.kind, where), where, rules.preset)

    def to_toml(self, rules: T, base: str) -> str:
        """Write a complete rule file, every key with its comment; `base` is the preset that it names."""
        changed = [name for name, _, _ in settings.difference(self.preset(base), rules)]
        head = [f"# Rules of a {self._game} game for jantaku: preset {base}{', changed' if changed else ''}."]
        head += settings.comment(self.texts[base])
        head += [line for choice in self.choices.get(base, ()) for line in settings.comment(choice)]
        if changed:
            head += settings.comment(f"Changed: {', '.join(changed)}.")
        return settings.render(rules, [*head, "", f"preset = {settings.toml(base)}"])

    def describe(self, rules: T) -> str:
        """Describe rules by the nearest preset and the differences from it: `tenhou, game.length = "tonpu"`."""
        nearest, changed = self.nearest(rules)
        return ", ".join([nearest, *(f"{key} = {settings.toml(value)}" for key, value in changed.items())])

    def nearest(self, rules: T) -> tuple[str, Layer]:
        """Return the preset from which `rules` differ in the fewest keys, the first of several, and those keys."""
        differences = {name: settings.difference(self.preset(name), rules) for name in self.texts}
        name = min(differences, key=lambda name: len(differences[name]))
        return name, {key: value for key, _, value in differences[name]}

    def in_a_word(self, rules: T) -> str:
        """Rules as one word: the nearest preset, then the keys that differ, as `tenhou;ron.max_winners=1`."""
        nearest, changed = self.nearest(rules)
        return ";".join([nearest, *(f"{key}={settings.plain_text(value)}" for key, value in changed.items())])

    def from_word(self, word: str) -> T:
        """Read a word that `in_a_word` wrote. Keys that the word leaves out have the preset's values; no key changes
        with another, as it does in `with_settings`. Raises BadInput for unknown presets, keys and values."""
        name, *changed = word.split(";")
        texts = settings.split_texts(changed, "rules", self.kind)
        layer = settings.flat(self.preset(name)) | settings.read_texts(texts, self.kind, "rules")
        rules = settings.build(self.kind, layer, "rules")
        self._refuse(rules, "rules")
        return rules

    def _override(self, rules: T, layer: Layer, where: str, base: str) -> T:
        before = settings.flat(rules)
        implied = self._with_length(before, layer, base) | self._implied(layer)
        merged = settings.build(self.kind, before | implied | layer, where)
        self._refuse(merged, where)
        return merged

    def _with_length(self, before: Layer, layer: Layer, base: str) -> Layer:
        """Return the keys that follow from the length that `layer` sets, except those that no longer have the value of
        `base`."""
        lengths = self._lengths.get(base, {})
        if "game.length" not in layer or not lengths:
            return {}
        preset = settings.flat(self.preset(base))
        names = {name for other in lengths.values() for name in other}
        was, becomes = ({**preset, **lengths.get(one["game.length"], {})} for one in (before, before | layer))
        return {name: becomes[name] for name in names if before[name] == was[name]}

    def _the_presets(self, given: str) -> str:
        return f"{settings.did_you_mean(given, self.texts)}the presets are {', '.join(self.texts)}"
