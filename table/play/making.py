"""Players are made on the clock: a constructor runs foreign code, and nobody waits for it longer than for a program."""

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from table.errors import BadInput, JantakuError, PlayerGone, PlayerNotReady
from table.judge.pulse import PULSE
from table.port import Action, Player, Question


class Making(msgspec.Struct, frozen=True):
    """How one player is made: `make` from `seed`, in at most so many `seconds` (None: for ever)."""

    make: Callable[[int], Player]
    seed: int
    seconds: float | None


class Unmade:
    """Sits where a player could not be made. Implements `Remote`: it never becomes ready."""

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
    """Make players one after another, in a thread of their own. One that fails or takes too long is Unmade: a thread
    that is still busy with it then is left to itself."""
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


def refuse_unmade(*players: Player) -> None:
    """Raise the bad input for which one of them could not be made: it says so in words of its own. The judge raises the
    rest."""
    for player in players:
        if isinstance(player, Unmade) and isinstance(player.problem, BadInput):
            raise player.problem


class _Hand:
    """A thread that makes one player at a time, on demand."""

    def __init__(self) -> None:
        self.orders: queue.SimpleQueue[Making | None] = queue.SimpleQueue()
        self._made: queue.SimpleQueue[Player] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="making players", daemon=True).start()

    def make(self, making: Making) -> Player | None:
        """The player; None if it was not made in time: then this hand is lost."""
        self.orders.put(making)
        PULSE.join((), making.seconds)
        try:
            return self._made.get(timeout=making.seconds)
        except queue.Empty:
            self.orders.put(None)
            return None
        finally:
            PULSE.leave((), making.seconds)

    def _work(self) -> None:
        while (making := self.orders.get()) is not None:
            try:
                player = making.make(making.seed)
            except BaseException as problem:
                if not isinstance(problem, JantakuError):  # else it was said in words already
                    problem = PlayerNotReady(f"{type(problem).__name__}: {problem}")
                player = Unmade(problem)
            self._made.put(player)
