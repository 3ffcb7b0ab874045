"""The account of a seat: the time of its task, its bank, its questions in a row out of time, and the tally."""

import threading
from collections.abc import Callable
from typing import Final

from jantaku.table.ground.clock import cpu_here, cpu_of, now
from jantaku.table.ground.port import Answer, Verdict
from jantaku.table.judge.faults import OUT_OF_TIME, Cause, Fault
from jantaku.table.judge.result import FirstFault, SeatReport
from jantaku.table.judge.stalls import KEPT, MOST, STALLS
from jantaku.table.judge.timing import Clock, spent

_OK: Final = Verdict.OK
_NOT_ASKED: Final = Verdict.NOT_ASKED
_now: Final = now
Began = tuple[float, float]
"""A moment, and the seconds of stalls that the seat had been given back in its game until then. Always one pair: a
reader gets, while a thread begins, both from before that or both from after it."""
Spent = tuple[float, float, float]
"""Seconds as the seat's clock counts them, seconds by the wall clock, and seconds of stalls that were given back."""
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
        verdict, used, cpu = answer.verdict, answer.used, answer.cpu
        if verdict is _OK:
            self._ok += 1
        else:
            self._others[verdict] = self._others.get(verdict, 0) + 1
        if verdict is _NOT_ASKED:  # the time is that for which the judge waited
            return
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


class DueQuestion:
    """A question that is due while the seat's thread is still away: its time runs since then."""

    __slots__ = ("_by_cpu", "_computed", "_since", "allowed", "spent_at_home")

    def __init__(self, since: Began, allowed: float | None, computed: float | None) -> None:
        """`computed`: the CPU seconds that the player had used by then, None where the wall clock counts."""
        self.allowed = allowed
        self._since, self._by_cpu, self._computed = since, computed is not None, computed or 0.0
        self.spent_at_home = (0.0, 0.0, 0.0)
        """What passed until the thread came home; nothing if it did as the question came due."""

    def come_home(self, at: Began, computed: float | None) -> None:
        """The seat's thread comes home: what passes from here until it is sent is nobody's time."""
        self.spent_at_home = self.spent(at, computed)

    def spent(self, until: Began, computed: float | None) -> Spent:
        """What passed of the question's time until then."""
        stalled = max(0.0, until[1] - self._since[1])
        wall = max(0.0, until[0] - self._since[0] - stalled)
        return max(0.0, (computed or 0.0) - self._computed) if self._by_cpu else wall, wall, stalled

    @property
    def began(self) -> float:
        """When it came due."""
        return self._since[0]


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
        self._due: DueQuestion | None = None
        """The question that is due while the seat's thread is away."""
        self._behind = (0.0, 0.0, 0.0)
        """What had passed of the current question's time when the seat's thread came home from an earlier one."""
        self._in_a_row = 0

    # --- the task under way

    def send(self, allowed: float | None) -> None:
        """Begin a task: the seat's thread is about to be sent, with `allowed` seconds."""
        self.allowed, self.lent = allowed, self.bank
        due, self._due = self._due, None
        self._behind = (0.0, 0.0, 0.0) if due is None else due.spent_at_home
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
        if self.allowed is None:
            return 0.0
        return self._behind[2] + self._given_back - (self._opened or self._sent)[1]

    # --- a question that is due while the seat's thread is away

    def expect(self, allowed: float | None) -> None:
        """A question of `allowed` seconds is due, and the seat's thread is still away: its time runs from now. Without
        a limit the judge waits for as long as the clock's longest."""
        seconds = self.with_bank(self.clock.longest) if allowed is None else allowed
        self._due = DueQuestion(self._began(), seconds, self._counted())

    def arrive(self) -> None:
        """The seat's thread is about to come home."""
        due = self._due
        if due is not None:
            due.come_home(self._passed(), self._counted())

    def due_left(self) -> float:
        """Seconds until the judge gives up waiting for the thread."""
        due = self._due
        assert due is not None, "a question is due"
        used, wall, _ = due.spent(self._passed(), self._counted())
        return threading.TIMEOUT_MAX if due.allowed is None else self._left(due.allowed, used, wall)

    def miss(self) -> tuple[float, float | None]:
        """The question that is due will not be put: the seconds for which the seat's thread was waited for, and those
        that the question had."""
        due, self._due = self._due, None
        assert due is not None, "a question was due"
        return due.spent(self._passed(), self._counted())[0], due.allowed

    def _counted(self) -> float | None:
        """CPU seconds that the player has used so far; None where the wall clock counts."""
        return self._computes() if self._by_cpu else None

    def _computes(self) -> float:
        return cpu_of(self._native_id) if self.meter is None else self.meter()

    def beat(self, since: float, until: float, stalled: bool, computed: float) -> None:
        """Take a heartbeat, as `stalls.Clocked` tells; the seat's thread is under way."""
        if self.allowed is None:
            return
        opened = self._opened
        own = 0.0
        if opened is not None:
            before, self._cpu = self._cpu, cpu_of(self._native_id)
            own = max(0.0, self._cpu - before)
        if stalled:
            due = self._due
            gap = until - max(since, (opened or self._sent)[0] if due is None else due.began)
            if own < KEPT or own < MOST * computed:  # it has not held the lock
                self._given_back += max(0.0, gap - own)

    def used(self) -> float:
        """Seconds that the current task has taken so far."""
        if self.allowed is None:
            return _now() - self._free_since if self._free_since else 0.0
        return self._behind[0] + (0.0 if self._opened is None else self._since(self._opened[0]))

    def _since(self, sent: float) -> float:
        """Seconds of the seat's own time, as its clock counts them; see `_wall`."""
        return self.cpu() or 0.0 if self._by_cpu else self._wall(sent)

    def cpu(self) -> float | None:
        """Seconds of CPU time that the player has used for the current task; None where it is not measured: without a
        clock, and for a remote player unless its clock counts that."""
        if self.allowed is None or self._opened is None or not self.measured:
            return None
        return max(0.0, self._computes() - self._computed)

    def measures(self, used: float) -> tuple[float | None, float | None]:
        """`Answer.cpu` and `Answer.wall` of the task under way, for which `used` seconds are charged."""
        if self._by_cpu and self._opened is not None:
            return used, self._wall(self._opened[0])
        return self.cpu(), None

    def _wall(self, sent: float) -> float:
        """Seconds by the wall clock since the seat's thread began, or since `sent` where it has not, without those in
        which the process stood still."""
        at, told = self._passed()
        # Behind the check: if the thread begins meanwhile, what stood still before that is not given back.
        began, given_back = self._opened or (max(sent, self._sent[0]), self._sent[1])
        return max(0.0, at - began - (told - given_back))

    def _passed(self) -> Began:
        """Now, behind a check for stalls."""
        while True:
            told = self._given_back
            at = _now()
            STALLS.check(at)
            if told == self._given_back:  # else it stood still around this moment: nobody knows on which side
                return at, told

    def time_left(self, sent: float) -> float | None:
        """Seconds until the judge gives up, None for never. `sent` counts while the thread has not started."""
        if self.allowed is None:
            return None
        used, wall, _ = self._behind
        return self._left(self.allowed, used + (self._since(sent) if self._by_cpu else 0.0), wall + self._wall(sent))

    def _left(self, allowed: float, used: float, wall: float) -> float:
        """Seconds until the judge gives up; `used` counts where the seat's clock counts CPU time."""
        most = allowed + self.clock.margin
        left = self.clock.wall(most) - wall
        if self._by_cpu:
            spare = most - used
            left = min(left, max(SHORTEST, spare) if spare > 0 else 0.0)
        return min(max(0.0, left), threading.TIMEOUT_MAX)

    def more(self) -> float:
        """Return the seconds that are left for the open question; 0 if it has no limit."""
        return self.time_left(self._sent[0]) or 0.0

    def told(self, allowed: float | None) -> tuple[float | None, float, float]:
        """What a question of `allowed` seconds says of its time: these, the margin and the bank, without what passed
        before the seat's thread came home."""
        margin, behind = self.clock.margin, self._behind[0]
        if allowed is None or behind == 0.0:
            return allowed, margin, 0.0 if allowed is None else self.lent
        left = max(0.0, allowed - behind)
        return left, max(0.0, margin - max(0.0, behind - allowed)), min(self.lent, left)

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
        if self.clock.bank_per == "round":
            self.bank = self.clock.bank

    def book(self, answer: Answer) -> None:
        """Count a sealed answer, and take from the bank what it used beyond the limit."""
        self.tally.add(answer)
        if answer.allowed is not None:
            limit = answer.allowed - self.bank
            self.bank = max(0.0, self.bank - max(0.0, answer.used - limit)) + self.clock.increment
            # Nobody waited for an answer without a time: it neither ends the run of faults nor prolongs it. What cannot
            # be used and has taken all of the time is as bad as nothing.
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
