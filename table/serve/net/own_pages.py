"""Pages of the operator's own, from a folder, that a server offers beside its rooms."""

import mimetypes
from collections.abc import Container
from pathlib import Path

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import bytes_of
from jantaku.table.serve.net.web import Page

MOST = 64 << 20
"""Most bytes of all files together: they are kept in memory."""
MOST_FILES = 1000
_FIRST = "/index.html"


def pages_in(folder: Path, taken: Container[str]) -> dict[str, Page]:
    """Read the files of a folder as pages, each at its path there; `index.html` also at `/`, unless that is `taken`.

    Names that begin with a dot are left out, and so are links that lead out of the folder. BadInput if there is no such
    folder, it is empty or too large, or a path is taken.
    """
    if not folder.is_dir():
        raise BadInput(f"--pages: there is no folder {folder}")
    found: dict[str, Page] = {}
    left = MOST
    for file in sorted(folder.rglob("*")):
        inside = file.relative_to(folder)
        if any(part.startswith(".") for part in inside.parts) or file.is_dir():
            continue
        if not file.resolve().is_relative_to(folder.resolve()):
            continue
        path = f"/{inside.as_posix()}"
        if path in taken:
            raise BadInput(f"--pages: {file}: the server has a page of its own at {path}")
        page = Page(_kind(file), bytes_of(file, MOST))
        left -= len(page.content)
        if left < 0 or len(found) >= MOST_FILES:
            raise BadInput(f"--pages: {folder} has more than {MOST >> 20} MiB or {MOST_FILES} files")
        found[path] = page
        if path == _FIRST and "/" not in taken:
            found["/"] = page
    if not found:
        raise BadInput(f"--pages: {folder} is empty")
    return found


def _kind(file: Path) -> str:
    """Return the media type for the file's name; texts are UTF-8."""
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    text = kind.startswith("text/") or kind in ("application/javascript", "application/json")
    return f"{kind}; charset=utf-8" if text else kind
