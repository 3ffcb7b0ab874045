"""What is made once of something and kept in the user's cache folder, by a key of what it was made of."""

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from jantaku.table.errors import BadInput

try:
    import fcntl
except ImportError:  # not on this system: two processes may make the same folder at once
    fcntl = None  # type: ignore[assignment]

Tell = Callable[[str], None]
"""Says what takes long."""


def home() -> Path:
    """Where everything is kept. BadInput if this user has no home."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(given) if Path(given).is_absolute() else Path.home() / ".cache") / "jantaku"
    except RuntimeError as error:
        raise BadInput(f"no place for what is kept of bots: {error}; set XDG_CACHE_HOME") from None


def made(kind: str, key: str, make: Callable[[Path], None], tell: Tell) -> Path:
    """The folder of that kind and key. If it is not there yet, `make` fills it while no other process does; of a
    failure nothing is left, and one that was cut short is made again. OSError where nothing can be kept."""
    place = home() / kind / key
    ready = place.with_suffix(".ready")  # beside it: what is in the folder is others'
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
    """While this context is open no other process is in it for that folder."""
    if sys.platform == "win32" or fcntl is None:
        yield
        return
    lock = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            tell("waits for another jantaku that is at it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
