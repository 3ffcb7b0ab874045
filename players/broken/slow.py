"""Slow: answers correctly, but too late."""

from jantaku.players.broken import once as once  # registers the vice
from jantaku.players.broken.catalogue import VICES, Broken


class Slow(Broken):
    """Sleeps before every answer (2 seconds by default)."""

    listens = False
    vice, at = VICES["bot"]["thinks_too_long"], "every-1"

    def __init__(self, *, seed: int = 0, seconds: float = 2.0) -> None:
        super().__init__(too_long=seconds, seed=seed)
