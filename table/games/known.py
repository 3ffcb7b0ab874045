"""The known games."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from jantaku.table.errors import BadInput, OtherGame
from jantaku.table.games.entry import GameEntry
from jantaku.table.record.lines import content_of, game_in

DEFAULT = "riichi"
"""The game of foreign records, and the default of commands."""
ENTRIES = ("jantaku.table.games.riichi", "jantaku.table.games.daifugo")
"""The modules that each have an `ENTRY`: one line makes a game known."""
GAMES: Mapping[str, GameEntry] = {entry.name: entry for entry in (import_module(place).ENTRY for place in ENTRIES)}


def game_of_record(path: Path) -> GameEntry:
    """The entry of a record's game. Raises BadInput if the file cannot be read, OtherGame if the game is unknown."""
    name = game_in(content_of(path)) or DEFAULT
    if name not in GAMES:
        raise OtherGame(name, str(path))
    return GAMES[name]


def refusal(record: OtherGame) -> BadInput:
    """The error for a record that a command does not read: it names the record's game, and the commands that read
    it."""
    where = f"{' '.join(record.place)} is a record of"
    if (game := GAMES.get(record.game)) is None:
        known = " and ".join(entry.title for entry in GAMES.values())
        return BadInput(f"{where} {record.game!r}, a game that is not known here; known are {known}")
    return BadInput(f"{where} {game.title}, read only by jantaku {', '.join(game.readers)}")
