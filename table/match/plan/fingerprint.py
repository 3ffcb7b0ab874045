"""A fingerprint of a player's code, to notice if a bot has changed between two runs."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from jantaku.table import installation
from jantaku.table.seating.loading import source_of
from jantaku.table.seating.spec import FOLDER, Terms, terms_of

_NOT_THEIRS = {"__pycache__", ".git", ".venv", ".akagi"}
_CHUNK = 1 << 20  # read in parts: a model file may be larger than the memory


def fingerprint(player: str | Terms) -> str:
    """Return twelve hex digits; empty if no file is found. Hashed are the file that defines a bot and the files its
    arguments name, or the files that a program's command names, or all files in a bot's folder."""
    terms = terms_of(player) if isinstance(player, str) else player
    if terms.scheme in ("", "process"):
        home = installation.here(Path(terms.cwd or ""))
        files: Sequence[Path | None] = [source_of(terms), *(home / text for text in terms.texts)]
    elif terms.scheme == FOLDER:
        files = _inside(installation.here(Path(terms.bot.partition(":")[2])))
    else:
        files = [Path(word) for word in terms.bot.partition(":")[2].split()]
    digest, found = hashlib.sha256(), False
    for file in files:
        if file is not None and os.path.isfile(file):
            found = True
            with open(file, "rb") as content:
                while chunk := content.read(_CHUNK):
                    digest.update(chunk)
    return digest.hexdigest()[:12] if found else ""


def _inside(path: Path) -> Sequence[Path]:
    """List the files of a bot's folder, except caches and virtual environments; a zip is one file."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if not _NOT_THEIRS.intersection(file.relative_to(path).parts))
