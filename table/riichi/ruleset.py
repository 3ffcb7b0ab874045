"""Where rules come from: presets, rule files, `KEY=VALUE` words; and what can be told about them.

A rule file is TOML. `preset = "mleague"` at its top names what it starts from (without it: `tenhou`), its
keys override that, and words from a command line override the file. `to_toml` writes a complete, commented
file, and the presets in `presets/` are such files.
"""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from table import settings
from table.errors import BadInput
from table.riichi.majiang_rule import from_majiang, to_majiang
from table.riichi.rules import Rules
from table.settings import Layer, difference

__all__ = [
    "DEFAULT",
    "PRESETS",
    "RuleFile",
    "difference",
    "digest",
    "from_majiang",
    "from_table",
    "load",
    "preset",
    "read",
    "resolve",
    "to_majiang",
    "to_toml",
    "with_settings",
]

DEFAULT = "tenhou"
"""The preset that a rule file without a `preset` key starts from."""

PRESETS: Mapping[str, str] = {
    "tenhou": "The ranked tables of Tenhou: double ron, three claims abort, no double yakuman, west entry below 30000.",
    "mahjongsoul": "The ranked tables of Mahjong Soul: triple ron is paid, some yakuman count twice, kokushi may rob "
    "an ankan, 25000 points return and the uma is 15 5 -5 -15.",
    "mleague": "M.League: atamahane, no abortive draws, no tobi, no extension, kan dora at once, kiriage mangan, equal "
    "points share the uma.",
    "majiang": "The defaults of majiang-core 1.x (電脳麻将), so that it can judge our records. Its own peculiarities "
    "are kept: the discarder pays the honba of a ron with a liable third player, and three rons on a robbed kan are "
    "all paid.",
    "showa": "The rules of the showa-yojyo text: no red fives (S-01), atamahane (S-36) but three claims abort (S-37, "
    "S-88), kan dora at once (S-55), four kans abort at the fourth kan (S-85), agari-yame whatever kept the dealer "
    "(S-95), every winner is paid the honba (S-109). A tonpu starts with 20000 points (S-13): set start_points to "
    "20000 and return_points to 25000 with length tonpu.",
}
"""The presets by name, each with what sets it apart; the text stands at the top of its file."""

_FOLLOWERS = {"ron.max_winners": "ron.chankan_max_winners", "ron.sanchahou": "ron.chankan_sanchahou"}


class RuleFile(msgspec.Struct, frozen=True):
    """Rules and the preset that they start from."""

    preset: str
    rules: Rules


@lru_cache
def preset(name: str) -> Rules:
    """The rules of a preset. BadInput if there is none of that name."""
    if name not in PRESETS:
        raise BadInput(f"there is no preset {settings.toml(name)}; {_the_presets(name)}")
    place = files(__package__) / "presets" / f"{name}.toml"
    table = settings.read_toml(Path(str(place)))
    table.pop("preset")
    where = f"preset {name}"
    return settings.build(Rules, settings.read_layer(table, Rules, where), where)


def read(path: str | Path) -> RuleFile:
    """A rule file. BadInput with file and key for whatever cannot be used in it."""
    return from_table(settings.read_toml(path), str(path))


def load(path: str | Path) -> Rules:
    """The rules of a rule file, see `read`."""
    return read(path).rules


def resolve(source: str) -> RuleFile:
    """The preset or else the file that is called `source`; BadInput if it is neither."""
    if source in PRESETS:
        return RuleFile(source, preset(source))
    if Path(source).suffix == ".toml" or Path(source).exists():
        return read(source)
    raise BadInput(f"{settings.toml(source)} is no preset and no file; {_the_presets(source)}")


def from_table(table: Mapping[str, Any], where: str) -> RuleFile:
    """Rules from a parsed TOML table as it stands in a rule file. `where` names its source in errors."""
    keys = dict(table)
    base = keys.pop("preset", DEFAULT)
    if not isinstance(base, str) or base not in PRESETS:
        raise BadInput(f"{where}: preset = {settings.toml(base)} is not allowed; {_the_presets(str(base))}")
    return RuleFile(base, _override(preset(base), settings.read_layer(keys, Rules, where), where))


def with_settings(rules: Rules, texts: Mapping[str, str], where: str = "--set") -> Rules:
    """`rules` with some keys set as on a command line, for example `{"ron.max_winners": "1"}`."""
    return _override(rules, settings.read_texts(texts, Rules, where), where)


def _override(rules: Rules, layer: Layer, where: str) -> Rules:
    merged = settings.build(Rules, settings.flat(rules) | _implied(layer) | layer, where)
    _refuse_contradictions(merged, where)
    return merged


def _implied(layer: Layer) -> Layer:
    """What goes with the keys that a layer sets, unless it says otherwise.

    Whoever asks for atamahane or no sanchahou means the robbed kan too, and without ura or kan dora
    there is no kan ura.
    """
    found = {_FOLLOWERS[name]: value for name, value in layer.items() if name in _FOLLOWERS}
    if layer.get("dora.ura") is False or layer.get("dora.kan") is False:
        found["dora.kan_ura"] = False
    return found


def _refuse_contradictions(rules: Rules, where: str) -> None:
    """BadInput for values that are each allowed but not together.

    `sanchahou` with three winners is allowed: one or two claims win, three abort.
    """
    dora, ron = rules.dora, rules.ron
    against = (
        (ron.chankan_sanchahou and not ron.sanchahou, "ron.chankan_sanchahou = true", "ron.sanchahou = true"),
        (dora.kan_ura and not dora.ura, "dora.kan_ura = true", "dora.ura = true"),
        (dora.kan_ura and not dora.kan, "dora.kan_ura = true", "dora.kan = true"),
    )
    for contradicts, given, needed in against:
        if contradicts:
            raise BadInput(f"{where}: {given} needs {needed}")


def digest(rules: Rules) -> str:
    """Twelve hex digits that are equal for equal rules, on every machine and Python."""
    return hashlib.sha256(msgspec.json.encode(rules)).hexdigest()[:12]


def to_toml(rules: Rules, base: str = DEFAULT) -> str:
    """A complete rule file, every key with its comment; `base` is the preset that it names."""
    changed = [name for name, _, _ in difference(preset(base), rules)]
    head = [f"# Rules of a riichi game for jantaku: preset {base}{', changed' if changed else ''}."]
    head += settings.comment(PRESETS[base])
    if changed:
        head += settings.comment(f"Changed: {', '.join(changed)}.")
    return settings.render(rules, [*head, "", f"preset = {settings.toml(base)}"])


def _the_presets(given: str) -> str:
    return f"{settings.did_you_mean(given, PRESETS)}the presets are {', '.join(PRESETS)}"
