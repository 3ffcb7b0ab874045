"""Finds a server, a room on it, and a seat in that.

`jantaku join` plays there with a bot, and tells its author about the game.
"""

import re
import secrets
import socket
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from jantaku.players.adapters import mjsonp
from jantaku.players.adapters.client import maker_of
from jantaku.players.adapters.websocket import Visit, opened, play, reason_of
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput, PlayerFault, PlayerGone, PlayerNotReady
from jantaku.table.ground.foreign.traces import raised_at
from jantaku.table.ground.port import Action, Player, PlayerWrapper, Question, port_of, remote_of
from jantaku.table.play.spec import Terms, terms_of, transport
from jantaku.table.riichi.events import Event, HanchanEnd, HanchanStart, KyokuStart, Riichi, Ryukyoku, Win
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.pieces.seats import player_of, seat_of
from jantaku.table.serve.riichi.notices import Listing, RoomState

# Finds a server and a room on it: parses addresses as people write them, reads the list of rooms, and waits for both.

PORT = 8766
ROOMS = "/rooms"
ALLOWED = "write HOST[:PORT] to be given a seat, HOST[:PORT]/ROOM, ws://HOST:PORT/play/ROOM, or mjsonp://HOST:PORT/ROOM"
_ADDRESS = re.compile(r"(?:(wss?|https?)://)?(\[[0-9A-Fa-f:]+\]|[^/:\[\]?#@\s]+)(?::([0-9]{1,5}))?(/[^?#]*)?(\?[^#]*)?")
_ROOM = re.compile(r"(?:/(?:play|watch))?/([-A-Za-z0-9]{1,32})")
_FIRST_PAGES = ("", "/", "/lobby")
_SCHEMES = {"http": "ws", "https": "wss", None: "ws"}
_AWAY = (502, 503, 504)
"""Status codes of a proxy whose server is down, or of a server that is full for the moment."""
_PAUSE = 1.0
"""Seconds between two tries."""
_EVERY = 10
"""Number of tries between two lines that say that it still waits."""


class Where(msgspec.Struct, frozen=True):
    """A server, as `ws://HOST:PORT`, and where to sit there: in `room`, in any room if that is empty, or at `whole`, an
    address that is used unchanged."""

    base: str
    room: str = ""
    whole: str = ""


def where(address: str) -> Where:
    """Split an address into its parts. Raises BadInput if it is invalid."""
    if address.startswith(mjsonp.SCHEME):
        mjsonp.address_of(address)
        return Where(address, whole=address)
    match = _ADDRESS.fullmatch(address)
    if match is None or int(match[3] or PORT) > 65535:
        raise BadInput(f"{address} is no address; {ALLOWED}")
    scheme, host, port, path = match[1], match[2], match[3], match[4] or ""
    number = f":{port}" if port else "" if scheme else f":{PORT}"
    base = f"{_SCHEMES.get(scheme, scheme)}://{host}{number}"
    if path in _FIRST_PAGES:
        return Where(base)
    if scheme in ("ws", "wss") and not path.startswith("/watch/"):
        return Where(base, whole=address)
    if (room := _ROOM.fullmatch(path.rstrip("/"))) is None:
        raise BadInput(f"{address}: {path} is no room; {ALLOWED}")
    return Where(base, room[1])


class Patience:
    """Tries again until its time is over, and reports what it waits for."""

    def __init__(self, seconds: float, say: Callable[[str], object]) -> None:
        self._say = say
        self._until = Deadline(seconds)
        self._what, self._times = "", 0

    def again(self, what: str) -> bool:
        """Pause a little, and return whether there is still time to wait for `what`."""
        left = self._until.left or 0.0
        if not left:
            return False
        self._times = self._times + 1 if what == self._what else 0
        self._what = what
        if self._times % _EVERY == 0:
            self._say(f"waiting, {left:.0f} s at the most: {what}")
        time.sleep(min(_PAUSE, left))
        return True


def may_come(gone: PlayerGone) -> bool:
    """Whether the missing thing may appear soon: a server that is not up yet."""
    cause = gone.__cause__
    if isinstance(cause, InvalidStatus):
        return cause.response.status_code in _AWAY
    return isinstance(cause, OSError) and not isinstance(cause, socket.gaierror | ssl.SSLError)


def free_room(base: str, name: str, *, has_token: bool) -> Iterator[tuple[str, str]]:
    """Yield rooms with a seat for that name, with their titles: first those that need fewest players, then a new one,
    if the server opens rooms. Raises PlayerGone if there is no server, BadInput if it is of another kind."""
    listing = _listing(base)
    open_rooms = [room for room in listing.rooms if room.state is RoomState.OPEN and (has_token or not room.locked)]
    fitting = [room for room in open_rooms if any(seat.free and seat.name in ("", name) for seat in room.seats)]
    for room in sorted(fitting, key=lambda room: sum(seat.free for seat in room.seats)):
        yield room.room, room.title
    if listing.opens:
        taken = {room.room for room in listing.rooms}
        yield next(one for number in range(1, len(taken) + 2) if (one := f"room-{number}") not in taken), ""


def _listing(base: str) -> Listing:
    try:
        with opened(base + ROOMS) as connection:
            told: Any = msgspec.json.decode(connection.recv(timeout=10))
    except (ConnectionClosed, msgspec.DecodeError) as error:
        raise BadInput(f"{base} has no list of rooms ({error}); name the room: HOST:PORT/ROOM") from None
    except (OSError, InvalidHandshake) as error:
        raise PlayerGone(f"{base} cannot be reached: {reason_of(error, base)}") from error
    if isinstance(told, list):
        raise BadInput(
            f"{base} serves 大富豪, and a bot of riichi was to join; docs/daifugo-client.md has its programs"
        )
    try:
        return msgspec.convert(told, Listing)
    except msgspec.ValidationError as error:
        raise BadInput(
            f"{base} has a list of rooms that cannot be read ({error}); name the room: HOST:PORT/ROOM"
        ) from None


# Finds a seat at a server: in the named room, or in one that has a free seat, as soon as there is one.


class Search:
    """Plays game after game at one place, as one client, and reports what it waits for. `visit` has the address as
    people write it. Raises BadInput if the address is invalid."""

    def __init__(self, visit: Visit, wait: float, say: Callable[[str], object]) -> None:
        self._visit, self._at, self._wait, self._say = visit, where(visit.address), wait, say
        self._patience = Patience(wait, say)
        self._told = ""

    def game(self, make: Callable[[], Player], sight: "Commentary") -> None:
        """Play a game. Waits for a server that is not up yet, and for a free seat if no room is named. Raises BadInput
        or PlayerGone if no game is played."""
        self._patience = Patience(self._wait, self._say)
        while True:
            try:
                missing = self._try(make, sight)
            except PlayerGone as gone:
                if sight.began or not may_come(gone):
                    raise
                missing = str(gone)
            if not missing:
                return
            if not self._patience.again(missing):
                raise BadInput(f"{missing}; waited {self._wait:g} s, and --wait SECONDS waits longer")

    def _try(self, make: Callable[[], Player], sight: "Commentary") -> str:
        """Play a game, or return what is missing. Raises PlayerGone if it cannot be played to its end."""
        at = self._at
        if at.whole:
            self._asks(at.whole)
            self._play(at.whole, make, sight)
        elif at.room:
            self._asks(f"room {at.room} of {at.base}")
            self._play(f"{at.base}/play/{at.room}", make, sight)
        else:
            return self._try_rooms(at.base, make, sight)
        return ""

    def _try_rooms(self, base: str, make: Callable[[], Player], sight: "Commentary") -> str:
        why = "each is full or playing"
        for room, title in free_room(base, self._visit.name, has_token=bool(self._visit.token)):
            called = f"{room} ({title})" if title else room
            self._asks(f"room {called} of {base}")
            try:
                self._play(f"{base}/play/{room}", make, sight)
                return ""
            except PlayerGone as gone:  # another client was quicker
                if sight.began or may_come(gone):
                    raise
                why = str(gone)
        return f"no room of {base} has a free seat: {why}"

    def _asks(self, there: str) -> None:
        """Report once where it waits for the others."""
        if there != self._told:
            self._say(f"{there}: {self._visit.name} asks for a seat")
            self._told = there

    def _play(self, address: str, make: Callable[[], Player], sight: "Commentary") -> None:
        visit = msgspec.structs.replace(self._visit, address=address)
        if address.startswith(mjsonp.SCHEME):
            mjsonp.play(mjsonp.address_of(address), visit.name, make(), visit.rules, sight)
        else:
            play(visit, make, sight)


def visit_to(address: str, name: str, token: str, dialect: str | None = None, rules: str | None = None) -> Visit:
    """Return a visit with a new key, in the dialect and by the rules that are usual there if none are given."""
    visit = Visit(address, name, token=token, key=secrets.token_urlsafe(16))
    foreign = address.startswith(mjsonp.SCHEME)
    return msgspec.structs.replace(
        visit, dialect=dialect or visit.dialect, rules=rules or ("tenhou" if foreign else visit.rules)
    )


# Reports a game in lines to the person whose bot plays it: kyoku by kyoku, faults, the result.

TOLD = 3
"""Faults of a kind that are reported one by one; further ones are only counted."""
_LONGEST = 200
"""The most characters of a server's text about a fault."""
_STICK = 1000


class Commentary:
    """Hears a game as its player does, and reports it in lines. `say` prints one line."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self.faults: Counter[str] = Counter()
        """By reason, how often the table, or we, played for the bot."""
        self.began = False
        """Whether a game has begun."""
        self._say = say
        self._names: tuple[str, ...] = ()
        self._me = -1
        self._dealer = 0
        self._where = ""
        self._scores = [0] * 4

    def line(self, line: bytes) -> None:
        """Read a message as it came: it may report a default that was played for the bot."""
        if b'"defaults"' not in line:
            return
        try:
            told: Any = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return
        for message in told if isinstance(told, list) else [told]:
            if not isinstance(message, dict):
                continue
            defaults = message.get("defaults")
            for one in defaults if isinstance(defaults, list) else ():
                if isinstance(one, dict):
                    self.fault(str(one.get("verdict")), str(one.get("reason")))

    def fault(self, verdict: str, reason: str) -> None:
        """Report that a default was played for the bot."""
        self.faults[verdict] += 1
        if self.faults[verdict] <= TOLD:
            self._say(f"  fault: {verdict[:_LONGEST]}: {reason[:_LONGEST]}; a default was played")
            if self.faults[verdict] == TOLD:
                self._say(f"  more of {verdict[:_LONGEST]} are counted")

    def event(self, event: Event) -> None:
        """Report what the bot hears."""
        match event:
            case HanchanStart():
                self._begin(event)
            case KyokuStart():
                self._dealer, self._scores = event.dealer, list(event.scores)
                self._where = kyoku_text(event.round_wind, event.kyoku, event.honba)
            case Riichi(seat):
                self._scores[seat] -= _STICK
            case Win():
                how = "by tsumo" if event.source is None else f"from {self._at(event.source)}"
                self._over(f"{self._at(event.seat)} won {event.points} {how}: {event.value}", event.deltas)
            case Ryukyoku():
                self._over(f"a draw, {event.reason}", event.deltas)
            case HanchanEnd():
                self._end(event)

    def _begin(self, start: HanchanStart) -> None:
        if not self.began:  # after a reconnect the beginning comes again
            self._names, self._me = start.names, -1 if start.you is None else start.you
            players = (f"{name} (you)" if n == self._me else name for n, name in enumerate(start.names))
            self._say(f"the game begins: {', '.join(players)}")
        self.began = True

    def _at(self, seat: int) -> str:
        return self._called(player_of(seat, self._dealer, len(self._names)))

    def _called(self, player: int) -> str:
        return "you" if player == self._me else self._names[player]

    def _over(self, what: str, deltas: tuple[int, ...]) -> None:
        self._scores = [score + delta for score, delta in zip(self._scores, deltas, strict=True)]
        mine = ""
        if self._me >= 0:
            seat = seat_of(self._me, self._dealer, len(self._names))
            mine = f"; you have {self._scores[seat]} ({deltas[seat]:+})"
        self._say(f"  {self._where}: {what}{mine}")

    def _end(self, end: HanchanEnd) -> None:
        order = sorted(range(len(end.ranks)), key=lambda player: end.ranks[player])
        # some servers do not send final scores
        points = [f" ({tenths / 10:+.1f})" if any(end.tenths) else "" for tenths in end.tenths]
        places = (f"{self._called(n)} {end.scores[n]}{points[n]}" for n in order)
        place = f"you are number {end.ranks[self._me]} of {len(order)}: " if self._me >= 0 else ""
        self._say(f"the game is over; {place}{' · '.join(places)}")
        if self.faults:
            counted = ", ".join(f"{word} {count}" for word, count in sorted(self.faults.items()))
            self._say(f"faults: {counted}; jantaku exam tries the bot and shows what it heard and said")


# The bot of `jantaku join`: any class, file, program or folder that can sit at a table here, with its faults
# reported.

STARTING = 60.0
"""Seconds for a program to become ready."""
THINKING = 600.0
"""Seconds for an answer of a program: the remote table's clock runs out long before."""

Fault = Callable[[str, str], object]
"""Called with a word for the fault, and with the reason."""


def _reason(error: Exception) -> str:
    place = raised_at(error)
    return f"{type(error).__name__}: {error}" + (f" ({place})" if place else "")


class Guarded(PlayerWrapper):
    """A bot whose faults are reported and cost it the default, as at a table. A program is started with each game and
    released at its end."""

    def __init__(self, wrapped: Player, fault: Fault) -> None:
        super().__init__(wrapped)
        self._fault = fault
        self._remote, self._said = remote_of(wrapped), port_of(wrapped).remark
        self._is_its = False
        """Whether the last answer is the bot's own, not a default."""

    def hear(self, event: Any) -> None:
        """Let the bot hear an event. Raises BadInput for a program that cannot be started."""
        try:
            super().hear(event)
        except Exception as error:
            self._fault("gone", f"{_reason(error)}, when it heard {type(event).__name__}")
        if self._remote is not None and isinstance(event, HanchanStart):
            try:
                self._remote.start(STARTING)
            except PlayerNotReady as problem:
                raise BadInput(f"--bot: the program did not become ready: {problem}") from problem
        if isinstance(event, HanchanEnd):
            self.close()

    def answer(self, question: Question) -> Action:
        """Return the bot's answer, or the default if the answer cannot be used."""
        self._is_its = False
        try:
            given: Action = super().answer(question.with_time(THINKING))
        except PlayerFault as fault:
            self._fault("gone", str(fault))
            return question.default
        except Exception as error:
            self._fault("gone", _reason(error))
            return question.default
        if given not in question.options:
            self._fault("illegal", f"{given!r} is not allowed; allowed are {', '.join(map(str, question.options))}")
            return question.default
        self._is_its = True
        return given

    def remark(self) -> object:
        """Return the bot's remark on its last answer; None after a default."""
        return self._said() if self._is_its and self._said is not None else None

    def close(self) -> None:
        """Release a program."""
        if self._remote is not None:
            self._remote.close()


def named_maker(word: str) -> tuple[str, Callable[[int], Player]]:
    """Return a name for the bot, and the function that makes it. Raises BadInput for a word that does not name a
    bot."""
    terms = terms_of(word)
    if terms.scheme == "ws":
        raise BadInput(f"--bot {word}: that is a seat that waits; name a bot, FILE.py:Class or exec:PROGRAM")
    if terms.scheme:
        return terms.label, transport(terms.scheme)(terms, terms.label, None)
    return msgspec.structs.replace(Terms(terms.bot), name=terms.name).label, maker_of(word)
