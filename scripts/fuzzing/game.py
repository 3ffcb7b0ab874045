"""A riichi game that remembers how the running kyoku came about, so that it can be played again up to here."""

from collections.abc import Sequence
from typing import Any

from table.port import Action
from table.riichi.flow.hanchan import Standing
from table.riichi.game import RiichiGame
from table.riichi.pieces.wall import Wall


class Remembered(RiichiGame):
    """Plays as `RiichiGame`."""

    moves: list[tuple[Action, Sequence[Action | None] | None]]
    """(what the turn seat did, the responses that were ruled on or None) since the deal."""
    began: Standing
    """Where the game stood at that deal."""
    first: int
    """Index of that deal in `events`."""
    mover = 0
    """The player who acted last."""

    def _deal(self) -> Any:
        self.moves, self.began, self.first = [], self.standing, len(self.events)
        return super()._deal()

    def act(self, action: Action) -> None:
        """See `Game.act`."""
        turn = self.turn()
        assert turn is not None, "nobody acts after the end"
        self.mover = turn.seat
        self.moves.append((action, None))
        super().act(action)

    def rule(self, responses: Sequence[Action | None]) -> None:
        """See `Game.rule`."""
        self.moves[-1] = self.moves[-1][0], responses
        super().rule(responses)

    def again(self) -> RiichiGame:
        """The running kyoku played anew to this point, independent of this game."""
        wall = self.walls[-1]
        copy = RiichiGame(
            self.rules,
            lambda at: Wall.from_tiles(wall.tiles, wall.dice),
            self.events[0].names,
            self.first_dealer,
            self.began,
        )
        for action, responses in self.moves:
            copy.act(action)
            if responses is not None:
                copy.rule(responses)
        return copy
