"""One seat: its place, its account and its player, and what needs all three.

Only the seat's own thread (where it has none: the judge's) calls the player, and never twice at once: the judge starts
nothing new with a seat that is not idle.
"""

import functools
import threading
from collections.abc import Callable
from typing import Final, NamedTuple

from jantaku.table.ground.clock import cpu_of
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.traces import stack_of
from jantaku.table.ground.game import Game
from jantaku.table.ground.log import Logger, logger
from jantaku.table.ground.port import Action, Answer, Choice, Evidence, Player, Question, Verdict
from jantaku.table.judge.account import Account
from jantaku.table.judge.faults import ANSWERED, NO_ANSWER, Cause, Fault
from jantaku.table.judge.player import SeatedPlayer, SeatPlace
from jantaku.table.judge.responses import Responses
from jantaku.table.judge.result import FirstFault, SeatReport
from jantaku.table.judge.timing import Clock, spent
from jantaku.table.judge.verdicts import timed, weigh

_OK: Final = Verdict.OK


class Excuse(NamedTuple):
    """Why a question was not put to a seat, and for how long the judge waited for the seat's thread."""

    fault: Fault
    used: float = 0.0
    allowed: float | None = None
    """Seconds that the question had; None: nobody waited."""


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
            raise BadInput(f'{where}, so its CPU time cannot be measured; allowed is "wall"')
        if not cpu_of(threading.get_native_id()):
            raise BadInput('clock.counts: this system does not measure the CPU time of threads; allowed is "wall"')

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
        self.account.arrive()
        self.place.come_home()

    def beat(self, since: float, until: float, stalled: bool, computed: float) -> None:
        """Pass a heartbeat to the account while the thread is under way."""
        if self.place.busy:
            self.account.beat(since, until, stalled, computed)

    def get_ready(self, end: int) -> None:
        """Let the player warm up, deliver the first events and wait until it is ready for questions."""
        self.account.open()
        self.player.warm_up()
        self.player.hear_to(end)
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
        left, margin, bank = self.account.told(allowed)
        if self.player.remote is None:
            return Question(question, self.number, choice.twin(), left, margin, bank=bank)
        return Question(question, self.number, choice.twin(), left, margin, self.account.more, bank)

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

    def missed(self) -> Excuse:
        """Why a question was not put to this seat: its thread did not come home within the question's time."""
        used, allowed = self.account.miss()
        fault = self.excuse()
        if fault.cause is not Cause.BUSY:
            return Excuse(fault)
        passed = spent(used, allowed, self._margin)
        return Excuse(Fault(fault.cause, f"{fault.reason} after {passed}"), used, allowed)

    def unasked(self, question: int, choice: Choice, excuse: Excuse) -> Answer:
        """The answer to a question that was not put to the seat."""
        fault, used, allowed = excuse
        found = self.player.evidence(fault, choice)
        return Answer(self.number, question, choice.default, fault.verdict, used, allowed, fault.reason, evidence=found)

    def silence(self, question: int, choice: Choice) -> Answer:
        """The answer of a seat that was asked and wrote nothing."""
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
        elsewhere = 0 if self.player.remote is None else self.player.remote.stale
        return self.account.tally.report(self.number, self.place.state, self._stale + elsewhere)

    def __repr__(self) -> str:
        at = "" if self._question is None else f" question {self._question},"
        heard, bank = self.player.heard, self.account.bank
        return f"<Seat {self.number} {self.place.state}:{at} heard {heard}, bank {bank:.1f} s>"


def _logger(table: int, seat: int, game: Game) -> Logger:
    words = game.words
    return logger(table=table, seat=seat, player=words.players[seat], **{words.round: game.rounds})
