"""Where a command that plays games keeps their records."""

import secrets
from pathlib import Path
from typing import Any

import click

from table.errors import BadInput


class Folder(click.Path):
    """A folder. An empty text, as of a variable that is not set, would be the working folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See `click.ParamType`."""
        if value == "":
            self.fail("an empty text names no folder; write . for the working folder.", param, ctx)
        return super().convert(value, param, ctx)


def unique(began: str) -> str:
    """A name for the folder of what began at that time: it is nobody else's, and says nothing of what is played."""
    return f"{began}-{secrets.token_hex(3)}"


def new_folder(folder: Path) -> Path:
    """The folder for the records, made if need be. BadInput if it cannot be used, or holds games already."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = next(folder.glob("game-*"), None)
    except OSError as error:
        raise BadInput(f"--out: {folder} cannot be used: {error.strerror}") from error
    if taken is not None:
        raise BadInput(f"--out: {folder} holds {taken.name} already; give a new or empty folder")
    return folder
