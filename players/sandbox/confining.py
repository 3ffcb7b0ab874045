"""The sandbox of one player, from its terms."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from players.sandbox import host, visible
from players.sandbox.start import Sandbox, try_out
from table import installation
from table.errors import BadInput
from table.seating.spec import Terms


def sandbox_for(terms: Terms, name: str, command: Sequence[str], kept: Path | None, modules: Iterable[str]) -> Sandbox:
    """What a player with these terms is confined to. `kept`: where records are; `modules`: folders with a Python bot's
    modules. BadInput where it cannot be."""
    try:
        host.bubblewrap()
        try_out()
        cwd = os.path.abspath(installation.here(Path(terms.cwd or "")))
        places = visible.own([*command, *terms.texts], cwd, terms.bind, modules)
        host.check_readable(places)
        records = None if kept is None else str(kept.absolute())
        visible.hidden(places, records)  # tells now what could not be hidden later
    except BadInput as problem:
        raise BadInput(f"player {name}: {problem}") from None
    return Sandbox(terms.limits, tuple(places), cwd, records)
