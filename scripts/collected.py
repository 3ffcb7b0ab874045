"""Reads collections of records: one JSON object per line, plain or gzip; its keys tell the format."""

import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from jantaku.table.ground.errors import BadInput

T = TypeVar("T")


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file, numbered from 1. BadInput names the file if it cannot be read, and where it broke
    off."""
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    number = 0
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, text in enumerate(lines, start=1):
                yield number, text
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror or error})") from error
    except (EOFError, UnicodeDecodeError, zlib.error) as error:
        raise BadInput(f"{path}: broken after line {number} ({error})") from error


def reader_of(record: Mapping[str, Any], readers: Sequence[tuple[str, T]]) -> T:
    """Return the reader for a record's format; `readers` gives for each a key that only its format has. ValueError if
    there is none."""
    for key, reader in readers:
        if key in record:
            return reader
    raise ValueError(f"unknown keys {', '.join(sorted(record))}")
