"""Names of players, rooms and the like as names of files: whatever a name holds, it names a file and nothing else."""

import hashlib
import re

LONGEST = 80
"""Characters of a name that is made here."""
_MARK = 12  # hex digits that tell two names apart whose letters would be the same
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


def file_name(name: str) -> str:
    """A file name for `name`: 1 to 80 of A-Z a-z 0-9 _ . and -, beginning with none of the last two.

    A name of that form stays as it is. Every other one loses what is not of that form and gets a mark of its own, so
    that different names are different files.
    """
    if len(name) <= LONGEST and _PLAIN.fullmatch(name):
        return name
    letters = re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-")[: LONGEST - _MARK - 1].rstrip("-") or "name"
    return f"{letters}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:_MARK]}"
