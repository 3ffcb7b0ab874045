"""Counts connections, in total and by address. Uses no socket; call from one thread."""

from collections import Counter
from typing import Protocol

from jantaku.table.serve.net.limits import Limits


class HalfOpen(Protocol):
    """A connection that has not sent its request."""

    address: str

    def abort(self) -> None:
        """Drop it at once."""


class ConnectionCount:
    """Counts connections of one kind, in total and by address."""

    def __init__(self, most: int, per_address: int | None) -> None:
        self._most, self._per_address = most, per_address
        self._by_address: Counter[str] = Counter()

    @property
    def is_any(self) -> bool:
        """Whether there is a connection."""
        return bool(self._by_address)

    def option(self, of_all: str) -> str:
        """Return the option that would admit another connection; `of_all` is the option for the total."""
        return of_all if self._by_address.total() >= self._most else "--max-per-address"

    def enter(self, address: str) -> bool:
        """Count a new connection. False if there are too many."""
        if self._by_address.total() >= self._most:
            return False
        if self._per_address is not None and self._by_address[address] >= self._per_address:
            return False
        self._by_address[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


class PendingConnections:
    """Connections that have not sent their request. A new one is never refused: an older one is dropped for it, first
    one of the same address, else one of the address that has most. A client that sends its request at once leaves this
    queue before its turn, however many others are silent."""

    def __init__(self, limits: Limits) -> None:
        self._most = limits.opening
        self._per_address = limits.opening if limits.forwarded else min(limits.opening, limits.opening_per_address)
        self._waiting: dict[HalfOpen, None] = {}
        """In the order of arrival."""

    def enter(self, newcomer: HalfOpen) -> None:
        """Add a connection; drop another one if there is no room."""
        here = Counter(one.address for one in self._waiting)
        if here[newcomer.address] >= self._per_address:
            self._drop_oldest_of(newcomer.address)
        elif len(self._waiting) >= self._most:
            self._drop_oldest_of(here.most_common(1)[0][0])
        self._waiting[newcomer] = None

    def leave(self, one: HalfOpen) -> None:
        """Remove a connection that has sent its request, or is closed."""
        self._waiting.pop(one, None)

    def drop_one(self) -> bool:
        """Drop the oldest connection of the address that has most, to free a file descriptor. False if there is
        none."""
        if self._waiting:
            self._drop_oldest_of(Counter(one.address for one in self._waiting).most_common(1)[0][0])
            return True
        return False

    def _drop_oldest_of(self, address: str) -> None:
        oldest = next(one for one in self._waiting if one.address == address)
        del self._waiting[oldest]
        oldest.abort()
