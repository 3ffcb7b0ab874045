"""Caller: calls every meld that it can."""

import random

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import Call, Discard, Kan, Ron, SetAside, Tenpai, Tsumo
from jantaku.table.riichi.pieces.melds import MeldKind

EAGERNESS = (MeldKind.DAIMINKAN, MeldKind.ANKAN, MeldKind.KAKAN, MeldKind.PON, MeldKind.CHI)


class Caller(RiichiPlayer):
    """Wins when it can, else calls whatever it can (kan, then pon, then chi), else discards at random."""

    listens = False
    remembers = False

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._random = random.Random(seed)

    def reseed(self, seed: int) -> None:
        self._random.seed(seed)

    def answer(self, question: Question) -> Action:
        """Return a win, a north set aside, a meld, 聴牌 or any discard, in this order."""
        if sure := self.find(question, Tsumo, Ron, Tenpai, SetAside):
            return sure
        melds: list[Call | Kan] = self.find_all(question, Kan, Call)
        if melds:
            return min(melds, key=lambda action: EAGERNESS.index(action.meld.kind))
        return self._random.choice(self.find_all(question, Discard))
