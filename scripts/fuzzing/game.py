"""A riichi game that remembers the moves of the current kyoku, so that it can be replayed up to this point."""

from collections.abc import Sequence

from jantaku.table.ground.game import GameWrapper
from jantaku.table.ground.port import Action
from jantaku.table.riichi.events import KyokuStart
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import Names, RiichiGame, Walls
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.rules import Rules


class Remembered(GameWrapper[RiichiGame]):
    """A `RiichiGame` with a memory."""

    def __init__(self, rules: Rules, walls: Walls, names: Names, first_dealer: int) -> None:
        game = RiichiGame(rules, walls, names, first_dealer)
        super().__init__(game, penalty=game.penalty)
        self.rules = rules
        self.mover = 0
        """The player that acted last."""
        self.moves: list[tuple[Action, Sequence[Action | None] | None]] = []
        """Pairs since the deal: the turn seat's action, and the responses that were ruled on, or None."""
        self.began: Standing = self.game.standing
        """The standing at that deal."""
        self.first = 1
        """Index of that deal in `events`."""

    @property
    def walls(self) -> list[Wall]:
        """The walls of all kyoku so far."""
        return self.game.walls

    def act(self, action: Action) -> None:
        turn = self.game.turn()
        assert turn is not None, "nobody acts after the end"
        self.mover = turn.seat
        self.moves.append((action, None))
        self.game.act(action)

    def rule(self, responses: Sequence[Action | None]) -> None:
        self.moves[-1] = self.moves[-1][0], responses
        deals = self.game.rounds
        self.game.rule(responses)
        if self.game.rounds != deals:
            self.moves, self.began = [], self.game.standing
            self.first = max(at for at, event in enumerate(self.events) if isinstance(event, KyokuStart))

    def again(self) -> RiichiGame:
        """Replay the current kyoku to this point; the copy is independent of this game."""
        wall = self.walls[-1]
        copy = RiichiGame(
            self.rules,
            lambda at: Wall.from_tiles(wall.tiles, wall.dice),
            self.events[0].names,
            self.game.first_dealer,
            self.began,
        )
        for action, responses in self.moves:
            copy.act(action)
            if responses is not None:
                copy.rule(responses)
        return copy
