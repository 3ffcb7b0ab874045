"""Options and folders for commands that read or write records."""

import re
import secrets
import shlex
from pathlib import Path
from typing import Any

import click

from jantaku.table.cli.options import SEED, option
from jantaku.table.errors import BadInput
from jantaku.table.play import seeds
from jantaku.table.record.unsealed import SeedsOf

FAULT = "#fault"
ANCHOR = re.compile(r"#(fault|k=\d+&e=\d+)$")
"""Behind the name of a record: its page opens at the first fault, or at that kyoku and event, as in its links."""
SHOWN = 2
"""Names listed of a folder's files, at most."""


def view_command(record: Path, kyoku: int, event: int) -> str:
    """The command that shows a decision: kyoku from 1, and how many of its items there were before."""
    return f"jantaku view {shlex.quote(f'{record}#k={kyoku}&e={event}')}"


class RecordFile(click.Path):
    """A file with a record."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See `click.ParamType`."""
        path = Path(value)
        if path.is_dir():
            raise BadInput(f"{path} is a folder; {_files_in(path)}")
        return super().convert(value, param, ctx)


def _seeds(ctx: click.Context, param: click.Parameter, seed: str | None) -> SeedsOf:
    """The seeds that --seed stands for: the game of that seed, and games of a run with it."""
    return lambda number: () if seed is None else tuple({seed: None, seeds.of_game(seed, number): None})


def opened_by() -> Any:
    """A field for the `SeedsOf` of --seed."""
    return option("Opens the journal of a game that was killed.", "N", flag="--seed", type=SEED, callback=_seeds)


def _files_in(folder: Path) -> str:
    for place in (folder, folder / "games"):
        if names := sorted(str(path) for path in place.glob("game-*.json*")):
            more = ", …" if len(names) > SHOWN else ""
            return f"name its files: {' '.join(names[:SHOWN])}{more} (all of them: {place}/*.jsonl)"
    return "there is no record in it (game-NNNN.jsonl)"


def unique(began: str) -> str:
    """A unique folder name from the time at which a run began. It reveals nothing about the game."""
    return f"{began}-{secrets.token_hex(3)}"


def folder_for(out: Path) -> Path:
    """The folder of --out, created if need be. BadInput if it cannot be used."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--out: {out} cannot be used: {error.strerror}") from error
    return out


def new_folder(folder: Path) -> Path:
    """As `folder_for`; BadInput if it holds games already."""
    try:
        taken = next(folder_for(folder).glob("game-*"), None)
    except OSError as error:
        raise BadInput(f"--out: {folder} cannot be used: {error.strerror}") from error
    if taken is not None:
        raise BadInput(f"--out: {folder} holds {taken.name} already; give a new or empty folder")
    return folder
