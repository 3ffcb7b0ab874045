"""The journal: every event and answer, one JSON line each, written turn by turn. docs/records.md describes it.

    {"jantaku": 2, "rules": {…}, "seed": "7", …}                    the header
    {"wall": "m1p2…", "dice": [3, 4]}                               before every deal: 136 tiles as Wall.tiles
    {"qipai": {…}}, {"zimo": {…}}, …                                items as in `items.py`, in the stream's order
    {"turn": 41, "answers": [{"seat": 2, "verdict": "ok", …}, …]}   the answers to the questions of a turn
    {"digest": "8b1f…", "blocks": "…"}                              after every kyoku: see `digest.py`
    {"jieju": {…}}                                                  the end

A kill loses at most the turn that is being written; readers ignore an incomplete last line. While the game is played,
the complete journal is kept apart, see `sealed.py`.
"""

from pathlib import Path
from typing import Any

from jantaku.table.languages.majiang.items import LINES, Encoder, writes_decimals
from jantaku.table.languages.majiang.words import Item, reply
from jantaku.table.records.journal import writer
from jantaku.table.records.journal.header import Header as Header
from jantaku.table.records.journal.sealed import Secrets
from jantaku.table.riichi import events
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.mask import masked
from jantaku.table.riichi.pieces.tiles import NAMES, TILES


def journal_of(folder: Path, number: int) -> Path:
    """Path of the journal for game `number` of a match."""
    return folder / f"game-{number:04d}.jsonl"


def _shown(event: Any) -> list[Item] | None:
    """The public view of a deal; None for other events."""
    if not isinstance(event, events.KyokuStart):
        return None
    item = Encoder().encode(masked(event, NOBODY))
    return [] if item is None else [item]


NOBODY = -1
"""The seat of an observer that sees no hidden tile."""
SECRETS = Secrets(
    events.KyokuStart,
    _shown,
    {
        LINES[events.Draw(seat, tile, rinshan)]: LINES[events.Draw(seat, None, rinshan)]
        for seat in range(4)
        for tile in range(TILES)
        for rinshan in (False, True)
    },
)
"""Hands, walls and drawn tiles are not public."""


class Journal(writer.JournalWriter):
    """Writes the journal of one game. Implements `jantaku.table.judge.watch.Watch`. `buffered`: see the base class."""

    def __init__(self, path: Path, header: Header, game: RiichiGame, *, buffered: bool = False) -> None:
        self._riichi = game
        self._encoder = Encoder(decimals=writes_decimals(game.rules))
        self._dealt = 0
        super().__init__(path, header, self._items, reply, known=LINES, game=game, buffered=buffered, secrets=SECRETS)

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
