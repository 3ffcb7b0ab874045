"""A fingerprint of a player's code, to notice that a bot was changed between two runs."""

import hashlib
from pathlib import Path

from table.seating.loading import source_of
from table.seating.spec import Terms, terms_of


def fingerprint(player: str | Terms) -> str:
    """Twelve hex digits of the file that defines a bot, or of the files that a program's command names; empty where
    there is none."""
    terms = terms_of(player) if isinstance(player, str) else player
    if terms.scheme in ("", "process"):
        files = [source_of(terms.bot)]
    else:
        files = [Path(word) for word in terms.bot.partition(":")[2].split()]
    codes = [file.read_bytes() for file in files if file is not None and file.is_file()]
    return hashlib.sha256(b"".join(codes)).hexdigest()[:12] if codes else ""
