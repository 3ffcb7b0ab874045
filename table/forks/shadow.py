"""Players asked beside a record: each hears the game as its seat does and is asked whatever its seat was asked. What it
answers is noted, and the game goes on as the record says.

    for noted in shadowed(course_of(read_any(path).record), {0: entrant}):
        noted.differs, noted.choice.options, noted.played, noted.answer

The judge plays the game as it plays any other, so that bots of this process, in processes of their own and programs
are started, timed, guarded and blamed as at a table. Only the game is another: it asks about the real state, and what
then happens is the record's.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from jantaku.table.forks.course import Course, CourseTurn
from jantaku.table.forks.playing import ALONE, Beside, play_between
from jantaku.table.game import GameWrapper, Turn
from jantaku.table.play.roster import Entrant
from jantaku.table.port import Action, Answer, Choice
from jantaku.table.riichi.game import RiichiGame


class Shadowed(msgspec.Struct, frozen=True):
    """One question to a shadow. `kyoku` and `turn` count from 1; `player` is its seat at the table, from 0.

    `choice` is what the seat could do, `played` what the record has, and `answer` what came of asking the shadow: where
    its verdict is not good, the bot is at fault and the action is a default that it did not choose.
    """

    kyoku: int
    turn: int
    player: int
    choice: Choice
    played: Action
    answer: Answer

    @property
    def differs(self) -> bool:
        """Whether the shadow would have played something else, be it the default of its fault."""
        return self.answer.action != self.played


Wanted = Callable[[int, int, int], bool]
"""Whether a shadow is asked: kyoku and turn, from 1, and the player."""


def shadowed(
    course: Course,
    entrants: Mapping[int, Entrant],
    beside: Beside = ALONE,
    wanted: Wanted | None = None,
    note: Callable[[Shadowed], object] | None = None,
) -> list[Shadowed]:
    """Every question to the shadows, in the order of play. `entrants` are by the seat that each one shadows. `note` is
    told of each as it is answered, and decides with `wanted` whom to ask further.

    BadInput if a bot cannot be made or does not become ready. What it does wrong later is in the answers.
    """
    return beside_record(RecordedGame(course, entrants.keys(), wanted), entrants, beside, note)


def beside_record(
    game: "RecordedGame",
    entrants: Mapping[int, Entrant],
    beside: Beside,
    note: Callable[[Shadowed], object] | None = None,
) -> list[Shadowed]:
    """The same, of a game that can be looked at behind it."""
    notes = _Notes(game, note)
    play_between(lambda players: game, game.seats, entrants, beside, [notes])
    return notes.found


class RecordedGame(GameWrapper[RiichiGame]):
    """A game that goes as its course says, whatever is answered. It asks the seats of `shadows` what the real game asks
    them."""

    def __init__(self, course: Course, shadows: Collection[int], wanted: Wanted | None = None) -> None:
        super().__init__(course.begin())
        self._kyoku, self._shadows, self._wanted = course.kyoku, frozenset(shadows), wanted
        self.at = 1, 0
        """Kyoku and turn, from 1."""
        self._turn: CourseTurn | None = None
        self.put: dict[int, tuple[Choice, Action]] = {}
        """By player, what it was asked in this turn and what the record has."""

    def turn(self) -> Turn | None:
        """See `Game.turn`: that of the record, for a shadow to think about."""
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
        """The turn that comes now; None where the course ends."""
        kyoku, turn = self.at
        turn = turn + 1 if kyoku == self.game.rounds else 1
        self.at = kyoku, turn = self.game.rounds, turn
        turns = self._kyoku[kyoku - 1] if kyoku <= len(self._kyoku) else ()
        return turns[turn - 1] if turn <= len(turns) else None

    def _asks(self, player: int) -> bool:
        return player in self._shadows and (self._wanted is None or self._wanted(*self.at, player))

    def act(self, action: Action) -> None:
        """See `Game.act`: the record's action happens."""
        assert self._turn is not None
        self.game.act(self._turn.action)

    def reacting(self) -> list[int]:
        """See `Game.reacting`."""
        return [player for player in self.game.reacting() if self._asks(player)]

    def reaction(self, seat: int, action: Action) -> Choice | None:
        """See `Game.reaction`: to the record's action, whatever the turn seat has answered."""
        assert self._turn is not None
        played = self._turn.responses[seat]
        made = self._turn.action
        choice = self.game.reaction(seat, made) if played is not None and self._asks(seat) else None
        if choice is not None and played is not None:
            self.put[seat] = choice, played
        return choice

    def rule(self, responses: Sequence[Action | None]) -> None:
        """See `Game.rule`: on the record's responses."""
        assert self._turn is not None
        self.game.rule(self._turn.responses)


class _Notes:
    """Collects what shadows answer. Implements `Watch`."""

    def __init__(self, game: RecordedGame, note: Callable[[Shadowed], object] | None) -> None:
        self.found: list[Shadowed] = []
        self._game, self._note = game, note

    def events(self, new: Sequence[Any]) -> None:
        """See `Watch.events`."""

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """See `Watch.answers`."""
        for answer in answers:
            choice, played = self._game.put[answer.seat]
            noted = Shadowed(*self._game.at, answer.seat, choice, played, answer)
            self.found.append(noted)
            if self._note is not None:
                self._note(noted)
