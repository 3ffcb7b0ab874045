"""Where a command that plays games keeps their records."""

from pathlib import Path

from table.errors import BadInput


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
