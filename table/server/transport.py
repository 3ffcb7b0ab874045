"""The transport `ws:NAME` of a command line or config: a player that connects to a port of this process."""

import atexit
import contextlib
import re
import signal
import threading
from _thread import interrupt_main
from functools import partial

from websockets.frames import CloseCode

from jantaku.table.errors import BadInput
from jantaku.table.log import logger
from jantaku.table.seating.meant import ADDRESS
from jantaku.table.seating.spec import Terms, one_of
from jantaku.table.server.identity import Identity
from jantaku.table.server.net.admission import Arrival
from jantaku.table.server.net.limits import Limits
from jantaku.table.server.net.line import Line
from jantaku.table.server.net.refusals import Refusals
from jantaku.table.server.net.visitor import DelegatedVisitor, Visitor
from jantaku.table.server.net.web import WebServer
from jantaku.table.server.riichi.seats import DialectSeat
from jantaku.table.wire.dialects import DEFAULT, DIALECTS

LISTEN = "127.0.0.1:8766"
"""Default address for the player's connection."""
ROOM = "/play/table"
LIMITS = Limits(origins=(), ping=20.0, pong=600.0)
"""Pages of other sites are refused; pings detect clients that are gone. Many read nothing while they think, and for how
long they may is the clock's."""
_HIGHEST_PORT = 65535
_LISTEN = re.compile(r"(.+):([0-9]{1,5})")


class Awaited:
    """A player of a match that connects over WebSocket, game after game. Creates the player of each game. `address` is
    where it is expected."""

    def __init__(self, name: str, dialect: str, address: str) -> None:
        self.name, self.dialect, self.address = name, dialect, address
        self._lock = threading.Lock()
        self._seat: DialectSeat | None = None

    def __call__(self, seed: int) -> DialectSeat:
        """The player of the next game. Its client may be connected already."""
        seat = self.seat()
        if not seat.connected:
            logger(player=self.name).warning("waiting for a client", at=self.address)
        return seat

    def seat(self) -> DialectSeat:
        """Where the client is seated now: a game that is over makes room for the next one."""
        with self._lock:
            if self._seat is None or self._seat.closed:
                self._seat = DialectSeat(f"nobody has come to {self.address}")
            return self._seat


class WaitingPort:
    """One port and the players expected there. BadInput if it cannot be opened."""

    def __init__(self, host: str, port: int, limits: Limits = LIMITS) -> None:
        self._awaited: dict[str, Awaited] = {}
        self._refusals = Refusals()
        # Nobody could connect any more, and no bot is to blame: the main thread ends the games as it does at Ctrl-C.
        self._server = WebServer(self._welcome, {}, host, port, limits, on_failure=_interrupt)
        self.address = f"{host}:{self._server.port}"
        self._server.start()

    def expect(self, name: str, dialect: str) -> Awaited:
        """Admit a player of that name from now on."""
        player = Awaited(name, dialect, f"ws://{self.address}{ROOM}?name={name}")
        self._awaited[name] = player
        return player

    def close(self) -> None:
        """Close all connections, those of clients that still hear the end of their game when they have."""
        with contextlib.suppress(KeyboardInterrupt):
            self._server.part()
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
            identity = Identity(player.name, arrival.key, arrival.address, dialect=dialect)
            seat = player.seat()
            if refusal := seat.take(identity, line):
                raise BadInput(refusal)
            return DelegatedVisitor(partial(seat.receive, line), partial(seat.leave, line))
        except BadInput as error:
            self._refusals.tell(arrival.address, str(error), path=arrival.path)
            line.hang_up(CloseCode.POLICY_VIOLATION, str(error))
            return None


def _interrupt() -> None:
    """Ctrl-C for the main thread: a signal, which interrupts whatever it waits for. Where threads cannot be signalled,
    it notices when it runs again."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None and callable(signal.getsignal(signal.SIGINT)):
        signal.pthread_kill(main, signal.SIGINT)
    else:
        interrupt_main()


_ports: dict[str, WaitingPort] = {}


def awaited(terms: Terms, name: str, logs: object) -> Awaited:
    """The transport of `ws:NAME`. The port stays open until this process ends."""
    if not (called := terms.bot.partition(":")[2]):
        raise BadInput(f"player {name}: {terms.bot!r} names nobody; write for example ws:alice")
    if called.startswith("//"):
        raise BadInput(f"player {terms.bot}: {ADDRESS}")
    dialect = DEFAULT if terms.dialect is None else terms.dialect
    one_of(dialect, DIALECTS, f"player {name}: dialect")
    listen = terms.listen or LISTEN
    match = _LISTEN.fullmatch(listen)
    if match is None or int(match[2]) > _HIGHEST_PORT:
        raise BadInput(f"player {name}: listen: {listen!r} is not HOST:PORT, as {LISTEN}")
    if listen not in _ports:
        _ports[listen] = WaitingPort(match[1], int(match[2]))
    return _ports[listen].expect(name, dialect)


@atexit.register
def close_all() -> None:
    """Close all ports. Clients that still wait for a game are sent away."""
    for port in _ports.values():
        port.close()
    _ports.clear()
