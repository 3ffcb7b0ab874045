"""What must come of a script: told from the script and the game's rules alone, one step after another.

Nothing of the judge is used here. The model knows players, moments and rules of docs/verdicts.md, docs/threads.md and
the docstring of `Clock`; there are no threads in it, no locks and no order of threads. Time passes only while all wait,
so every moment is known in advance. Where two moments are the same to the microsecond, either may come first: at such a
tie the model asks which (`Ties`), and all of its outcomes are allowed, no other. These are ties, and nothing else is:

- a player comes back in the tick in which its time is up, or that of another: its answer counts, or is late, or is not
  seen
- `used` is the limit exactly: `ok` or `ok_margin`, as a float may round
- a player comes back from an earlier question in the tick in which its seat is looked at again: it is asked, or not
  yet, or on autopilot
"""

from collections.abc import Sequence
from math import inf

from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Action, Verdict
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from tests.simulation.deeds import Deeds, Reply, Sheet
from tests.simulation.moments import SAME, Due, Sitting, Ties
from tests.simulation.scripted import Script


class Table(Deeds):
    """Everything that happens at a table in one way through the ties."""

    def __init__(self, script: Script, game: Game, ties: Ties) -> None:
        super().__init__(script, game, ties)
        self.number = 0
        self.turns: list[tuple[int, list[Reply]]] = []
        self.ending = "over"
        self.left: list[str] = []
        self.ends: list[tuple[str, int]] = []
        """By seat, its state in the report and how many stale answers it had."""
        self._rounds = game.rounds

    # --- the game

    def play(self) -> "Table":
        game = self.game
        while self.ending == "over" and (turn := game.turn()) is not None:
            self.number += 1
            if game.rounds != self._rounds:
                self._rounds = game.rounds
                self._new_round()
            sheet = Sheet(self.number, {turn.seat: turn.choice}, before=len(game.events))
            order = [self.sits[(turn.seat + step) % game.seats] for step in range(game.seats)]
            self._inline_turn(sheet, order) if self._inline else self._threaded_turn(sheet, order)
            replies = [sheet.replies[sit.number] for sit in order if sit.number in sheet.replies]
            for reply in replies:
                self._book(self.sits[reply.seat], reply)
            if self.ending == "over":
                game.rule([self._response(sheet, seat, turn.seat) for seat in range(game.seats)])
            if replies:
                self.turns.append((self.number, replies))
        self._finish()
        for sit in self.sits:
            self.look(sit)
        self.ends = [(sit.state, sit.stale) for sit in self.sits]
        for sit in self.sits:  # what can go on now does, though nobody looks any more
            while sit.task is not None and sit.task.due <= self.now + SAME:
                self._go_on(sit)
        return self

    def _response(self, sheet: Sheet, seat: int, mover: int) -> Action | None:
        if seat == mover or seat not in sheet.choices:
            return None
        reply = sheet.replies.get(seat)
        return sheet.choices[seat].default if reply is None else reply.action

    def _inline_turn(self, sheet: Sheet, order: Sequence[Sitting]) -> None:
        mover, *_ = order
        choice = sheet.choices[mover.number]
        if choice.asks:
            self._call(sheet, mover)
        self._act(sheet, sheet.replies[mover.number].action if choice.asks else choice.default)
        for seat, reaction in list(sheet.choices.items())[1:]:
            if reaction.asks:
                self._call(sheet, self.sits[seat])

    def _call(self, sheet: Sheet, sit: Sitting) -> None:
        if sit.gone:
            sheet.replies[sit.number] = self._unasked(sheet, sit, "gone")
            return
        self._begin(sit, f"t{sheet.number}", None)
        sit.away.steps = self._asking(sheet, sit, len(self.game.events), None)
        self.until_home(sit)

    # --- a turn between threads

    def _threaded_turn(self, sheet: Sheet, order: Sequence[Sitting]) -> None:
        mover, *others = order
        every = self.script.mode is Mode.PER_TURN
        choice, excuses, sent = sheet.choices[mover.number], dict[int, Reply](), set[int]()
        for sit in others if every else ():
            if not self._on_autopilot(sit) and self._send(sheet, sit, sit.clock.reaction, excuses, waits=True):
                sent.add(sit.number)
        self._mover(sheet, mover, every, excuses)
        if sheet.action is None:
            self._act(sheet, choice.default)
            self._let_go(mover)
        away = list[Sitting]()
        for seat in list(sheet.choices)[1:]:
            sit, choice = self.sits[seat], sheet.choices[seat]
            if seat in sent or not choice.asks:
                continue
            if self._on_autopilot(sit):
                self._probe(sheet, sit, sit.clock.reaction, sheet.after, excuses)
            elif not self._send(sheet, sit, sit.clock.reaction, excuses):
                away.append(sit)
        self._as_they_come(sheet, away, excuses)
        for sit in (*others, mover):
            if sit.task is not None and not sit.late and not self.until_home(sit):
                sit.late = True
        self._seal(sheet, excuses)

    def _mover(self, sheet: Sheet, mover: Sitting, every: bool, excuses: dict[int, Reply]) -> None:
        choice = sheet.choices[mover.number]
        if self._on_autopilot(mover):
            self._probe(sheet, mover, mover.clock.turn, sheet.before, excuses)
        elif every or choice.asks:
            if not self._send(sheet, mover, mover.clock.turn, excuses) and choice.asks:
                self._as_they_come(sheet, [mover], excuses)
            if mover.number not in excuses:
                self.until_home(mover)

    def _as_they_come(self, sheet: Sheet, away: list[Sitting], excuses: dict[int, Reply]) -> None:
        """Seats that are away: the question that is due waits for them until its time is up."""
        limits = {sit.number: sit.clock.turn if sit.number == sheet.mover else sit.clock.reaction for sit in away}
        for sit in away:
            limit = limits[sit.number]
            longest = sit.clock.longest if limit is None else limit
            sit.due = Due(self.now, None if longest is None else longest + sit.bank)
        while away:
            away = [sit for sit in away if self._comes(sheet, sit, limits[sit.number], excuses)]
            if away:
                self.until_any(away)

    def _comes(self, sheet: Sheet, sit: Sitting, limit: float | None, excuses: dict[int, Reply]) -> bool:
        """Whether it may still come: it is asked as soon as it is home, until its time is up."""
        if self._send(sheet, sit, limit, excuses):
            return False
        due = sit.due
        assert due is not None
        if not sit.gone and self.now < self.due_ends(sit) - SAME:
            return True
        if not sit.gone:
            excuses[sit.number] = self._unasked(sheet, sit, "busy", self.now - due.since - due.stalled, due.allowed)
        sit.due = None
        return False

    def _on_autopilot(self, sit: Sitting) -> bool:
        self.look(sit)
        return 0 < sit.clock.max_faults <= sit.row

    def _send(
        self, sheet: Sheet, sit: Sitting, limit: float | None, excuses: dict[int, Reply], *, waits: bool = False
    ) -> bool:
        if not self._begin(sit, f"t{sheet.number}", None if limit is None else limit + sit.bank):
            excuses[sit.number] = self._unasked(sheet, sit, "gone" if sit.gone else "busy")
            return False
        excuses.pop(sit.number, None)
        sit.away.steps = self._turn_of(sheet, sit)
        if waits:
            sit.away.due = inf
        return True

    def _probe(self, sheet: Sheet, sit: Sitting, limit: float | None, end: int, excuses: dict[int, Reply]) -> None:
        excuses[sit.number] = self._unasked(sheet, sit, "autopilot")
        if sheet.choices[sit.number].asks and self._begin(
            sit, f"t{sheet.number}", None if limit is None else limit + sit.bank
        ):
            sit.away.steps = self._probing(sheet, sit, end)
            sit.late = True

    def _seal(self, sheet: Sheet, excuses: dict[int, Reply]) -> None:
        for seat, choice in sheet.choices.items():
            sit = self.sits[seat]
            if not choice.asks or seat in sheet.replies:
                continue
            if seat in excuses:
                sheet.replies[seat] = excuses[seat]
                continue
            self.look(sit)
            if seat not in sheet.replies:
                used = self.used(sit.away)
                sheet.replies[seat] = self._reply(sheet, sit, Verdict.SILENT, used, sit.away.allowed)
        sheet.sealed = True

    def _unasked(self, sheet: Sheet, sit: Sitting, why: str, used: float = 0.0, allowed: float | None = None) -> Reply:
        verdict = Verdict.GONE if why == "gone" else Verdict.NOT_ASKED
        choice = sheet.choices.get(sit.number)  # of a seat that is sent before it is known what it may do
        default = None if choice is None else choice.default
        return Reply(sit.number, self._question(sheet, sit), default, verdict, used, allowed, why=why)

    # --- accounts

    def _book(self, sit: Sitting, reply: Reply) -> None:
        verdict = reply.verdict
        sit.counts[verdict] = sit.counts.get(verdict, 0) + 1
        if verdict != "not_asked":
            sit.total += reply.used
            sit.longest = max(sit.longest, reply.used)
        good = verdict in ("ok", "ok_margin")
        if reply.allowed is not None:
            limit = reply.allowed - sit.bank
            sit.bank = max(0.0, sit.bank - max(0.0, reply.used - limit)) + sit.clock.increment
            out = verdict in ("late", "silent", "not_asked") or (
                not good and not self._beyond(reply.allowed, reply.used, "all it had")
            )
            sit.row = sit.row + 1 if out else 0
        if good:
            return
        if self.script.on_fault is OnFault.FORFEIT:
            self.look(sit)
            sit.gone = sit.gone or "forfeit"
        elif self.script.on_fault is OnFault.VOID:
            self.ending = "void"
        elif self.game.penalty is not None and reply.action is self.game.penalty:
            sit.chombos += 1

    # --- rounds and the end

    def _new_round(self) -> None:
        for sit in self.sits:
            if sit.clock.bank_per == "round":
                sit.bank = sit.clock.bank
        if self._inline:
            return
        hearing = [sit for sit in self.sits if not self._on_autopilot(sit)]
        limits = [sit.clock.turn if sit.clock.reaction is None else sit.clock.reaction for sit in hearing]
        self._let_hear(list(zip(hearing, limits, strict=True)), "round")

    def _finish(self) -> None:
        if self._inline:
            for sit in self.sits:
                if self._begin(sit, "end", None):
                    sit.away.steps = self._hearing(sit, len(self.game.events))
                    self.until_home(sit)
            return
        longest = [sit.clock.longest for sit in self.sits]
        began = self.now
        for sit, limit in zip(self.sits, longest, strict=True):
            self.look(sit)
            if sit.late and not sit.gone and sit.task is not None and limit is not None:
                self.until_home(sit, began + limit)
        limits = [None if limit is None else limit + sit.bank for sit, limit in zip(self.sits, longest, strict=True)]
        self._let_hear(list(zip(self.sits, limits, strict=True)), "end")
        for sit in self.sits:
            self.look(sit)
            if sit.task is not None:
                per_turn = self.script.mode is Mode.PER_TURN
                self.left.append(f"T1-s{sit.number}" + (f"-{sit.task.label}" if per_turn else ""))

    def _let_hear(self, limits: Sequence[tuple[Sitting, float | None]], label: str) -> None:
        end, hearing = len(self.game.events), list[Sitting]()
        for sit, limit in limits:
            self.look(sit)
            if sit.heard < end and self._begin(sit, label, limit):
                sit.away.steps = self._hearing(sit, end)
                hearing.append(sit)
        for sit in hearing:
            if not self.until_home(sit):
                sit.late = True
