"""Unpacks a bot's zip, which a stranger made, into a folder: nothing gets out of the folder, and it contains only files
of bounded size."""

import hashlib
import lzma
import shutil
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import DEEPEST, MOST_FILES, opened

MOST = 2 << 30
"""The most bytes of all files of a zip together. Weights of networks are large; mjai.app took zips of up to a
gigabyte."""
_SHOWN = 60
_CHUNK = 1 << 20
_BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError, NotImplementedError, RuntimeError)
"""The exceptions of `zipfile` for files that are damaged, encrypted, or compressed by an unknown method."""


def digest_of(file: Path) -> str:
    """Return a key of a zip's content. Raises BadInput if it cannot be read."""
    digest = hashlib.sha256()
    with opened(file) as content:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()[:32]


def unpack(file: Path, into: Path) -> None:
    """Unpack a zip into an empty folder. Raises BadInput if it is not a zip or must not be unpacked."""
    try:
        with opened(file) as content, zipfile.ZipFile(content) as packed:
            entries = packed.infolist()
            _refuse(file, entries)
            for entry in entries:
                _write(packed, entry, into)
    except _BROKEN as error:
        raise BadInput(f"{file}: cannot be unpacked: {error}") from None


def _refuse(file: Path, entries: list[zipfile.ZipInfo]) -> None:
    """Raise BadInput for the first reason not to unpack these entries. An entry cannot exceed its declared size:
    `zipfile` reads no further."""
    if len(entries) > MOST_FILES:
        raise BadInput(f"{file}: has {len(entries)} files; a bot's zip may have {MOST_FILES}")
    size = sum(entry.file_size for entry in entries)
    if size > MOST:
        raise BadInput(f"{file}: unpacks to {size / (1 << 30):.1f} GiB; a bot's zip may have {MOST >> 30}")
    for entry in entries:
        path, kind = PurePosixPath(entry.filename), stat.S_IFMT(entry.external_attr >> 16)
        shown = repr(entry.filename[:_SHOWN])
        if path.is_absolute() or ".." in path.parts or "\\" in entry.filename or ":" in entry.filename:
            raise BadInput(f"{file}: its entry {shown} points outside its folder; nothing was unpacked")
        if len(path.parts) > DEEPEST:
            raise BadInput(f"{file}: its entry {shown} is nested more than {DEEPEST} deep; nothing was unpacked")
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            what = "a link" if kind == stat.S_IFLNK else "no file"
            raise BadInput(f"{file}: its entry {shown} is {what}; nothing was unpacked")


def _write(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, into: Path) -> None:
    """Write one entry. An entry that occurs twice, or is both a file and a folder, raises OSError or ValueError."""
    place = into / entry.filename
    if entry.is_dir():
        place.mkdir(parents=True, exist_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    with packed.open(entry) as source, place.open("xb") as target:
        shutil.copyfileobj(source, target, _CHUNK)
