"""Identifies the client of a seat when it connects and reconnects."""

import hmac
from collections.abc import Container
from typing import NamedTuple


class Identity(NamedTuple):
    """A client's identity. `key` is the client's own secret, empty if it has none."""

    name: str
    key: str
    address: str
    program: str = ""
    """Distinguishes clients without a key."""
    dialect: str = ""
    """The dialect, where there are several."""
    renamed: bool = False
    """Whether a number may be put behind its name where another client has it, although it has no key."""
    given: str = ""
    """What it called itself, where that was done."""

    def same_as(self, other: "Identity") -> bool:
        """Whether it is the same client: it has the key or, without one, is the same program and comes from the same
        address. The second is a guess: it gives back a free seat, never an occupied one."""
        if self.name != other.name or not same_secret(self.key, other.key):
            return False
        return bool(self.key) or (self.address, self.program) == (other.address, other.program)


def same_secret(given: str, wanted: str) -> bool:
    """Compare two secrets in constant time."""
    return hmac.compare_digest(given.encode(), wanted.encode())


def unlike(name: str, taken: Container[str]) -> str:
    """A name like this one that is not taken."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    return found
