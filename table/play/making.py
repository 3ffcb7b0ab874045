"""Players are constructed under a time limit, because constructors run foreign code, and closed in the end."""

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from jantaku.table.errors import BadInput, CannotStart, JantakuError, PlayerGone, PlayerNotReady
from jantaku.table.judge.shared import start
from jantaku.table.judge.stalls import STALLS
from jantaku.table.log import logger
from jantaku.table.port import Action, Player, Question, remote_of


class Making(msgspec.Struct, frozen=True):
    """How one player is made: `make(seed)`, in at most so many `seconds` (None: no limit)."""

    make: Callable[[int], Player]
    seed: int
    seconds: float | None


class Unmade:
    """Stands in for a player that could not be made. Implements `Remote`: it never becomes ready."""

    listens = False
    stale = 0

    def __init__(self, problem: JantakuError) -> None:
        self.problem = problem

    def start(self, seconds: float | None) -> None:
        """See `Remote.start`."""
        raise PlayerNotReady(str(self.problem))

    def hear(self, event: Any) -> None:
        """See `Player.hear`."""

    def answer(self, question: Question) -> Action:
        """See `Player.answer`."""
        raise PlayerGone(str(self.problem))

    def close(self) -> None:
        """See `Remote.close`."""


def make_all(makings: Sequence[Making]) -> list[Player]:
    """Make players one after another in a separate thread. One that fails or takes too long becomes `Unmade`, and a
    thread that is still in its constructor is abandoned."""
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
    """Raise the BadInput for which one of them, who are called so, could not be made. The judge raises the rest."""
    for seat, player in enumerate(players):
        if isinstance(player, Unmade) and isinstance(player.problem, BadInput):
            raise CannotStart(str(player.problem), names[seat : seat + 1]) from player.problem


def let_go(*players: Player) -> None:
    """Close those that are remote. Errors while inspecting or closing them do not matter any more, and are logged."""
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
    """A thread that makes one player at a time, on demand."""

    def __init__(self) -> None:
        self.orders: queue.SimpleQueue[Making | None] = queue.SimpleQueue()
        self._made: queue.SimpleQueue[Player] = queue.SimpleQueue()
        start(threading.Thread(target=self._work, name="making players", daemon=True))

    def make(self, making: Making) -> Player | None:
        """The player; None if it was not made in time: then this thread is abandoned."""
        STALLS.join((), making.seconds)  # first: its thread is not to meet what a constructor does to all threads
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
                if not isinstance(problem, JantakuError):  # JantakuErrors have a message for people already
                    problem = PlayerNotReady(f"{type(problem).__name__}: {problem}")
                player = Unmade(problem)
            self._made.put(player)
