"""Records on the command line, and the folders that commands write them to."""

import secrets
from pathlib import Path
from typing import Any

import click

from table.cli.options import Seed
from table.cli.say import say
from table.errors import BadInput
from table.play import seeds
from table.record import daifugo
from table.record.read import Record
from table.record.unsealed import SeedsOf

SHOWN = 2
"""So many files of a folder are named."""


class RecordFile(click.Path):
    """A file with a record: of riichi only, unless the command reads those of 大富豪, too."""

    def __init__(self, *, any_game: bool = False) -> None:
        super().__init__(path_type=Path)
        self._any_game = any_game

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See `click.ParamType`."""
        path = Path(value)
        if path.is_dir():
            raise BadInput(f"{path} is a folder; {_files_in(path)}")
        if not self._any_game:
            refuse_daifugo(path)
        return super().convert(value, param, ctx)


def _seeds(ctx: click.Context, param: click.Parameter, seed: str | None) -> SeedsOf:
    """What the option --seed opens: the game of that seed, and those of a run that had it."""
    return lambda number: () if seed is None else tuple({seed: None, seeds.of_game(seed, number): None})


seed_option = click.option(
    "--seed",
    "opened_by",
    type=Seed(),
    callback=_seeds,
    metavar="N",
    help="Opens the journal of a game that was killed.",
)
"""Gives a `SeedsOf`."""


def told_as_hidden(record: Record) -> None:
    """Say of a record that it is only what the public saw, if so."""
    if record.hidden:
        say(f"{record.path}: {record.hidden}", err=True)


def refuse_daifugo(path: Path) -> None:
    """BadInput for a record of the other game."""
    if daifugo.is_daifugo(path):
        raise BadInput(f"{path} is a record of 大富豪, which only jantaku verify reads")


def _files_in(folder: Path) -> str:
    for place in (folder, folder / "games"):
        if names := sorted(str(path) for path in place.glob("game-*.json*")):
            more = ", …" if len(names) > SHOWN else ""
            return f"name its files: {' '.join(names[:SHOWN])}{more} (all of them: {place}/*.jsonl)"
    return "there is no record in it (game-NNNN.jsonl)"


def unique(began: str) -> str:
    """A name for the folder of what began at that time: it is nobody else's, and says nothing of what is played."""
    return f"{began}-{secrets.token_hex(3)}"


def folder_for(out: Path) -> Path:
    """The folder that --out names, made if need be. BadInput if it cannot be used."""
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
