"""The rooms of a server, for any game: opens and closes rooms, and admits spectators."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from websockets.frames import CloseCode

from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput
from jantaku.table.serve.identity import same_secret
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.refusals import Refusals
from jantaku.table.serve.net.visitor import Visitor
from jantaku.table.serve.room import Games, Room
from jantaku.table.serve.streams import Gallery, Options, RoomList

COMING_BACK = 10.0
"""Seconds for which the game of an empty room continues: connections may break."""
SITTING_DOWN = 1.0
"""Seconds in which the first visitor of a room has to take a seat."""
LIST = "/rooms"
"""Path of the list of rooms."""
FULL = "all rooms are taken; try again later"
MANY = "your address has too many rooms open; leave one of them first"
_OPTIONS = {FULL: "--max-rooms", MANY: "--max-rooms-per-address"}
"""The option that would admit a visitor refused for that reason."""


AnyRoom = TypeVar("AnyRoom", bound=Room[Any])


class ServedRooms(ABC, Generic[AnyRoom]):
    """Rooms opened by visitors, besides permanent ones. Base class of the servers of all games. The web server calls
    `welcome`. Clients with `operator_token` see what is hidden; empty: none does. Thread-safe."""

    unseen = "spectators without one see no hidden tile"
    """The answer to a wrong token."""

    def __init__(self, games: Games, limits: Limits, operator_token: str, options: Options | None = None) -> None:
        self.games = games
        self._limits, self._operator_token, self._options = limits, operator_token, options
        self._rooms: dict[str, AnyRoom] = {}
        self._openers: dict[str, str] = {}
        """The address from which each room was opened, by its name."""
        self._ending: list[AnyRoom] = []
        """Closed rooms, some of which still play a last turn."""
        self._lock = threading.Lock()
        self._refusals = Refusals()
        self._list = RoomList()
        """The clients that follow the list of rooms."""

    def welcome(self, arrival: Arrival, line: Line) -> Visitor | None:
        """Admit a visitor; one that is refused is told why."""
        try:
            return self._let_in(arrival, line)
        except BadInput as refusal:
            self._log(arrival, str(refusal) or "there is no seat for it")
            self._refuse(line, str(refusal))
            return None

    def _log(self, arrival: Arrival, why: str) -> None:
        """Log for the operator that a visitor was refused."""
        self._refusals.tell(arrival.address, why, path=arrival.path, admit=_OPTIONS.get(why, ""))

    @abstractmethod
    def _let_in(self, arrival: Arrival, line: Line) -> Visitor | None:
        """Admit a visitor, see `welcome`. BadInput to refuse it."""

    def _refuse(self, line: Line, why: str) -> None:
        line.hang_up(CloseCode.POLICY_VIOLATION, why)

    def _at_the_list(self, line: Line) -> Visitor:
        self._list.tell(self._listed())
        return self._list.admit(line)

    @abstractmethod
    def _listed(self) -> Any:
        """Return the list of rooms. All of it is public."""

    def _looking_on(self, gallery: Gallery, arrival: Arrival, line: Line) -> Visitor | None:
        """Admit a spectator, with or without the operator's token. None if the token is wrong."""
        token = arrival.token
        if token and not (self._operator_token and same_secret(token, self._operator_token)):
            why = f"token: not the operator's; {self.unseen}"
            self._log(arrival, why)
            line.hang_up(CloseCode.POLICY_VIOLATION, why)
            return None
        return gallery.admit(line, operator=bool(token), options=self._options if token else None)

    # --- rooms

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._rooms))

    def get(self, name: str) -> AnyRoom | None:
        """Return the room of that name, if it can be joined or watched."""
        return self._rooms.get(name)

    def keep(self, name: str, room: AnyRoom) -> None:
        self._rooms[name] = room

    def open(self, name: str, address: str, make: Callable[[], AnyRoom]) -> AnyRoom:
        """Return the room of that name, created if need be. An empty room is closed for it if there are too many.
        BadInput if there are still too many, in total or from that address."""
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
        """Close empty rooms and publish the list. Call it once a second."""
        at = now()
        with self._lock:
            for name in list(self._openers):
                room = self._rooms[name]
                patience = COMING_BACK if room.is_playing else SITTING_DOWN
                if room.left_at is not None and at - room.left_at > max(patience, room.stays):
                    self._let_go(name)
            self._ending = [room for room in self._ending if not room.wait(0)]
        self._list.tell(self._listed())

    def close(self) -> None:
        """End all games after their current turn, and close all connections; records are kept."""
        with self._lock:
            rooms = [*self._rooms.values(), *self._ending]
        for room in rooms:
            room.end()
        for room in rooms:
            room.wait()
            room.dismiss()
        self._list.dismiss(CloseCode.GOING_AWAY, "the server closes")

    def _let_one_go(self, names: list[str]) -> bool:
        """Close the room among these that has been empty for longest. False if none is empty. Call with the lock
        held."""
        left = [(left_at, name) for name in names if (left_at := self._rooms[name].left_at) is not None]
        if left:
            self._let_go(min(left)[1])
        return bool(left)

    def _let_go(self, name: str) -> None:
        """Close that room. Call with the lock held."""
        room = self._rooms.pop(name)
        del self._openers[name]
        room.end()
        room.dismiss()
        self._ending.append(room)
