"""What a wrapper of a player elsewhere has to hand through."""

from table.port import Remote


class Elsewhere:
    """The part of `Remote` that a wrapper leaves to the player inside, `remote`."""

    remote: Remote

    @property
    def stale(self) -> int:
        """See `Remote.stale`."""
        return self.remote.stale

    def start(self, seconds: float | None) -> None:
        """See `Remote.start`."""
        self.remote.start(seconds)

    def close(self) -> None:
        """See `Remote.close`."""
        self.remote.close()
