"""Whose seat it is: what a client shows when it comes, and when it comes back."""

import hmac
from typing import NamedTuple


class Claim(NamedTuple):
    """Who says to be somebody. `key` is the client's own secret, empty if it has none."""

    name: str
    key: str
    address: str
    program: str = ""
    """What else tells clients without a key from each other."""

    def same_as(self, other: "Claim") -> bool:
        """Whether it is the same client: it knows the key again or, without one, is the same program and comes from the
        same address. The second is a guess: it gives back a seat that was left, never one that is taken."""
        if self.name != other.name or not same_secret(self.key, other.key):
            return False
        return bool(self.key) or (self.address, self.program) == (other.address, other.program)


def same_secret(given: str, wanted: str) -> bool:
    """Compare two secrets in a time that does not tell how much of them is right."""
    return hmac.compare_digest(given.encode(), wanted.encode())
