"""The rooms of a server by name, whatever is played there: who may open another one, and which are let go."""

import threading
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

from table.clock import now
from table.errors import BadInput
from table.server.net.limits import Limits

COMING_BACK = 10.0
"""Seconds for which the game of a room goes on that everybody has left: a connection may break."""
SITTING_DOWN = 1.0
"""Seconds in which the first visitor of a room takes a seat there."""
FULL = "all rooms are taken; try again later"
MANY = "your address has too many rooms open; leave one of them first"


class Room(Protocol):
    """A room, as it is kept here."""

    @property
    def left_at(self) -> float | None:
        """When the last one left who sat there, or nobody has come yet; None while somebody sits there."""

    @property
    def is_playing(self) -> bool:
        """Whether a game is played there."""

    @property
    def is_over(self) -> bool:
        """Whether nobody can sit down there any more."""

    def expect(self) -> None:
        """Somebody is about to sit down."""

    def end(self) -> None:
        """End the game after the turn that is played, and send everybody away. Does not wait for that."""

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until no game is played, at most so long; whether that came true."""

    def dismiss(self) -> None:
        """Send everybody away who is still here."""


AnyRoom = TypeVar("AnyRoom", bound=Room)


class Rooms(Generic[AnyRoom]):
    """Rooms that visitors open, beside those that stay. For several threads at once."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._rooms: dict[str, AnyRoom] = {}
        self._openers: dict[str, str] = {}
        """From which address a room was opened, by its name."""
        self._ending: list[AnyRoom] = []
        """Rooms that were let go, some of which still play a last turn."""
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._rooms))

    def get(self, name: str) -> AnyRoom | None:
        """The room of that name, if there is one to sit down in or to look at."""
        return self._rooms.get(name)

    def keep(self, name: str, room: AnyRoom) -> None:
        """A room that stays."""
        self._rooms[name] = room

    def open(self, name: str, address: str, make: Callable[[], AnyRoom]) -> AnyRoom:
        """The room of that name, made if need be. BadInput if there are too many, in all or from that address. A room
        that everybody has left makes room at once."""
        with self._lock:
            room = self._rooms.get(name)
            if room is not None and room.is_over and name in self._openers:
                self._let_go(name)
                room = None
            if room is None:
                most = self._limits.rooms_per_address
                own = [one for one, opener in self._openers.items() if opener == address]
                if most is not None and len(own) >= most and not self._let_one_go(own):
                    raise BadInput(MANY)
                if len(self._rooms) >= self._limits.rooms and not self._let_one_go(list(self._openers)):
                    raise BadInput(FULL)
                room = self._rooms[name] = make()
                self._openers[name] = address
            room.expect()
            return room

    def tidy(self) -> None:
        """Let the rooms go that everybody has left."""
        at = now()
        with self._lock:
            for name in list(self._openers):
                room = self._rooms[name]
                patience = COMING_BACK if room.is_playing else SITTING_DOWN
                if room.left_at is not None and at - room.left_at > patience:
                    self._let_go(name)
            self._ending = [room for room in self._ending if not room.wait(0)]

    def close(self) -> None:
        """End all games after the turn that is played, and send everybody away."""
        with self._lock:
            rooms = [*self._rooms.values(), *self._ending]
        for room in rooms:
            room.end()
        for room in rooms:
            room.wait()
            room.dismiss()

    def _let_one_go(self, names: list[str]) -> bool:
        """Let the room go that was left first of these; whether there was one. With the lock held."""
        left = [(left_at, name) for name in names if (left_at := self._rooms[name].left_at) is not None]
        if left:
            self._let_go(min(left)[1])
        return bool(left)

    def _let_go(self, name: str) -> None:
        """With the lock held."""
        room = self._rooms.pop(name)
        del self._openers[name]
        room.end()
        room.dismiss()
        self._ending.append(room)
