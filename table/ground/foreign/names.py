"""File names for players, rooms and the like: whatever a name contains, the result is one safe file name."""

import re

LONGEST_FILE = 80
"""The most characters of a file name made here."""
_MARK = 12  # hex digits of a hash, which distinguishes names whose remaining letters are equal
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


def file_name(name: str) -> str:
    """Return a file name for `name`: 1 to 80 of A-Z a-z 0-9 _ . and -, not beginning with . or -. A name of that form
    stays unchanged. Any other loses the characters that are not allowed and gets a hash, so that different names make
    different files."""
    if len(name) <= LONGEST_FILE and _PLAIN.fullmatch(name):
        return name
    import hashlib  # a plain name needs none, and it takes longer than all that is needed at every start

    letters = re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-")[: LONGEST_FILE - _MARK - 1].rstrip("-") or "name"
    return f"{letters}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:_MARK]}"
