"""What comes of a turn."""

from jantaku.table.port import Action, Answer


class Played:
    """A finished turn: the answers (turn seat first) and, by seat, the responses to rule on."""

    __slots__ = ("answers", "responses")

    def __init__(self, answers: list[Answer], responses: list[Action | None]) -> None:
        self.answers = answers
        self.responses = responses
