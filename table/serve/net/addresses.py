"""The addresses at which others reach a server that listens on all addresses of this machine."""

import contextlib
import ipaddress
import socket
import sys
from collections.abc import Iterator

from jantaku.table.serve.net.limits import Limits

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
