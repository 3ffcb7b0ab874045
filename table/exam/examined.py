"""Wrapper around the player under examination: records what it hears and says, and its last question."""

from typing import Any

from jantaku.table.errors import PlayerFault
from jantaku.table.exam.script import Script
from jantaku.table.game import Game
from jantaku.table.port import Action, Player, PlayerWrapper, Question


class Examined(PlayerWrapper):
    """A player that follows a script first and then answers by itself.

    Questions that the script answers are not put to the player: it hears what its seat did, as after a question that
    timed out. Everything here runs in the seat's thread.
    """

    def __init__(self, player: Player, game: Game, script: Script | None = None) -> None:
        self.script = script or Script(())
        self.asked = 0
        """Questions that were put to the player itself."""
        self.rounds = 0
        """In which kyoku of the game the last of them was, from 1."""
        self.opening: Question | None = None
        """The first of them."""
        self.question: Question | None = None
        """The last of them."""
        self.at = 0
        """Number of events when it was put."""
        self.given: object = None
        """What the player said to it, if anything."""
        self.deaf: tuple[int, str] | None = None
        """The event (its number) at which `hear` failed, and why."""
        super().__init__(player)
        self._game = game
        self._heard = 0

    def hear(self, event: Any) -> None:
        """See `Player.hear`."""
        self._heard += 1
        try:
            self.wrapped.hear(event)
        except BaseException as fault:  # whatever it is, the seat decides what it means
            if self.deaf is None and not isinstance(fault, PlayerFault):
                self.deaf = self._heard, f"{type(fault).__name__}: {fault}"
            raise

    def answer(self, question: Question) -> Action:
        """The script's answer, else the player's."""
        said = self.script.say(question)
        if said is not None:
            return said
        self.asked += 1
        self.question, self.given = question, None
        self.opening = self.opening or question
        self.rounds, self.at = self._game.rounds, len(self._game.events)
        self.given = given = self.wrapped.answer(question)
        return given
