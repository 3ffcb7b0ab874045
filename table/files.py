"""Files that a person or a stranger names: read whole, up to a bound, and only where they are files."""

import os
import stat
from pathlib import Path

from table.errors import BadInput


def bytes_of(path: str | Path, most: int) -> bytes:
    """What a file holds. BadInput if it cannot be read, is larger than `most` bytes, or is no file at all: a device has
    no end, and a pipe may have no writer."""
    try:
        # Without O_NONBLOCK a pipe is waited for before one can see that it is one.
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise BadInput(f"{path}: cannot be read: it is not a file; write what comes from elsewhere to one")
            with open(number, "rb", closefd=False) as file:
                content = file.read(most + 1)
        finally:
            os.close(number)
    except FileNotFoundError:
        raise BadInput(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:  # ValueError: NUL in its name
        raise BadInput(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > most:
        raise BadInput(f"{path}: is larger than {most >> 20} MiB")
    return content
