"""The story of each turn in log lines of level `debug`: what settled the turn, which seats might react, every line of
the sheet, the ruling and why.

The judge's thread writes these lines from what the seats' threads have recorded, so that their order is the same in
every run. `Story.of` returns None if the level is not logged: then a turn costs only a few comparisons more.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from jantaku.table.ground.clock import now
from jantaku.table.ground.game import Game
from jantaku.table.ground.log import Logger, tells
from jantaku.table.ground.port import Action, Answer, Choice, Turn
from jantaku.table.judge.responses import SheetLine


class Story:
    """Logs the turns of one game."""

    def __init__(self, game: Game, log: Logger) -> None:
        self._game = game
        self._plain = self._log = log
        self._began = 0.0
        self._mover = 0
        self._choices: dict[int, Choice] = {}

    @classmethod
    def of(cls, game: Game, log: Logger) -> "Story | None":
        """Return the story of `game`, or None if the level `debug` is not logged."""
        return cls(game, log) if tells(log, "debug") else None

    def begin(self, number: int, turn: Turn, what: str) -> None:
        """Log that a turn begins, with the mover's options. `what` names the line."""
        self._log = self._plain.bind(**{self._game.words.round: self._game.rounds}, turn=number)
        self._began, self._mover, self._choices = now(), turn.seat, {turn.seat: turn.choice}
        self._log.debug(what, **self._who(turn.seat), options=self._options(turn.choice))

    def threads(self, names: Sequence[str], waiting: Sequence[str]) -> None:
        """Log the threads that were started, in this order, and those among them that wait for the event."""
        self._log.debug("threads under way", threads=names, waiting=waiting)

    def settled(self, action: Action, answer: Answer | None) -> None:
        """Log the turn's action. Without an `answer` the judge settled it, or there was nothing to choose."""
        by = "seat" if answer is not None else "judge" if self._choices[self._mover].asks else "rules"
        self._log.debug("settled", by=by, **self._who(self._mover), action=self._word(action), ms=self._since())

    def may_react(self, seat: int, choice: Choice) -> None:
        """Log what a seat may do about the action."""
        self._choices[seat] = choice
        self._log.debug("may react", **self._who(seat), options=self._options(choice))

    def called(self, answers: Iterable[Answer]) -> None:
        """Log the answers of seats that were called one after another, without a sheet."""
        by_seat = {answer.seat: answer for answer in answers}
        for seat in range(self._game.seats):
            answer = by_seat.get(seat)
            used = None if answer is None else answer.used
            by = "judge" if answer is None else "seat"
            self._response(SheetLine(seat, self._choices.get(seat), answer, used, by))

    def sealed(self, lines: Sequence[SheetLine]) -> None:
        """Log the lines of the sealed sheet."""
        for line in lines:
            self._response(line)
        written = sum(line.used is not None for line in lines)
        self._log.debug("sheet sealed", lines=len(lines), written=written, ms=self._since())

    def ruled(self, responses: Sequence[Action | None], new: Sequence[Any]) -> None:
        """Log how the game ruled on the responses; `new` are the events that followed."""
        ruling, why = self._game.words.ruling(self._mover, responses, new)
        self._log.debug("ruling", ruling=ruling, why=why)

    def _response(self, line: SheetLine) -> None:
        action = None if line.action is None else self._word(line.action)
        ms = None if line.used is None else _ms(line.used)
        self._log.debug("response", **self._who(line.seat), by=line.by, action=action, verdict=line.word, ms=ms)

    def _who(self, seat: int) -> dict[str, Any]:
        return {"seat": seat, "player": self._game.words.players[seat]}

    def _options(self, choice: Choice) -> list[str]:
        return [self._word(option) for option in choice.options]

    def _word(self, action: Action) -> str:
        return self._game.words.action(action)

    def _since(self) -> float:
        return _ms(now() - self._began)


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
