"""One seat: its player, what it has heard, its time, and where its thread is.

Only the seat's own thread (in the mode without threads: the judge's) enters the player, and never twice
at once: the judge begins nothing new with a seat that is not home.
"""

import threading
from collections.abc import Callable
from enum import StrEnum

import msgspec
import structlog

from table.clock import cpu_here, cpu_of, now
from table.errors import PlayerFault, PlayerGone, PlayerNotReady, PlayerSilent, PlayerUnreadable
from table.judge.game import Game
from table.judge.pulse import KEPT, MOST, PULSE
from table.judge.result import SeatReport
from table.judge.tally import Tally
from table.judge.timing import Clock
from table.judge.turn.responses import Responses
from table.judge.verdicts import IN_A_THREAD, Catches, fault_in_words, limit_of, shown, told, weigh
from table.log import logger
from table.port import Answer, Choice, Player, Question, Remote, Verdict


class State(StrEnum):
    """Where a seat stands. Only `Seat.move` changes it."""

    IDLE = "idle"  # at home: may be asked
    ASKED = "asked"  # its thread is under way and in time
    LATE = "late"  # its thread did not come home in time: defaults are played until it does
    GONE = "gone"  # never asked again


_MOVES = {
    State.IDLE: {State.ASKED, State.GONE},
    State.ASKED: {State.IDLE, State.LATE, State.GONE},
    State.LATE: {State.IDLE, State.GONE},
    State.GONE: set[State](),
}

_CONFINED = {str(verdict): verdict for verdict in (Verdict.MEMORY, Verdict.CPU, Verdict.FORBIDDEN)}
_NO_ANSWER = (Verdict.GONE, Verdict.START_FAILED, Verdict.SILENT, *_CONFINED.values())
_TOOK_TIME = (Verdict.SILENT, Verdict.LATE)
_VERDICTS = {
    PlayerNotReady: Verdict.START_FAILED,
    PlayerSilent: Verdict.SILENT,
    PlayerUnreadable: Verdict.MALFORMED,
}


class Seat:
    """A player's place in the judge's list for one game."""

    def __init__(self, number: int, player: Player, game: Game, clock: Clock, *, table: int) -> None:
        self.number = number
        self.listens = True
        self.clock = clock
        self.bank = clock.bank
        self.allowed: float | None = None
        """Seconds for the errand under way, without the margin."""
        self.busy = False
        """Whether a thread is under way for this seat. Unlike LATE it stays true for a seat that is GONE."""
        self.heard = 0
        """How many of the game's events have been delivered."""
        self.quiet = False
        """Whether the game is being stopped: that a player goes then is no news."""
        self.leaving: tuple[Verdict, str] = (Verdict.GONE, "")
        """Why the seat is GONE, once it is."""
        self._player = player
        self._game = game
        self._remote: Remote | None = None
        self._catches = IN_A_THREAD
        self._state = State.IDLE
        self._moving = threading.Lock()
        self._question: int | None = None
        self._sent = 0.0
        self._opened: float | None = None
        self._native_id = 0
        self._vitals = PULSE.vitals
        self._cpu = 0.0
        """What its thread had computed at the last beat."""
        self._stalled = 0.0
        """Seconds of the errand under way in which the process stood still, and not by what this seat computed."""
        self._fault: tuple[Verdict, str] | None = None
        self._stale = 0
        self._in_a_row = 0
        self._tally = Tally()
        self._table = table

    # --- where it stands

    @property
    def state(self) -> State:
        """The state, from any thread."""
        return self._state

    def move(self, to: State) -> bool:
        """Change the state; False, and nothing changes, where that step is not possible from here.

        So a seat that comes home in the moment the judge gives it up ends in a definite state.
        """
        with self._moving:
            return self._step(to)

    def _step(self, to: State) -> bool:
        """The one place that sets the state. The caller holds the lock."""
        if to not in _MOVES[self._state]:
            return False
        self._state = to
        return True

    def leave(self, verdict: Verdict, reason: str) -> None:
        """Never ask this seat again; `verdict` and `reason` stand for every later question."""
        with self._moving:  # the judge may give it up in the moment in which its player goes: the first reason stands
            if self._state is State.GONE:
                return
            self.leaving = (verdict, reason)
            self._step(State.GONE)
        if verdict is not Verdict.START_FAILED and not self.quiet:  # the judge may rather not play at all
            self._log().warning("seat is not asked any more", reason=reason)

    def begin(self, allowed: float | None) -> bool:
        """The judge is about to send this seat's thread on an errand of so many seconds; False if it is not home."""
        with self._moving:  # the state and `busy` change together: home is home
            if not self._step(State.ASKED):
                return False
            self.busy = True
        self.allowed = allowed
        self._sent = now()
        self._opened = self._question = None
        self._stalled = 0.0
        return True

    def run(self, errand: Callable[[], None], defect: Callable[[BaseException], None]) -> None:
        """The life of an errand in the seat's own thread. What escapes from it is ours, not the player's."""
        try:
            errand()
        except BaseException as problem:  # a dying thread would leave the judge waiting
            defect(problem)
        finally:
            self.come_home()

    def come_home(self) -> None:
        """The errand is over: nobody is in the player any more."""
        with self._moving:
            self.busy = False
            self._step(State.IDLE)

    # --- time

    def with_bank(self, limit: float | None) -> float | None:
        """Seconds for a question of this limit: all of the bank may go with it."""
        return None if limit is None else limit + self.bank

    def new_round(self) -> None:
        """Another round begins."""
        if self.clock.bank_per == "round":
            self.bank = self.clock.bank

    def open(self) -> float:
        """The seat's thread begins to deal with its errand: from here its time runs."""
        if self.allowed is not None:
            self._native_id, self._cpu, self._stalled = threading.get_native_id(), cpu_here(), 0.0
            if self._vitals is not None:
                self._vitals.enter(self.number, self._native_id)
        self._opened = now()
        return self._opened

    def beat(self, since: float, until: float, stalled: bool, computed: float) -> None:
        """See `pulse.Clocked`."""
        if not self.busy or self.allowed is None:
            return
        opened = self._opened
        own = 0.0
        if opened is not None:
            before, self._cpu = self._cpu, cpu_of(self._native_id)
            own = max(0.0, self._cpu - before)
        if stalled:
            gap = until - max(since, self._sent if opened is None else opened)
            if own < KEPT or own < MOST * computed:  # it has not kept the lock
                self._stalled += max(0.0, gap - own)

    def used(self) -> float:
        """Seconds that the errand under way has taken so far."""
        return 0.0 if self._opened is None else self._since(self._opened)

    def _since(self, began: float) -> float:
        """Seconds of the seat's own time since then."""
        at = now()
        if self.allowed is None:
            return at - began
        PULSE.feel(at)
        return at - began - self._stalled

    def time_left(self, sent: float) -> float | None:
        """Seconds until the judge gives up, None for ever. `sent` counts while the thread has not begun."""
        if self.allowed is None:
            return None
        began = sent if self._opened is None else self._opened
        left = self.allowed + self.clock.margin - self._since(began)
        return min(max(0.0, left), threading.TIMEOUT_MAX)

    def _more(self) -> float:
        """See `Question.more`."""
        return self.time_left(self._sent) or 0.0

    # --- hearing and answering, in the seat's own thread

    def look(self, catches: Catches, asked: Catches) -> None:
        """See what kind of player this is, in the judge's thread. `catches` are the exceptions that are its own there,
        `asked` those where it is asked."""
        self._catches = asked
        try:
            listens: object = getattr(self._player, "listens", True)
            if isinstance(self._player, Remote):
                self._remote = self._player
        except catches as fault:
            self.leave(Verdict.START_FAILED, f"{fault_in_words(fault, catches)} (while it was looked at)")
            return
        if listens is True or listens is False:
            self.listens = listens
        else:
            self.leave(Verdict.START_FAILED, f"its listens is {shown(listens, catches)}; allowed are True and False")

    @property
    def stalled(self) -> float:
        """Seconds of the errand under way in which the process stood still."""
        return self._stalled

    @property
    def starts(self) -> bool:
        """Whether the player is one that has to become ready."""
        return self._remote is not None

    def get_ready(self, end: int) -> None:
        """Deliver the first events and wait until the player is ready for questions."""
        self.open()
        self.hear_to(end)
        if self._remote is None or self._state is State.GONE:
            return
        try:
            self._remote.start(self.allowed)
        except self._catches as fault:
            in_words = told if isinstance(fault, PlayerNotReady) else fault_in_words
            self.leave(Verdict.START_FAILED, in_words(fault, self._catches))

    def hear_to(self, end: int) -> None:
        """Deliver the events before number `end` that were not delivered yet, in order, each once.

        A fault in between does not stop the delivery, it is charged to the next question: so a player
        hears and is blamed alike however the events were batched.
        """
        if not self.listens:
            return
        while self.heard < end and self._state is not State.GONE:
            event = self._game.masked(self.heard, self.number)
            self.heard += 1
            try:
                self._player.hear(event)
            except self._catches as fault:
                verdict, reason = self._blame(fault)
                self._fault = verdict, f"{reason} (while hearing)"
                self._log().info("fault while hearing", reason=reason)

    def put(self, question: int, choice: Choice, allowed: float | None, end: int) -> Answer:
        """Deliver what happened, put the question, time and weigh the answer. All of it is on the clock."""
        began = self.open()
        self._question = question
        self.hear_to(end)
        refusal = self._refusal(began, allowed)
        if refusal is None:
            try:
                given = self._player.answer(self._twin(question, choice, allowed))
            except self._catches as fault:
                refusal = self._blame(fault)
            else:
                used = self._since(began)
                verdict, action, reason = weigh(choice, given, self._game.accepts, self._catches)
                return self._in_time(
                    Answer(self.number, question, action, verdict, used, allowed, reason, self._stalled), choice
                )
        verdict, reason = refusal
        used = self._since(began)
        return Answer(self.number, question, choice.default, verdict, used, allowed, reason, self._stalled)

    def _twin(self, question: int, choice: Choice, allowed: float | None) -> Question:
        """The question as the player gets it. A player of this process is handed nothing that leads to its seat."""
        if self._remote is None:
            return Question(question, self.number, choice.twin(), allowed, self.clock.margin)
        return Question(question, self.number, choice.twin(), allowed, self.clock.margin, self._more)

    def _refusal(self, began: float, allowed: float | None) -> tuple[Verdict, str] | None:
        """Why the question is not put after all: what came up while the seat heard the events."""
        fault, self._fault = self._fault, None
        if self._state is State.GONE:
            return self.leaving
        if fault is not None:
            return fault
        if allowed is not None and (used := self._since(began)) > allowed + self.clock.margin:
            return Verdict.SILENT, f"time was up after hearing the events: {used:.2f} s of {allowed:.2f} s"
        return None

    def _in_time(self, answer: Answer, choice: Choice) -> Answer:
        """`answer` with its verdict as the clock has it: an answer after the deadline is late whatever it says."""
        if answer.allowed is None or answer.used <= answer.allowed:
            return answer
        if answer.used <= answer.allowed + self.clock.margin:
            good = answer.verdict is Verdict.OK
            return msgspec.structs.replace(answer, verdict=Verdict.OK_MARGIN) if good else answer
        return self.too_late(answer, choice)

    def too_late(self, answer: Answer, choice: Choice) -> Answer:
        """`answer` as one that cannot be used any more. A fault stays what it was."""
        if answer.verdict in _NO_ANSWER:
            return answer
        reason = f"answered after {answer.used:.2f} s of {answer.allowed or 0:.2f} s"
        return msgspec.structs.replace(answer, action=choice.default, verdict=Verdict.LATE, reason=reason)

    def hand_in(self, sheet: Responses, answer: Answer) -> None:
        """Write `answer` on the turn's sheet. A sealed sheet refuses it: then it is stale, counted and logged."""
        if sheet.write(answer):
            return
        if answer.verdict not in _NO_ANSWER:
            self._stale += 1
        self._log().info("stale", question=answer.question, verdict=answer.verdict, used=round(answer.used, 3))

    def _blame(self, fault: BaseException) -> tuple[Verdict, str]:
        """The player's exception as a verdict; if it means that the player has gone, it is gone from here on."""
        verdict = next((word for kind, word in _VERDICTS.items() if isinstance(fault, kind)), Verdict.GONE)
        if isinstance(fault, PlayerFault):
            verdict = _CONFINED.get(limit_of(fault, self._catches), verdict)
        reason = fault_in_words(fault, self._catches)
        if isinstance(fault, PlayerGone):
            self.leave(verdict, reason)
        return verdict, reason

    # --- the judge's side

    @property
    def on_autopilot(self) -> bool:
        """Whether the seat has used up its time so often that nobody waits for it any more."""
        return 0 < self.clock.max_faults <= self._in_a_row

    def recover(self) -> None:
        """A question that nobody waited for was answered in time: the next one is waited for."""
        self._in_a_row = 0

    def autopilot(self) -> tuple[Verdict, str]:
        """What to say of this seat when it is on autopilot."""
        return Verdict.SILENT, f"on autopilot after {self._in_a_row} questions in a row out of time"

    def excuse(self) -> tuple[Verdict, str]:
        """Why this seat cannot be asked now."""
        if self._state is State.GONE:
            return self.leaving
        at = "hearing events" if self._question is None else f"question {self._question}"
        return Verdict.SILENT, f"still busy with {at}"

    def silence(self) -> tuple[Verdict, str]:
        """What to say of this seat when it was asked and nothing has come."""
        if self._opened is None:
            return Verdict.SILENT, "its thread had not begun when time was up"
        return Verdict.SILENT, f"nothing after {self.used():.2f} s"

    def account(self, answer: Answer) -> None:
        """Count a sealed answer, and take from the bank what it used beyond the limit."""
        self._tally.add(answer)
        if answer.allowed is not None:
            limit = answer.allowed - self.bank
            self.bank = max(0.0, self.bank - max(0.0, answer.used - limit)) + self.clock.increment
            # What was not put to the seat has cost nobody time: it neither adds to the row nor ends it.
            self._in_a_row = self._in_a_row + 1 if answer.verdict in _TOOK_TIME else 0

    def report(self) -> SeatReport:
        """The seat's figures so far."""
        elsewhere = 0 if self._remote is None else self._remote.stale
        return self._tally.report(self.number, self._state, self._stale + elsewhere)

    def _log(self) -> structlog.typing.FilteringBoundLogger:
        return logger(table=self._table, seat=self.number, kyoku=self._game.rounds)

    def __repr__(self) -> str:
        at = "" if self._question is None else f" question {self._question},"
        return f"<Seat {self.number} {self._state}:{at} heard {self.heard}, bank {self.bank:.1f} s>"
