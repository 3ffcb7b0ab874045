"""The places of a 大富豪 room, and the client or bot on each."""

import threading
from collections.abc import Callable

from jantaku.table.daifugo import neof5
from jantaku.table.daifugo.plays import Put
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import PlayerFault, PlayerSilent
from jantaku.table.ground.port import Action, Player, Question
from jantaku.table.serve.identity import Identity
from jantaku.table.serve.seat import RELOADING, RemoteSeat

AWAY = "(離脱)"
"""Appended to the name of a player whose connection is broken (§2.3)."""
PERSON = "person"
ABSENT = "not connected"
DIALECTS = ("neof5", PERSON)
"""neof5's messages, and the same for a page on which a person plays, with a `Choice` for each question."""


class Chair:
    """A seat with a name. `make(seed)` makes its player, a new one with another seed for every series."""

    put: tuple[int, ...] = ()
    """The last accepted play in the order in which the player sent it, where that is known."""

    def __init__(self, name: str, make: Callable[[int], Player], seed: int = 0) -> None:
        self.name, self.seed = name, seed
        self._make = make

    @property
    def shown(self) -> str:
        """The name shown to everybody."""
        return self.name

    def made(self, _: int) -> Player:
        """Make the player. The argument is ignored: a room has its own seeds for computer players."""
        return self._make(self.seed)


class VisitorChair(RemoteSeat, Chair):
    """The seat of a remote client. `lock` is the room's. `ask(chair)` sends a question of the judge; `give` delivers
    the answer."""

    listens = False
    """False: the room sends events, not the judge."""
    back = "the same program has connected once more"

    def __init__(self, name: str, lock: threading.RLock, ask: Callable[["VisitorChair"], None]) -> None:
        RemoteSeat.__init__(self, lock=lock)
        Chair.__init__(self, name, lambda seed: self)
        self.stale = 0
        """Number of Puts that the client sent before it read the question that was open on their arrival."""
        self.asked = False
        """Whether a Put is due."""
        self._last = b""
        """The last game message for this seat, repeated after a reconnect."""
        self._given: Put | None = None
        self._ask = ask
        self._question: tuple[Question, Deadline] | None = None
        """The last question and its deadline."""

    @property
    def shown(self) -> str:
        return self.name if self.connected else f"{self.name}{AWAY}"

    @property
    def is_person(self) -> bool:
        """Whether a person plays here, on a page."""
        return self.identity is not None and self.identity.dialect == PERSON

    @property
    def _reloads(self) -> float:
        return RELOADING if self.is_person else 0.0

    def tell(self, message: bytes) -> None:
        """Send a game message, and keep it for a reconnect. Call with the room's lock held."""
        self._last = message
        self.say(message)

    def refuse(self, text: str) -> None:
        """Tell this player alone that its message was wrong."""
        self.say(neof5.exception(text))

    def give(self, put: tuple[int, ...]) -> None:
        """Take a legal answer to the open question. Call with the room's lock held."""
        self.put = put
        self._given = Put(tuple(sorted(put)))
        self.asked = False  # one answer for each question (§7.1 #3)
        self._changed.notify_all()

    def _catch_up(self, identity: Identity) -> None:
        """Send the last message, which contains the whole state."""
        if self._last:
            self.say(self._last)
        self._say_choice()

    def owes(self, question: int) -> bool:
        """Return whether the question with that number is open."""
        return self.asked and self._question is not None and self._question[0].id == question

    def _say_choice(self) -> None:
        """Send the legal plays and the time left for the open question. Call with the lock held."""
        if not (self.asked and self.is_person and self._question is not None):
            return
        question, until = self._question
        left = None if until.left is None else max(0.0, until.left - question.margin)
        plays = [option.cards for option in question.options if isinstance(option, Put)]
        self.say(neof5.choice(question.id, plays, left, question.allowed))

    # --- as the judge's player; `close` does nothing, as the player stays for the next series

    def answer(self, question: Question) -> Action:
        """Ask the client and wait for its Put. A client that is away is not waited for (§2.3), except a person whose
        page reloads."""
        with self._changed:
            if self._is_gone:
                raise PlayerFault(ABSENT)
            self._given, self.asked = None, True
            until = Deadline(question.seconds, question.more)
            self._question = question, until
            self._ask(self)
            self._say_choice()
            try:
                return self._wait_for(self._put, until, f"no Put in {question.allowed:g} s")
            finally:
                self.asked = False

    def _put(self) -> Put | None:
        if self.closed and self._given is None:
            raise PlayerSilent("the room closes")
        if self.is_person and self._is_gone and self._given is None:
            raise PlayerFault(ABSENT)
        return self._given
