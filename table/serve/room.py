"""One room of a server, for any game: clients take seats, a game begins, spectators watch, the game ends.

`Disk` is the quota for the records of visitors' games.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from websockets.frames import CloseCode

from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.log import logger
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Result
from jantaku.table.play.cores import core_for, on_core
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.runner import Opener, Plan, play_one
from jantaku.table.serve.identity import Identity
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.visitor import DelegatedVisitor, Visitor
from jantaku.table.serve.seat import RemoteSeat
from jantaku.table.serve.streams import Gallery


class Disk:
    """Counts the bytes of records against a quota (None: unlimited). Thread-safe."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._taken = 0
        self._lock = threading.Lock()

    @property
    def is_full(self) -> bool:
        """Whether the quota is used up."""
        return self._most is not None and self._taken >= self._most

    def count(self, paths: Iterable[str | Path]) -> None:
        """Add the sizes of these files. Warns the operator once, when the quota is used up."""
        with self._lock:
            was_full = self.is_full
            self._taken += sum(_size(Path(path)) for path in paths)
            if self.is_full and not was_full:
                logger().warning("records take all the room that they may (--max-disk): no other game begins")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


AnySeat = TypeVar("AnySeat", bound=RemoteSeat)


class Games:
    """Numbers the games of all rooms, up to a limit (None: unlimited)."""

    def __init__(self, most: int | None, disk: Disk, *, pins: bool = False) -> None:
        self.disk = disk
        self.pins = pins
        """Whether the threads of a game keep to one core."""
        self.finished = threading.Event()
        """Set when all of them are over."""
        self._most = most
        self._begun = self._over = 0
        self._lock = threading.Lock()

    @property
    def left(self) -> bool:
        """Whether another game can begin."""
        return not self.disk.is_full and (self._most is None or self._begun < self._most)

    def begin(self) -> int | None:
        """Return the number of a game that begins now; None if no game is left."""
        with self._lock:
            if not self.left:
                return None
            self._begun += 1
            return self._begun - 1

    def end(self) -> None:
        with self._lock:
            self._over += 1
            if self._over == self._most:
                self.finished.set()


Prepared = tuple[Plan, Opener, Path | None]
"""A game that is ready to be played in a room: its plan, what opens it, and the path of its journal (None: no
journal)."""


class Room(ABC, Generic[AnySeat]):
    """Base class of the rooms of all games. Call its methods from any thread. Seating, and the decision to begin a
    game, happen with the lock held, under which nothing waits and no foreign code runs. What may take time comes after:
    starting a thread, creating bots, opening a game."""

    def __init__(self, name: str, games: Games, gallery: Gallery) -> None:
        self.name = name
        self.gallery = gallery
        """The spectators."""
        self.is_over = False
        """Whether no client can take a seat here any more."""
        self.left_at: float | None = now()
        """Since when no client has been connected; None while one is."""
        self._games = games
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._stop = threading.Event()
        """Set when games here have to end."""
        self._judge: Judge | None = None
        self._thread: threading.Thread | None = None
        """The thread that plays a game, or is about to."""
        self._due: threading.Thread | None = None
        """The same thread until it is started."""

    @property
    def is_playing(self) -> bool:
        return self._thread is not None

    @property
    def stays(self) -> float:
        """Least seconds for which the room is kept without a connected client."""
        return 0.0

    # --- coming and going

    @property
    @abstractmethod
    def guests(self) -> Sequence[AnySeat]:
        """The seats of clients, in the order of their arrival."""

    def expect(self) -> None:
        """Keep the room open: a client is about to take a seat."""
        with self._lock:
            if self.left_at is not None:
                self.left_at = now()

    def sit(self, identity: Identity, line: Line) -> Visitor:
        """Give a client a seat, or its own one back. BadInput if there is none for it."""
        with self._lock:
            seat = self._seat(identity, line)
            self._look_who_is_there()
        self._start()
        return DelegatedVisitor(partial(self.hear, seat, line), partial(self.leave, seat, line))

    def leave(self, seat: AnySeat, line: Line) -> None:
        """Take note that a connection is gone."""
        with self._lock:
            seat.leave(line)
            if not seat.connected:
                self._left(seat)
            self._look_who_is_there()

    @abstractmethod
    def hear(self, seat: AnySeat, line: Line, text: str) -> bool:
        """Take a client's message. Return whether it was due."""

    def end(self) -> None:
        """End the game after its current turn, and close all connections. Does not wait."""
        with self._lock:
            self.is_over = True
            self._stop.set()
            if self._judge is not None:
                self._judge.stop()
            for seat in self.guests:
                seat.dismiss()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until no game is in progress, at most `seconds`; return whether that is so."""
        with self._changed:
            thread = self._thread
            is_over = self._changed.wait_for(lambda: self._thread is None, seconds)
        if is_over and thread is not None and thread.ident is not None:
            thread.join()
        return is_over

    def dismiss(self) -> None:
        with self._lock:
            lines = [seat.line for seat in self.guests if seat.line is not None]
        for line in lines:
            line.hang_up(CloseCode.GOING_AWAY, "the room is closed")
        self.gallery.dismiss(CloseCode.GOING_AWAY, "the room is closed")

    def _look_who_is_there(self) -> None:
        """Update `left_at` after a client came or left. Call with the lock held."""
        connected = any(seat.connected for seat in self.guests)
        self.left_at = None if connected else self.left_at or now()

    @abstractmethod
    def _seat(self, identity: Identity, line: Line) -> AnySeat:
        """Return the client's seat, see `sit`. Call with the lock held."""

    @abstractmethod
    def _left(self, seat: AnySeat) -> None:
        """Free the seat, if a game allows it: its client is gone. Call with the lock held."""

    # --- games

    def _begin(self, number: int, prepare: Callable[[int], Prepared]) -> None:
        """Decide to play the game of that number; `_start` then starts it. Call with the lock held."""
        words = (number, prepare)
        self._thread = self._due = threading.Thread(
            target=self._play, args=words, name=f"room-{self.name}", daemon=True
        )

    def _start(self) -> None:
        """Start the game that was decided on, if there is one. Call without the lock."""
        with self._lock:
            thread, self._due = self._due, None
        if thread is not None:
            try:
                thread.start()
            except RuntimeError as error:  # the system has no thread left
                logger(room=self.name).error("no game could begin", reason=str(error))
                self._over()

    def _play(self, number: int, prepare: Callable[[int], Prepared]) -> None:
        files: set[str] = set()
        ending: Outcome | str
        try:
            plan, opener, journal = prepare(number)
            files |= {str(journal)} if journal is not None else set()
            core = core_for(plan.mode, (one.scheme for one in plan.entrants), number) if self._games.pins else None
            with on_core(core):
                # A player that is not ready plays defaults: it must not block the others' game.
                ending = outcome = play_one(plan, number, opener, must_start=False, conduct=self._conduct)
            files |= set(outcome.records)
        except Exception as problem:  # a full disk, a bot that cannot be created: the room and its clients stay
            ours = isinstance(problem, BadInput | TableFault)  # said in words already
            reason = str(problem) if ours else f"{type(problem).__name__}: {problem}"
            logger(room=self.name).error("game broken off", game=number, reason=reason)
            ending = f"game {number} was broken off: {reason}"
        self._games.disk.count(files)
        try:
            self._told(ending)
        finally:
            self._over()

    def _conduct(self, judge: Judge) -> Result:
        with self._lock:
            self._judge = judge
            if self._stop.is_set():
                judge.stop()
        return judge.run()

    def _told(self, ending: Outcome | str) -> None:
        """Take the result of a game, or the reason why it broke off."""

    def _over(self) -> None:
        with self._changed:
            self._judge = self._thread = None
            self._make_ready()
            self._changed.notify_all()
        self._games.end()

    @abstractmethod
    def _make_ready(self) -> None:
        """Prepare for the next game, if there can be one. Call with the lock held."""
