"""The journal: everything that happened, one JSON line each, flushed as it happens.

    {"jantaku": 1, "rules": {…}, "seed": "7", …}                    the header
    {"wall": "m1p2…", "dice": [3, 4]}                               before every deal: 136 tiles as Wall.tiles
    {"qipai": {…}}, {"zimo": {…}}, …                                items as in `items.py`, in the stream's order
    {"turn": 41, "answers": [{"seat": 2, "verdict": "ok", …}, …]}   who was asked and what came of it
    {"jieju": {…}}                                                  the end

A kill loses at most the line that is being written. Whoever reads takes half a last line as not there.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from table.errors import BadInput
from table.port import Answer
from table.record.items import Encoder, reply, writes_decimals
from table.riichi import events
from table.riichi.game import RiichiGame
from table.riichi.pieces.seat_wall import School
from table.riichi.pieces.tiles import NAMES

FORMAT = 1
"""Version of the journal's format. Readers refuse a newer one."""


class Header(msgspec.Struct, frozen=True):
    """The first line: what it takes to play the game again."""

    jantaku: int
    version: str
    game: str
    rules: dict[str, Any]
    seed: str
    number: int
    player: tuple[str, str, str, str]
    qijia: int
    walls: School = "shared"
    """Whose next tile a draw is: see `seat_wall.py`."""
    driven: bool = False
    """The game began from another record, so that its walls are not those of the seed."""


class Journal:
    """Writes the journal of one game. Implements `table.judge.watch.Watch`."""

    def __init__(self, path: Path, header: Header, game: RiichiGame) -> None:
        self._path = path
        self._game = game
        self._encoder = Encoder(decimals=writes_decimals(game.rules))
        self._dealt = 0
        self._json = msgspec.json.Encoder()
        try:
            self._file = path.open("xb", buffering=0)
        except OSError as error:
            raise BadInput(f"{path}: the journal cannot be written: {error.strerror}") from error
        self._write(header)

    def events(self, new: Sequence[events.Event]) -> None:
        """See `Watch.events`."""
        lines = []
        for event in new:
            if isinstance(event, events.KyokuStart):
                wall = self._game.walls[self._dealt]
                self._dealt += 1
                lines.append({"wall": "".join(NAMES[tile] for tile in wall.tiles), "dice": wall.dice})
            item = self._encoder.encode(event)
            if item is not None:
                lines.append(item)
        self._write(*lines)

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """See `Watch.answers`. Seats are player ids here, as the judge has them."""
        self._write({"turn": turn, "answers": [_answer(answer) for answer in answers]})

    def close(self) -> None:
        """Nothing more will be written."""
        self._file.close()

    def _write(self, *lines: Any) -> None:
        self._file.write(b"".join(self._json.encode(line) + b"\n" for line in lines))


def _answer(answer: Answer) -> dict[str, Any]:
    line: dict[str, Any] = {
        "seat": answer.seat,
        "question": answer.question,
        "reply": reply(answer.action),
        "verdict": answer.verdict,
        "used": round(answer.used, 6),
    }
    if answer.allowed is not None:
        line["allowed"] = round(answer.allowed, 6)
    if answer.reason:
        line["reason"] = answer.reason
    return line


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there complete or not at all. Raises BadInput; never replaces a file."""
    if path.exists():
        raise BadInput(f"{path} exists already; nothing was overwritten")
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error
