"""Disk quota for the records of visitors' games."""

import threading
from collections.abc import Iterable
from pathlib import Path

from jantaku.table.ground.log import logger


class Disk:
    """Counts the bytes of records against a quota (None: unlimited). Thread-safe."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._taken = 0
        self._lock = threading.Lock()

    @property
    def is_full(self) -> bool:
        """Whether the quota is used up."""
        return self._most is not None and self._taken >= self._most

    def count(self, paths: Iterable[str | Path]) -> None:
        """Add the sizes of these files. Warns the operator once, when the quota is used up."""
        with self._lock:
            was_full = self.is_full
            self._taken += sum(_size(Path(path)) for path in paths)
            if self.is_full and not was_full:
                logger().warning("records take all the room that they may (--max-disk): no other game begins")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
