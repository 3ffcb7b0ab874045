"""Runs games one after another, each at a judge of its own. Knows no game: it is handed one."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import msgspec

from table.errors import BadInput, PlayerNotReady
from table.judge.game import Game
from table.judge.judge import Judge, OnFault
from table.judge.result import Result
from table.judge.timing import Clock
from table.judge.turn.way import Mode
from table.judge.watch import Watch
from table.log import logger
from table.play import seeds
from table.play.making import Making, make_all, refuse_unmade
from table.play.outcome import Outcome
from table.play.roster import Entrant
from table.port import Player, Remote

SOON = 0.2
"""Seconds between two looks at a running table, so that Ctrl-C is heard in between."""
LEAVING = 1.0
"""Seconds that the turn that is played gets after Ctrl-C, so that nobody is stopped in the middle of a question."""


class OpenGame(Protocol):
    """A game that is ready to be played, and what is kept of it."""

    @property
    def game(self) -> Game:
        """The game itself."""

    @property
    def order(self) -> Sequence[int]:
        """By seat of the judge, which entrant sits there."""

    def begin(self) -> Sequence[Watch]:
        """The players are there: who looks on from now on."""

    def close(self, result: Result | None) -> Outcome | None:
        """Keep what there is. `result` is None if the table broke; then there is no outcome."""


Opener = Callable[[int], OpenGame]
"""Opens the game of a number."""


class Plan(msgspec.Struct, frozen=True):
    """What is played: the entrants, how many games from which seed, in which way."""

    entrants: tuple[Entrant, ...]
    games: int
    seed: str
    mode: Mode
    clock: Clock
    on_fault: OnFault


def play(plan: Plan, opener: Opener) -> Iterator[Outcome]:
    """Play the plan and give every outcome as it comes. Ctrl-C ends the running game between two turns, keeps its
    record and is then raised."""
    for number in range(plan.games):
        yield play_one(plan, number, opener)


def play_one(
    plan: Plan,
    number: int,
    opener: Opener,
    *,
    must_start: bool | None = None,
    conduct: Callable[[Judge], Result] | None = None,
) -> Outcome:
    """Play the game of that number. Ctrl-C: see `play`.

    `must_start`: whether there is no game if a player is not ready, by default the match's first game is none.
    `conduct` runs the judge; the default does so in a thread, for the sake of Ctrl-C.
    """
    opened = opener(number)
    players: list[Player] = []
    result = None
    must_start = number == 0 if must_start is None else must_start  # later it is a fault like others
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
        )
        result = (conduct or _run)(judge)
    except PlayerNotReady as missing:
        names = [plan.entrants[place].name for place in opened.order]
        told = [f"player {names[seat]} is not ready: {reason}" for seat, reason in missing.args]
        raise BadInput("; ".join(told)) from missing
    finally:
        for player in players:
            _let_go(player)
        outcome = opened.close(result)
    assert outcome is not None
    return outcome


def _made(plan: Plan, number: int, order: Sequence[int], must_start: bool) -> list[Player]:
    """The players by seat."""
    of_game = seeds.of_game(plan.seed, number)
    seated = [(plan.entrants[place], seeds.of_bot(of_game, number, place)) for place in order]
    players = make_all([Making(one.make, seed, one.clock(plan.clock).start) for one, seed in seated])
    if must_start:
        refuse_unmade(*players)
    return players


def _let_go(player: Player) -> None:
    """Close a player elsewhere. A bot that only looks like one, or fails when it is looked at, does not matter now."""
    try:
        if isinstance(player, Remote):
            player.close()
    except KeyboardInterrupt:
        raise
    except BaseException as fault:
        logger().warning("player cannot be closed", fault=repr(fault))


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
