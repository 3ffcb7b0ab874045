"""Another game for the judge: janken, to three wins. Threads, clocks and blame come with it."""

from collections.abc import Sequence

from jantaku.table.ground.game import Game, Turn
from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.testing import slow

HANDS = Choice(("rock", "paper", "scissors"), "rock")  # rock is shown for a seat that gives no answer


class Janken(Game):
    """Seat 0 has the turn; seat 1 reacts, and is not told what it reacts to."""

    round, players = "game", ("first", "second")  # the words of log lines, with `action` and `ruling`

    @property
    def rounds(self) -> int:
        return 1

    def __init__(self) -> None:
        super().__init__(2, self, [])
        self.wins, self.shown = [0, 0], HANDS.default

    def turn(self) -> Turn | None:
        return None if 3 in self.wins else Turn(0, HANDS)

    def act(self, action: Action) -> None:
        self.shown = action

    def reacting(self) -> list[int]:
        return [1]

    def reaction(self, seat: int, action: Action) -> Choice | None:
        return HANDS if seat == 1 else None

    def rule(self, responses: Sequence[Action | None]) -> None:
        both = self.shown, responses[1]
        by = HANDS.options.index(both[0]) - HANDS.options.index(both[1])
        if by % 3:
            self.wins[by % 3 - 1] += 1
        self.events.append(both)

    def action(self, action: Action) -> str:
        return str(action)

    def ruling(self, mover: int, responses: Sequence[Action | None], new: Sequence[object]) -> tuple[str, str]:
        return f"{new}", "by the rules"

    def masked(self, index: int, seat: int) -> object:
        return self.events[index]

    def accepts(self, action: object) -> bool:
        return action in HANDS.options


class Turner:
    """Shows what beats the hand that the other one showed last."""

    game = "janken"

    def __init__(self, seat: int) -> None:
        self.seat, self.last = seat, HANDS.options[seat]

    def hear(self, event: tuple[str, str]) -> None:
        self.last = event[1 - self.seat]

    def answer(self, question: Question) -> Action:
        return HANDS.options[(HANDS.options.index(self.last) + 1) % 3]


if __name__ == "__main__":
    game = Janken()
    result = Judge(game, [Turner(0), slow(Turner(1), seconds=0.2, after=2)], clock=Clock(turn=0.1, reaction=0.1)).run()
    print(game.wins, [dict(seat.verdicts) for seat in result.seats])
