"""The journal: everything that happened, one JSON line each, flushed as it happens.

    {"jantaku": 1, "rules": {…}, "seed": "7", …}                    the header
    {"wall": "m1p2…", "dice": [3, 4]}                               before every deal: 136 tiles as Wall.tiles
    {"qipai": {…}}, {"zimo": {…}}, …                                items as in `items.py`, in the stream's order
    {"turn": 41, "answers": [{"seat": 2, "verdict": "ok", …}, …]}   who was asked and what came of it
    {"jieju": {…}}                                                  the end

A kill loses at most the line that is being written. Whoever reads takes half a last line as not there.
"""

from collections.abc import Iterator
from pathlib import Path

from table.record import lines
from table.record.items import Encoder, Item, reply, writes_decimals
from table.riichi import events
from table.riichi.game import RiichiGame
from table.riichi.pieces.seat_wall import School
from table.riichi.pieces.tiles import NAMES


class Header(lines.Head, frozen=True):
    """The first line: what it takes to play the game again."""

    player: tuple[str, str, str, str]
    qijia: int
    walls: School = "shared"
    """Whose next tile a draw is: see `seat_wall.py`."""
    driven: bool = False
    """The game began from another record, so that its walls are not those of the seed."""


class Journal(lines.Journal):
    """Writes the journal of one game. Implements `table.judge.watch.Watch`."""

    def __init__(self, path: Path, header: Header, game: RiichiGame) -> None:
        self._game = game
        self._encoder = Encoder(decimals=writes_decimals(game.rules))
        self._dealt = 0
        super().__init__(path, header, self._encode, reply)

    def _encode(self, event: events.Event) -> Iterator[Item]:
        if isinstance(event, events.KyokuStart):
            wall = self._game.walls[self._dealt]
            self._dealt += 1
            yield {"wall": "".join(NAMES[tile] for tile in wall.tiles), "dice": wall.dice}
        item = self._encoder.encode(event)
        if item is not None:
            yield item
