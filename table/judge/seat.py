"""One seat: its place, its account and its player, and what needs all three.

The account has the time of the task under way, the bank, the questions in a row out of time, and the tally.
Only the seat's own thread (where it has none: the judge's) calls the player, and never twice at once: the judge starts
nothing new with a seat that is not idle.
"""

import functools
import threading
from collections.abc import Callable
from typing import Final

from jantaku.table.ground.clock import cpu_here, cpu_of, now
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign import stack_of
from jantaku.table.ground.game import Game
from jantaku.table.ground.log import Logger, logger
from jantaku.table.ground.port import Action, Answer, Choice, Evidence, Player, Question, Verdict
from jantaku.table.judge.faults import ANSWERED, NO_ANSWER, OUT_OF_TIME, Cause, Fault
from jantaku.table.judge.player import SeatedPlayer, SeatPlace
from jantaku.table.judge.result import FirstFault, SeatReport
from jantaku.table.judge.stalls import KEPT, MOST, STALLS
from jantaku.table.judge.timing import Clock, spent
from jantaku.table.judge.turn.responses import Responses
from jantaku.table.judge.verdicts import timed, weigh

_OK: Final = Verdict.OK
_now: Final = now
Began = tuple[float, float]
"""A moment, and the seconds of stalls that the seat had been given back in its game until then. Always one pair: a
reader gets, while a thread begins, both from before that or both from after it."""
SHORTEST: Final = 0.01
"""Seconds for which a player is waited for at the least that has CPU time left: it may compute less than passes."""


class Tally:
    """One seat's running count. Only the judge's thread adds to it."""

    __slots__ = ("_cpu", "_longest", "_ok", "_others", "_total", "first")

    def __init__(self) -> None:
        self.first: dict[Verdict, FirstFault] = {}
        """The first fault of each verdict."""
        self._ok = 0
        self._others: dict[Verdict, int] = {}
        self._total = 0.0
        self._longest = 0.0
        self._cpu = 0.0

    def add(self, answer: Answer) -> None:
        """Count one answer."""
        verdict, used, cpu = answer.verdict, answer.used, answer.cpu
        if verdict is _OK:
            self._ok += 1
        else:
            self._others[verdict] = self._others.get(verdict, 0) + 1
        self._total += used
        if used > self._longest:
            self._longest = used
        if cpu is not None:
            self._cpu += cpu

    def report(self, seat: int, state: str, stale: int) -> SeatReport:
        """The count so far, frozen."""
        verdicts = ({_OK: self._ok} if self._ok else {}) | self._others
        return SeatReport(
            seat, state, verdicts, stale, self._total, self._longest, self._cpu, tuple(self.first.values())
        )


class Account:
    """Time that a seat has and has used. The seat's thread opens it for a task, the judge's thread books."""

    def __init__(self, number: int, clock: Clock) -> None:
        self.clock = clock
        self.bank = clock.bank
        self.tally = Tally()
        self.allowed: float | None = None
        """Seconds for the current task, without the margin."""
        self.lent = 0.0
        """What was in the bank when the current task began: the part of `allowed` that is not the question's limit."""
        self._number = number
        self._given_back = 0.0
        """Seconds of stalls in this game that this seat did not cause. Only `beat` adds to them."""
        self._sent: Began = (0.0, 0.0)
        self._opened: Began | None = None
        self._free_since = 0.0
        """When a task without a limit began; 0: none has. Nothing is given back there, so that no pair is made: many
        games have no limit at all, and there each question would pay for one."""
        self._native_id = 0
        self.thread = 0
        """Which of this process's threads is, or was, on its task with a clock."""
        self._heartbeat = STALLS.heartbeat
        self._cpu = 0.0
        """What its thread had computed at the last beat, or when the current task began."""
        self.measured = True
        """Whether it is measured how much CPU time the player uses."""
        self.meter: Callable[[], float] | None = None
        """Of a player that computes elsewhere: returns the seconds of CPU that it has used so far."""
        self._by_cpu = clock.counts == "cpu"
        self._computed = 0.0
        """What the player had computed when the current task began."""
        self._in_a_row = 0

    # --- the task under way

    def send(self, allowed: float | None) -> None:
        """Begin a task: the seat's thread is about to be sent, with `allowed` seconds."""
        self.allowed, self.lent = allowed, self.bank
        if allowed is not None:
            self._sent = self._began()
        self._opened, self._free_since = None, 0.0

    def open(self) -> None:
        """The seat's thread starts its task: from here its time runs."""
        if self.allowed is None:
            if self._heartbeat is not None:
                self._heartbeat.turn(self._number)
            self._free_since = _now()
            return
        self._native_id, self._cpu = threading.get_native_id(), cpu_here()
        self.thread = threading.get_ident()
        if self._heartbeat is not None:
            self._heartbeat.enter(self._number, self._native_id)
        self._computed = self._cpu if self.meter is None else self.meter()  # of which each read is a system's call
        self._opened = self._began()

    def _began(self) -> Began:
        """Now. A stall that is told meanwhile would be given back twice."""
        while True:
            given_back = self._given_back
            at = _now()
            if given_back == self._given_back:
                return at, given_back

    @property
    def stalled(self) -> float:
        """Seconds of stalls during the current task that this seat did not cause."""
        return 0.0 if self.allowed is None else self._given_back - (self._opened or self._sent)[1]

    def beat(self, since: float, until: float, stalled: bool, computed: float) -> None:
        """See `stalls.Clocked`. Called only while the seat's thread is under way."""
        if self.allowed is None:
            return
        opened = self._opened
        own = 0.0
        if opened is not None:
            before, self._cpu = self._cpu, cpu_of(self._native_id)
            own = max(0.0, self._cpu - before)
        if stalled:
            gap = until - max(since, (opened or self._sent)[0])
            if own < KEPT or own < MOST * computed:  # it has not held the lock
                self._given_back += max(0.0, gap - own)

    def used(self) -> float:
        """Seconds that the current task has taken so far."""
        if self.allowed is None:
            return _now() - self._free_since if self._free_since else 0.0
        return 0.0 if self._opened is None else self._since(self._opened[0])

    def _since(self, sent: float) -> float:
        """Seconds of the seat's own time, as its clock counts them; see `_wall`."""
        return self.cpu() or 0.0 if self._by_cpu else self._wall(sent)

    def cpu(self) -> float | None:
        """Seconds of CPU time that the player has used for the current task; None where it is not measured: without a
        clock, and for a remote player unless its clock counts that."""
        if self.allowed is None or self._opened is None or not self.measured:
            return None
        computed = cpu_of(self._native_id) if self.meter is None else self.meter()
        return max(0.0, computed - self._computed)

    def measures(self, used: float) -> tuple[float | None, float | None]:
        """`Answer.cpu` and `Answer.wall` of the task under way, for which `used` seconds are charged."""
        if self._by_cpu and self._opened is not None:
            return used, self._wall(self._opened[0])
        return self.cpu(), None

    def _wall(self, sent: float) -> float:
        """Seconds by the wall clock since the seat's thread began, or since `sent` where it has not, without those in
        which the process stood still."""
        while True:
            told = self._given_back
            at = _now()
            STALLS.check(at)
            if told == self._given_back:  # else it stood still around this moment: nobody knows on which side
                break
        # Behind the check: if the thread begins meanwhile, what stood still before that is not given back.
        began, given_back = self._opened or (sent, self._sent[1])
        return max(0.0, at - began - (told - given_back))

    def time_left(self, sent: float) -> float | None:
        """Seconds until the judge gives up, None for never. `sent` counts while the thread has not started."""
        if self.allowed is None:
            return None
        most = self.allowed + self.clock.margin
        left = self.clock.wall(most) - self._wall(sent)
        if self._by_cpu:
            spare = most - self._since(sent)
            left = min(left, max(SHORTEST, spare) if spare > 0 else 0.0)
        return min(max(0.0, left), threading.TIMEOUT_MAX)

    def more(self) -> float:
        """See `Question.more`."""
        return self.time_left(self._sent[0]) or 0.0

    def silence(self) -> Fault:
        """The fault of a seat that was asked and has not answered."""
        opened = self._opened
        if opened is None and not self._free_since:
            return Fault(Cause.NOT_BEGUN, "its thread had not begun when time was up")
        passed = f" of CPU time, {self._wall(opened[0]):.2f} s by the wall clock" if opened and self._by_cpu else ""
        return Fault(Cause.NOTHING_CAME, f"nothing after {spent(self.used(), self.allowed, self.clock.margin)}{passed}")

    # --- over the game

    def with_bank(self, limit: float | None) -> float | None:
        """Seconds for a question with this limit: all of the bank may be used."""
        return None if limit is None else limit + self.bank

    def new_round(self) -> None:
        """Another round begins."""
        if self.clock.bank_per == "round":
            self.bank = self.clock.bank

    def book(self, answer: Answer) -> None:
        """Count a sealed answer, and take from the bank what it used beyond the limit."""
        self.tally.add(answer)
        if answer.allowed is not None:
            limit = answer.allowed - self.bank
            self.bank = max(0.0, self.bank - max(0.0, answer.used - limit)) + self.clock.increment
            # An answer without a time was not put to the seat: it neither ends the run of faults nor prolongs it. What
            # cannot be used and has taken all of the time is as bad as nothing.
            waited = answer.used >= answer.allowed and not answer.verdict.good
            self._in_a_row = self._in_a_row + 1 if waited or answer.verdict in OUT_OF_TIME else 0

    @property
    def on_autopilot(self) -> bool:
        """Whether the seat has run out of time so often that the judge does not wait for it any more."""
        return 0 < self.clock.max_faults <= self._in_a_row

    def autopilot(self) -> Fault:
        """The fault of a seat that is on autopilot."""
        return Fault(Cause.AUTOPILOT, f"on autopilot after {self._in_a_row} questions in a row out of time")

    def recover(self) -> None:
        """A question on autopilot was answered in time: the judge waits for the next one."""
        self._in_a_row = 0


class Seat:
    """A player's place in the judge's list for one game."""

    def __init__(
        self,
        number: int,
        player: Player,
        game: Game,
        clock: Clock,
        *,
        table: int,
        penalty: Action | None = None,
        prompt: bool = False,
    ) -> None:
        self.number: Final = number
        self.prompt: Final = prompt
        """Whether the player is known to answer at once, so that the judge's own thread may ask it."""
        self.penalty = penalty
        """What counts for an answer that cannot be used; None: the default. The judge changes it between turns."""
        self._log: Final = functools.partial(_logger, table, number, game)
        self.place: Final = SeatPlace()
        self.account: Final = Account(number, clock)
        self.player: Final = SeatedPlayer(number, player, game, self.place, self._log)
        self._game: Final = game
        self._margin: Final = clock.margin
        self._question: int | None = None
        self._stale = 0

    def measure(self) -> None:
        """Once the player was looked at: how its CPU time is measured. BadInput where the clock counts that, and nobody
        can tell it."""
        account, remote = self.account, self.player.remote
        by_cpu = account.clock.counts == "cpu"
        if remote is not None:
            account.meter = self.player.computed if by_cpu else None
            account.measured = account.meter is not None
        if not by_cpu:
            return
        if not account.measured:
            where = f"clock.counts: seat {self.number} is played over a network"
            raise BadInput(f'{where}, so nobody can measure its CPU time; allowed is "wall"')
        if not cpu_of(threading.get_native_id()):
            raise BadInput('clock.counts: this system does not tell the CPU time of threads; allowed is "wall"')

    # --- a task of the seat's thread

    def begin(self, allowed: float | None) -> bool:
        """Begin a task of `allowed` seconds, before the seat's thread is sent. False if the seat is not idle."""
        if not self.place.set_out():
            return False
        self.account.send(allowed)
        self._question = None
        return True

    def run(self, task: Callable[[], None], defect: Callable[[BaseException], None]) -> None:
        """Run a task in the seat's own thread. Exceptions that escape from it are defects of ours, not the player's."""
        try:
            task()
        except BaseException as problem:  # a dying thread would leave the judge waiting
            defect(problem)
        finally:
            self.come_home()

    def come_home(self) -> None:
        """The thread has returned from the player."""
        self.place.come_home()

    def beat(self, since: float, until: float, stalled: bool, computed: float) -> None:
        """See `stalls.Clocked`."""
        if self.place.busy:
            self.account.beat(since, until, stalled, computed)

    def get_ready(self, end: int) -> None:
        """Deliver the first events and wait until the player is ready for questions."""
        self.hear_to(end)
        self.player.get_ready(self.account.allowed)

    def hear_to(self, end: int) -> float:
        """Deliver the events before number `end`, on the clock; the seconds that it took."""
        self.account.open()
        self.player.hear_to(end)
        return self.account.used()

    def put(self, question: int, choice: Choice, allowed: float | None, end: int) -> Answer:
        """Deliver events, put the question, time and validate the answer. All of it is on the clock."""
        account, player = self.account, self.player
        account.open()
        self._question = question
        player.hear_to(end)
        fault = self._refusal(allowed)
        if fault is None:
            given, fault = player.answer(self._twin(question, choice, allowed))
            if fault is None:
                remark = player.remark()
                used = account.used()
                action, fault = weigh(choice, given, self._game, player.catches)
                found: Evidence | None = None
                if fault is not None:
                    fault, found = player.weighed(fault, choice, given)
                answer = self._answer(question, action, fault, used, allowed, found, remark)
                return answer if allowed is None else timed(answer, allowed, self._margin, choice.default)
        used = account.used()
        return self._answer(question, choice.default, fault, used, allowed, player.evidence(fault, choice))

    def _answer(
        self,
        question: int,
        action: Action,
        fault: Fault | None,
        used: float,
        allowed: float | None,
        found: Evidence | None,
        meta: str = "",
    ) -> Answer:
        verdict, reason = _OK, ""
        if fault is not None:
            verdict, reason = fault.verdict, fault.reason
            if self.penalty is not None and verdict in ANSWERED:
                action = self.penalty
        account = self.account
        cpu: float | None = None
        wall: float | None = None
        if allowed is not None:
            cpu, wall = account.measures(used)
        return Answer(
            self.number, question, action, verdict, used, allowed, reason, account.stalled, cpu, wall, found, meta
        )

    def _twin(self, question: int, choice: Choice, allowed: float | None) -> Question:
        """The question as the player gets it. A player of this process gets no reference to its seat."""
        account, margin = self.account, self._margin
        bank = 0.0 if allowed is None else account.lent
        if self.player.remote is None:
            return Question(question, self.number, choice.twin(), allowed, margin, bank=bank)
        return Question(question, self.number, choice.twin(), allowed, margin, account.more, bank)

    def _refusal(self, allowed: float | None) -> Fault | None:
        """Why the question is not put after all: a fault while the seat heard the events."""
        fault, self.player.fault = self.player.fault, None
        if self.place.leaving is not None:
            return self.place.leaving
        if fault is None and allowed is not None:
            used = self.account.used()
            if used > allowed + self._margin:
                reason = f"time was up after hearing the events: {spent(used, allowed, self._margin)}"
                return Fault(Cause.HEARING, reason)
        return fault

    def hand_in(self, sheet: Responses, answer: Answer) -> None:
        """Write `answer` on the turn's sheet. A sealed sheet refuses it: then it is stale, counted and logged."""
        if sheet.write(answer):
            return
        if answer.verdict not in NO_ANSWER:
            self._stale += 1
        asked = {"question": answer.question, "turn": answer.question // self._game.seats}
        self._log().info("stale", **asked, verdict=answer.verdict, used=round(answer.used, 3), allowed=answer.allowed)

    # --- the judge's side

    def excuse(self) -> Fault:
        """Why this seat cannot be asked now."""
        if self.place.leaving is not None:
            return self.place.leaving
        at = "hearing events" if self._question is None else f"question {self._question}"
        return Fault(Cause.BUSY, f"still busy with {at}")

    def unasked(self, question: int, choice: Choice, fault: Fault) -> Answer:
        """The answer to a question that was not put to the seat because of `fault`."""
        found = self.player.evidence(fault, choice)
        return Answer(self.number, question, choice.default, fault.verdict, reason=fault.reason, evidence=found)

    def silence(self, question: int, choice: Choice) -> Answer:
        """The answer of a seat that was asked and of which nothing has come."""
        account = self.account
        fault, used = account.silence(), account.used()
        if fault.cause is Cause.NOTHING_CAME and fault.verdict not in self.player.known:
            fault = Fault(fault.cause, fault.reason, Evidence(stack_of(account.thread)))
        found = self.player.evidence(fault, choice)
        return self._answer(question, choice.default, fault, used, account.allowed, found)

    def note(self, answer: Answer, round: int, turn: int) -> None:
        """A fault was charged to this seat in that turn of that round. The default was played, or its penalty."""
        penalized = self.penalty is not None and answer.action is self.penalty
        if not penalized:
            self.player.play_default(answer)
        if answer.verdict not in self.player.known:
            self.account.tally.first[answer.verdict] = FirstFault(round, turn, answer, penalized)
            self.player.known.add(answer.verdict)

    def report(self) -> SeatReport:
        """The seat's figures so far."""
        elsewhere = 0 if self.player.remote is None else self.player.remote.stale
        return self.account.tally.report(self.number, self.place.state, self._stale + elsewhere)

    def __repr__(self) -> str:
        at = "" if self._question is None else f" question {self._question},"
        heard, bank = self.player.heard, self.account.bank
        return f"<Seat {self.number} {self.place.state}:{at} heard {heard}, bank {bank:.1f} s>"


def _logger(table: int, seat: int, game: Game) -> Logger:
    words = game.words
    return logger(table=table, seat=seat, player=words.players[seat], **{words.round: game.rounds})
