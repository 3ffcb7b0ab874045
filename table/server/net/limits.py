"""What one visitor of a server may do: how much, how often, how large. Knows no game and no socket."""

import msgspec

from table.clock import now


class Limits(msgspec.Struct, frozen=True):
    """Bounds that keep one visitor from harming the others. Numbers, bytes and seconds."""

    connections: int = 200
    per_address: int | None = None
    """Connections from one address; None: as many as there are."""
    origins: tuple[str, ...] | None = None
    """Sites whose pages may connect, as `https://example.org`; None: all. Our own may, and so may programs,
    which name no origin."""
    message: int = 16_384
    """Bytes of one incoming message."""
    burst: int = 400
    """Messages that may come at once; then `rate` a second. A fast program answers hundreds of questions a second."""
    rate: float = 200.0
    backlog: int = 4000
    """Outgoing messages that wait for one slow reader before it is cut off. Who joins a hanchan under way is told all
    of it at once, which may be three thousand."""
    reading: float = 5.0
    """Seconds for which a reader may take nothing at all while something is sent to it."""
    idle: float | None = None
    """Seconds of silence after which somebody who is expected to speak is sent away; None: never."""
    ping: float | None = None
    """Seconds between signs of life that are asked of a connection, and for one of them; None: not asked."""
    rooms: int = 100


class Allowance:
    """A store that holds `burst` pieces and is refilled by `rate` a second."""

    def __init__(self, burst: float, rate: float) -> None:
        self._burst, self._rate = burst, rate
        self._left, self._at = burst, now()

    def take(self) -> bool:
        """Use up one piece; False if there is none."""
        at = now()
        self._left = min(self._burst, self._left + (at - self._at) * self._rate)
        self._at = at
        if self._left < 1:
            return False
        self._left -= 1
        return True
