"""Keeps what is made once in the user's cache folder, by a key of what it was made from."""

import contextlib
import fcntl
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from jantaku.table.ground.errors import BadInput

if sys.platform == "win32":
    raise ImportError("programs cannot play on Windows")

Tell = Callable[[str], None]
"""Reports what takes long."""


def home() -> Path:
    """Return the folder for all of it. Raises BadInput if this user has no home."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(given) if Path(given).is_absolute() else Path.home() / ".cache") / "jantaku"
    except RuntimeError as error:
        raise BadInput(f"there is no folder for the cache of bots: {error}; set XDG_CACHE_HOME") from None


def made(kind: str, key: str, make: Callable[[Path], None], tell: Tell) -> Path:
    """Return the folder of that kind and key. If it does not exist, `make` fills it, in one process at a time; a
    failure leaves nothing behind, and an interrupted one is made again. Raises OSError if nothing can be written."""
    place = home() / kind / key
    ready = place.with_suffix(".ready")  # beside the folder, whose contents belong to others
    if not ready.exists():
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(place.parent, tell):
            if not ready.exists():
                _fill(place, make)
                ready.touch()
    return place


def _fill(place: Path, make: Callable[[Path], None]) -> None:
    shutil.rmtree(place, ignore_errors=True)
    try:
        place.mkdir()
        make(place)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


@contextlib.contextmanager
def _alone(folder: Path, tell: Tell) -> Iterator[None]:
    """Within this context, no other process is in it for the same folder."""
    lock = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            tell("waits for another jantaku process that is making it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
