"""The player of one seat, and the seat's place: the state machine of whether it may be asked.

`SeatedPlayer` holds the player's abilities, the events that it has heard, and its answers. Only this module calls a
player's code.
"""

import threading
from collections import deque
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from jantaku.table.ground.errors import PlayerFault, PlayerGone
from jantaku.table.ground.foreign.remarks import lost, remark_text
from jantaku.table.ground.foreign.traces import place_in
from jantaku.table.ground.game import Game
from jantaku.table.ground.log import Logger
from jantaku.table.ground.port import (
    Answer,
    Choice,
    DefaultPlayed,
    Evidence,
    Player,
    Question,
    Remote,
    Verdict,
    port_of,
)
from jantaku.table.judge.faults import ANSWERED, Cause, Fault
from jantaku.table.judge.result import Move, ways
from jantaku.table.judge.verdicts import (
    IN_A_THREAD,
    Catches,
    fault_in_words,
    fault_of,
    in_objects,
    not_offered,
    shown,
    trace_left,
)


class State(StrEnum):
    """State of a seat. Only `SeatPlace` changes it."""

    IDLE = "idle"  # idle: may be asked
    ASKED = "asked"  # its thread is under way and in time
    LATE = "late"  # its thread did not return in time: each question that is due waits for it, until its time is up
    GONE = "gone"  # never asked again


MOVES: Final = (
    Move(State.IDLE, State.ASKED, "its thread is sent on a task"),
    Move(State.ASKED, State.IDLE, "its thread comes home"),
    Move(State.ASKED, State.LATE, "its time is up, or nobody waits for it"),
    Move(State.LATE, State.IDLE, "its thread comes home after all"),
    Move(State.IDLE, State.GONE, "its player cannot be inspected or has gone, or it forfeits the game"),
    Move(State.ASKED, State.GONE, "its player has gone, or is not ready in time"),
    Move(State.LATE, State.GONE, "its player has gone, or it forfeits the game"),
)
_WAYS: Final = ways(State, MOVES)


class SeatPlace:
    """The state of one seat, read from any thread. Every change happens here, under one lock."""

    def __init__(self) -> None:
        self.busy = False
        """Whether a thread is running for this seat. Unlike LATE it stays true for a seat that is GONE."""
        self.leaving: Fault | None = None
        """Why the seat is GONE; None until it is."""
        self._state = State.IDLE
        self._moving = threading.Lock()
        self._bell: threading.Event | None = None

    @property
    def state(self) -> State:
        """The current state; may be read from any thread."""
        return self._state

    def move(self, to: State) -> bool:
        """Change the state; return False, and change nothing, if that step is not possible from the current state. So a
        seat whose thread returns at the moment when the judge gives it up ends in a definite state."""
        with self._moving:
            return self._step(to)

    def set_out(self) -> bool:
        """Mark the seat ASKED, before its thread is sent; False if it is not idle."""
        with self._moving:  # the state and `busy` must change together
            if not self._step(State.ASKED):
                return False
            self.busy = True
            return True

    def come_home(self) -> None:
        """Mark that the seat's thread has returned from the player."""
        with self._moving:
            self.busy = False
            self._step(State.IDLE)
            bell, self._bell = self._bell, None
        if bell is not None:
            bell.set()

    def call(self, bell: threading.Event | None) -> None:
        """Set `bell` when the seat's thread comes home, at once if it is at home; None: nobody waits any more."""
        with self._moving:
            self._bell = bell if self.busy else None
            rings = bell is not None and not self.busy
        if rings and bell is not None:
            bell.set()

    def leave(self, fault: Fault) -> bool:
        """Never ask this seat again: `fault` applies to every later question. False if it is GONE already. The judge
        may give the seat up at the moment when its player leaves: the first reason is kept."""
        with self._moving:
            if self._state is State.GONE:
                return False
            self.leaving = fault
            return self._step(State.GONE)

    def _step(self, to: State) -> bool:
        """Set the state if the table of moves allows it; no other method sets it. The caller holds the lock."""
        if to not in _WAYS[self._state]:
            return False
        self._state = to
        return True


MOST_OFFERED: Final = 100
"""The most options of a question that evidence lists. Riichi never has more."""
Log = Callable[[], Logger]
"""Returns a logger that has table, seat, player and round bound."""


class SeatedPlayer:
    """A player at its seat. All calls of its code are guarded: faults are stored or returned, never raised."""

    def __init__(self, number: int, player: Player, game: Game, place: SeatPlace, log: Log) -> None:
        self.listens = True
        self.heard = 0
        """How many of the game's events the player has been given."""
        self.quiet = False
        """Whether the game is being stopped: players that leave then are not logged."""
        self.remote: Remote | None = None
        self.computed: Callable[[], float] | None = None
        """`Port.computed`: the CPU seconds that the player has used; None if it cannot tell."""
        self.catches: Catches = IN_A_THREAD
        """The exception types that count as the player's fault."""
        self.fault: Fault | None = None
        """The fault of an earlier `hear`; the next question is charged with it."""
        self.known: Final = set[Verdict]()
        """The verdicts that this player has had already. Gathering evidence takes time, so only the first of each gets
        any."""
        self._board: object = None
        """`Port.board`: what the game shows its events on; None if the player has none, or if the game shows none."""
        self.warms_up: Callable[[], object] | None = None
        """`Port.warm_up`: lets the player load what it needs; None if it need not."""
        self._explain: Callable[[Choice], Evidence] | None = None
        """`Port.explain`: says what a remote player sent; None if the player has no such method."""
        self._remark: Callable[[], object] | None = None
        """`Port.remark`: what the player says beside its answer; None if it says nothing."""
        self._defaulted: Callable[[DefaultPlayed], None] | None = None
        """`Port.defaulted`: tells the player that its default was played; None if it does not want to know."""
        self._untold: Final = deque[DefaultPlayed]()
        """Defaults that were played for the player and that it has not been told of yet. The judge's thread adds to it.
        """
        self._number: Final = number
        self._player: Final = player
        self._game: Final = game
        self._place: Final = place
        self._log: Final = log

    def look(self, catches: Catches, asked: Catches) -> None:
        """Inspect the player in the judge's thread. `catches` are the exception types that count as its fault in this
        thread, `asked` those in the thread that will ask it."""
        self.catches = asked
        try:
            port = port_of(self._player)
        except catches as raised:
            self.leave(Fault(Cause.NOT_READY, f"{fault_in_words(raised, catches)} (while it was inspected)"))
            return
        self.remote, self.computed, self._explain = port.remote, port.computed, port.explain
        if self._game.shows:
            self._board = port.board
        self._defaulted, self._remark, self.warms_up = port.defaulted, port.remark, port.warm_up
        listens: object = port.listens
        if listens is True or listens is False:
            self.listens = listens
        else:
            reason = f"its listens is {shown(listens, catches)}; allowed are True and False"
            self.leave(Fault(Cause.NOT_READY, reason))

    @property
    def needs_start(self) -> bool:
        """Whether something is to be done, and waited for, before the first turn."""
        return self.remote is not None or self.warms_up is not None

    def warm_up(self) -> None:
        """Let the player load what it needs, if it wants to."""
        if self.warms_up is None or self._place.leaving is not None:
            return
        try:
            self.warms_up()
        except self.catches as raised:
            trace = trace_left(raised, self.catches, remote=False)
            at = place_in(trace.trace)
            where = f"while it warmed up, at {at}" if at else "while it warmed up"
            self.leave(Fault(Cause.NOT_READY, f"{fault_in_words(raised, self.catches)} ({where})", trace))

    def get_ready(self, seconds: float | None) -> None:
        """Wait until the player is ready for questions, at most `seconds`."""
        if self.remote is None or self._place.leaving is not None:
            return
        try:
            self.remote.start(seconds)
        except self.catches as raised:
            self.leave(Fault(Cause.NOT_READY, fault_in_words(raised, self.catches)))

    def hear_to(self, end: int) -> None:
        """Deliver the events before number `end` that the player has not heard, in order, each once. A fault does not
        stop the delivery and is charged to the next question: so neither what a player hears nor its blame depends on
        how events are batched."""
        if self._untold and self._defaulted is not None:
            while self._untold and self._place.leaving is None:
                self._tell(self._defaulted, self._untold.popleft())
        if not self.listens:
            return
        if self._board is not None and self.heard < end and self._place.leaving is None:
            self._see_to(end)
        while self.heard < end and self._place.leaving is None:
            event = self._game.masked(self.heard, self._number)
            self.heard += 1
            try:
                self._player.hear(event)
            except self.catches as raised:
                self._blame_hearing(raised)

    def _see_to(self, end: int) -> None:
        begin, self.heard = self.heard, end
        try:
            self._game.show(self._board, begin, end, self._number)
        except PlayerFault as raised:
            self._blame_hearing(raised)

    def _tell(self, defaulted: Callable[[DefaultPlayed], None], played: DefaultPlayed) -> None:
        try:
            defaulted(played)
        except self.catches as raised:
            self._blame_hearing(raised)

    def _blame_hearing(self, raised: BaseException) -> None:
        fault = self._blame(raised)
        self.fault = Fault(fault.cause, f"{fault.reason} (while hearing an event)", fault.evidence)
        self._log().info("fault while hearing", verdict=fault.verdict, reason=fault.reason)

    def play_default(self, answer: Answer) -> None:
        """Note that the default was played for this player; it is told before its next event. Called by the judge's
        thread."""
        if self._defaulted is not None and self._place.leaving is None:
            self._untold.append(DefaultPlayed(answer.question, str(answer.verdict), answer.reason))

    def answer(self, question: Question) -> tuple[object, Fault | None]:
        """Return the player's answer, unchecked, or its fault."""
        try:
            return self._player.answer(question), None
        except self.catches as raised:
            return None, self._blame(raised)

    def remark(self) -> str:
        """Return what the player says beside its last answer, as JSON text. A fault in it is reported in its place and
        has no other consequence."""
        if self._remark is None:
            return ""
        try:
            return remark_text(self._remark())
        except self.catches as raised:
            return lost(fault_in_words(raised, self.catches))

    def evidence(self, fault: Fault, choice: Choice, given: object = None) -> Evidence | None:
        """Gather the evidence of `fault`; None unless it is the first of its verdict. `choice` is what the player was
        asked, `given` its answer."""
        if fault.verdict in self.known:
            return None
        found, answered = fault.evidence or Evidence(), fault.verdict in ANSWERED
        if self._explain is None and not answered:
            return found
        try:
            told = in_objects(choice, given, self.catches) if self._explain is None else self._explain(choice)
        except self.catches:
            return found
        offered = told.offered if answered else ()
        if len(offered) > MOST_OFFERED:
            offered = (*offered[:MOST_OFFERED], f"… and {len(offered) - MOST_OFFERED} more")
        return Evidence(found.trace, told.came, offered, told.stderr)

    def weighed(self, fault: Fault, choice: Choice, given: object) -> tuple[Fault, Evidence | None]:
        """Return a fault in an answer, worded with the player's own message if it is remote, and its evidence."""
        found = self.evidence(fault, choice, given)
        if self._explain is None or fault.cause is not Cause.NOT_OFFERED:
            return fault, found
        try:
            told = found or self._explain(choice)
        except self.catches:
            return fault, found
        if not told.came:
            return fault, found
        return Fault(fault.cause, not_offered(told.came, ", ".join(told.offered)), fault.evidence), found

    def leave(self, fault: Fault) -> None:
        """Never call this player again."""
        # the judge decides whether a player that is not ready is logged: there may be no game at all
        if self._place.leave(fault) and fault.cause is not Cause.NOT_READY and not self.quiet:
            self._log().warning("seat is not asked any more", verdict=fault.verdict, reason=fault.reason)

    def _blame(self, raised: BaseException) -> Fault:
        """Turn the player's exception into a fault; after PlayerGone the player is not called any more."""
        fault = fault_of(raised, self.catches)
        if fault.verdict not in self.known:
            fault = Fault(fault.cause, fault.reason, trace_left(raised, self.catches, remote=self.remote is not None))
        if isinstance(raised, PlayerGone):
            self.leave(fault)
        return fault
