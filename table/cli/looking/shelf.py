"""The records of a page: files that are named, or found in folders."""

from collections.abc import Sequence
from pathlib import Path

from table.cli.looking.gathering import found_in
from table.errors import BadInput, OtherGame
from table.games.entry import GameEntry, Reading
from table.games.known import game_of_record, refusal
from table.view.page import Viewed


def shelved(named: Sequence[Path], reading: Reading) -> tuple[GameEntry, dict[Path, Viewed], list[str]]:
    """The game and the records of these files and folders, and why files found in folders are not among them. BadInput
    for a named file that cannot be shown, or if there is none."""
    game: GameEntry | None = None
    shown: dict[Path, Viewed] = {}
    troubles: list[str] = []
    for path, by_name in ((one.path, not word.is_dir()) for word in named for one in found_in(word)):
        try:
            of = game_of_record(path)
            if game is not None and game is not of:
                told = f"{next(iter(shown))} is a record of {game.title} and {path} one of {of.title}"
                raise BadInput(f"{told}; a page shows one game, so give them to a command each")
            shown[path] = of.viewed(path, reading)
            game = of
        except BadInput as error:
            if by_name:
                raise
            troubles.append(str(refusal(error) if isinstance(error, OtherGame) else error))
    if game is None:
        raise BadInput(troubles[0])
    return game, shown, troubles
