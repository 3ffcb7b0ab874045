"""Makes the sandbox of one player from its terms, and the sandbox in which its environment is built."""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from jantaku.players.sandbox import host, visible
from jantaku.players.sandbox.start import Sandbox, try_out
from jantaku.table.ground import installation
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.seating.spec import SandboxLimits, Terms

if sys.platform == "win32":
    raise ImportError("programs cannot play on Windows")

_MAKING = SandboxLimits(files=1024)


def sandbox_for(terms: Terms, name: str, command: Sequence[str], kept: Path | None, modules: Iterable[str]) -> Sandbox:
    """Return the sandbox of a player with these terms. `kept` is the folder of the records; `modules` are folders with
    a Python bot's modules. Raises BadInput if it cannot be confined."""
    try:
        try_out()
        cwd = os.path.abspath(installation.here(Path(terms.cwd or "")))
        places = visible.own([*command, *terms.texts], cwd, terms.bind, modules)
        host.check_readable(places)
        records = None if kept is None else str(kept.absolute())
        visible.hidden(places, records)  # raises now for what could not be hidden later
    except BadInput as problem:
        raise BadInput(f"player {name}: {problem}") from None
    return Sandbox(terms.limits, tuple(places), cwd, records)


def workshop_for(folder: str, executable: str, bound: Iterable[str]) -> Sandbox:
    """Return the sandbox of an executable that fills an empty folder with downloads; it also sees what is bound. Raises
    BadInput if it cannot be confined."""
    try_out()
    places = visible.of_program(executable, folder, bound)
    host.check_readable(places)
    return Sandbox(_MAKING, tuple(places), folder, workshop=folder)
