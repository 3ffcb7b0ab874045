"""One riichi room: who sits there, who looks on, and the game that begins when all seats are taken."""

import itertools
import threading
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from websockets.frames import CloseCode

from table.clock import now
from table.errors import BadInput, TableFault
from table.judge.judge import Judge, OnFault
from table.judge.result import Result
from table.judge.timing import Clock
from table.judge.turn.way import Mode
from table.log import logger
from table.play.outcome import Outcome
from table.play.riichi import Keeping, RiichiTable
from table.play.roster import Entrant
from table.play.runner import Plan, play_one
from table.play.watched import WatchedGames
from table.record.journal import journal_of
from table.riichi.rules import Rules
from table.seating.spec import OwnClock as ClockLimits
from table.server.claims import Claim
from table.server.disk import Disk
from table.server.net.line import Line
from table.server.riichi.seats import SocketSeat
from table.server.watching.gallery import Gallery
from table.wire.dialect import Dialect

ENDING = 10.0
"""Seconds that somebody who comes while a game is being put away waits for the next one."""
OVER = "the game is over"


class Place(msgspec.Struct, frozen=True):
    """A seat that waits for a client: of that name, or of any if it is empty."""

    name: str = ""
    limits: ClockLimits = ClockLimits()


class RiichiRoomPlan(msgspec.Struct, frozen=True):
    """How rooms are run: who sits there, by which rules and clock, and what is kept.

    `bots` are those that a host may fill free seats with. Watchers see everything `delay` turns late.
    """

    places: tuple[Place | Entrant, ...]
    bots: Mapping[str, Entrant]
    rules: Rules
    seed: str
    mode: Mode
    clock: Clock
    on_fault: OnFault
    keeping: Keeping
    delay: int = 0


class Guest:
    """A client in a room, from its coming to the end of its game."""

    def __init__(self, place: int, name: str) -> None:
        self.place = place
        """Its number among the room's places."""
        self.name = name
        self.seat = SocketSeat()


class Games:
    """Numbers the games of all rooms, up to so many (None: without end)."""

    def __init__(self, most: int | None, disk: Disk) -> None:
        self.disk = disk
        self.finished = threading.Event()
        """Set when all of them are over."""
        self._most = most
        self._begun = self._over = 0
        self._lock = threading.Lock()

    @property
    def left(self) -> bool:
        """Whether another one can begin."""
        return not self.disk.is_full and (self._most is None or self._begun < self._most)

    def begin(self) -> int | None:
        """The number of a game that begins now, None if there is none left."""
        with self._lock:
            if not self.left:
                return None
            self._begun += 1
            return self._begun - 1

    def end(self) -> None:
        """A game is over."""
        with self._lock:
            self._over += 1
            if self._over == self._most:
                self.finished.set()


class RiichiRoom:
    """A room. Its methods may be called from any thread.

    `report` is told how games ended, or why one did not. A room that does not `stay` is used for one game.
    """

    def __init__(
        self,
        name: str,
        plan: RiichiRoomPlan,
        games: Games,
        report: Callable[[str, Outcome | str], None],
        *,
        token: str = "",
        stay: bool = False,
    ) -> None:
        self.name, self.plan, self.token, self.stay = name, plan, token, stay
        self._played = 0
        self.gallery = Gallery(plan.delay)
        """Who looks on. In a room that stays it is for all its games."""
        self.is_over = False
        """Whether nobody can sit down here any more."""
        self.left_at: float | None = now()
        """When the last client left, or nobody has come yet; None while one is connected."""
        self._games, self._report = games, report
        self._changed = threading.Condition(threading.RLock())
        self._guests: list[Guest] = []
        self._judge: Judge | None = None
        self._thread: threading.Thread | None = None
        self._closing = False

    @property
    def is_playing(self) -> bool:
        """Whether a game is played here."""
        return self._thread is not None

    def expect(self) -> None:
        """See `rooms.Room.expect`."""
        with self._changed:
            if self.left_at is not None:
                self.left_at = now()

    # --- coming and going

    def sit(self, claim: Claim, line: Line, dialect: Callable[[], Dialect]) -> Guest | str:
        """Seat a client, or give it its seat back: why not, if it cannot be."""
        with self._changed:
            # Who hears the end of a game may be back before its records are written.
            self._changed.wait_for(lambda: not any(guest.seat.closed for guest in self._guests), ENDING)
            known = next((guest for guest in self._guests if guest.name == claim.name), None)
            if known is not None:
                refusal = known.seat.take(claim, line, dialect)
                self._look_who_is_there()
                return refusal or known
            if self._thread is not None:
                return f"room {self.name} is playing; look on at /watch/{self.name}"
            if self.is_over or not self._games.left:
                return f"room {self.name} is closed"
            if claim.name in self._bots:
                return f"the name {claim.name} is taken; choose another"
            place = self._place_for(claim.name)
            if place is None:
                return f"room {self.name} has no seat for {claim.name}"
            guest = Guest(place, claim.name)
            self._guests.append(guest)
            guest.seat.take(claim, line, dialect)
            self._look_who_is_there()
            if not self._free:
                self._begin({})
            return guest

    def leave(self, guest: Guest, line: Line) -> None:
        """A connection is gone. Before the game that frees the seat, later it stays the client's."""
        with self._changed:
            guest.seat.leave(line)
            if self._thread is None and guest in self._guests and not guest.seat.connected:
                self._guests.remove(guest)
            self._look_who_is_there()

    def hear(self, guest: Guest, line: Line, text: str) -> bool:
        """A client has said something; before the game, perhaps the host that it is to begin. Whether it was due."""
        with self._changed:
            if self._thread is None and guest in self._guests:
                self._command(guest, line, text)
                return False
        return guest.seat.receive(line, text)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until no game is played here, at most so long; whether that came true."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def end(self) -> None:
        """See `rooms.Room.end`."""
        with self._changed:
            self._closing = self.is_over = True
            if self._judge is not None:
                self._judge.stop()
            if self._thread is None:
                self._send_away()
            for guest in self._guests:
                guest.seat.dismiss()

    def dismiss(self) -> None:
        """Send those away who look on."""
        self.gallery.dismiss(CloseCode.GOING_AWAY, "the room is closed")

    def _send_away(self) -> None:
        """There will be no game. The caller holds the lock."""
        for guest in self._guests:
            guest.seat.dismiss()
        self._guests.clear()
        self._look_who_is_there()

    def _look_who_is_there(self) -> None:
        """Somebody came or left. The caller holds the lock."""
        connected = any(guest.seat.connected for guest in self._guests)
        self.left_at = None if connected else self.left_at or now()

    # --- seats before the game

    @property
    def _free(self) -> dict[int, Place]:
        """The seats that wait for a client, by number."""
        taken = {guest.place for guest in self._guests}
        places = enumerate(self.plan.places)
        return {number: place for number, place in places if isinstance(place, Place) and number not in taken}

    @property
    def _bots(self) -> set[str]:
        """The names of those who sit here anyway."""
        return {place.name for place in self.plan.places if isinstance(place, Entrant)}

    def _place_for(self, name: str) -> int | None:
        """The seat kept for that name, else one that is kept for nobody; None if there is none."""
        free = self._free
        kept = [number for number, place in free.items() if place.name == name]
        return next(iter(kept or [number for number, place in free.items() if not place.name]), None)

    def _command(self, guest: Guest, line: Line, text: str) -> None:
        """`{"start": ["shanten", …]}`: the host, who came first, fills the free seats, the named bots over and over."""
        try:
            bots = self._wanted(guest, text)
        except BadInput as error:
            line.say(msgspec.json.encode({"error": str(error)}))
            return
        taken = self._bots | {one.name for one in self._guests}
        filled = {}
        for number, bot in zip(self._free, itertools.cycle(bots), strict=False):
            name = _unlike(bot.name, taken)
            taken.add(name)
            filled[number] = msgspec.structs.replace(bot, name=name)
        self._begin(filled)

    def _wanted(self, guest: Guest, text: str) -> list[Entrant]:
        try:
            command: Any = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            command = None
        names = command.get("start") if isinstance(command, dict) else None
        known = self.plan.bots
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            raise BadInput('the game has not begun; allowed is {"start": ["BOT", …]} with bots for the free seats')
        if guest is not self._guests[0]:
            raise BadInput(f"only the host, {self._guests[0].name}, may begin the game")
        if unknown := [name for name in names if name not in known]:
            raise BadInput(f"start: there is no bot {unknown[0][:40]}; allowed are {', '.join(known)}")
        return [known[name] for name in names]

    # --- the game

    def _begin(self, filled: Mapping[int, Entrant]) -> None:
        """Begin with bots on the places of these indices. The caller holds the lock."""
        number = None if self._closing else self._games.begin()
        if number is None:
            self.is_over = True
            self._send_away()
            return
        sitting = {guest.place: guest for guest in self._guests}
        entrants = []
        for index, place in enumerate(self.plan.places):
            if isinstance(place, Entrant):
                entrants.append(place)
            elif index in sitting:
                guest = sitting[index]
                entrants.append(Entrant(guest.name, "ws", _seat_maker(guest.seat), place.limits))
            else:
                entrants.append(filled[index])
        plan = Plan(tuple(entrants), 1, self.plan.seed, self.plan.mode, self.plan.clock, self.plan.on_fault)
        self._thread = threading.Thread(target=self._play, args=(plan, number), name=f"room-{self.name}", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:  # the system has no thread left
            logger(room=self.name).error("no game could begin", reason=str(error))
            self._make_ready()
            self._games.end()

    def _play(self, plan: Plan, number: int) -> None:
        names = [entrant.name for entrant in plan.entrants]
        table = RiichiTable(self.plan.rules, names, plan.seed, self.plan.keeping)
        self._played += 1
        self.gallery.next_game(f"room {self.name}, game {self._played}", journal_of(self.plan.keeping.folder, number))
        opener = WatchedGames(table, lambda: self.gallery)
        try:
            # Who is not ready plays defaults: nobody can keep the others from their game.
            ending: Outcome | str = play_one(plan, number, opener, must_start=False, conduct=self._conduct)
        except Exception as problem:  # a full disk, a bot that cannot be made: the room and its guests go on
            ours = isinstance(problem, BadInput | TableFault)  # said in words already
            reason = str(problem) if ours else f"{type(problem).__name__}: {problem}"
            logger(room=self.name).error("game broken off", game=number, reason=reason)
            ending = f"game {number} was broken off: {reason}"
        records = ending.records if isinstance(ending, Outcome) else ()
        self._games.disk.count({str(journal_of(self.plan.keeping.folder, number)), *map(str, records)})
        try:
            self._report(self.name, ending)
        finally:
            self._make_ready()
            self._games.end()

    def _make_ready(self) -> None:
        """For the next game, if there can be one."""
        with self._changed:
            self._judge = self._thread = None
            for guest in self._guests:
                guest.seat.close()  # it may never have come to a table
            self._guests.clear()
            self.is_over = self.is_over or not self.stay or not self._games.left
            self._look_who_is_there()
            if self.is_over:
                self.gallery.dismiss(CloseCode.NORMAL_CLOSURE, OVER)
            self._changed.notify_all()

    def _conduct(self, judge: Judge) -> Result:
        with self._changed:
            self._judge = judge
            if self._closing:
                judge.stop()
        return judge.run()


def _seat_maker(seat: SocketSeat) -> Callable[[int], SocketSeat]:
    return lambda seed: seat


def _unlike(name: str, taken: set[str]) -> str:
    """A name like this one that is not taken."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    return found
