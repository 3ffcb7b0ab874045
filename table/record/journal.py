"""The journal: everything that happened, one JSON line each, written turn by turn.

    {"jantaku": 1, "rules": {…}, "seed": "7", …}                    the header
    {"wall": "m1p2…", "dice": [3, 4]}                               before every deal: 136 tiles as Wall.tiles
    {"qipai": {…}}, {"zimo": {…}}, …                                items as in `items.py`, in the stream's order
    {"turn": 41, "answers": [{"seat": 2, "verdict": "ok", …}, …]}   who was asked and what came of it
    {"jieju": {…}}                                                  the end

A kill loses at most the turn that is being written. Whoever reads takes half a last line as not there.
"""

from pathlib import Path
from typing import Any

from table.formats.majiang.items import LINES, Encoder, writes_decimals
from table.formats.majiang.words import Item, reply
from table.record import writing
from table.record.header import Header as Header
from table.riichi import events
from table.riichi.game import RiichiGame
from table.riichi.pieces.tiles import NAMES


def journal_of(folder: Path, number: int) -> Path:
    """Where the journal of a match's game of that number is kept."""
    return folder / f"game-{number:04d}.jsonl"


class Journal(writing.Journal):
    """Writes the journal of one game. Implements `table.judge.watch.Watch`. `buffered`: see the base class."""

    def __init__(self, path: Path, header: Header, game: RiichiGame, *, buffered: bool = False) -> None:
        self._riichi = game
        self._encoder = Encoder(decimals=writes_decimals(game.rules))
        self._dealt = 0
        super().__init__(path, header, self._items, reply, known=LINES, game=game, buffered=buffered)

    def _items(self, event: Any) -> list[Item]:
        items: list[Item] = []
        if isinstance(event, events.KyokuStart):
            wall = self._riichi.walls[self._dealt]
            self._dealt += 1
            items.append({"wall": "".join([NAMES[tile] for tile in wall.tiles]), "dice": wall.dice})
        item = self._encoder.encode(event)
        if item is not None:
            items.append(item)
        return items
