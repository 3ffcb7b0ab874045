"""The wings of jantaku: folders of `table` that stand on the core and may be missing.

The core imports nothing of a wing. Where a command of the core can do more with one, it asks here for the part.
"""

from importlib import import_module
from typing import Any

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import pip_install

WINGS = {
    "arena": "matches, comparisons, tournaments and leagues",
    "check": "the exam and conformance",
    "daifugo": "大富豪",
    "learn": "observations for nets",
    "serve": "rooms and seats for people",
}
"""Each wing by its folder, and what it brings."""


def part(room: str, module: str) -> Any:
    """Import a module of a room, for example `part("serve", "person")`. BadInput if a wing is not installed."""
    try:
        return import_module(f"jantaku.table.{room}.{module}")
    except ModuleNotFoundError as error:
        wing = _wing_of(error.name or "")
        if not wing:
            raise
        raise BadInput(f"jantaku is installed without {WINGS[wing]} (table/{wing}): {pip_install()}") from None


def _wing_of(module: str) -> str:
    return next((wing for wing in WINGS if f"{module}.".startswith(f"jantaku.table.{wing}.")), "")
