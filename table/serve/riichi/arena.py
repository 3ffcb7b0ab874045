"""RiichiLab's two endpoints: a queue for ranked games, and a validation game for one bot alone that tells whether it
can play.

A token identifies a bot, so that each has one connection. A bot cannot come back to a game that it has left.
"""

import contextlib
import itertools
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.wire.riichilab.dialect import RiichiLab, validation_result
from jantaku.table.play import seeds
from jantaku.table.play.roster import Entrant, enlist
from jantaku.table.riichi.events import HanchanEnd
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.ruleset import with_settings
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.riichi.room import Place, RiichiRoom, RiichiRoomPlan
from jantaku.table.serve.riichi.seats import DialectSeat
from jantaku.table.serve.seat import Identity

RANKED, VALIDATE = "/ws/ranked", "/ws/validate"
DIALECT = "riichilab"
BUILT_IN = "tsumogiri"
"""The opponents of a bot in validation."""
ALREADY = "This bot is already connected to a game"
NO_TOKEN = "Token verification failed: it is not the token of this server"
NO_TABLE = "all tables are taken; try again later"


class BotQueue:
    """The bots that came to the endpoints, and their seats. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._tables = itertools.count(1)
        self._coming: set[str] = set()
        self._sitting: dict[str, tuple[RiichiRoom, str]] = {}
        """Room and name of each seated bot, by its secret."""

    @contextlib.contextmanager
    def coming(self, who: str) -> Iterator[None]:
        """Reserve a secret (empty: none) until its bot is seated. BadInput if another connection has it."""
        with self._lock:
            self._sitting = {one: (room, name) for one, (room, name) in self._sitting.items() if room.seats(name)}
            if who in self._sitting or who in self._coming:
                raise BadInput(ALREADY)
            self._coming |= {who} if who else set()
        try:
            yield
        finally:
            with self._lock:
                self._coming.discard(who)

    def sits(self, who: str, identity: Identity, room: RiichiRoom) -> None:
        """Note that a bot is seated."""
        if who:
            with self._lock:
                self._sitting[who] = room, identity.name

    def identity(self, name: str, address: str) -> Identity:
        """Return the identity of a bot, with a numbered name if it has none."""
        return Identity(name or f"bot-{next(self._numbers)}", "", address, dialect=DIALECT)

    def next_table(self) -> str:
        """Return a new room name for a validation."""
        return f"validate-{next(self._tables)}"


class ValidationSeat(DialectSeat):
    """The seat of a bot in validation: it gets its result at the end of the game."""

    def hear(self, event: Any) -> None:
        super().hear(event)
        with self._changed:
            if isinstance(event, HanchanEnd) and isinstance(self._dialect, RiichiLab):
                self._send(validation_result(self._dialect))


class ValidationRoom(RiichiRoom):
    """A room for one bot, which deals first."""

    def _new_seat(self, identity: Identity) -> DialectSeat:
        return ValidationSeat()

    def _arranged(self, entrants: Sequence[Entrant], number: int) -> tuple[Entrant, ...]:
        first_dealer, order = seat_draw(seeds.of_game(self.plan.seed, number), number)
        place = order[first_dealer]
        arranged = list(entrants)
        arranged[0], arranged[place] = arranged[place], arranged[0]
        return tuple(arranged)


def validation(plan: RiichiRoomPlan) -> RiichiRoomPlan:
    """Return the plan of a room for one bot and built-in opponents: one East round by the server's rules, without
    extension."""
    built_in = enlist([BUILT_IN] * (len(plan.places) - 1))
    limits = next((place.limits for place in plan.places if isinstance(place, Place)), Place().limits)
    rules = with_settings(plan.rules, {"game.length": "tonpu", "game.extension": "none"})
    return msgspec.structs.replace(plan, places=(Place(limits=limits), *built_in), rules=rules)


def refuse(line: Line, why: str) -> None:
    """Tell a bot why it is refused, in both forms that clients know."""
    line.say(msgspec.json.encode({"error": why, "message": why, "type": "error"}))
