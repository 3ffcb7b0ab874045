"""One riichi room: its seats, and the game that begins when all are taken."""

import itertools
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from websockets.frames import CloseCode

from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.runner import Opener, Pace, Plan, WatchedGames
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.play.seating.spec import OwnClock as ClockLimits
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.riichi.rules import Rules
from jantaku.table.serve.identity import Identity, same_secret, unlike
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.riichi.gallery import OVER, KeptGame, RiichiGallery
from jantaku.table.serve.riichi.notices import RoomNotice, RoomState, Sitter
from jantaku.table.serve.riichi.person_seat import CLOCK, PACE, PUT_AWAY, PersonSeat, is_person
from jantaku.table.serve.riichi.seats import DialectSeat
from jantaku.table.serve.room import Games, Prepared, Room

ENDING = 10.0
"""Seconds that a client waits for the next game while the last one is stored."""


class Place(msgspec.Struct, frozen=True):
    """A seat that waits for a client with that name; empty: with any name."""

    name: str = ""
    limits: ClockLimits = ClockLimits()


class RiichiRoomPlan(msgspec.Struct, frozen=True):
    """How rooms are run: seats, rules, clock and records. A host may fill free seats with `bots`. Spectators see
    everything `delay` turns late. `pace`: seconds after each turn, while no clock runs; None: `PACE` if a person plays,
    else none. `person` is the clock of a person. `hints`: pages may ask for what can be worked out of a hand."""

    places: tuple[Place | Entrant, ...]
    bots: Mapping[str, Entrant]
    rules: Rules
    seed: str
    mode: Mode
    clock: Clock
    on_fault: OnFault
    keeping: Keeping
    delay: int = 0
    pace: float | None = None
    person: ClockLimits = CLOCK
    hints: bool = True


class RiichiRoom(Room[DialectSeat]):
    """A room for one table. One that does not `stay` is used for one game. `report` is called with each game's result,
    or the reason why it has none."""

    gallery: RiichiGallery

    def __init__(
        self,
        name: str,
        plan: RiichiRoomPlan,
        games: Games,
        report: Callable[["RiichiRoom", Outcome | str], None],
        *,
        token: str = "",
        stay: bool = False,
        title: str = "",
    ) -> None:
        super().__init__(name, games, RiichiGallery(plan.delay))
        self.plan, self.token, self.stay, self.title = plan, token, stay, title
        self._played = 0
        self._ticket = ""
        """Lets the players of the current game see everything when it is over."""
        self._report = report
        self._sitting: dict[int, DialectSeat] = {}
        """The seats taken by clients, by place, in the order of their arrival."""
        self._filled: Mapping[int, Entrant] = {}
        """Bots with which the host has filled places."""

    @property
    def guests(self) -> Sequence[DialectSeat]:
        return tuple(self._sitting.values())

    # --- coming and going

    def _seat(self, identity: Identity, line: Line) -> DialectSeat:
        # A client that hears the end of a game may reconnect before its records are written.
        self._changed.wait_for(lambda: not any(seat.closed for seat in self.guests), ENDING)
        identity = self._told_apart(identity)
        known = next((seat for seat in self.guests if _name_of(seat) == identity.name), None)
        if known is not None:
            if refusal := known.take(identity, line):
                raise BadInput(refusal)
            return known
        if self.is_playing:
            raise BadInput(f"room {self.name} is playing; watch it at /watch/{self.name}")
        if self.is_over or not self._games.left:
            raise BadInput(f"room {self.name} is closed")
        if identity.name in self._bots:
            raise BadInput(f"the name {identity.name} is taken; choose another")
        seat = self._sitting[self._place_for(identity.name)] = (
            PersonSeat(hints=self.plan.hints) if is_person(identity) else DialectSeat()
        )
        seat.take(identity, line)
        if not self._free:
            self._begin_with({})
        return seat

    def _told_apart(self, identity: Identity) -> Identity:
        """Append a number to a client's name that is taken by another, if it has a key of its own or its dialect
        expects that. A client that comes back with its key gets its earlier name. Call with the lock held."""
        for own in filter(None, (seat.identity for seat in self.guests if identity.key)):
            if same_secret(own.key, identity.key) and (own.given or own.name) == identity.name:
                return identity._replace(name=own.name, given=own.given)
        if identity.renamed:
            taken = {_name_of(seat) for seat in self.guests if seat.connected}
            return identity._replace(name=unlike(identity.name, self._bots | taken), given=identity.name)
        if not identity.key:
            return identity
        taken = self._bots | {_name_of(seat) for seat in self.guests}
        if self.is_playing or identity.name not in taken:
            return identity
        return identity._replace(name=unlike(identity.name, taken), given=identity.name)

    def _left(self, seat: DialectSeat) -> None:
        """Free the place before the game; during the game the client keeps it."""
        if not self.is_playing:
            self._sitting = {place: one for place, one in self._sitting.items() if one is not seat}

    def hear(self, seat: DialectSeat, line: Line, text: str) -> bool:
        """Take a message. Before the game it may be the host's command to begin."""
        if not self.is_playing:  # during the game the lock is not needed
            with self._lock:
                is_waiting = not self.is_playing and seat in self.guests
                if is_waiting:
                    self._command(seat, line, text)
            self._start()
            if is_waiting:
                return False
        return seat.receive(line, text)

    def end(self) -> None:
        with self._lock:
            super().end()
            if not self.is_playing:
                self._send_away()

    def _send_away(self) -> None:
        """Dismiss all clients: there will be no game. Call with the lock held."""
        for seat in self.guests:
            seat.dismiss()
        self._sitting.clear()
        self._look_who_is_there()

    # --- seats before the game

    @property
    def _free(self) -> dict[int, Place]:
        places = enumerate(self.plan.places)
        return {number: place for number, place in places if isinstance(place, Place) and number not in self._sitting}

    @property
    def _bots(self) -> set[str]:
        return {place.name for place in self.plan.places if isinstance(place, Entrant)}

    def _place_for(self, name: str) -> int:
        """Return the place reserved for that name, else one that is not reserved. BadInput if there is none."""
        for wanted in (name, ""):
            for number, place in self._free.items():
                if place.name == wanted:
                    return number
        raise BadInput(f"room {self.name} has no seat for {name}")

    def _command(self, seat: DialectSeat, line: Line, text: str) -> None:
        """Handle `{"start": ["shanten", …]}`: the host, who came first, fills the free seats with the named bots in
        turn."""
        try:
            bots = self._wanted(seat, text)
        except BadInput as error:
            line.say(msgspec.json.encode({"error": str(error)}))
            return
        taken = self._bots | {_name_of(one) for one in self.guests}
        filled = {}
        for number, bot in zip(self._free, itertools.cycle(bots), strict=False):
            name = unlike(bot.name, taken)
            taken.add(name)
            filled[number] = msgspec.structs.replace(bot, name=name)
        self._begin_with(filled)

    def _wanted(self, seat: DialectSeat, text: str) -> list[Entrant]:
        try:
            command: Any = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            command = None
        names = command.get("start") if isinstance(command, dict) else None
        known, host = self.plan.bots, self.guests[0]
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            raise BadInput('the game has not begun; allowed is {"start": ["BOT", …]} with bots for the free seats')
        if seat is not host:
            raise BadInput(f"only the host, {_name_of(host)}, may begin the game")
        if unknown := [name for name in names if name not in known]:
            raise BadInput(f"start: there is no bot {unknown[0][:40]}; allowed are {', '.join(known)}")
        return [known[name] for name in names]

    # --- the game

    def _begin_with(self, filled: Mapping[int, Entrant]) -> None:
        """Begin with bots on these places. Call with the lock held."""
        number = None if self._stop.is_set() else self._games.begin()
        if number is None:
            self.is_over = True
            self._send_away()
            return
        self._filled = filled
        entrants = []
        for index, place in enumerate(self.plan.places):
            if isinstance(place, Entrant):
                entrants.append(place)
            elif (seat := self._sitting.get(index)) is not None:
                limits = self.plan.person if isinstance(seat, PersonSeat) else place.limits
                entrants.append(Entrant(_name_of(seat), "ws", _maker(seat), limits))
            else:
                entrants.append(filled[index])
        self._begin(number, partial(self._prepared, tuple(entrants)))

    def _prepared(self, entrants: tuple[Entrant, ...], number: int) -> Prepared:
        mine, journal = self.plan, journal_of(self.plan.keeping.folder, number)
        self._played += 1
        self._ticket = secrets.token_urlsafe(16)
        for seat in self.guests:
            seat.admit_afterwards(number, self._ticket)
        keeping = msgspec.structs.replace(mine.keeping, title=f"{self.title or self.name}, game {self._played}")
        table = RiichiTable(mine.rules, [entrant.name for entrant in entrants], mine.seed, keeping)
        self.gallery.next_game(f"room {self.name}, game {self._played}", journal)
        plan = Plan(entrants, 1, mine.seed, mine.mode, mine.clock, mine.on_fault)
        opener: Opener = WatchedGames(table, lambda: self.gallery)
        if pace := (PACE if self.has_people else 0.0) if mine.pace is None else mine.pace:
            opener = WatchedGames(opener, lambda: Pace(pace, self._stop))
        return plan, opener, journal

    @property
    def stays(self) -> float:
        """Seconds without a connection; a person's phone may come back later than a program."""
        return PUT_AWAY if self.is_playing and self.has_people else 0.0

    @property
    def has_people(self) -> bool:
        return any(isinstance(seat, PersonSeat) for seat in self.guests)

    def _told(self, ending: Outcome | str) -> None:
        self._report(self, ending)

    def kept(self, outcome: Outcome) -> KeptGame:
        """Return the game with that outcome, for later spectators."""
        return self.gallery.kept(journal_of(self.plan.keeping.folder, outcome.game), self._ticket)

    def _make_ready(self) -> None:
        for seat in self.guests:
            seat.close()  # the game may have failed before its seats were closed
        self._sitting.clear()
        self._filled = {}
        self.is_over = self.is_over or not self.stay or not self._games.left
        self._look_who_is_there()
        if self.is_over:
            self.gallery.dismiss(CloseCode.NORMAL_CLOSURE, OVER)

    @property
    def notice(self) -> RoomNotice:
        with self._lock:
            state = RoomState.PLAYING if self.is_playing else RoomState.ENDED if self.is_over else RoomState.OPEN
            seats = tuple(self._sitter(number, place) for number, place in enumerate(self.plan.places))
            host = _name_of(self.guests[0]) if self.guests and state is RoomState.OPEN else ""
            return RoomNotice(self.name, state, seats, self.title, self._played, bool(self.token), host)

    def _sitter(self, number: int, place: Place | Entrant) -> Sitter:
        if (seat := self._sitting.get(number)) is not None:
            return Sitter(_name_of(seat), away=not seat.connected)
        bot = self._filled.get(number, place)
        return Sitter(bot.name, bot=True) if isinstance(bot, Entrant) else Sitter(place.name, free=True)


def _name_of(seat: DialectSeat) -> str:
    return seat.identity.name if seat.identity is not None else ""


def _maker(seat: DialectSeat) -> Callable[[int], DialectSeat]:
    return lambda seed: seat
