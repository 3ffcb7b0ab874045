"""Asks players beside a record. Each shadow hears the game as its seat does and gets every question of its seat. Its
answers are noted, and the game goes on as recorded.

  for noted in shadowed(course_of(read_any(path).record), {0: entrant}):
  noted.differs, noted.choice.options, noted.played, noted.answer

The judge plays the game like any other, so bots of this process, bots in processes of their own and programs are
started, timed, guarded and blamed as at a table. Only the game is special: it asks about the real state, and then
does what the record says.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from jantaku.table.arena.forks.between import ALONE, Beside, play_between
from jantaku.table.arena.forks.course import Course, CourseTurn
from jantaku.table.ground.game import GameWrapper, Turn
from jantaku.table.ground.port import Action, Answer, Choice
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.riichi.game import RiichiGame


class Shadowed(msgspec.Struct, frozen=True):
    """One question to a shadow. `kyoku` and `turn` count from 1; `player` is its seat at the table, from 0. `choice`
    holds the options, `played` the recorded action, and `answer` the shadow's answer. If its verdict is not good, the
    bot is at fault, and the action is a default that the bot did not choose."""

    kyoku: int
    turn: int
    player: int
    choice: Choice
    played: Action
    answer: Answer

    @property
    def differs(self) -> bool:
        """Whether the shadow's action differs from the recorded one, also if it is the default after a fault."""
        return self.answer.action != self.played


Wanted = Callable[[int, int, int], bool]
"""Called with kyoku and turn (from 1) and the player; returns whether the shadow is asked."""


def shadowed(
    course: Course,
    entrants: Mapping[int, Entrant],
    beside: Beside = ALONE,
    wanted: Wanted | None = None,
    note: Callable[[Shadowed], object] | None = None,
) -> list[Shadowed]:
    """Ask the shadows and return every question in the order of play. `entrants` are by the seat that each one shadows.
    `note` is called after each answer, so that `wanted` can depend on it. BadInput if a bot cannot be made or does not
    become ready. Later faults are in the answers."""
    return beside_record(RecordedGame(course, entrants.keys(), wanted), entrants, beside, note)


def beside_record(
    game: "RecordedGame",
    entrants: Mapping[int, Entrant],
    beside: Beside,
    note: Callable[[Shadowed], object] | None = None,
) -> list[Shadowed]:
    """Do the same with a game that the caller can look at afterwards."""
    notes = _Notes(game, note)
    play_between(lambda players: game, game.seats, entrants, beside, [notes])
    return notes.found


class RecordedGame(GameWrapper[RiichiGame]):
    """A game that follows its course whatever is answered. It asks the seats in `shadows` what the real game asks
    them."""

    def __init__(self, course: Course, shadows: Collection[int], wanted: Wanted | None = None) -> None:
        super().__init__(course.begin())
        self._kyoku, self._shadows, self._wanted = course.kyoku, frozenset(shadows), wanted
        self.at = 1, 0
        """Kyoku and turn, from 1; turn 0 before the first."""
        self._turn: CourseTurn | None = None
        self.put: dict[int, tuple[Choice, Action]] = {}
        """By player: the options in this turn, and the recorded action."""

    def turn(self) -> Turn | None:
        """Return the recorded turn, with all options if its seat has a shadow to ask."""
        self.put.clear()
        self._turn = self._next()
        real = self.game.turn() if self._turn is not None else None
        if real is None or self._turn is None:
            return None
        if self._asks(real.seat):
            self.put[real.seat] = real.choice, self._turn.action
            return real
        return Turn(real.seat, Choice((self._turn.action,), self._turn.action))

    def _next(self) -> CourseTurn | None:
        """Advance to the next turn; None at the end of the course."""
        kyoku, turn = self.at
        turn = turn + 1 if kyoku == self.game.rounds else 1
        self.at = kyoku, turn = self.game.rounds, turn
        turns = self._kyoku[kyoku - 1] if kyoku <= len(self._kyoku) else ()
        return turns[turn - 1] if turn <= len(turns) else None

    def _asks(self, player: int) -> bool:
        return player in self._shadows and (self._wanted is None or self._wanted(*self.at, player))

    def act(self, action: Action) -> None:
        """Do the recorded action instead of `action`."""
        assert self._turn is not None
        self.game.act(self._turn.action)

    def reacting(self) -> list[int]:
        return [player for player in self.game.reacting() if self._asks(player)]

    def reaction(self, seat: int, action: Action) -> Choice | None:
        """Return the reaction to the recorded action, whatever the turn seat has answered."""
        assert self._turn is not None
        played = self._turn.responses[seat]
        made = self._turn.action
        choice = self.game.reaction(seat, made) if played is not None and self._asks(seat) else None
        if choice is not None and played is not None:
            self.put[seat] = choice, played
        return choice

    def rule(self, responses: Sequence[Action | None]) -> None:
        """Rule on the recorded responses instead of `responses`."""
        assert self._turn is not None
        self.game.rule(self._turn.responses)


class _Notes:
    """Collects the answers of shadows. Implements `Watch`."""

    def __init__(self, game: RecordedGame, note: Callable[[Shadowed], object] | None) -> None:
        self.found: list[Shadowed] = []
        self._game, self._note = game, note

    def events(self, new: Sequence[Any]) -> None:
        """Does nothing: only answers are noted."""

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        for answer in answers:
            choice, played = self._game.put[answer.seat]
            noted = Shadowed(*self._game.at, answer.seat, choice, played, answer)
            self.found.append(noted)
            if self._note is not None:
                self._note(noted)
