"""The settings of an Akagi bot: declared in its `manifest.toml`, set by `settings.toml`, and by the player's terms."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from jantaku.players.folders.needs import is_its_own
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.ground.settings import did_you_mean, read_toml

MANIFEST = "manifest.toml"
SETTINGS = "settings.toml"
_MODE = "4p"
_KINDS: dict[str, tuple[type, ...]] = {"string": (str,), "enum": (str,), "bool": (bool,), "int": (int,)} | {
    "float": (int, float)
}


class _Setting(msgspec.Struct):
    type: Literal["string", "bool", "int", "float", "enum"]
    default: str | bool | int | float | None = None
    min: float | None = None
    max: float | None = None
    choices: list[str] = []

    def problem(self, value: object) -> str:
        """What is allowed, in words, if `value` is not; empty if it is."""
        if not isinstance(value, _KINDS[self.type]) or (isinstance(value, bool) and self.type != "bool"):
            return f"a {self.type} is needed"
        if self.type == "enum" and value not in self.choices:
            return f"allowed are {', '.join(self.choices)}"
        if isinstance(value, int | float):
            low = "" if self.min is None else f"from {self.min:g}"
            high = "" if self.max is None else f"up to {self.max:g}"
            if (self.min is not None and value < self.min) or (self.max is not None and value > self.max):
                return f"allowed is {' '.join(filter(None, (low, high)))}"
        return ""


class _Bot(msgspec.Struct):
    supported_modes: tuple[str, ...] = (_MODE,)


class _Manifest(msgspec.Struct):
    bot: _Bot = msgspec.field(default_factory=_Bot)
    settings: dict[str, _Setting] = {}


def settings_of(folder: Path, given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the settings of a bot's folder, with the given ones; None if it has no manifest. Raises BadInput for a bot
    that does not play this game, and for settings that it does not have or accept."""
    file = folder / MANIFEST
    if not is_its_own(file):
        if given:
            raise BadInput(f"args: {folder.name} has no {MANIFEST} with settings, so it takes none")
        return None
    manifest: _Manifest = shaped(read_toml(file), _Manifest, str(file))
    if _MODE not in manifest.bot.supported_modes:
        modes = ", ".join(manifest.bot.supported_modes) or "nothing"
        raise BadInput(f"the bot plays {modes}, but this is a table of {_MODE}", str(file), "bot.supported_modes")
    saved = folder / SETTINGS
    layers = [(str(saved), read_toml(saved) if is_its_own(saved) else {}), ("args", given)]
    found = {name: one.default for name, one in manifest.settings.items()}
    for where, layer in layers:
        for name, value in layer.items():
            if name not in manifest.settings:
                known = ", ".join(manifest.settings) or "none"
                meant = did_you_mean(name, manifest.settings)
                raise BadInput(f"there is no setting {name}; {meant}{file.name} has {known}", where)
            if problem := manifest.settings[name].problem(value):
                raise BadInput(f"{name} = {str(value)[:80]!r}: {problem}", where)
            found[name] = value
    return found
