"""Records of games in which players sometimes answer badly, which ends the kyoku each time."""

import random
from collections.abc import Mapping
from pathlib import Path

from jantaku.players.bots.caller import Caller
from jantaku.table.ground.port import Action, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.riichi.actions import PASS, RON, TSUMO
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.ruleset import preset, with_settings

RIICHILAB = {"chombo.sticks": "stay", "chombo.honba": "add", "game.tobi": "false"}
"""riichi.dev's rules after a chombo."""


class Careless(Caller):
    """Answers what is not offered in one of `one_of` answers, by its own dice; more often if it is asked to claim."""

    def __init__(self, seed: int, one_of: int) -> None:
        super().__init__()
        self._chance, self._one_of = random.Random(seed), one_of

    def answer(self, question: Question) -> Action:
        claims = PASS in question.options
        if self._chance.randrange(self._one_of // 6 if claims else self._one_of):
            return super().answer(question)
        return TSUMO if claims else RON


def careless_game(
    folder: Path, rules: str = "tenhou", settings: Mapping[str, str] | None = None, one_of: int = 60, seed: str = "1"
) -> RiichiGame:
    """Play a game with chombo, and keep its journal and both forms of 牌譜."""
    law = with_settings(preset(rules), {"game.length": "tonpu", **(settings or {})})
    opened = RiichiTable(law, "abcd", seed, Keeping(folder, "test", form_2015=True))(0)
    players = [Careless(player, one_of) for player in range(4)]
    judge = Judge(opened.game, players, mode="inline", watches=opened.begin(), on_fault="chombo")
    opened.close(judge.run())
    return opened.riichi
