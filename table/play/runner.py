"""Runs games one after another, each with its own judge, and with watches that people look through."""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import CannotStart, PlayersNotReady
from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Answer, Player
from jantaku.table.judge.judge import Judge, OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.result import Result, Watch
from jantaku.table.judge.timing import Clock
from jantaku.table.play import seeds
from jantaku.table.play.cores import Pinning, are_single
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.seating.making import Making, let_go, make_all, refuse_unmade
from jantaku.table.play.seating.roster import Entrant, kept

SOON = 0.2
"""Seconds between two polls of a running table, so that Ctrl-C is handled in between."""
LEAVING = 1.0
"""Seconds that the current turn gets after Ctrl-C, so that no player is stopped in the middle of a question."""


class OpenGame(Protocol):
    """A game that is ready to be played, with its records."""

    @property
    def game(self) -> Game:
        """The game itself."""

    @property
    def order(self) -> Sequence[int]:
        """By seat of the judge, the entrant that sits there."""

    def begin(self) -> Sequence[Watch]:
        """Begin the game, once the players are seated. Returns its watches."""

    def close(self, result: Result | None) -> Outcome | None:
        """Write the records. `result` is None if the table broke; then there is no outcome."""


Opener = Callable[[int], OpenGame]
"""Opens the game of a given number."""


class Plan(msgspec.Struct, frozen=True):
    """What to play: the entrants, the number of games, the seed, the thread mode, the clock, and the handling of
    faults. `lots`: from which number the seeds of bots come, instead of the game's; equal ones give equal seats equal
    lots."""

    entrants: tuple[Entrant, ...]
    games: int
    seed: str
    mode: Mode
    clock: Clock
    on_fault: OnFault
    lots: int | None = None


def play(plan: Plan, opener: Opener, core: int | None = None) -> Iterator[Outcome]:
    """Play the plan, and yield every outcome as it comes. Programs live from game to game. Ctrl-C ends the running game
    between two turns, keeps its record, and is raised then. Games keep to `core` where that is faster."""
    pinning = None if core is None else Pinning(core, pinned=are_single(sys.modules))
    try:
        with kept(plan.entrants):
            for number in range(plan.games):
                before = now()
                outcome = play_one(plan, number, opener)
                if pinning is not None:
                    pinning.played(outcome.kyoku, now() - before)
                yield outcome
    finally:
        if pinning is not None:
            pinning.free()


def play_one(
    plan: Plan,
    number: int,
    opener: Opener,
    *,
    must_start: bool | None = None,
    conduct: Callable[[Judge], Result] | None = None,
) -> Outcome:
    """Play game `number`. For Ctrl-C see `play`. `must_start`: raise if a player is not ready; by default only in the
    match's first game. `conduct` runs the judge; by default that happens in a thread, so that Ctrl-C is handled.
    """
    opened = opener(number)
    players: list[Player] = []
    result = None
    # in later games, a player that is not ready has a fault like any other
    must_start = number == 0 if must_start is None else must_start
    try:
        players = _made(plan, number, opened.order, must_start)
        judge = Judge(
            opened.game,
            players,
            mode=plan.mode,
            clock=[plan.entrants[place].clock(plan.clock) for place in opened.order],
            watches=opened.begin(),
            on_fault=plan.on_fault,
            must_start=must_start,
            prompt=[seat for seat, place in enumerate(opened.order) if plan.entrants[place].prompt],
        )
        result = (conduct or _run)(judge)
    except PlayersNotReady as unready:
        names = [plan.entrants[place].name for place in opened.order]
        raise CannotStart.of([(names[seat], reason) for seat, reason in unready.missing]) from unready
    finally:
        let_go(*players)
        outcome = opened.close(result)
    assert outcome is not None
    at = {entrant.name: entrant.at for entrant in plan.entrants}
    reports = tuple(report.answered_at(at[report.player]) for report in outcome.fault_reports)
    return msgspec.structs.replace(outcome, fault_reports=reports) if reports else outcome


def _made(plan: Plan, number: int, order: Sequence[int], must_start: bool) -> list[Player]:
    of_game, lots = seeds.of_game(plan.seed, number), number if plan.lots is None else plan.lots
    seated = [(plan.entrants[place], seeds.of_bot(of_game, lots, place)) for place in order]
    players = make_all([Making(one.make, seed, one.clock(plan.clock).start) for one, seed in seated])
    if must_start:
        refuse_unmade(*players, names=[one.name for one, _ in seated])
    return players


def _run(judge: Judge) -> Result:
    judge.start()
    try:
        while True:
            try:
                return judge.join(SOON)
            except TimeoutError:
                continue
    except KeyboardInterrupt:
        judge.stop()
        with contextlib.suppress(KeyboardInterrupt, Exception):
            judge.join(LEAVING)
        raise


class Looker(Watch, Protocol):
    """A watch that is also notified of the game's end."""

    def close(self) -> None:
        """The game is over."""


class WatchedGames:
    """Opens games like another opener, each with a new watch from `look`. Implements `runner.Opener`."""

    def __init__(self, opener: Opener, look: Callable[[], Looker]) -> None:
        self._opener, self._look = opener, look

    def __call__(self, number: int) -> "WatchedGame":
        return WatchedGame(self._opener(number), self._look)


class WatchedGame:
    """A game with one more watch, from its beginning to its end. Implements `runner.OpenGame`."""

    def __init__(self, opened: OpenGame, look: Callable[[], Looker]) -> None:
        self._opened, self._look = opened, look
        self._looker: Looker | None = None

    @property
    def game(self) -> Game:
        return self._opened.game

    @property
    def order(self) -> Sequence[int]:
        return self._opened.order

    def begin(self) -> Sequence[Watch]:
        watches = self._opened.begin()
        self._looker = self._look()
        return (*watches, self._looker)

    def close(self, result: Result | None) -> Outcome | None:
        if self._looker is not None:
            self._looker.close()
        return self._opened.close(result)


class Pace:
    """Pauses the table for `seconds` after each turn, so that people can follow, until `stop` is set. No player's clock
    runs meanwhile. Implements `Looker`."""

    def __init__(self, seconds: float, stop: threading.Event | None = None) -> None:
        self._seconds = seconds
        self._over = stop or threading.Event()
        self._is_mine = stop is None

    def events(self, new: Sequence[Any]) -> None:
        self._over.wait(self._seconds)

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """Does nothing: only events pause the table."""

    def close(self) -> None:
        if self._is_mine:
            self._over.set()
