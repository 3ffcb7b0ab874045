"""Makes players under a time limit, because constructors run foreign code, and closes them at the end."""

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from jantaku.table.ground.errors import BadInput, CannotStart, JantakuError, PlayerGone, PlayerNotReady
from jantaku.table.ground.log import logger
from jantaku.table.ground.port import Action, Player, Question, remote_of
from jantaku.table.judge.shared import start
from jantaku.table.judge.stalls import STALLS
from jantaku.table.play.seating.spec import installed as installed


class Making(msgspec.Struct, frozen=True):
    """How to make one player: `make(seed)`, in at most `seconds` (None: no limit)."""

    make: Callable[[int], Player]
    seed: int
    seconds: float | None


class Unmade:
    """Takes the seat of a player that could not be made. Implements `Remote`: it never becomes ready."""

    listens = False
    stale = 0

    def __init__(self, problem: JantakuError) -> None:
        self.problem = problem

    def start(self, seconds: float | None) -> None:
        raise PlayerNotReady(str(self.problem))

    def hear(self, event: Any) -> None:
        """Does nothing: there is no player to hear it."""

    def answer(self, question: Question) -> Action:
        raise PlayerGone(str(self.problem))

    def close(self) -> None:
        """Does nothing: there is no player to close."""


def make_all(makings: Sequence[Making]) -> list[Player]:
    """Make players one after another in a separate thread. One that fails or takes too long becomes `Unmade`; a thread
    that is still in a constructor is abandoned."""
    players: list[Player] = []
    hand = None
    for making in makings:
        hand = hand or _Hand()
        made = hand.make(making)
        if made is None:
            hand = None
            made = Unmade(PlayerNotReady(f"its constructor has not returned after {making.seconds:g} s (clock.start)"))
        players.append(made)
    if hand is not None:
        hand.orders.put(None)
    return players


def refuse_unmade(*players: Player, names: Sequence[str] = ()) -> None:
    """Raise the BadInput for which one of `players` could not be made; `names` are theirs, by seat. Other failures are
    left to the judge."""
    for seat, player in enumerate(players):
        if isinstance(player, Unmade) and isinstance(player.problem, BadInput):
            raise CannotStart(str(player.problem), names[seat : seat + 1]) from player.problem


def let_go(*players: Player) -> None:
    """Close the remote ones among `players`. Errors while inspecting or closing them have no effect any more; they are
    logged."""
    for player in players:
        try:
            remote = remote_of(player)
            if remote is not None:
                remote.close()
        except KeyboardInterrupt:
            raise
        except BaseException as fault:
            logger().warning("player cannot be closed", fault=repr(fault))


class _Hand:
    def __init__(self) -> None:
        self.orders: queue.SimpleQueue[Making | None] = queue.SimpleQueue()
        self._made: queue.SimpleQueue[Player] = queue.SimpleQueue()
        start(threading.Thread(target=self._work, name="making players", daemon=True))

    def make(self, making: Making) -> Player | None:
        """Return the player; None if it was not made in time: then this thread is abandoned."""
        STALLS.join((), making.seconds)  # before the thread gets its order: a constructor may affect all threads
        self.orders.put(making)
        try:
            return self._made.get(timeout=making.seconds)
        except queue.Empty:
            self.orders.put(None)
            return None
        finally:
            STALLS.leave((), making.seconds)

    def _work(self) -> None:
        while (making := self.orders.get()) is not None:
            try:
                player = making.make(making.seed)
            except BaseException as problem:
                if not isinstance(problem, JantakuError):  # a JantakuError has a message for people already
                    problem = PlayerNotReady(f"{type(problem).__name__}: {problem}")
                player = Unmade(problem)
            self._made.put(player)
