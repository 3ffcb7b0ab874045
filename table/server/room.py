"""One room of a server, for every game: clients take seats, a game begins, onlookers watch, the game ends."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from websockets.frames import CloseCode

from jantaku.table.clock import now
from jantaku.table.errors import BadInput, TableFault
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Result
from jantaku.table.log import logger
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.runner import Opener, Plan, play_one
from jantaku.table.server.disk import Disk
from jantaku.table.server.identity import Identity
from jantaku.table.server.net.line import Line
from jantaku.table.server.net.visitor import DelegatedVisitor, Visitor
from jantaku.table.server.seat import RemoteSeat
from jantaku.table.server.watching.gallery import Gallery

AnySeat = TypeVar("AnySeat", bound=RemoteSeat)


class Games:
    """Numbers the games of all rooms, up to a limit (None: unlimited)."""

    def __init__(self, most: int | None, disk: Disk) -> None:
        self.disk = disk
        self.finished = threading.Event()
        """Set when all of them are over."""
        self._most = most
        self._begun = self._over = 0
        self._lock = threading.Lock()

    @property
    def left(self) -> bool:
        """Whether another one can begin."""
        return not self.disk.is_full and (self._most is None or self._begun < self._most)

    def begin(self) -> int | None:
        """The number of a game that begins now, None if there is none left."""
        with self._lock:
            if not self.left:
                return None
            self._begun += 1
            return self._begun - 1

    def end(self) -> None:
        """A game is over."""
        with self._lock:
            self._over += 1
            if self._over == self._most:
                self.finished.set()


Prepared = tuple[Plan, Opener, Path | None]
"""What it takes to play a game in a room, and where its journal is kept, if it is."""


class Room(ABC, Generic[AnySeat]):
    """Base class of the rooms of all games. Its methods may be called from any thread.

    Seating, and whether a game begins, is decided with the lock held, under which nothing waits and no foreign code
    runs. Everything that may take time is done after it: a thread is started, bots are created, a game is opened.
    """

    def __init__(self, name: str, games: Games, gallery: Gallery) -> None:
        self.name = name
        self.gallery = gallery
        """Who looks on."""
        self.is_over = False
        """Whether nobody can take a seat here any more."""
        self.left_at: float | None = now()
        """When the last client left, or nobody has come yet; None while one is connected."""
        self._games = games
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._stop = threading.Event()
        """Set when games here have to end."""
        self._judge: Judge | None = None
        self._thread: threading.Thread | None = None
        """What plays a game, or is about to."""
        self._due: threading.Thread | None = None
        """The same until it is started."""

    @property
    def is_playing(self) -> bool:
        """Whether a game is played here."""
        return self._thread is not None

    @property
    def stays(self) -> float:
        """Seconds for which it is kept at the least though nobody is connected."""
        return 0.0

    # --- coming and going

    @property
    @abstractmethod
    def guests(self) -> Sequence[AnySeat]:
        """The seats of clients, in the order in which they came."""

    def expect(self) -> None:
        """A client is about to take a seat."""
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
        """A connection is gone."""
        with self._lock:
            seat.leave(line)
            if not seat.connected:
                self._left(seat)
            self._look_who_is_there()

    @abstractmethod
    def hear(self, seat: AnySeat, line: Line, text: str) -> bool:
        """A client's message. Whether it was asked for."""

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
        """Wait until no game is played, at most so long; whether that came true."""
        with self._changed:
            thread = self._thread
            is_over = self._changed.wait_for(lambda: self._thread is None, seconds)
        if is_over and thread is not None and thread.ident is not None:
            thread.join()
        return is_over

    def dismiss(self) -> None:
        """Close all remaining connections."""
        with self._lock:
            lines = [seat.line for seat in self.guests if seat.line is not None]
        for line in lines:
            line.hang_up(CloseCode.GOING_AWAY, "the room is closed")
        self.gallery.dismiss(CloseCode.GOING_AWAY, "the room is closed")

    def _look_who_is_there(self) -> None:
        """A client came or left. With the lock held."""
        connected = any(seat.connected for seat in self.guests)
        self.left_at = None if connected else self.left_at or now()

    @abstractmethod
    def _seat(self, identity: Identity, line: Line) -> AnySeat:
        """See `sit`. With the lock held."""

    @abstractmethod
    def _left(self, seat: AnySeat) -> None:
        """Its client is gone: perhaps it is free now. With the lock held."""

    # --- games

    def _begin(self, number: int, prepare: Callable[[int], Prepared]) -> None:
        """Decide that the game of that number is played; `_start` then has it played. With the lock held."""
        words = (number, prepare)
        self._thread = self._due = threading.Thread(
            target=self._play, args=words, name=f"room-{self.name}", daemon=True
        )

    def _start(self) -> None:
        """Start the game that was decided on, if there is one. Without the lock."""
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
            # A player that is not ready plays defaults: nobody can block the others' game.
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
        """How a game ended, or why it was broken off."""

    def _over(self) -> None:
        with self._changed:
            self._judge = self._thread = None
            self._make_ready()
            self._changed.notify_all()
        self._games.end()

    @abstractmethod
    def _make_ready(self) -> None:
        """A game is over: for the next one, if there can be one. With the lock held."""
