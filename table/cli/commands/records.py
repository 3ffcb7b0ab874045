"""Options and folders of commands that read or write records."""

import os
import re
import shlex
from pathlib import Path
from typing import Any

import click

from jantaku.table.cli.options import SEED, option
from jantaku.table.ground.errors import BadInput
from jantaku.table.play import seeds
from jantaku.table.records.journal.killed import SeedsOf

FAULT = "#fault"
ANCHOR = re.compile(r"#(fault|k=\d+&e=\d+)$")
"""The part of a word after a record's name: where its page opens, at the first fault or at a kyoku and event, as in its
links."""
SHOWN = 2
"""Most names of a folder's files in a message."""


def view_command(record: Path, kyoku: int, event: int) -> str:
    """Return the command that shows a decision: kyoku from 1, and the number of its items before the decision."""
    return f"jantaku view {shlex.quote(f'{record}#k={kyoku}&e={event}')}"


class RecordFile(click.Path):
    """A file with a record; for a folder, the refusal names files in it."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(value)
        if path.is_dir():
            raise BadInput(f"{path} is a folder; {_files_in(path)}")
        return super().convert(value, param, ctx)


def _seeds(ctx: click.Context, param: click.Parameter, seed: str | None) -> SeedsOf:
    """Return the seeds that --seed may mean: the game's own, or the seed of the run that the game belongs to."""
    return lambda number: () if seed is None else tuple({seed: None, seeds.of_game(seed, number): None})


def opened_by() -> Any:
    """Declare a field for the `SeedsOf` of --seed."""
    return option("Seed of a killed game, to open its journal.", "N", flag="--seed", type=SEED, callback=_seeds)


def _files_in(folder: Path) -> str:
    for place in (folder, folder / "games"):
        if names := sorted(str(path) for path in place.glob("game-*.json*")):
            more = ", …" if len(names) > SHOWN else ""
            return f"name its files: {' '.join(names[:SHOWN])}{more} (all of them: {place}/*.jsonl)"
    return "there is no record in it (game-NNNN.jsonl)"


def unique(began: str) -> str:
    """Make a unique folder name from the time at which a run began. It reveals nothing about the game."""
    return f"{began}-{os.urandom(3).hex()}"


def folder_for(out: Path) -> Path:
    """Create the folder of --out if need be. BadInput if it cannot be used."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--out: {out} cannot be used: {error.strerror}") from error
    return out


def new_folder(folder: Path) -> Path:
    """Do the same; BadInput as well if the folder holds games."""
    try:
        taken = next(folder_for(folder).glob("game-*"), None)
    except OSError as error:
        raise BadInput(f"--out: {folder} cannot be used: {error.strerror}") from error
    if taken is not None:
        raise BadInput(f"--out: {folder} holds {taken.name} already; give a new or empty folder")
    return folder
