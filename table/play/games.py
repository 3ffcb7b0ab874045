"""The known games."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from jantaku.table.ground.errors import BadInput, OtherGame
from jantaku.table.play.entry import GameEntry
from jantaku.table.records.journal.lines import content_of, game_in

DEFAULT = "riichi"
"""The game of foreign records, and the default of commands."""
ENTRIES = ("jantaku.table.play.entry", "jantaku.table.daifugo.entry")
"""The modules that each have an `ENTRY`: one line makes a game known, if its package is installed."""


def _entries() -> Iterator[GameEntry]:
    for place in ENTRIES:
        package = place.rpartition(".")[0]
        if find_spec(package) is not None:
            yield import_module(place).ENTRY


GAMES: Mapping[str, GameEntry] = {entry.name: entry for entry in _entries()}


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
