"""What players of a running game could do, worked out for those who look at a decision and may see everything.

A journal does not tell options: they follow from the rules. To work them out for every turn would take a table more
than all its viewers, and nobody looks at every turn. So whoever looks asks: `{"game": 0, "turn": 41}` for the turn of
that number of the journal and those behind it in the same kyoku, and hears `{"game": 0, "turns": […]}`, the same turns
as `jantaku view` shows them, with `options` in every answer, as far as they are known. Whoever wants more of them asks
again from where they end.
"""

import threading
from pathlib import Path
from typing import Annotated

import msgspec

from table.errors import BadInput
from table.formats.majiang.words import Item
from table.record.journal import journal_of
from table.record.read import kyoku_with
from table.view.page import stream_of

Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Ask(msgspec.Struct, frozen=True):
    """Somebody wants to know the options from a turn of a game on."""

    game: Number
    turn: Number


class Options:
    """Answers for the games whose journals are in a folder. For several threads at once.

    What many ask at about the same time is worked out once. Whoever comes first drives the engine through one kyoku,
    which takes milliseconds.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._game = -1
        self._turns: dict[int, Item] = {}
        """Of the kyoku that was asked for last, by number."""

    def answer(self, text: str) -> bytes | None:
        """What somebody is told who sent this; None if he asked nothing."""
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
        """All turns of the kyoku that are known with their options: none where the engine cannot follow."""
        try:
            record = kyoku_with(journal_of(self._folder, ask.game), ask.turn)
        except (BadInput, OSError):  # not there yet, or not any more
            return {}
        stream = stream_of(record)[0] if record is not None else ()
        return {item["turn"]: item for item in stream if item.get("turn") is not None and _is_complete(item)}


def _is_complete(turn: Item) -> bool:
    return all("options" in answer for answer in turn["answers"])
