"""Lets the judge play a game that is told or branched, as it plays any other: players are made, timed and guarded."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import msgspec

from jantaku.table.errors import CannotStart, PlayersNotReady
from jantaku.table.game import Game
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.way import Mode
from jantaku.table.judge.watch import Watch
from jantaku.table.play import seeds
from jantaku.table.play.making import Making, let_go, make_all, refuse_unmade
from jantaku.table.play.roster import Entrant
from jantaku.table.port import Action, Player, Question, innermost_of


class Beside(msgspec.Struct, frozen=True):
    """How players are run: the clock and threads of the table, and what their seeds are made of, that of the game and
    its number."""

    clock: Clock = Clock()
    mode: Mode = Mode.INLINE
    seed: str = "shadow"
    game: int = 0


ALONE = Beside()
"""In the thread of the caller and without a clock: for bots of this process that are trusted."""


class Nobody:
    """Sits where nobody is to be asked. Implements `Player`."""

    listens = False

    def hear(self, event: Any) -> None:
        """See `Player.hear`."""

    def answer(self, question: Question) -> Action:
        """See `Player.answer`."""
        return question.default


@runtime_checkable
class CatchesUp(Protocol):
    """A `Player` that need not think about what was decided before it came."""

    catches_up: bool
    """Whether all that it hears until it has to be ready is of the past. Set before it hears anything."""


def play_between(
    game_for: Callable[[Sequence[Player]], Game],
    seats: int,
    entrants: Mapping[int, Entrant],
    beside: Beside,
    watches: Sequence[Watch] = (),
    turns: int = 0,
) -> None:
    """Play a game of so many seats between fresh players, by seat; on the others is nobody. `game_for` is called when
    they are made. BadInput if one cannot be made or does not become ready. `turns` were played before, about which
    nobody is asked."""
    players = _seated(seats, entrants, beside)
    for player in map(innermost_of, players if turns else ()):
        if isinstance(player, CatchesUp):
            player.catches_up = True
    try:
        refuse_unmade(*players)
        clocks = [entrants[seat].clock(beside.clock) if seat in entrants else Clock() for seat in range(seats)]
        judge = Judge(
            game_for(players),
            players,
            mode=beside.mode,
            clock=clocks,
            watches=watches,
            must_start=True,
            turns=turns,
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
