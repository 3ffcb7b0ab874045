"""Our players at another author's server, and what several of them heard of one game.

They connect line by line: over WebSocket, or over TCP as in the original mjai.
"""

import contextlib
import re
import socket
import threading
from collections.abc import Sequence
from typing import Any, Protocol
from urllib.parse import urlencode

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.sync.client import connect

from jantaku.table.check.conform.client import TranscriptLine
from jantaku.table.check.conform.troubles import BadReply
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.ground.port import Choice, Player
from jantaku.table.languages.mjai.words import possible_actions
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.riichi import events
from jantaku.table.riichi.flow.view import Mind
from jantaku.table.riichi.pieces.seats import player_of
from jantaku.table.riichi.pieces.tiles import KIND

PATIENCE = 10.0
"""Seconds for making a connection."""
LONGEST_MESSAGE = 1 << 22
"""Most bytes of a message; the longest is the 牌譜 at the end of a game."""
_ARENA = {"/ws/ranked": 4, "/ws/validate": 1}
_PORT = 11600
_MJSONP = re.compile(r"mjsonp://(\[[0-9A-Fa-f:]+\]|[^/:\[\]]+)(?::([0-9]{1,5}))?(?:/([^/?#]*))?")


class Lines(Protocol):
    """One connection."""

    def receive(self, seconds: float) -> bytes | None:
        """Return the next line; None if none comes in time. PlayerGone, with the reason, if the connection has
        ended."""

    def send(self, line: bytes) -> None:
        """Send one line. PlayerGone if that is impossible."""

    def close(self) -> None:
        """Close the connection."""


class Door(msgspec.Struct, frozen=True):
    """A server's address, the dialect spoken there, and the number of our players that a game needs."""

    address: str
    dialect: str
    seats: int

    def enter(self, name: str, token: str = "") -> Lines:
        """Connect under a name. PlayerGone, with the reason, if that is impossible."""
        try:
            if self.dialect == "mjsonp" and self.address.startswith("mjsonp:"):
                return _Tcp(self.address, name)
            arena = self.address.partition("?")[0].endswith(tuple(_ARENA))
            query = urlencode({"name": name} if arena else {"name": name, "dialect": self.dialect})
            sign = "&" if "?" in self.address else "?"
            return _Socket(f"{self.address}{sign}{query}", token)
        except (OSError, InvalidHandshake, InvalidURI, ConnectionClosed, EOFError) as error:
            raise PlayerGone(f"{self.address} cannot be reached: {error}") from error


def door_of(address: str, dialect: str | None) -> Door | None:
    """Return the door of an address; None if the text is not an address. BadInput for an address that cannot be
    used."""
    scheme, colon, _ = address.partition("://")
    if not colon or scheme not in ("ws", "wss", "mjsonp"):
        return None
    if scheme == "mjsonp":
        match = _MJSONP.fullmatch(address)
        if match is None or int(match[2] or _PORT) > 65535:
            raise BadInput(f"{address} is no address; one is mjsonp://HOST:PORT/ROOM")
        return Door(address, "mjsonp", 4)
    path = address.partition("?")[0]
    for end, seats in _ARENA.items():
        if path.endswith(end):
            return Door(address, "riichilab", seats)
    return Door(address, dialect or "majiang", 4)


class _Tcp:
    """A TCP connection; making one exchanges `hello` and `join`. Implements `Lines`."""

    def __init__(self, address: str, name: str) -> None:
        match = _MJSONP.fullmatch(address)
        assert match is not None, "a door has looked at it"
        self._socket = socket.create_connection((match[1].strip("[]"), int(match[2] or _PORT)), PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._came = b""
        if self.receive(PATIENCE) is None:
            raise PlayerGone("it says no hello")
        self.send(msgspec.json.encode({"type": "join", "name": name, "room": match[3] or "default"}))

    def receive(self, seconds: float) -> bytes | None:
        self._socket.settimeout(seconds)
        try:
            while b"\n" not in self._came:
                data = self._socket.recv(1 << 16)
                if not data or len(self._came) > LONGEST_MESSAGE:
                    raise PlayerGone("it has closed the connection" if not data else "a line without an end")
                self._came += data
        except TimeoutError:
            return None
        except OSError as error:
            raise PlayerGone(f"the connection broke: {error}") from error
        line, _, self._came = self._came.partition(b"\n")
        return line

    def send(self, line: bytes) -> None:
        try:
            self._socket.sendall(line.strip() + b"\n")
        except OSError as error:
            raise PlayerGone(f"the connection broke: {error}") from error

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


class _Socket:
    """A WebSocket connection. Implements `Lines`."""

    def __init__(self, url: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._open = contextlib.ExitStack()
        self._connection = self._open.enter_context(
            connect(url, max_size=LONGEST_MESSAGE, compression=None, additional_headers=headers, open_timeout=PATIENCE)
        )

    def receive(self, seconds: float) -> bytes | None:
        try:
            message = self._connection.recv(seconds)
        except TimeoutError:
            return None
        except ConnectionClosed as closed:
            frame = closed.rcvd
            told = "without a word" if frame is None else f"with {frame.code} {frame.reason}".rstrip()
            raise PlayerGone(f"it has closed the connection {told}") from closed
        return message.encode() if isinstance(message, str) else message

    def send(self, line: bytes) -> None:
        try:
            self._connection.send(line.decode("utf-8", "replace").strip())
        except ConnectionClosed as closed:
            raise PlayerGone("it has closed the connection") from closed

    def close(self) -> None:
        """Close the WebSocket."""
        self._open.close()


# Merges what several seats heard of one game: what is hidden from one seat, another one sees.

_OWN = frozenset(
    {"id", "seq", "timer", "defaults", "jantaku", "possible_actions", "cannot_dahai", "can_act", "observation"}
)
"""Keys with different values for each seat."""
_UNTOLD = frozenset({"request_action", "action_ack", "hello", "error"})
_HIDDEN = ("", "?", None)


class Parted(Exception):
    """The seats heard different games; the message says where."""


def merged(views: Sequence[Any], path: str = "") -> Any:
    """Merge one value as each seat heard it. Parted if the values contradict each other."""
    seen = [view for view in views if view not in _HIDDEN]
    if all(view == views[0] for view in views):
        return views[0]
    if all(isinstance(view, dict) for view in views):
        keys = dict.fromkeys(key for view in views for key in view if key not in _OWN)
        return {key: merged([view.get(key) for view in views], f"{path}.{key}") for key in keys}
    if all(isinstance(view, list) for view in views) and len({len(view) for view in views}) == 1:
        parts = zip(*views, strict=True)
        return [merged(part, f"{path}[{number}]") for number, part in enumerate(parts)]
    if seen and all(view == seen[0] for view in seen):
        return seen[0]
    raise Parted(f"{path or 'a message'} is {' and '.join(_short(view) for view in views)}")


def mjai_game(streams: Sequence[Sequence[str]]) -> bytes:
    """Merge the mjai messages of all seats into the log of their game. Parted if they contradict each other."""
    views = [[one for line in stream for one in _messages(line)] for stream in streams]
    if len({len(view) for view in views}) != 1:
        raise Parted(f"the seats heard {', '.join(str(len(view)) for view in views)} messages")
    return b"".join(
        msgspec.json.encode(merged(list(one), str(one[0].get("type")))) + b"\n" for one in zip(*views, strict=True)
    )


def majiang_game(streams: Sequence[Sequence[str]]) -> bytes:
    """Merge the 牌譜 that the seats got at the end. Parted if a seat got none, or they contradict each other."""
    ends = [end for stream in streams for end in [_end(stream)] if end is not None]
    if len(ends) != len(streams):
        raise Parted("not every seat was given the 牌譜")
    return bytes(msgspec.json.encode(merged(ends, "jieju"))) + b"\n"


def _end(stream: Sequence[str]) -> Any:
    return next((told["jieju"] for line in reversed(stream) if "jieju" in (told := msgspec.json.decode(line))), None)


def _messages(line: str) -> list[dict[str, Any]]:
    value = msgspec.json.decode(line)
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, dict) and one.get("type") not in _UNTOLD]


def _short(view: Any) -> str:
    return msgspec.json.encode(view).decode()[:60]


# One of our players at another author's server: follows the game by jantaku's engine and notes contradictions.

SILENCE = 30.0
"""Seconds without a message after which a game is given up."""
AFTER = 2.0
"""Seconds in which a server can answer a bad reply."""
LATE = 1.0
"""Seconds after the deadline at which a late reply is sent."""
LONGEST_WAIT = 60.0
"""A time for an answer longer than this many seconds is not waited for."""
_LATER = 3
"""Number of messages after a bad reply that are kept."""
_COPIES = 4
STICK = 1000
"""Points of a riichi stick."""


class Guest:
    """One connection through one game. `spoil` replaces its first reply to a decision."""

    def __init__(self, dialect: str, name: str, bot: Player, rules: str, spoil: BadReply | None = None) -> None:
        self.name = name
        self.transcript: list[TranscriptLine] = []
        self.troubles: dict[str, list[str]] = {"followed": [], "hidden": [], "tiles": [], "points": [], "offers": []}
        """Contradictions by check, each with its line."""
        self.offered = 0
        """Number of messages whose possible actions were compared."""
        self.ended = ""
        """Why the messages ended."""
        self.over = False
        """Whether the server sent the end of the game."""
        self.after: list[str] | None = None
        """Messages after the bad reply; None if none was sent."""
        self.sent: list[str] = []
        """The lines sent as the bad reply."""
        self._mind, self._reader = Mind(bot), DIALECTS[dialect].reader(rules)
        self._key: str = getattr(DIALECTS[dialect].side(), "key", "")
        self._spoil = spoil
        self._me = self._total = 0
        self._seen: dict[int, int] = {}
        self._choice: Choice | None = None
        self._later = _LATER

    def play(self, lines: Lines, check: str) -> None:
        """Play the game to its end, or as far as it can be followed."""
        try:
            while True:
                line = lines.receive(SILENCE if self.after is None else AFTER)
                if line is None:
                    self.ended = f"nothing came for {SILENCE:g} s"
                    return
                self._keep(check, "table", line)
                if self.after is not None:
                    self.after.append(_text(line))
                    self._later -= 1
                    if not self._later:
                        return
                    continue
                for reply in self._replies_to(line):
                    if reply is None:
                        self._let_pass(line, lines, check)
                        continue
                    self._keep(check, "player", reply)
                    lines.send(reply)
        except PlayerGone as gone:
            self.ended = str(gone)
        except BadInput as problem:
            self.ended = "it could not be followed"
            self._note("followed", str(problem))
        finally:
            lines.close()

    def _let_pass(self, line: bytes, lines: Lines, check: str) -> None:
        """Let the time for the answer to that line run out, and keep what is said meanwhile. PlayerGone if the line
        names no time, or too long a one."""
        allowed = _time_in(line)
        if allowed is None or allowed > LONGEST_WAIT:
            self.after = None
            raise PlayerGone("it tells no time for an answer" if allowed is None else f"it waits {allowed:g} s")
        until = Deadline(allowed + LATE)
        while (came := lines.receive(until.left or 0.0)) is not None:
            self._keep(check, "table", came)
            assert self.after is not None, "it has been spoiled"
            self.after.append(_text(came))

    def _keep(self, check: str, by: Any, line: bytes) -> None:
        self.transcript.append(TranscriptLine(check, self.name, by, _text(line)))

    def _note(self, check: str, what: str) -> None:
        self.troubles[check].append(f"{what}; {self.name} heard {self.transcript[-1].line[:400]}")

    def _replies_to(self, line: bytes) -> Sequence[bytes | None]:
        """Return the replies to a line; None stands for letting the time run out."""
        told = self._reader.read(line)
        self._choice = self._choice if told.again else None
        for event in told.events:
            self._look_at(event)
            self._choice = self._mind.hear(event, told.seed)
        self._compare_offers(line)
        if self._choice is not None and told.narrow is not None:
            self._choice = told.narrow(self._choice)
        self.over = self.over or any(isinstance(event, events.HanchanEnd) for event in told.events)
        if not told.wants_reply:
            return []
        decides = self._choice is not None and self._choice.asks
        reply = self._reader.write(self._mind.decide(self._choice), told.number).strip()
        if not (decides and self._spoil is not None):
            return [reply]
        lines = [*(self._spoil.lines(reply, self._key if self._key.encode() in reply else "") or ())]
        while lines and lines[-1] is None:
            lines.pop()
        self._spoil, self.after = None, []
        self.sent = [_text(one)[:400] for one in lines if one is not None]
        return lines

    # --- checks by jantaku's engine

    def _look_at(self, event: events.Event) -> None:
        board = self._mind.board
        match event:
            case events.KyokuStart(hands=hands, scores=scores, sticks=sticks):
                self._count(sum(scores) + STICK * sticks, scores, 0)
                own = [seat for seat, hand in enumerate(hands) if hand is not None]
                if len(own) != 1:
                    self._note("hidden", f"{len(own)} hands can be seen")
                self._me, self._seen = (own or [0])[0], {}
                self._see([*(hands[self._me] or ()), event.indicator])
                if len(hands[self._me] or ()) != 13:
                    self._note("tiles", "a hand is not of 13 tiles")
            case events.Draw(seat, tile):
                if (tile is None) == (seat == self._me):
                    self._note("hidden", "somebody else's draw can be seen" if tile is not None else "an own is hidden")
                elif tile is not None:
                    self._see([tile])
                if not board.live:
                    self._note("tiles", "there is a draw after the last")
            case events.TileDiscard(seat, tile) if seat == self._me:
                if tile not in board.hands[seat].tiles:
                    self._note("tiles", "an own discard was not in the hand")
            case events.TileDiscard(_, tile):
                self._see([tile])
            case events.MeldCall(seat, meld) if seat != self._me:
                self._see(meld.own)
            case events.OwnKan(seat, meld) if seat != self._me:
                self._see([meld.added] if meld.added is not None else meld.own)
            case events.Dora(indicator):
                self._see([indicator])
            case events.HanchanEnd(scores):
                self._count(self._total, scores, STICK * board.sticks)

    def _count(self, total: int, scores: Sequence[int], left: int) -> None:
        """Check that the points follow from those before. `left`: points of sticks on the table that the first player
        may get."""
        before, now = sorted(self._mind.board.scores), sorted(scores)
        if self._total and now not in (before, [*before[:-1], before[-1] + left]):
            self._note("points", f"points are {now}, and were {before} before")
        if self._total not in (0, total):
            self._note("points", f"{total} points are in the game, and were {self._total}")
        self._total = total

    def _see(self, tiles: Sequence[int]) -> None:
        for tile in tiles:
            kind = KIND[tile]
            self._seen[kind] = self._seen.get(kind, 0) + 1
            if self._seen[kind] == _COPIES + 1:
                self._note("tiles", "there is a fifth tile of a kind")

    def _compare_offers(self, line: bytes) -> None:
        """Compare the actions that the server offers with those that the rules allow."""
        value = msgspec.json.decode(line)
        last = value[-1] if isinstance(value, list) and value else value
        if not isinstance(last, dict) or not isinstance(offered := last.get("possible_actions"), list):
            return
        if self._choice is None and not offered:
            return
        board = self._mind.board
        me = player_of(self._me, board.kyoku)
        ours = possible_actions(() if self._choice is None else self._choice.options, me, board)
        self.offered += 1
        theirs = {_offer(one) for one in offered if isinstance(one, dict)} - _NOT_LISTED
        mine = set(map(_offer, ours)) - _NOT_LISTED
        if theirs != mine and not any(one.get("type") == "dahai" for one in offered[:1] if self._after_reach):
            more, less = sorted(theirs - mine), sorted(mine - theirs)
            self._note("offers", f"offered and not legal: {more}; legal and not offered: {less}")

    @property
    def _after_reach(self) -> bool:
        return getattr(self._reader, "_planned", None) is not None


_NOT_LISTED = {("dahai", ()), ("none", ())}


def _offer(line: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    return str(line.get("type")), tuple(sorted(map(str, line.get("consumed", ()))))


def _time_in(line: bytes) -> float | None:
    """Return the seconds for an answer that a message names; None if it names none."""
    value = msgspec.json.decode(line)
    last = value[-1] if isinstance(value, list) and value else value
    told = last if isinstance(last, dict) else {}
    timer, limits = told.get("timer"), told.get("time")
    for found in (timer.get("left") if isinstance(timer, dict) else None, _in_ms(limits)):
        if isinstance(found, int | float):
            return float(found)
    return None


def _in_ms(limits: Any) -> float | None:
    told = limits.get("deadline_ms") if isinstance(limits, dict) else None
    return told / 1000 if isinstance(told, int | float) else None


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")


class Stay(threading.Thread):
    """Plays a guest's game in a thread of its own."""

    def __init__(self, guest: Guest, lines: Lines, check: str) -> None:
        super().__init__(name=f"conform {guest.name}", daemon=True)
        self._guest, self._lines, self._check = guest, lines, check
        self.start()

    def run(self) -> None:
        """Play the game."""
        self._guest.play(self._lines, self._check)
