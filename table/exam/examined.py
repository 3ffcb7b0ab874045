"""The player under examination: all that it hears and says goes through here, and its last question is kept."""

import contextlib
from typing import Any

from table.errors import PlayerFault
from table.exam.elsewhere import Elsewhere
from table.exam.script import Script
from table.judge.game import Game
from table.port import Action, Player, Question, Remote


class Examined:
    """A player that follows a script as far as that goes and then answers by itself.

    What the script says is not put to the player: it hears what its seat did, as after a question that ran out
    of time. Everything here runs in the seat's thread.
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
        """How many events there were when it was put."""
        self.given: object = None
        """What the player said to it, if anything."""
        self.deaf: tuple[int, str] | None = None
        """The event (its number) that the player could not bear to hear, and why."""
        self._player = player
        self._game = game
        self._heard = 0

    @property
    def listens(self) -> bool:
        """As the player says, which may be anything: the judge looks at it."""
        listens: bool = getattr(self._player, "listens", True)
        return listens

    def hear(self, event: Any) -> None:
        """See `Player.hear`."""
        self._heard += 1
        try:
            self._player.hear(event)
        except BaseException as fault:  # whatever it is, the seat decides what it means
            if self.deaf is None and not isinstance(fault, PlayerFault):
                self.deaf = self._heard, f"{type(fault).__name__}: {fault}"
            raise

    def answer(self, question: Question) -> Action:
        """What the script says, else what the player says."""
        said = self.script.say(question)
        if said is not None:
            return said
        self.asked += 1
        self.question, self.given = question, None
        self.opening = self.opening or question
        self.rounds, self.at = self._game.rounds, len(self._game.events)
        self.given = given = self._player.answer(question)
        return given


class ExaminedRemote(Elsewhere, Examined):
    """The same for a player elsewhere. Implements `Remote`."""

    def __init__(self, player: Remote, game: Game, script: Script | None = None) -> None:
        super().__init__(player, game, script)
        self.remote = player


def examined(player: Player, game: Game, script: Script | None = None) -> Examined:
    """`player` as one under examination. What fails when it is looked at fails again before the judge."""
    with contextlib.suppress(Exception):
        if isinstance(player, Remote):
            return ExaminedRemote(player, game, script)
    return Examined(player, game, script)
