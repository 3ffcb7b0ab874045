"""What the players of the model do when they are called, and what becomes of it."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from math import inf

from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Action, Choice, Question, Verdict
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from tests.simulation.acting import said, seconds_of
from tests.simulation.moments import SAME, Moments, Pause, Sitting, Task, Ties, Undecided
from tests.simulation.scripted import Script, Step

CHOMBOS = 10
"""So many rounds of a game a seat can end."""
UNSAID = (Verdict.GONE, Verdict.SILENT, Verdict.NOT_ASKED)
"""Nothing came that could be late or stale."""


@dataclass
class Reply:
    seat: int
    question: int
    action: Action
    verdict: str
    used: float = 0.0
    allowed: float | None = None
    stalled: float = 0.0
    cpu: float | None = None
    why: str = ""
    """Of a seat that was not asked: `gone`, `busy` or `autopilot`."""


@dataclass
class Sheet:
    number: int
    choices: dict[int, Choice]
    replies: dict[int, Reply] = field(default_factory=dict)
    action: Action | None = None
    sealed: bool = False
    before: int = 0
    """How many events there were before the action."""
    after: int = 0
    """And with it."""

    @property
    def mover(self) -> int:
        return next(iter(self.choices))


class Deeds(Moments):
    def __init__(self, script: Script, game: Game, ties: Ties) -> None:
        clocks = script.clocks
        super().__init__([Sitting(n, part, clocks[n], clocks[n].bank) for n, part in enumerate(script.parts)], ties)
        self.script, self.game = script, game
        self._inline = script.mode is Mode.INLINE

    def _question(self, sheet: Sheet, sit: Sitting) -> int:
        return sheet.number * self.game.seats + sit.number

    def _act(self, sheet: Sheet, action: Action) -> None:
        self.game.act(action)
        sheet.action, sheet.after = action, len(self.game.events)
        for seat in self.game.reacting():
            if (choice := self.game.reaction(seat, action)) is not None:
                sheet.choices[seat] = choice

    def _let_go(self, but: Sitting) -> None:
        """The action is known: the seats that wait for it go on."""
        for sit in self.sits:
            if sit is not but and sit.task is not None and sit.task.due == inf and sit.task.opened is None:
                sit.task.due = sit.task.sent = self.now

    def _begin(self, sit: Sitting, label: str, allowed: float | None) -> bool:
        self.look(sit)
        if sit.gone or sit.task is not None:
            return False
        sit.task, sit.late = Task(label, allowed, self.now, sit.bank, due=self.now), False
        if (due := sit.due) is not None and due.home is not None:
            sit.task.behind, sit.task.stood = max(0.0, due.home - due.since - due.stalled), due.stalled
        sit.due = None
        return True

    def _turn_of(self, sheet: Sheet, sit: Sitting) -> Iterator[Pause]:
        mover = sit.number == sheet.mover
        task = sit.away
        if mover and sheet.choices[sit.number].asks:
            yield from self._asking(sheet, sit, sheet.before, task.allowed)
        elif mover:
            self._act(sheet, sheet.choices[sit.number].default)
            self._let_go(sit)
            yield from self._hearing(sit, sheet.before)
        elif (choice := sheet.choices.get(sit.number)) is not None and choice.asks:
            yield from self._asking(sheet, sit, sheet.after, task.allowed)
        else:
            yield from self._hearing(sit, sheet.after)

    def _asking(self, sheet: Sheet, sit: Sitting, end: int, allowed: float | None) -> Iterator[Pause]:
        mover = sit.number == sheet.mover
        task = sit.away
        verdict, given = yield from self._answering(sheet, sit, end, allowed)
        used = self.used(task)
        reply = self._reply(sheet, sit, verdict, used, allowed, given)
        unsaid = reply.verdict in UNSAID
        if mover and sheet.action is None and not self._inline:
            sheet.replies[sit.number] = reply
            self._act(sheet, reply.action)
            self._let_go(sit)
        elif sheet.sealed:
            sit.stale += not unsaid
            yield ("thinks", 0.0)  # it is counted, and its player is not home yet
        else:
            if mover and not self._inline and not unsaid:  # the turn was settled without it
                reply.verdict, reply.action = Verdict.LATE, sheet.choices[sit.number].default
            sheet.replies[sit.number] = reply

    def _probing(self, sheet: Sheet, sit: Sitting, end: int) -> Iterator[Pause]:
        task = sit.away
        verdict, given = yield from self._answering(sheet, sit, end, task.allowed)
        if self._reply(sheet, sit, verdict, self.used(task), task.allowed, given).verdict in ("ok", "ok_margin"):
            sit.row = 0
        yield ("thinks", 0.0)  # from now on it is waited for, and in the next moment it is home

    def _answering(
        self, sheet: Sheet, sit: Sitting, end: int, allowed: float | None
    ) -> Generator[Pause, None, tuple[Verdict, Action | None]]:
        """It hears, is asked and says something: the verdict on it but for the time, and what it said."""
        choice, task = sheet.choices[sit.number], sit.away
        yield from self._hearing(sit, end)
        fault, sit.fault = sit.fault, None
        if sit.gone:
            return Verdict.GONE, None
        if fault is None and allowed is not None:
            over = self.used(task) - allowed - sit.clock.margin
            if abs(over) < SAME:
                raise Undecided("its time is up in the very moment in which it has heard all")
            fault = Verdict.SILENT if over > 0 else None
        if fault is not None:
            return fault, None
        left = None if allowed is None else max(0.0, allowed - task.behind)
        bank = 0.0 if left is None else min(task.lent, left)
        margin = sit.clock.margin - max(0.0, task.behind - (allowed or 0.0))
        question = Question(self._question(sheet, sit), sit.number, choice, left, margin, bank=bank)
        step = sit.part.answer(len(sit.asked))
        sit.asked.append((question.id, left, bank))
        yield from self._doing(sit, step, question)
        if step.ending in ("raises", "leaves"):
            if step.ending == "leaves":
                sit.gone = sit.gone or "left"
            return Verdict.GONE, None
        if step.ending in ("malformed", "incomparable"):
            return Verdict.MALFORMED, None
        given = said(step, choice)
        return (Verdict.OK, given) if given in choice.options else (Verdict.ILLEGAL, None)

    def _hearing(self, sit: Sitting, end: int) -> Iterator[Pause]:
        task = sit.away
        task.opened, task.stalled, task.cpu, task.computed = self.now, 0.0, 0.0, 0.0
        while sit.heard < end and not sit.gone:
            step = sit.part.hear(sit.heard)
            sit.heard += 1
            if step is None:
                continue
            yield from self._doing(sit, step, None)
            if step.ending in ("raises", "leaves"):
                sit.fault = Verdict.GONE
                if step.ending == "leaves":
                    sit.gone = sit.gone or "left"

    def _doing(self, sit: Sitting, step: Step, question: Question | None) -> Iterator[Pause]:
        for word, value in step.pauses:
            seconds = seconds_of(word, value, question)
            if seconds or word in ("freezes", "computes"):
                yield (word, seconds)
        if step.ending == "never":
            yield ("never", inf)

    def _reply(
        self,
        sheet: Sheet,
        sit: Sitting,
        verdict: Verdict,
        used: float,
        allowed: float | None,
        given: Action | None = None,
    ) -> Reply:
        """With the verdict of the clock."""
        action = given if verdict is Verdict.OK else sheet.choices[sit.number].default
        if verdict in (Verdict.ILLEGAL, Verdict.MALFORMED) and self._penal(sit):
            action = self.game.penalty
        if allowed is not None and verdict not in UNSAID:
            if self._beyond(used, allowed + sit.clock.margin, "the end of its time"):
                verdict, action = Verdict.LATE, sheet.choices[sit.number].default
            elif verdict is Verdict.OK and sit.clock.margin and self._beyond(used, allowed, "its limit"):
                verdict = Verdict.OK_MARGIN
        task = sit.away
        stalled, cpu = (0.0, None) if allowed is None else (task.stood + task.stalled, task.computed)
        return Reply(sit.number, self._question(sheet, sit), action, verdict, used, allowed, stalled, cpu)

    def _beyond(self, used: float, most: float, what: str) -> bool:
        if abs(used - most) < SAME:
            return bool(self.ties.choose(f"used is {what}"))
        return used > most

    def _penal(self, sit: Sitting) -> bool:
        return self.script.on_fault is OnFault.CHOMBO and sit.chombos < CHOMBOS
