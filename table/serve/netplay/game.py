"""A user's game and room: its seat at the table, and its messages at a pace that a page can follow."""

import asyncio
import json
import re
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from jantaku.table.ground.clock import now
from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.notation import parse_meld
from jantaku.table.serve.net.limits import Allowance
from jantaku.table.serve.net.line import Farewell, Fence, Line, Visitor
from jantaku.table.serve.seat import unlike

# Converts between jantaku's Majiang dialect and majiang-server's: the same messages in another frame.
#
# There the time is a list of seconds, calls are spoken in messages of their own, and jantaku's fields do not exist.

Message = dict[str, Any]

CONFIRMED = 5.0
"""Seconds after which a page confirms the beginning or a result by itself."""
UNASKED = 5.0
"""Seconds on a page for a decision that the table's rules do not ask for."""
_SHOWN = ("kaiju", "hule", "pingju")
"""Messages that a person looks at and then confirms."""
_OURS = ("seq", "timer", "defaults")
_SAID = {MeldKind.CHI: "chi", MeldKind.PON: "peng"}


def kind_of(message: Message) -> str:
    """Return the first key of a message, which says what it is about."""
    return next(iter(message))


def framed(message: Message, waited: float) -> Message:
    """Convert a message of jantaku's. `waited`: seconds for which it was held back while the time for its question
    ran."""
    kind = kind_of(message)
    content = message[kind]
    if kind == "kaiju":
        content = {key: value for key, value in content.items() if key != "jantaku"}
    theirs: Message = {kind: content}
    if "seq" in message:
        theirs["seq"] = message["seq"]
        if kind != "jieju":
            theirs["timer"] = _timer(kind, message.get("timer"), waited)
    return theirs


def bare(message: Message) -> Message:
    """Return a message as a 牌譜 has it: without its number and its time."""
    return {key: value for key, value in message.items() if key not in _OURS}


def seconds_of(message: Message) -> float:
    """Return the seconds within which a client replies to this converted message."""
    return float(sum(message.get("timer", (CONFIRMED,))))


def spoken(message: Message) -> Message | None:
    """Return the message for what a player says aloud before this action; None if it says nothing."""
    kind = kind_of(message)
    match message[kind]:
        case {"l": seat, "m": str(meld)} if kind == "fulou":
            name = _SAID.get(parse_meld(meld).kind, "gang")
        case {"l": seat, "m": str()} if kind == "gang":
            name = "gang"
        case {"l": seat, "p": str(tile)} if kind == "dapai" and tile.endswith("*"):
            name = "lizhi"
        case {"l": seat, "baojia": loser} if kind == "hule":
            name = "zimo" if loser is None else "rong"
        case _:
            return None
    return {"say": {"l": seat, "name": name}}


def players(names: Iterable[str], users: Mapping[str, Message | None]) -> Message:
    """Make the list of players by seat. `users` has the players from net play by name; None for one that is away."""
    return {"players": [users.get(name, {"name": name, "uid": f"jantaku:{name}"}) for name in names]}


def _timer(kind: str, ours: Mapping[str, float] | None, waited: float) -> list[float]:
    if kind in _SHOWN:
        return [CONFIRMED]
    if ours is None:
        return [UNASKED]
    limit = max(0.0, ours["limit"] - waited)
    bank = max(0.0, ours["bank"] - max(0.0, waited - ours["limit"]))
    return [_short(limit), _short(bank)] if ours["bank"] else [_short(limit)]


def _short(seconds: float) -> float:
    return int(seconds) if seconds == int(seconds) else round(seconds, 1)


# Parses what clients of net play send over Engine.IO and Socket.IO, and rebuilds it. Everything else is refused,
# above all binary events: the library would keep their parts for as long as more are announced.

EVENTS = ("ROOM", "START", "GAME")
CONNECT, DISCONNECT = "40", "41"
_ANYWHERE = ("1", "3", DISCONNECT)
"""Close, pong, and Socket.IO's own disconnect."""
_BY_WEBSOCKET = ("2probe", "5")
"""The packets with which a client upgrades from polling to a WebSocket."""
_BETWEEN = "\x1e"
"""Separates the packets of a body."""
_MOST = 16
"""Most packets of a body, as in Engine.IO."""
_PACKET = re.compile(r"4(?:0(?:\{.*\})?|2([0-9]{0,10})(\[.*\]))", re.DOTALL)


def written_anew(packet: str | bytes, *, by_websocket: bool = True) -> str | None:
    """Rebuild a packet from what was parsed. Empty for an unknown event; None if no client sends such a packet."""
    if isinstance(packet, bytes):
        return None
    if packet in _ANYWHERE or (by_websocket and packet in _BY_WEBSOCKET):
        return packet
    if (match := _PACKET.fullmatch(packet)) is None:
        return None
    number, arguments = match.groups()
    if arguments is None:  # drops the payload of CONNECT: nothing reads it
        return CONNECT
    try:
        said = json.loads(arguments)
        if not said or not isinstance(said[0], str):
            return None
        return f"42{number}{json.dumps(said)}" if said[0] in EVENTS else ""
    except (ValueError, RecursionError):
        return None


def packets_of(body: bytes) -> list[str]:
    """Split a body into packets. ValueError if it is not UTF-8, or has too many."""
    found = body.decode().split(_BETWEEN)
    if len(found) > _MOST:
        raise ValueError(f"more than {_MOST} packets")
    return found


def joined(packets: list[str]) -> bytes:
    """Join packets to a body."""
    return _BETWEEN.join(packets).encode()


# A user of the lobby: name, address, and the events sent to it.

Emit = Callable[[str, str, tuple[Any, ...]], None]
"""Sends an event with its arguments to a connection."""


class User:
    """A logged-in user. `token` is the secret of its cookie, `uid` its public id. Implements `limits.HalfOpen`: a user
    that is away may have to give way, by `log_out`."""

    def __init__(
        self, name: str, address: str, emit: Emit, allowance: Allowance, log_out: Callable[[str], None] = lambda _: None
    ) -> None:
        self.name, self.address = name, address
        self.token, self.uid = secrets.token_urlsafe(24), secrets.token_urlsafe(12)
        self.connection: str | None = None
        self.room: LobbyRoom | None = None
        self.playing: Playing | None = None
        self.looks_back = False
        """Whether it has heard the end of a game, and has neither left nor entered another room."""
        self.seen = now()
        """Time at which it last came or left."""
        self.allowance = allowance
        """Rate limit of its unsolicited messages."""
        self._emit, self._log_out = emit, log_out

    def abort(self) -> None:
        self._log_out(self.token)

    @property
    def shown(self) -> dict[str, Any]:
        """Its public data."""
        return {"name": self.name, "uid": self.uid}

    def say(self, event: str, *arguments: Any) -> None:
        """Send an event if it is connected."""
        if self.connection is not None:
            self._emit(self.connection, event, arguments)


GRACE = 0.5
"""Seconds for which a reply may be late."""
COMING_BACK = 10.0
"""Seconds for which messages wait for a user whose connection broke, as long as their own time lasts."""
BACKLOG = 4000
"""Most messages that may wait for a user."""


class Playing:
    """One game of a user, under its name at the table. `begun` and `over` are called when the game begins and ends.
    Call on the event loop; only `line` may be used by any thread.

    A page reloads itself if a message arrives before it has replied to the last one. So each message waits until the
    last one is replied to, or its time is over. If a user does not come back, every message gets an empty reply.
    """

    def __init__(
        self,
        user: User,
        name: str,
        loop: asyncio.AbstractEventLoop,
        begun: Callable[["Playing"], None],
        over: Callable[["Playing"], None],
    ) -> None:
        self.user, self.name = user, name
        self.visitor: Visitor | None = None
        """Its seat; None while it has none."""
        self._is_seated = False
        """Whether it is decided if it gets a seat."""
        self.begins: Message = {}
        """The message that began the game; empty before it."""
        self._loop, self._begun, self._over = loop, begun, over
        self.line = Line(BACKLOG, lambda: self._on_loop(self._flush), lambda: self._on_loop(self._flush))
        self._waiting: deque[tuple[float, Message]] = deque()
        """Messages that cannot be sent yet, each with the time at which it came."""
        self._open: Message | None = None
        """The message whose reply is due."""
        self._opened = 0.0
        self._release: asyncio.TimerHandle | None = None
        self._round: list[Message] = []
        """The messages of the current kyoku."""
        self._record: tuple[Message, ...] = ()
        """The 牌譜, when the game is over."""
        self._is_gone = False
        """Whether its user has been away for too long."""
        self._is_closed = False
        """Whether the table has closed the line."""

    def sit_down(self, visitor: Visitor | None) -> None:
        """Take the seat, or None if there is none for it. Messages of the table wait until then: the game may have
        begun, and without a seat a reply would be lost."""
        self.visitor, self._is_seated = visitor, True
        if visitor is None:
            self.line.hang_up()
        self._send()

    # --- from the table

    def _on_loop(self, task: Callable[[], None]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(task)

    def _flush(self) -> None:
        while (what := self.line.next()) is not None:
            match what:
                case Farewell():
                    self._is_closed = True
                case Fence(number):  # answered at once: there is no network between
                    self.line.heard_pong(b"%d" % number)
                case _:
                    self._waiting.append((now(), msgspec.json.decode(what)))
        self._send()

    def _send(self) -> None:
        if not self._is_seated:
            return
        while self._waiting and not self._open:
            since, message = self._waiting.popleft()
            if "error" in message:
                self.user.say("ERROR", message["error"])
            elif "illegal" in message:  # no page knows this message: keep the discard
                self._answer({"seq": message["seq"]})
            else:
                self._tell(message, now() - since)
        if self._is_closed and not self._open and not self._waiting:
            self._over(self)

    def _tell(self, message: Message, waited: float) -> None:
        self._keep(message)
        if (said := spoken(message)) is not None:
            self.user.say("GAME", said)
        theirs = framed(message, waited)
        if "seq" in theirs:
            self._open, self._opened = message, now() - waited
            self._release = self._loop.call_later(seconds_of(theirs) + GRACE, self._give_up, theirs["seq"])
        self.user.say("GAME", theirs)
        if self._open and self._is_gone:
            self._answer({"seq": theirs["seq"]})

    def _keep(self, message: Message) -> None:
        kind = kind_of(message)
        if kind == "kaiju":
            self.begins = framed(message, 0.0)
            self._begun(self)
        elif kind == "jieju":
            self._record = (message[kind],)
        else:
            if kind == "qipai":
                self._round.clear()
            self._round.append(bare(message))

    # --- from the user

    def reply(self, reply: Any) -> bool:
        """Take a reply. Return whether it answers the open message; any other is ignored."""
        number = reply.get("seq") if isinstance(reply, dict) else None
        if type(number) is not int or self._open is None or number != self._open["seq"]:
            return False
        self._answer(reply)
        self._send()
        return True

    def _answer(self, reply: Message) -> None:
        said = json.dumps(reply, separators=(",", ":"))  # ASCII escapes: it may hold lone surrogates
        self._close_open()
        if self.visitor is not None:
            self.visitor.hear(said)

    def _give_up(self, number: int) -> None:
        """The time for the open message is over. The table decides what follows; only the beginning is confirmed here,
        as at majiang-server, so that the game goes on without a user that has not looked."""
        if self._open is None or number != self._open["seq"]:
            return
        if kind_of(self._open) == "kaiju":
            self._answer({"seq": number})
        else:
            self._close_open()
        self._send()

    def _close_open(self) -> None:
        self._open = None
        if self._release is not None:
            self._release.cancel()
            self._release = None

    def come_back(self, players: Message) -> None:
        """Tell a user with a new connection what it needs to go on, then repeat the open message."""
        self._is_gone = False
        self.user.say("START")
        if not self.begins:
            return
        self.user.say("GAME", players)
        opened = self._open
        if opened is None or kind_of(opened) != "kaiju":
            log = self._round[:-1] if opened is not None and kind_of(opened) != "jieju" else self._round
            self.user.say("GAME", {"kaiju": {**self.begins["kaiju"], "log": [list(log)] if log else []}})
        if opened is not None:
            self.user.say("GAME", framed(opened, now() - self._opened))

    def go_away(self) -> None:
        """Take note that the user's connection is gone."""
        self._loop.call_later(COMING_BACK, self._go)

    def _go(self) -> None:
        if self.user.connection is None and not self._is_gone:
            self._is_gone = True
            if self._open is not None:
                self.reply({"seq": self._open["seq"]})

    # --- the end

    def leave(self) -> None:
        """Give up the seat."""
        self._close_open()
        if self.visitor is not None:
            self.visitor.leave()

    @property
    def ending(self) -> tuple[Message, ...]:
        """The arguments of END: the 牌譜 as this seat saw it; none if the game broke off."""
        return self._record


class LobbyRoom:
    """Users that play together, or will. `waits`: the owner, who is the first user, starts the game."""

    def __init__(self, number: str, *, waits: bool) -> None:
        self.number, self.waits = number, waits
        self.users: list[User] = []
        self.begun = False

    def tell(self, *others: User) -> None:
        """Send these users, or all, the list of users in the room."""
        shown = [{**user.shown, "offline": user.connection is None} for user in self.users]
        for user in others or self.users:
            user.say("ROOM", {"room_no": self.number, "user": shown})

    @property
    def players(self) -> Message:
        """The players by seat, once the game has begun."""
        names = next((one.begins["kaiju"]["player"] for one in self.playing if one.begins), ())
        users = {one.name: one.user.shown if one.user.connection else None for one in self.playing}
        return players(names, users)

    @property
    def playing(self) -> list[Playing]:
        """The games of the users that have a seat."""
        return [user.playing for user in self.users if user.playing is not None]

    def tell_players(self) -> None:
        """Send all users of a game the list of its players."""
        for one in self.playing:
            if one.begins:
                one.user.say("GAME", self.players)

    def name_for(self, user: User) -> str:
        """Return a name for the table: several users of the lobby may have the same one."""
        return unlike(user.name, {one.name for one in self.playing})
