"""Wraps the player under examination: records what it hears and answers, and its last question."""

from typing import Any

from jantaku.table.ground.errors import PlayerFault
from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Action, Player, PlayerWrapper, Question
from jantaku.table.testing.scripts import Script


class Examined(PlayerWrapper):
    """A player that follows a script first and then answers by itself.

    Questions that the script answers are not put to the player: it hears what its seat did, as after a timeout. Runs in
    the seat's thread.
    """

    def __init__(self, player: Player, game: Game, script: Script | None = None) -> None:
        self.script = script or Script(())
        self.asked = 0
        """Number of questions put to the player itself."""
        self.rounds = 0
        """Kyoku of the last of them, from 1."""
        self.opening: Question | None = None
        """The first of them."""
        self.question: Question | None = None
        """The last of them."""
        self.at = 0
        """Number of events of the game at the last of them."""
        self.given: object = None
        """The player's answer to it; None if it gave none."""
        self.deaf: tuple[int, str] | None = None
        """Number of the event at which `hear` failed, and the error."""
        super().__init__(player)
        self._game = game
        self._heard = 0

    def hear(self, event: Any) -> None:
        """Pass the event on, and note the first one at which the player fails."""
        self._heard += 1
        try:
            self.wrapped.hear(event)
        except BaseException as fault:  # of any kind: the seat decides what it means
            if self.deaf is None and not isinstance(fault, PlayerFault):
                self.deaf = self._heard, f"{type(fault).__name__}: {fault}"
            raise

    def answer(self, question: Question) -> Action:
        """Return the script's answer, else the player's."""
        said = self.script.say(question)
        if said is not None:
            return said
        self.asked += 1
        self.question, self.given = question, None
        self.opening = self.opening or question
        self.rounds, self.at = self._game.rounds, len(self._game.events)
        self.given = given = self.wrapped.answer(question)
        return given
