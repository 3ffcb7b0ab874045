"""The lobby of net play: its users, its rooms, and how a game begins there (the protocol of majiang-server).

If a user opens a room, the game waits until that user starts it. If a user enters a name that no room has, it is a room
of this server: its users sit down at once, and the game begins when all seats are taken.
"""

import asyncio
import secrets
from collections.abc import Sequence

import msgspec

from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Allowance, ConnectionCount, Limits, PendingConnections
from jantaku.table.serve.net.line import Welcome
from jantaku.table.serve.netplay.game import COMING_BACK, Emit, LobbyRoom, Playing, User

SEATS = 4
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters of room numbers, without those that look like digits."""
NUMBERS = 10_000
KEPT = 50.0
"""Seconds for which a login without a connection is kept."""
ABSENT = 1024
"""Most logins without a connection. A new one replaces the oldest of the address that has most."""
LONGEST_NAME = 28
"""Most characters of a name, without the number that the server may append."""
THERE_ALREADY = "既に接続済みです"
PLAYING = "既に対局中です"
FULL = "満室です"
TOO_MANY = "too many connections; try again later"
DIALECT = "majiang"


class Lobby:
    """All users and rooms. Call on the event loop; `welcome` runs in another thread and takes seats. `bot` fills free
    seats when an owner starts; `rooms` are the server's own, if it has any."""

    def __init__(self, welcome: Welcome, limits: Limits, emit: Emit, bot: str, rooms: Sequence[str]) -> None:
        self._welcome, self._limits, self._emit, self._bot, self._fixed = welcome, limits, emit, bot, rooms
        self._users: dict[str, User] = {}
        self._here = ConnectionCount(limits.connections, None if limits.forwarded else limits.per_address)
        """Connected users: a login alone is not counted."""
        self._absent = PendingConnections(msgspec.structs.replace(limits, opening=ABSENT, opening_per_address=ABSENT))
        self._rooms: dict[str, LobbyRoom] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # --- logging in

    def log_in(self, name: str, address: str) -> User:
        """Add a user. BadInput if the name is not allowed."""
        if not (0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()):
            raise BadInput(f"a name is 1 to {LONGEST_NAME} characters that can be printed, no blank at either end")
        user = User(name, address, self._emit, Allowance(self._limits.burst, self._limits.rate), self.log_out)
        self._users[user.token] = user
        self._absent.enter(user)
        return user

    def log_out(self, token: str) -> None:
        """Remove a user and close its connection."""
        if (user := self._users.pop(token, None)) is not None:
            self._absent.leave(user)
            self._leave(user)
            if user.connection is not None:
                self._emit(user.connection, "", ())

    @property
    def is_in_use(self) -> bool:
        """Whether a connected user plays, or has just heard the end of its game: clients log out after that."""
        there = [user for user in self._users.values() if user.connection is not None]
        return any(user.looks_back or user.playing is not None for user in there)

    def user_of(self, token: str) -> User | None:
        """Return the user with that cookie."""
        return self._users.get(token)

    def forget(self) -> None:
        """Log out users that have been away for too long; called every few seconds."""
        at = now()
        for token, user in list(self._users.items()):
            if user.connection is None and user.playing is None and at - user.seen > KEPT:
                self.log_out(token)

    # --- coming and going

    def connect(self, user: User, connection: str) -> bool:
        """Take a user's new connection. False if it has one already, or there are too many."""
        if user.connection is not None or not self._here.enter(user.address):
            self._emit(connection, "HELLO", (user.shown,))
            self._emit(connection, "ERROR", (THERE_ALREADY if user.connection is not None else TOO_MANY,))
            return False
        self._absent.leave(user)
        user.connection = connection
        user.say("HELLO", user.shown)
        if user.room is not None and user.playing is not None and user.room.begun:
            user.playing.come_back(user.room.players)
            user.room.tell_players()
        elif user.room is not None:
            user.room.tell()
        return True

    def disconnect(self, user: User) -> None:
        """Take note that a user's connection is gone. The user keeps its seat in a game, and an owner its room."""
        user.connection, user.seen = None, now()
        self._here.leave(user.address)
        self._miss(user)
        room = user.room
        if room is None:
            return
        if room.begun and user.playing is not None:
            user.playing.go_away()
            room.tell_players()
            asyncio.get_running_loop().call_later(COMING_BACK, self._close_if_empty, room)
        elif room.waits and user is room.users[0]:
            room.tell()
        else:
            self._leave(user)

    def _miss(self, user: User) -> None:
        """Let a user without connection and game give way to new logins."""
        if user.connection is None and user.playing is None and user.token in self._users:
            self._absent.leave(user)
            self._absent.enter(user)

    # --- rooms

    def room(self, user: User, number: object = None, uid: object = None) -> None:
        """`ROOM`: open a room, enter one, leave it, or send another user away. Senseless requests are ignored."""
        if number is None:
            if user.room is None:
                self._open(user)
        elif uid is None:
            if user.room is None and isinstance(number, str) and number.isprintable():
                self._enter(user, number)
        elif user.room is not None and user.room.number == number and not user.room.begun:
            target = next((one for one in user.room.users if one.uid == uid), None)
            if target is not None and user in (target, user.room.users[0]):
                self._leave(target)

    def _open(self, user: User) -> None:
        if self._fixed:
            user.say("ERROR", f"this server has its own rooms: {', '.join(self._fixed)}")
            return
        number = self._free_number()
        room = self._rooms[number] = LobbyRoom(number, waits=True)
        self._add(room, user)

    def _free_number(self) -> str:
        while (number := f"{secrets.choice(LETTERS)}{secrets.randbelow(NUMBERS):04}") in self._rooms:
            pass
        return number

    def _enter(self, user: User, number: str) -> None:
        room = self._rooms.get(number)
        if room is None:
            if self._fixed and number not in self._fixed:
                user.say("ERROR", f"ルーム {number[:LONGEST_NAME]} は存在しません")
                return
            room = self._rooms[number] = LobbyRoom(number, waits=False)
        if room.begun:
            user.say("ERROR", PLAYING)
        elif len(room.users) >= SEATS:
            user.say("ERROR", FULL)
        else:
            self._add(room, user)
            if not room.waits:
                self._sit_down([user])

    def _add(self, room: LobbyRoom, user: User) -> None:
        room.users.append(user)
        user.room, user.looks_back = room, False
        room.tell()

    def _leave(self, user: User) -> None:
        """Take a user out of its room. With the owner of a waiting room, all leave."""
        room = user.room
        if room is None:
            return
        if room.waits and not room.begun and user is room.users[0]:
            self._close(room)
            return
        self._free(user)
        user.say("HELLO", user.shown)
        if room.users:
            room.tell()
        else:
            self._give_up(room)

    def _free(self, user: User) -> None:
        if user.playing is not None:
            user.playing.leave()
        if user.room is not None:
            user.room.users.remove(user)
        user.room = user.playing = None
        self._miss(user)

    def _give_up(self, room: LobbyRoom) -> None:
        """Forget a room, unless its number belongs to another one by now."""
        if self._rooms.get(room.number) is room:
            del self._rooms[room.number]

    def _close_if_empty(self, room: LobbyRoom) -> None:
        if room.begun and all(one.connection is None for one in room.users):
            self._close(room)

    def _close(self, room: LobbyRoom) -> None:
        self._give_up(room)
        for user in list(room.users):
            self._free(user)
            user.say("HELLO", user.shown)

    # --- a game

    def start(self, user: User, number: object) -> None:
        """`START`: the owner begins the game of a room. Rules and clock are the server's."""
        room = user.room
        if room is None or room.number != number or room.begun or user is not room.users[0]:
            return
        if room.waits:
            room.waits = False
            self._sit_down(list(room.users), fill=True)
        elif user.playing is not None:
            self._fill(user.playing)

    def _sit_down(self, users: Sequence[User], *, fill: bool = False) -> None:
        task = asyncio.get_running_loop().create_task(self._take_seats(users, fill))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take_seats(self, users: Sequence[User], fill: bool) -> None:
        loop = asyncio.get_running_loop()
        for user in users:
            if (room := user.room) is None:
                continue
            playing = Playing(user, room.name_for(user), loop, self._begun, self._over)
            user.playing = playing
            query = {"name": playing.name, "dialect": DIALECT}
            arrival = Arrival(f"/play/{room.number}", query, "", user.token, "", "", user.address)
            visitor = await loop.run_in_executor(None, self._welcome, arrival, playing.line)
            if user.playing is playing:
                playing.sit_down(visitor)
            elif visitor is not None:  # the user has left meanwhile
                visitor.leave()
        if fill and users[0].playing is not None:
            self._fill(users[0].playing)

    def _fill(self, first: Playing) -> None:
        """Fill the free seats with bots. Does nothing if no seat is free."""
        if first.visitor is not None and not first.begins:
            first.visitor.hear(msgspec.json.encode({"start": [self._bot]}).decode())

    def _begun(self, playing: Playing) -> None:
        """Take note that the game of a user has begun."""
        room = playing.user.room
        if room is not None:
            room.begun = True
            playing.user.say("START")
            playing.user.say("GAME", room.players)

    def _over(self, playing: Playing) -> None:
        """Take note that the game of a user is over."""
        user, room = playing.user, playing.user.room
        if user.playing is not playing or room is None:
            return
        if not playing.begins:
            user.say("ERROR", playing.line.ended)
            self._leave(user)
            return
        self._free(user)
        user.looks_back = True
        user.say("END", *playing.ending)
        self._give_up(room)  # users may still look at the result
