"""The records of a page: named files, files found in folders, and files opened in the page."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from jantaku.table.cli.commands.many import found_in
from jantaku.table.cli.say import visible
from jantaku.table.ground.errors import BadInput, OtherGame
from jantaku.table.play.entry import GameEntry, Reading, game_of_record, refusal
from jantaku.table.records.view.page import Entry, Viewed
from jantaku.table.records.view.server import Reads

_LONGEST = 100
"""Bytes of a file's name that are kept."""
_NO_NAME = re.compile(r".*[/\\]|[\x00-\x1f\x7f]|^\.+", re.DOTALL)
"""The parts of a text that no file name may have: folders, control characters, leading dots."""


def shelved(named: Sequence[Path], reading: Reading) -> tuple[GameEntry, dict[Path, Viewed], list[str]]:
    """Return the game and the records of these files and folders, and why files found in folders are left out. Files of
    the same name show their folders, too. BadInput for a named file that cannot be shown, or if there is no record."""
    game: GameEntry | None = None
    shown: dict[Path, Viewed] = {}
    troubles: list[str] = []
    for path, by_name in ((one.path, not word.is_dir()) for word in named for one in found_in(word)):
        try:
            of = game_of_record(path)
            if game is not None and game is not of:
                told = f"{next(iter(shown))} is a record of {game.title} and {path} one of {of.title}"
                raise BadInput(f"{told}; a page shows one game, so view each in its own command")
            shown[path] = of.viewed(path, reading)
            game = of
        except BadInput as error:
            if by_name:
                raise
            troubles.append(_why(error))
    if game is None:
        raise BadInput(troubles[0])
    return game, _told_apart(shown), troubles


def _told_apart(shown: dict[Path, Viewed]) -> dict[Path, Viewed]:
    """Label each file with its path below the folder that all of them share."""
    around = Path(os.path.commonpath([path.absolute().parent for path in shown]))
    places = {path: path.absolute().relative_to(around).as_posix() for path in shown}
    return {path: one._replace(head={**one.head, "file": places[path]}) for path, one in shown.items()}


def _why(error: BadInput) -> str:
    return str(refusal(error) if isinstance(error, OtherGame) else error)


def opener(game: GameEntry, reading: Reading) -> Reads:
    """Return a function that reads files opened in a page of this game, in any format, like files named to the
    command."""
    reading = reading._replace(form=None)

    def opened(name: str, content: bytes) -> Entry:
        with TemporaryDirectory(prefix="jantaku-", ignore_cleanup_errors=True) as folder:
            path = Path(folder, _plain(name))
            try:
                path.write_bytes(content)
                return _entry(game, path, reading, f"{folder}{os.sep}")
            except OSError as error:
                raise BadInput(f"{path.name}: cannot be stored for reading: {error.strerror}") from error
            except BadInput as error:
                raise BadInput(visible(_why(error).replace(f"{folder}{os.sep}", ""))) from error

    return opened


def _entry(game: GameEntry, path: Path, reading: Reading, away: str) -> Entry:
    of = game_of_record(path)
    if of is not game:
        raise BadInput(
            f"{path.name} is a record of {of.title} and this page shows {game.title}: open it with jantaku view FILE"
        )
    head, items = (entry := of.viewed(path, reading).entry()).head, entry.items
    return Entry({**head, "notes": _without(head["notes"], away)}, items)


def _without(notes: Iterable[str], away: str) -> list[str]:
    return [note.replace(away, "") for note in notes]


def _plain(name: str) -> str:
    """Return a valid file name."""
    return _NO_NAME.sub("", name).encode(errors="replace")[:_LONGEST].decode(errors="ignore") or "file"
