"""Finds a server and a room on it: parses addresses as people write them, reads the list of rooms, waits for both."""

import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from jantaku.players.adapters import mjsonp
from jantaku.players.adapters.websocket import opened, reason_of
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.serve.riichi.notices import Listing, RoomState

PORT = 8766
ROOMS = "/rooms"
ALLOWED = "write HOST[:PORT] for any free seat, HOST[:PORT]/ROOM, ws://HOST:PORT/play/ROOM, or mjsonp://HOST:PORT/ROOM"
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
        raise BadInput(f"{address} is not an address; {ALLOWED}")
    scheme, host, port, path = match[1], match[2], match[3], match[4] or ""
    number = f":{port}" if port else "" if scheme else f":{PORT}"
    base = f"{_SCHEMES.get(scheme, scheme)}://{host}{number}"
    if path in _FIRST_PAGES:
        return Where(base)
    if scheme in ("ws", "wss") and not path.startswith("/watch/"):
        return Where(base, whole=address)
    if (room := _ROOM.fullmatch(path.rstrip("/"))) is None:
        raise BadInput(f"{address}: {path} is not a room; {ALLOWED}")
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
        raise BadInput(f"{base} serves 大富豪, not riichi; docs/daifugo-client.md shows how its programs connect")
    try:
        return msgspec.convert(told, Listing)
    except msgspec.ValidationError as error:
        raise BadInput(
            f"{base} has a list of rooms that cannot be read ({error}); name the room: HOST:PORT/ROOM"
        ) from None
