"""Stuck: never returns, unless a test releases it."""

from jantaku.players.broken import once as once  # registers the vice
from jantaku.players.broken.catalogue import VICES, Broken
from jantaku.players.broken.catalogue import let_all_go as let_all_go


class Stuck(Broken):
    """Blocks for ever at its first question."""

    listens = False
    vice, at = VICES["bot"]["hangs"], "every-1"
