"""Limits for the visitors of a server, and the counts that they are held against. Uses no game and no socket.

`reached_at` finds the addresses at which others reach a server that listens on all addresses of this machine.
"""

import contextlib
import ipaddress
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Protocol

import msgspec

from jantaku.table.ground.clock import now

# Limits for the visitors of a server: connections, rates, sizes. Uses no game and no socket.

KEPT_FILES = 32
"""File descriptors set aside for the interpreter, the listening socket and logs."""


class Limits(msgspec.Struct, frozen=True):
    """Bounds that keep one visitor from harming others: numbers, bytes and seconds."""

    connections: int = 200
    """Most connections of players."""
    watchers: int = 200
    """The most connections of onlookers, which take no player's place."""
    opening: int = 64
    """Most connections that have not sent their request. A new one replaces the oldest."""
    per_address: int | None = None
    """Most connections of players, and of onlookers, from one address; None: no limit."""
    opening_per_address: int = 32
    origins: tuple[str, ...] | None = None
    """Sites whose pages may connect, as `https://example.org`; None: all. The server's own pages always may, and so may
    programs, which send no Origin."""
    placeholders: tuple[str, ...] = ()
    """Origins that a library sends although there is no page behind them: they are admitted, but are no names of this
    server."""
    has_options: bool = False
    """Whether command-line options set these limits, so that a refusal can name the option that would admit the
    visitor."""
    hosts: tuple[str, ...] = ()
    """Names of this server besides its addresses, `localhost`, the machine's own name and the hosts of `origins`."""
    forwarded: bool = False
    """Whether a reverse proxy is in front, so that X-Forwarded-For gives the visitor's address."""
    message: int = 16_384
    """Most bytes of one incoming message."""
    burst: int = 400
    """Most unsolicited messages at once; then `rate` a second. A fast program answers hundreds of questions a
    second."""
    rate: float = 200.0
    backlog: int = 4000
    """Most outgoing messages that may wait for a slow reader before it is disconnected (backpressure). A client that
    joins a running hanchan gets all of it at once, up to three thousand."""
    reading: float = 5.0
    """Seconds for which a reader may stop reading while something is sent to it."""
    idle: float | None = None
    """Seconds of silence after which a player is disconnected; None: never."""
    ping: float | None = None
    """Seconds between two pings (heartbeat); None: no pings."""
    pong: float = 20.0
    """Seconds for the pong."""
    pongs_wanted: bool = True
    """Whether a client that has never answered a ping is disconnected for that, too."""
    rooms: int = 100
    rooms_per_address: int | None = None
    """Most rooms that visitors from one address may have open at a time; None: no limit."""

    def within(self, files: int) -> "Limits":
        """Lower the limits if the process may not open that many files. Half of the files are for games."""
        most = max(8, (files - KEPT_FILES) // 2)
        if self.connections + self.watchers + self.opening <= most:
            return self
        opening = min(self.opening, most // 4)
        watchers = min(self.watchers, most // 4)
        connections = min(self.connections, most - opening - watchers)
        return msgspec.structs.replace(self, opening=opening, watchers=watchers, connections=connections)


class Allowance:
    """A token bucket: `burst` tokens, refilled at `rate` a second."""

    def __init__(self, burst: float, rate: float) -> None:
        self._burst, self._rate = burst, rate
        self._left, self._at = burst, now()

    def take(self) -> bool:
        """Take a token; False if there is none."""
        at = now()
        self._left = min(self._burst, self._left + (at - self._at) * self._rate)
        self._at = at
        if self._left < 1:
            return False
        self._left -= 1
        return True


# Counts connections, in total and by address. Uses no socket; call from one thread.


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
        """Stop counting a connection."""
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


class PendingConnections:
    """Connections that have not sent their request.

    A new one is never refused: an older one is dropped for it, first one of the same address, else one of the address
    that has most. A client that sends its request at once leaves this queue before its turn, however many others are
    silent.
    """

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


EVERYWHERE = ("0.0.0.0", "::", "")
"""Host names that stand for all addresses of a machine."""
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Documentation addresses (RFC 5737, RFC 3849): a packet to them would leave from this machine's address in the
network."""
_SIOCGIFADDR = 0x8915


def reached_at(host: str, limits: Limits) -> list[str]:
    """Return names and addresses of a server that listens on `host`, the most useful for others first: names given by
    the operator, the address of the default route, other network addresses, loopback."""
    own = [host] if host not in EVERYWHERE else machine_addresses(host == "::")
    return list(dict.fromkeys([*limits.hosts, *own]))


def machine_addresses(both: bool = False) -> list[str]:
    """Return the addresses of this machine, network addresses before loopback; with IPv6 if `both`."""
    families = [socket.AF_INET, *([socket.AF_INET6] if both else [])]
    found = [address for family in families for address in _outgoing(family)]
    found += _of_interfaces()
    loopback = ["127.0.0.1", *(["::1"] if both else [])]
    others = [address for address in dict.fromkeys(found) if not ipaddress.ip_address(address).is_loopback]
    return [*others, *loopback]


def host_and_port(host: str, port: int) -> str:
    """Return HOST:PORT as in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _outgoing(family: socket.AddressFamily) -> Iterator[str]:
    """Yield the source address of a packet to another network. No packet is sent."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((_ELSEWHERE[family], 9))
        yield str(probe.getsockname()[0])


def _of_interfaces() -> Iterator[str]:
    """Yield the IPv4 address of every network interface, if the system tells them (Linux)."""
    if sys.platform == "win32":
        return
    try:
        import fcntl

        names = socket.if_nameindex()
    except (ImportError, OSError):
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in names:
            with contextlib.suppress(OSError):
                told = fcntl.ioctl(asked.fileno(), _SIOCGIFADDR, name.encode()[:15].ljust(256, b"\0"))
                yield socket.inet_ntoa(told[20:24])
