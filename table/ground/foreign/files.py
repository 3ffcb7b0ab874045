"""Files that a user names: only regular ones are opened, and read up to a size limit."""

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from jantaku.table.ground.errors import BadInput

MOST_FILES = 20_000
"""The most files in a bot's folder or zip."""
DEEPEST = 50
"""The most levels of folders in it: Python removes only some hundred levels, and packages have ten at most."""
_TENHOU = re.compile(r"https?://(?:\w+\.)?tenhou\.net/[^#]*?\blog(?:=|/\?)(\d{8}[\w-]{1,60})")
_SHOWN = 80
"""The most characters of a link that an error repeats."""


@contextlib.contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for reading. Raises BadInput if it cannot be read, then or later, and if it is not a regular file: a
    device has no end, and a pipe may have no writer."""
    if is_link(path):
        raise missing(path)
    if "\0" in str(path):
        raise BadInput(f"{str(path)!r}: cannot be read: no file can have such a name")
    try:
        # without O_NONBLOCK, opening a pipe blocks before its type can be checked
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            if stat.S_ISDIR(os.fstat(number).st_mode):
                raise BadInput(f"{path}: is a folder; a file is needed")
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise BadInput(f"{path}: cannot be read: it is not a regular file; write its content to one")
            with open(number, "rb", closefd=False) as file:
                yield file
        finally:
            os.close(number)
    except FileNotFoundError:
        raise missing(path) from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None


def is_link(path: str | Path) -> bool:
    """Whether a web address was given instead of a file."""
    return str(path).startswith(("http:/", "https:/"))


def missing(path: str | Path) -> BadInput:
    if not is_link(path):
        return BadInput(f"{path}: there is no such file")
    scheme, _, rest = str(path).partition(":/")
    link = f"{scheme}://{rest.lstrip('/')}"  # `Path` removes one of the two slashes
    if "#json=" in link:
        return BadInput(f"{_cut(link)}: that is a link that contains the log; save the log to a file and name the file")
    return BadInput(f"{_cut(link)}: that is a link, not a file; {saving(link)}")


def saving(link: str) -> str:
    """What to do for the log behind a link, which is never fetched: in words, the address of Tenhou's log among
    them."""
    if (found := _TENHOU.match(link)) is not None:
        return f"save what https://tenhou.net/0/log/?{found[1]} sends to a file, {found[1]}.mjlog, and name the file"
    return "save its log to a file and name the file"


def _cut(link: str) -> str:
    return link if len(link) <= _SHOWN else f"{link[:_SHOWN]}…"


def bytes_of(path: str | Path, most: int) -> bytes:
    """Return the content of a file. Raises BadInput as `opened` does, and if it is larger than `most` bytes."""
    with opened(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise BadInput(f"{path}: is larger than {most >> 20} MiB")
    return content
