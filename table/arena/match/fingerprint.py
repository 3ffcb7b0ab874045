"""A fingerprint of a player's code, to notice if a bot has changed between two runs."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from jantaku.table.ground import installation
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import DEEPEST, MOST_FILES
from jantaku.table.play.seating.loader import source_of
from jantaku.table.play.seating.spec import FOLDER, Terms, terms_of

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
    """List the files of a bot's folder, except caches, virtual environments and what links to other folders lead to; a
    zip is one file. BadInput for more than a zip may have."""
    if not path.is_dir():
        return [path]
    found: list[Path] = []
    for place, folders, files in os.walk(path):
        folders[:] = sorted(set(folders) - _NOT_THEIRS)
        if len(Path(place).relative_to(path).parts) >= DEEPEST:
            raise BadInput(f"folder {path}: is nested more than {DEEPEST} deep; leave in it what the bot needs")
        found += (Path(place, name) for name in files if name not in _NOT_THEIRS)
        if len(found) > MOST_FILES:
            raise BadInput(f"folder {path}: has more than {MOST_FILES} files; leave in it what the bot needs")
    return sorted(found)
