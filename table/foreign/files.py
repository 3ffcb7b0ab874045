"""Files named by a user or a third party: only regular files, read up to a size limit."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from jantaku.table.errors import BadInput

MOST_FILES = 20_000
"""In the folder or zip of a bot."""
DEEPEST = 50
"""Folders inside each other there: Python removes no more than some hundred, and packages have ten at most."""
_SHOWN = 80
"""Most letters of a link that an error repeats."""


@contextlib.contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for reading. BadInput if it cannot be read, also while it is read, and for what is not a regular
    file: a device has no end, and a pipe may have no writer."""
    if is_link(path):
        raise missing(path)
    if "\0" in str(path):
        raise BadInput(f"{str(path)!r}: cannot be read: no file has such a name")
    try:
        # Without O_NONBLOCK, opening a pipe blocks before one can see that it is one.
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            if stat.S_ISDIR(os.fstat(number).st_mode):
                raise BadInput(f"{path}: is a folder, and a file is wanted")
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise BadInput(f"{path}: cannot be read: it is not a file; write what comes from elsewhere to one")
            with open(number, "rb", closefd=False) as file:
                yield file
        finally:
            os.close(number)
    except FileNotFoundError:
        raise missing(path) from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None


def is_link(path: str | Path) -> bool:
    """Whether somebody has named an address instead of a file."""
    return str(path).startswith(("http:/", "https:/"))


def missing(path: str | Path) -> BadInput:
    """The error for a file that is not there."""
    if not is_link(path):
        return BadInput(f"{path}: there is no such file")
    scheme, _, rest = str(path).partition(":/")
    link = f"{scheme}://{rest.lstrip('/')}"  # a path has lost a slash
    told = link if len(link) <= _SHOWN else f"{link[:_SHOWN]}…"
    what = "with the log in it; write it" if "#json=" in link else "and no file; save its log"
    return BadInput(f"{told}: that is a link {what} to a file, and name that")


def bytes_of(path: str | Path, most: int) -> bytes:
    """The content of a file. BadInput as above, and if it is larger than `most` bytes."""
    with opened(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise BadInput(f"{path}: is larger than {most >> 20} MiB")
    return content
