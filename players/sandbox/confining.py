"""The sandbox of one player, from its terms, and that in which its environment is made."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from jantaku.players.sandbox import host, visible
from jantaku.players.sandbox.start import Sandbox, try_out
from jantaku.table import installation
from jantaku.table.errors import BadInput
from jantaku.table.seating.spec import SandboxLimits, Terms

_MAKING = SandboxLimits(files=1024)


def sandbox_for(terms: Terms, name: str, command: Sequence[str], kept: Path | None, modules: Iterable[str]) -> Sandbox:
    """What a player with these terms is confined to. `kept`: where records are; `modules`: folders with a Python bot's
    modules. BadInput where it cannot be."""
    try:
        _check()
        cwd = os.path.abspath(installation.here(Path(terms.cwd or "")))
        places = visible.own([*command, *terms.texts], cwd, terms.bind, modules)
        host.check_readable(places)
        records = None if kept is None else str(kept.absolute())
        visible.hidden(places, records)  # tells now what could not be hidden later
    except BadInput as problem:
        raise BadInput(f"player {name}: {problem}") from None
    return Sandbox(terms.limits, tuple(places), cwd, records)


def workshop_for(folder: str, executable: str, bound: Iterable[str]) -> Sandbox:
    """What an executable is confined to that fills an empty folder with what comes over the network; it sees what is
    bound as well. BadInput where it cannot be."""
    _check()
    places = visible.of_program(executable, folder, bound)
    host.check_readable(places)
    return Sandbox(_MAKING, tuple(places), folder, workshop=folder)


def _check() -> None:
    host.bubblewrap()
    try_out()
