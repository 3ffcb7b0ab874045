"""The outcome of a turn."""

from jantaku.table.ground.port import Action, Answer


class Played:
    """A finished turn: `answers`, the turn seat's first, and the `responses` to rule on, by seat."""

    __slots__ = ("answers", "responses")

    def __init__(self, answers: list[Answer], responses: list[Action | None]) -> None:
        self.answers = answers
        self.responses = responses
