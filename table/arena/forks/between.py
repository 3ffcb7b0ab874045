"""Lets the judge play a recorded or branched game like any other: players are started, timed and guarded."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import msgspec

from jantaku.table.ground.errors import CannotStart, PlayersNotReady
from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Action, Player, Question, innermost_of
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.result import Watch
from jantaku.table.judge.timing import Clock
from jantaku.table.play import seeds
from jantaku.table.play.seating.making import Making, let_go, make_all, refuse_unmade
from jantaku.table.play.seating.roster import Entrant


class Beside(msgspec.Struct, frozen=True):
    """How players run beside a record: clock and threads of the table, and the seed and number of the game, from which
    their own seeds are made."""

    clock: Clock = Clock()
    mode: Mode = Mode.INLINE
    seed: str = "shadow"
    game: int = 0


ALONE = Beside()
"""Players run in the caller's thread without a clock: for trusted bots of this process."""


class Nobody:
    """The player of a seat that is never asked. Implements `Player`."""

    listens = False

    def hear(self, event: Any) -> None:
        """Does nothing: this seat has no bot."""

    def answer(self, question: Question) -> Action:
        return question.default


@runtime_checkable
class CatchesUp(Protocol):
    """A `Player` that can skip thinking about decisions made before it joined."""

    catches_up: bool
    """Whether everything it hears before it must be ready is past. Set before it hears anything."""


def play_between(
    game_for: Callable[[Sequence[Player]], Game],
    seats: int,
    entrants: Mapping[int, Entrant],
    beside: Beside,
    watches: Sequence[Watch] = (),
    turns: int = 0,
) -> None:
    """Play a game with `seats` seats between fresh players, one for each seat in `entrants`; the other seats are empty.

    `game_for` makes the game from the players. `turns`: number of turns already played, which are only told. BadInput
    if a player cannot be made or does not become ready.
    """
    players = _seated(seats, entrants, beside)
    for player in map(innermost_of, players if turns else ()):
        if isinstance(player, CatchesUp):
            player.catches_up = True
    try:
        refuse_unmade(*players)
        clocks = [entrants[seat].clock(beside.clock) if seat in entrants else Clock() for seat in range(seats)]
        judge = Judge(
            game_for(players), players, mode=beside.mode, clock=clocks, watches=watches, must_start=True, turns=turns
        )
        judge.run()
    except PlayersNotReady as unready:
        raise CannotStart.of([(entrants[seat].name, reason) for seat, reason in unready.missing]) from unready
    finally:
        let_go(*players)


def _seated(seats: int, entrants: Mapping[int, Entrant], beside: Beside) -> list[Player]:
    makings = [
        Making(one.make, seeds.of_bot(beside.seed, beside.game, seat), one.clock(beside.clock).start)
        for seat, one in sorted(entrants.items())
    ]
    made = iter(make_all(makings))
    return [next(made) if seat in entrants else Nobody() for seat in range(seats)]
