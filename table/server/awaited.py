"""`ws:NAME` on a command line or in a config: a player of a match that is waited for at a port of this process."""

import atexit
import re
import threading
from _thread import interrupt_main
from functools import partial

from websockets.frames import CloseCode

from table.errors import BadInput
from table.log import logger
from table.seating.spec import Terms, one_of
from table.server.claims import Claim
from table.server.net.admission import Arrival
from table.server.net.limits import Limits
from table.server.net.line import Line
from table.server.net.visitor import DelegatedVisitor, Visitor
from table.server.net.web import WebServer
from table.server.riichi.seats import SocketSeat
from table.wire.dialects import DEFAULT, DIALECTS

LISTEN = "127.0.0.1:8766"
"""Where it is waited unless the player's `listen` says otherwise."""
ROOM = "/play/table"
LIMITS = Limits(origins=(), ping=20.0)
"""A page of some site has no business here; the ping finds out who is gone without a word."""
_HIGHEST_PORT = 65535
_LISTEN = re.compile(r"(.+):([0-9]{1,5})")


class Awaited:
    """A player of a match who comes over WebSocket, game after game. What makes the player of one game."""

    def __init__(self, name: str, dialect: str, address: str) -> None:
        self.name, self.dialect = name, dialect
        self.address = address
        """Where it is waited for."""
        self._lock = threading.Lock()
        self._seat = self._new_seat()

    def __call__(self, seed: int) -> SocketSeat:
        """The player of the next game. Its client may be there already."""
        seat = self.seat()
        if not seat.connected:
            logger(player=self.name).warning("waiting for a client", at=self.address)
        return seat

    def seat(self) -> SocketSeat:
        """Where the client sits down now: a game that is over makes room for the next one."""
        with self._lock:
            if self._seat.closed:
                self._seat = self._new_seat()
            return self._seat

    def _new_seat(self) -> SocketSeat:
        return SocketSeat(f"nobody has come to {self.address}")


class Hall:
    """One port and the players who are waited for there. BadInput if it cannot be had."""

    def __init__(self, host: str, port: int, limits: Limits = LIMITS) -> None:
        self._awaited: dict[str, Awaited] = {}
        # Nobody could come any more, and no bot is to blame: the main thread ends the games as it does at Ctrl-C.
        self._server = WebServer(self._welcome, {}, host, port, limits, on_failure=interrupt_main)
        self.address = f"{host}:{self._server.port}"
        self._server.start()

    def expect(self, name: str, dialect: str) -> Awaited:
        """Let a player of that name in from now on."""
        player = Awaited(name, dialect, f"ws://{self.address}{ROOM}?name={name}")
        self._awaited[name] = player
        return player

    def close(self) -> None:
        """Send everybody away."""
        self._server.close()

    def _welcome(self, arrival: Arrival, line: Line) -> Visitor | None:
        query = arrival.query
        player = self._awaited.get(query.get("name", ""))
        try:
            if arrival.path != ROOM or player is None:
                expected = ", ".join(self._awaited)
                raise BadInput(f"waited for at {ROOM}?name=NAME: {expected}")
            dialect = query.get("dialect", player.dialect)
            one_of(dialect[:32], DIALECTS, "dialect")
            claim = Claim(player.name, query.get("key", ""), arrival.address)
            seat = player.seat()
            if refusal := seat.take(claim, line, DIALECTS[dialect]):
                raise BadInput(refusal)
            return DelegatedVisitor(partial(seat.receive, line), partial(seat.leave, line))
        except BadInput as error:
            line.hang_up(CloseCode.POLICY_VIOLATION, str(error))
            return None


_halls: dict[str, Hall] = {}


def awaited(terms: Terms, name: str, logs: object) -> Awaited:
    """The transport of `ws:NAME`. The port stays open until this process ends."""
    if not terms.bot.partition(":")[2]:
        raise BadInput(f"player {name}: {terms.bot!r} names nobody; write for example ws:alice")
    dialect = DEFAULT if terms.dialect is None else terms.dialect
    one_of(dialect, DIALECTS, f"player {name}: dialect")
    listen = terms.listen or LISTEN
    match = _LISTEN.fullmatch(listen)
    if match is None or int(match[2]) > _HIGHEST_PORT:
        raise BadInput(f"player {name}: listen: {listen!r} is not HOST:PORT, as {LISTEN}")
    if listen not in _halls:
        _halls[listen] = Hall(match[1], int(match[2]))
    return _halls[listen].expect(name, dialect)


@atexit.register
def close_all() -> None:
    """Close all ports. Clients that still wait for a game are sent away."""
    for hall in _halls.values():
        hall.close()
    _halls.clear()
