"""Mistakes that could be made in the table's code, to see that the simulated disk finds them."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.simulation.disk.disk import Disk


def _nothing_is_synced() -> None:
    Disk.is_synced = lambda self, path: None  # type: ignore[method-assign]


def _moves_are_copies() -> None:
    sealed = importlib.import_module("jantaku.table.records.journal.sealed")

    def move(place: Path, path: Path) -> None:
        path.write_bytes(place.read_bytes())
        place.unlink()

    sealed.move = move  # type: ignore[attr-defined]


MISTAKES: Final[dict[str, Callable[[], None]]] = {
    "nothing is synced": _nothing_is_synced,
    "moves are copies": _moves_are_copies,
}
