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
    """Distinguishes clients that have no key."""
    dialect: str = ""
    """The dialect, if a game has several."""
    renamed: bool = False
    """Whether the server may append a number if another client has the name, although this one has no key."""
    given: str = ""
    """The client's own name, if the server appended a number to it."""

    def same_as(self, other: "Identity") -> bool:
        """Return whether it is the same client: it has the same key or, without one, the same program and address. The
        latter is a guess, which gives back a free seat but never an occupied one."""
        if self.name != other.name or not same_secret(self.key, other.key):
            return False
        return bool(self.key) or (self.address, self.program) == (other.address, other.program)


def same_secret(given: str, wanted: str) -> bool:
    """Compare two secrets in constant time."""
    return hmac.compare_digest(given.encode(), wanted.encode())


def unlike(name: str, taken: Container[str]) -> str:
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    return found
