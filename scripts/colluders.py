"""Two bots of one process that collude, to try `jantaku fairplay` with. `Friend` tells what it needs behind the table's
back. In one hanchan out of twenty, chosen by seed, `Giver` plays for its friend: it wins nothing, keeps what its friend
needs, and discards it as soon as its friend waits for it.

    jantaku match --threads inline --players
        scripts.colluders:Giver,scripts.colluders:Friend,shanten,scripts.planted:Late …

Otherwise both play like `shanten`.
"""

import random

from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import Discard
from jantaku.table.riichi.pieces.tiles import KIND
from jantaku.table.riichi.points import shapes

GIVEN = 0.05
"""Share of hanchan that are given away."""
_given = [False]
"""Whether the current hanchan is given away."""
_needs = [0, 0]
"""The friend's shanten, and the kinds that it needs."""


class Friend(Shanten):
    """Shanten that tells what it needs, and folds to nobody in a hanchan that is given to it."""

    @property
    def threats(self) -> list[int]:
        """The opponents that it would fold to; none in a given hanchan."""
        return [] if _given[0] else super().threats

    def answer(self, question: Question) -> Action:
        """Answer like shanten, and tell what it needs."""
        action = super().answer(question)
        if isinstance(action, Discard):
            counts = self.hand.counts.copy()
            counts[KIND[action.tile]] -= 1
            _needs[:] = shapes.useful(counts)
        return action


class Giver(Shanten):
    """Shanten that gives away one hanchan out of twenty."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        _given[0] = random.Random(seed).random() < GIVEN
        _needs[:] = 0, 0

    def answer(self, question: Question) -> Action:
        """Answer like shanten, unless this hanchan is given away."""
        if not _given[0]:
            return super().answer(question)
        discards = [one for one in self.find_all(question, Discard) if not one.riichi]
        if not discards:
            return question.default
        shanten, needed = _needs
        needs = [one for one in discards if needed >> KIND[one.tile] & 1]
        others = [one for one in discards if one not in needs]
        return (needs or others if shanten == 0 else others or needs)[0]
