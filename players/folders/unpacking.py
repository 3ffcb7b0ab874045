"""A bot's zip becomes a folder. It is a stranger's: nothing gets out of the folder, and nothing in it is
anything but a file of bounded size."""

import hashlib
import lzma
import shutil
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from jantaku.table.errors import BadInput
from jantaku.table.foreign.files import DEEPEST, MOST_FILES, opened

MOST = 2 << 30
"""Bytes of all files of a zip together. Weights of networks are large; mjai.app took zips of up to a gigabyte."""
_SHOWN = 60
_CHUNK = 1 << 20
_BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError, NotImplementedError, RuntimeError)
"""What `zipfile` raises for files that are damaged, encrypted, or packed in a way that it does not know."""


def digest_of(file: Path) -> str:
    """A key of the content of a zip. BadInput if it cannot be read."""
    digest = hashlib.sha256()
    with opened(file) as content:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()[:32]


def unpack(file: Path, into: Path) -> None:
    """Unpack a zip into an empty folder. BadInput for what is no zip, and for one that may not be unpacked."""
    try:
        with opened(file) as content, zipfile.ZipFile(content) as packed:
            entries = packed.infolist()
            _refuse(file, entries)
            for entry in entries:
                _write(packed, entry, into)
    except _BROKEN as error:
        raise BadInput(f"{file}: cannot be unpacked: {error}") from None


def _refuse(file: Path, entries: list[zipfile.ZipInfo]) -> None:
    """BadInput for the first reason not to unpack these. What an entry says of its size cannot be exceeded:
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
            raise BadInput(f"{file}: its entry {shown} leads out of its folder; nothing of it was unpacked")
        if len(path.parts) > DEEPEST:
            raise BadInput(f"{file}: its entry {shown} is nested more than {DEEPEST} deep; nothing of it was unpacked")
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            what = "a link" if kind == stat.S_IFLNK else "no file"
            raise BadInput(f"{file}: its entry {shown} is {what}; nothing of it was unpacked")


def _write(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, into: Path) -> None:
    """One entry. An entry that stands twice, or is a file and a folder, is an OSError or a ValueError."""
    place = into / entry.filename
    if entry.is_dir():
        place.mkdir(parents=True, exist_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    with packed.open(entry) as source, place.open("xb") as target:
        shutil.copyfileobj(source, target, _CHUNK)
