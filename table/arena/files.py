"""The files that describe matches and tournaments."""

from typing import Any

from jantaku.table.arena.match.plan import matchfile
from jantaku.table.arena.match.plan import plan as matches
from jantaku.table.arena.tournament import plan as tournaments
from jantaku.table.ground.errors import BadInput


def checked(kind: str, path: str) -> Any:
    """Read a file of a match or tournament (`kind`). BadInput if it cannot be played, as far as that is known without
    the players."""
    file: Any = matchfile.read(path, {}) if kind == "match" else tournaments.read(path, {})
    if file.players:  # else they are named by the command
        try:
            (matches if kind == "match" else tournaments).amounts_of(file)
        except BadInput as error:
            raise error.within(path) from None
    return file
