"""Writing files so that a kill, a power cut or a full disk leaves something that can be gone on with."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import RawIOBase
from pathlib import Path

from jantaku.table.errors import BadInput


def replace_whole(path: Path, content: bytes, *, awaited: bool = True, private: bool = False) -> None:
    """Write a file that is there in its old form or in its new one, never in between; after a power cut that is so only
    if it was `awaited` until it was on disk. `private`: no other user may read it."""
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
    """A file that could not be written whole, as on a full disk, is not left lying about."""
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
    """Write all of it. A disk that is nearly full takes a part first and complains only then."""
    while text:
        text = text[file.write(text) or 0 :]


@contextmanager
def telling(folder: Path) -> Iterator[None]:
    """What the disk refuses, in words."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"{error.filename or folder}: cannot be written: {error.strerror}") from error
