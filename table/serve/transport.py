"""The transport `ws:NAME` of a command line or config: a player that connects to a port of this process."""

import atexit
import contextlib
import re
import signal
import threading
from _thread import interrupt_main
from functools import partial

from websockets.frames import CloseCode

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.log import logger
from jantaku.table.languages.wire.dialects import DEFAULT, DIALECTS
from jantaku.table.play.seating.guesses import ADDRESS
from jantaku.table.play.seating.spec import Terms, one_of
from jantaku.table.serve.identity import Identity
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.refusals import Refusals
from jantaku.table.serve.net.visitor import DelegatedVisitor, Visitor
from jantaku.table.serve.net.web import WebServer
from jantaku.table.serve.riichi.seats import DialectSeat

LISTEN = "127.0.0.1:8766"
"""Default address for the player's connection."""
ROOM = "/play/table"
LIMITS = Limits(origins=(), ping=20.0, pong=600.0)
"""Pages of other sites are refused. Pings detect dead clients; the long timeout for pongs is for clients that read
nothing while they think, which the clock limits."""
_HIGHEST_PORT = 65535
_LISTEN = re.compile(r"(.+):([0-9]{1,5})")


class Awaited:
    """A player of a match that connects over WebSocket, game after game. Calling it creates the player of a game.
    `address` is where the client is expected."""

    def __init__(self, name: str, dialect: str, address: str) -> None:
        self.name, self.dialect, self.address = name, dialect, address
        self._lock = threading.Lock()
        self._seat: DialectSeat | None = None

    def __call__(self, seed: int) -> DialectSeat:
        """Create the player of the next game. Its client may be connected already."""
        seat = self.seat()
        if not seat.connected:
            logger(player=self.name).warning("waiting for a client", at=self.address)
        return seat

    def seat(self) -> DialectSeat:
        """Return the seat of the client; a new one if the last game is over."""
        with self._lock:
            if self._seat is None or self._seat.closed:
                self._seat = DialectSeat(f"no client has connected to {self.address}")
            return self._seat


class WaitingPort:
    """A port for the players that are expected there. BadInput if it cannot be opened."""

    def __init__(self, host: str, port: int, limits: Limits = LIMITS) -> None:
        self._awaited: dict[str, Awaited] = {}
        self._refusals = Refusals()
        # No client could connect any more, and no bot is to blame: end the games as after Ctrl-C.
        self._server = WebServer(self._welcome, {}, host, port, limits, on_failure=_interrupt)
        self.address = f"{host}:{self._server.port}"
        self._server.start()

    def expect(self, name: str, dialect: str) -> Awaited:
        player = Awaited(name, dialect, f"ws://{self.address}{ROOM}?name={name}")
        self._awaited[name] = player
        return player

    def close(self) -> None:
        """Close all connections, after clients have heard the end of their game."""
        with contextlib.suppress(KeyboardInterrupt):
            self._server.part()
        self._server.close()

    def _welcome(self, arrival: Arrival, line: Line) -> Visitor | None:
        query = arrival.query
        player = self._awaited.get(query.get("name", ""))
        try:
            if arrival.path != ROOM or player is None:
                expected = ", ".join(self._awaited)
                raise BadInput(f"waiting for clients at {ROOM}?name=NAME: {expected}")
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
    """Interrupt the main thread, as Ctrl-C does: by a signal, which ends any wait. On systems without signals for
    threads, the main thread notices when it runs again."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None and callable(signal.getsignal(signal.SIGINT)):
        signal.pthread_kill(main, signal.SIGINT)
    else:
        interrupt_main()


_ports: dict[str, WaitingPort] = {}


def awaited(terms: Terms, name: str, logs: object) -> Awaited:
    """Return the player for `ws:NAME`. The port stays open until this process ends. BadInput if name, dialect or
    address are wrong."""
    if not (called := terms.bot.partition(":")[2]):
        raise BadInput(f"player {name}: {terms.bot!r} has no name; write for example ws:alice")
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
