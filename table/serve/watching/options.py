"""Computes the options of decisions in a running game, on request, for onlookers who may see everything.

A journal does not contain options: they follow from the rules. Computing them for every turn would cost a table more
than all its viewers, and nobody looks at every turn. So a viewer sends `{"game": 0, "turn": 41}`, with a turn number of
the journal, and receives `{"game": 0, "turns": […]}`: that turn and the later ones of its kyoku, as `jantaku view`
shows them, with `options` in every answer, as far as they are known. It can ask again from the first one missing.
"""

import threading
from pathlib import Path
from typing import Annotated

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.majiang.words import Item
from jantaku.table.records.journal.journal import journal_of
from jantaku.table.records.journal.read import kyoku_with
from jantaku.table.records.view.riichi import stream_of

Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Ask(msgspec.Struct, frozen=True):
    """A request for the options of a game from a turn on."""

    game: Number
    turn: Number


class Options:
    """Answers requests about the games whose journals are in a folder. Thread-safe.

    The turns of the last kyoku are cached, for several viewers. The first request drives the engine through one kyoku,
    which takes milliseconds.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._game = -1
        self._turns: dict[int, Item] = {}
        """Turns of the last kyoku asked for, by number."""

    def answer(self, text: str) -> bytes | None:
        """Return the answer to this message; None if it is not a request."""
        try:
            ask = msgspec.json.decode(text, type=Ask)
        except (msgspec.MsgspecError, RecursionError):
            return None
        with self._lock:
            if ask.game != self._game or ask.turn not in self._turns:
                self._game, self._turns = ask.game, self._worked_out(ask)
            turns = [turn for number, turn in self._turns.items() if number >= ask.turn]
        return msgspec.json.encode({"game": ask.game, "turns": turns})

    def _worked_out(self, ask: Ask) -> dict[int, Item]:
        """Return the known turns of the kyoku with their options; none if the engine cannot follow."""
        try:
            record = kyoku_with(journal_of(self._folder, ask.game), ask.turn)
        except (BadInput, OSError):  # not there yet, or not any more
            return {}
        stream = stream_of(record)[0] if record is not None else ()
        return {item["turn"]: item for item in stream if item.get("turn") is not None and _is_complete(item)}


def _is_complete(turn: Item) -> bool:
    return all("options" in answer for answer in turn["answers"])
