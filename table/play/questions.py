"""Takes a game from question to question, without threads and clocks: first a turn, then all claims on it at once."""

from collections.abc import Sequence

from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi.game import RiichiGame


class OpenQuestions:
    """The questions of a game that are open now: one at a turn, or one for each seat that may claim. None are open when
    the game is over. A question with one option is not put: its option is played."""

    def __init__(self, game: RiichiGame) -> None:
        self.game = game
        self.open: list[tuple[int, Choice]] = []
        """By player, what is asked."""
        self.turns = 0
        """Turns that are settled."""
        self._responses: list[Action | None] | None = None

    @property
    def are_claims(self) -> bool:
        """Whether the open questions are claims on a turn's action."""
        return self._responses is not None

    def answer(self, actions: Sequence[Action]) -> None:
        """Play an option of every open question, in their order, and go on to the next ones."""
        answered, self.open = self.open, []
        if self._responses is None:
            self.act(actions[0])
            return
        for (player, _), action in zip(answered, actions, strict=True):
            self._responses[player] = action
        self._settle()
        self.go_on()

    def act(self, action: Action) -> None:
        """Play the action of a turn, and go on to the next questions."""
        self._play(action)
        self.go_on()

    def go_on(self) -> None:
        """Go on to the next open questions, unless some are open."""
        while not self.open and (turn := self.game.turn()) is not None:
            if turn.choice.asks:
                self.open = [(turn.seat, turn.choice)]
            else:
                self._play(turn.choice.default)

    def _play(self, action: Action) -> None:
        self.game.act(action)
        responses: list[Action | None] = [None] * self.game.seats
        for player in self.game.reacting():
            if (choice := self.game.reaction(player, action)) is not None:
                responses[player] = choice.default
                if choice.asks:
                    self.open.append((player, choice))
        self._responses = responses
        if not self.open:
            self._settle()

    def _settle(self) -> None:
        assert self._responses is not None, "a turn was played"
        self.game.rule(self._responses)
        self._responses, self.turns = None, self.turns + 1
