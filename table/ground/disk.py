"""Writes files in such a way that a kill, a power cut or a full disk leaves a state from which work can continue."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import RawIOBase
from pathlib import Path

from jantaku.table.ground.errors import BadInput


def replace_whole(path: Path, content: bytes, *, awaited: bool = True, private: bool = False) -> None:
    """Replace a file atomically: it has its old content or the new one, never a part. After a power cut that holds only
    if `awaited` (fsync). `private`: only this user may read it."""
    part = path.with_name(path.name + ".part")
    with no_remains(part):
        if private:
            part.touch(mode=0o600)
        part.write_bytes(content)
        if awaited:
            await_disk(part)
        part.replace(path)


@contextmanager
def no_remains(part: Path) -> Iterator[None]:
    """Remove the unfinished file if writing it fails, as on a full disk."""
    try:
        yield
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def await_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def append(file: RawIOBase, text: bytes) -> None:
    """Write all of `text`. A disk that is nearly full takes a part of it and raises OSError only at the next write."""
    while text:
        text = text[file.write(text) or 0 :]


@contextmanager
def telling(folder: Path) -> Iterator[None]:
    """Turn an OSError of the disk into a BadInput in plain words."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"{error.filename or folder}: cannot be written: {error.strerror}") from error
