"""The two ways to play a turn: `Inline`, without threads, and `Threaded`, the design of S-40 to S-43.

Inline, the judge calls the players one after another. That is for trusted, fast players. Threaded, seats have threads;
`Threaded._play` tells their turn in order.
"""

import functools
import threading
from collections.abc import Callable, Sequence

from jantaku.table.ground.clock import Deadline, now
from jantaku.table.ground.game import Game, Turn
from jantaku.table.ground.port import Action, Answer, Choice
from jantaku.table.judge.faults import Cause, Fault
from jantaku.table.judge.player import State
from jantaku.table.judge.responses import Responses, question_id
from jantaku.table.judge.seat import Excuse, Seat
from jantaku.table.judge.story import Story
from jantaku.table.judge.turn.discard import DiscardEvent
from jantaku.table.judge.turn.settling import Settling
from jantaku.table.judge.turn.threads import SeatThreads, Task
from jantaku.table.judge.turn.turnstile import BRIEF, TURNSTILE
from jantaku.table.judge.turn.way import Played, TurnRunner, table_fault
from jantaku.table.judge.verdicts import too_late


class Inline(TurnRunner):
    """Keeps no state between turns and creates no object that it does not need: this is the fast path."""

    def __init__(self, game: Game, seats: Sequence[Seat], story: Story | None) -> None:
        self._game = game
        self._seats = seats
        self._story = story

    def start(self) -> None:
        """Start the players one after another that have to get ready."""
        for seat in self._seats:
            if seat.player.needs_start and seat.begin(seat.account.clock.start):
                seat.get_ready(len(self._game.events))
                seat.come_home()

    def new_round(self) -> None:
        """Does nothing: this mode has no clock."""

    def play(self, number: int, turn: Turn) -> Played:
        """Ask the turn seat first, then the others in seat order."""
        game, choice, story = self._game, turn.choice, self._story
        if story is not None:
            story.begin(number, turn, "turn begins")
        answers: list[Answer] = []
        responses: list[Action | None] = [None] * len(self._seats)
        action = choice.default
        if choice.asks:
            answer = self._ask(self._seats[turn.seat], choice, number)
            answers.append(answer)
            action = answer.action
        game.act(action)
        if story is not None:
            story.settled(action, answers[0] if answers else None)
        for number_of_seat in game.reacting():
            reaction = game.reaction(number_of_seat, action)
            if reaction is None:
                continue
            if story is not None:
                story.may_react(number_of_seat, reaction)
            if not reaction.asks:
                responses[number_of_seat] = reaction.default
                continue
            answer = self._ask(self._seats[number_of_seat], reaction, number)
            answers.append(answer)
            responses[number_of_seat] = answer.action
        if story is not None:
            story.called(answers)
        return Played(answers, responses)

    def finish(self) -> None:
        for seat in self._seats:
            seat.hear_to(len(self._game.events))

    def close(self) -> tuple[str, ...]:
        """Does nothing: no thread was started."""
        return ()

    def _ask(self, seat: Seat, choice: Choice, number: int) -> Answer:
        question = question_id(number, seat.number, len(self._seats))
        gone = seat.place.leaving
        if gone is not None:
            return seat.unasked(question, choice, Excuse(gone))
        return seat.put(question, choice, None, len(self._game.events))


HOMEWARD = 0.05
"""Grace period in seconds for a seat that is about to return at its deadline."""


class OpenTurn:
    """One turn while its threads run: everything that they share."""

    def __init__(self, number: int, turn: Turn, game: Game, sheet: Responses, event: DiscardEvent | Settling) -> None:
        self.number = number
        self.choice = turn.choice
        self.sheet = sheet
        self.event = event
        self.before = len(game.events)
        """How many events there were before the action."""
        self.sent: list[int] = []
        """The seats whose threads were sent."""
        self.excuses: dict[int, Excuse] = {}
        """Why a seat could not be sent, or is not waited for, as of that moment."""
        self.absent: list[int] = []
        """The seats for which the judge wrote an answer on the sheet."""
        self._game = game

    @property
    def action(self) -> Action:
        """What the turn seat does. For the judge, once the turn is settled."""
        action = self.event.action
        assert action is not None, "the turn is settled"
        return action

    def question(self, seat: Seat) -> int:
        """The number of the question that this turn may put to `seat`."""
        return question_id(self.number, seat.number, self._game.seats)


def _act(game: Game, sheet: Responses, action: Action, answer: Answer | None) -> None:
    """Make `action` happen, write the turn seat's answer down and note how many events there are with it. No method of
    `OpenTurn`: a turn that led back to itself would be left to the garbage collector."""
    game.act(action)
    if answer is not None:
        sheet.write(answer)
    sheet.after = len(game.events)


def turn_target(turn: OpenTurn, seat: Seat) -> None:
    """The turn seat's thread (S-41): settles the event once, by itself where there is nothing to choose."""
    if not turn.choice.asks:
        turn.event.settle(turn.choice.default)
        turn.sheet.note(seat.number, seat.hear_to(turn.before))
    elif not turn.event.is_set():  # else the judge gave up before this thread began: no use in asking
        answer = seat.put(turn.question(seat), turn.choice, seat.account.allowed, turn.before)
        if not turn.event.settle(answer.action, answer):
            seat.hand_in(turn.sheet, too_late(answer, turn.choice.default, seat.account.clock.margin))


def other_target(turn: OpenTurn, seat: Seat) -> None:
    """Another seat's thread (S-42): waits for the event, then does the same as `reaction_target`."""
    event = turn.event
    assert isinstance(event, DiscardEvent), "only where seats wait for the event"
    event.wait()
    reaction_target(turn, seat)


def reaction_target(turn: OpenTurn, seat: Seat) -> None:
    """Another seat's thread once the turn has its action: reads the action from the event, tests whether the seat may
    ron or call it, asks the player only if it may, and writes the response and its time; or that there is nothing to
    decide."""
    event, sheet = turn.event, turn.sheet
    action = event.action
    if action is None or event.defect is not None:  # a defect of ours: there is nothing to react to
        return
    choice = sheet.choice(seat.number, action)
    if choice is None or not choice.asks:
        sheet.note(seat.number, seat.hear_to(sheet.after))
    else:
        seat.hand_in(sheet, seat.put(turn.question(seat), choice, seat.account.allowed, sheet.after))


def probe_target(seat: Seat, question: int, choice: Choice, end: int) -> None:
    """The thread of a seat on autopilot: the judge does not wait for its answer, but a good one ends the autopilot."""
    if seat.put(question, choice, seat.account.allowed, end).verdict.good:
        seat.account.recover()


def hear_target(seat: Seat, end: int) -> None:
    """A seat's thread between two rounds or after the game: it only hears what happened."""
    seat.hear_to(end)


class Threaded(TurnRunner):
    """The judge's side of a turn: sends the threads, waits no longer than necessary, and seals."""

    def __init__(
        self, game: Game, seats: Sequence[Seat], threads: Callable[..., SeatThreads], table: int, story: Story | None
    ) -> None:
        self._story = story
        self._game = game
        self._seats = seats
        self._table = table
        self._open: OpenTurn | None = None
        self._defects: list[BaseException] = []
        self._inside = False
        """Whether this table has a place in the process's turnstile."""
        self._threads = threads(table, seats, self._note)

    def start(self) -> None:
        end, sent = len(self._game.events), now()
        starting = [
            seat
            for seat in self._seats
            if seat.player.needs_start
            and self._start(seat, seat.account.clock.start, functools.partial(seat.get_ready, end), "start")
        ]
        for seat in starting:
            if not self._until_home(seat, sent):
                seat.player.leave(Fault(Cause.NOT_READY, f"not ready after {seat.account.allowed:.1f} s"))
        self._check()

    def new_round(self) -> None:
        """Let every seat hear that a round begins. A seat is LATE if it does not come home in the time of a reaction,
        or of a turn if a reaction has no limit."""
        hearing = [(seat, seat.account.clock) for seat in self._seats if not seat.account.on_autopilot]
        limits = [(seat, clock.turn if clock.reaction is None else clock.reaction) for seat, clock in hearing]
        self._let_hear(limits, "round")

    def play(self, number: int, turn: Turn) -> Played:
        """Play a turn with all seats. Raises TableFault if a defect of ours came up in a seat's thread."""
        TURNSTILE.enter()
        self._inside = True
        try:
            return self._play(number, turn)
        finally:
            self._step_out()

    def _step_out(self) -> None:
        if self._inside:
            self._inside = False
            TURNSTILE.leave()

    def _play(self, number: int, turn: Turn) -> Played:
        """Play one turn, from its event to the answers on which the game rules.

        judge      makes the event, here: a `DiscardEvent` where each turn starts four threads (`per-turn`)
        start      `_settle` starts three threads in `other_target`, then the turn seat's in `turn_target`
        wait       `other_target` waits; `turn_target` asks its player and settles the event (`DiscardEvent.settle`)
        responses  `reaction_target` tests for ron, pon, daiminkan, chi and writes on `Responses`; `_gather` joins
        deadline   `_until_home`: when the time is up the judge settles the event, or seals without that seat
        verdict    `_seal` closes the sheet with the defaults of silent seats; then `Judge._rule`
        """
        game = self._game
        sheet = Responses(number, game.seats, turn, game.reaction, game.reacting)
        act = functools.partial(_act, game, sheet)
        event = DiscardEvent(number, act) if self._threads.every_turn else Settling(number, act)
        self._open = open_turn = OpenTurn(number, turn, game, sheet, event)
        if self._story is not None:
            self._story.begin(number, turn, "event made" if self._threads.every_turn else "turn begins")
        mover = self._seats[turn.seat]
        others = [*self._seats[turn.seat + 1 :], *self._seats[: turn.seat]]
        try:
            self._settle(open_turn, mover, others)
            self._gather(open_turn, mover, others)
            played = self._seal(open_turn, mover, others)
        except BaseException as problem:
            open_turn.event.spoil(problem)  # or threads would wait for the action for ever
            raise
        self._check()
        if self._story is not None:
            self._story.sealed(open_turn.sheet.lines())
        return played

    def _settle(self, turn: OpenTurn, mover: Seat, others: Sequence[Seat]) -> None:
        """Send the threads, and ensure that the event is settled by the deadline (S-39)."""
        if self._threads.every_turn:
            for seat in others:  # they wait before anybody can settle the event
                if not seat.account.on_autopilot:
                    self._send(turn, seat, other_target, seat.account.clock.reaction)
        sent, limit, away = now(), mover.account.clock.turn, False
        if mover.account.on_autopilot:
            self._probe(turn, mover, turn.choice, limit, turn.before)
        elif self._threads.every_turn or turn.choice.asks:
            away = not self._send(turn, mover, turn_target, limit)
        if self._story is not None:
            self._tell_threads(turn, mover)
        if away and turn.choice.asks:
            self._as_they_come(turn, [(mover, limit)], turn_target)
        if mover.number in turn.sent:
            self._until_home(mover, sent)
        turn.event.settle(turn.choice.default)  # refused, and rightly, if the seat was in time
        self._check()
        if self._story is not None:
            self._tell_settled(turn)

    def _tell_threads(self, turn: OpenTurn, mover: Seat) -> None:
        assert self._story is not None
        sent = [self._seats[number] for number in turn.sent]
        names = [(seat, self._threads.name(seat, f"t{turn.number}")) for seat in sent]
        self._story.threads([name for _, name in names], [name for seat, name in names if seat is not mover])

    def _tell_settled(self, turn: OpenTurn) -> None:
        assert self._story is not None
        self._story.settled(turn.action, turn.event.answer)
        for number in self._game.reacting():
            if (choice := turn.sheet.choice(number, turn.action)) is not None:
                self._story.may_react(number, choice)

    def _gather(self, turn: OpenTurn, mover: Seat, others: Sequence[Seat]) -> None:
        """Wait for every seat that may still write: in all as long as for the slowest one (S-38)."""
        settled, away = now(), list[tuple[Seat, float | None]]()
        for number in self._game.reacting():
            if number in turn.sent:
                continue
            seat, choice = self._seats[number], turn.sheet.choice(number, turn.action)
            if choice is None or not choice.asks:
                continue
            limit = seat.account.clock.reaction
            if seat.account.on_autopilot:
                self._probe(turn, seat, choice, limit, turn.sheet.after)
            elif not self._send(turn, seat, reaction_target, limit):
                away.append((seat, limit))
        if away:
            self._as_they_come(turn, away, reaction_target)
        for seat in (*others, mover):
            if seat.place.busy and seat.place.state is not State.LATE and not self._until_home(seat, settled):
                seat.place.move(State.LATE)
        self._check()

    def _seal(self, turn: OpenTurn, mover: Seat, others: Sequence[Seat]) -> Played:
        """Close the sheet and determine the answer of every seat with a choice (S-43)."""
        choices, answers = turn.sheet.seal(turn.action, self._missing)
        played = Played([], [None] * len(self._seats))
        for seat in (mover, *others):
            choice, answer = choices[seat.number], answers[seat.number]
            if answer is not None:
                if seat.place.busy and seat.number not in turn.absent:
                    self._threads.wait(seat, None)  # only a few lines of ours are left to run there
                played.answers.append(answer)
            if choice is not None and seat is not mover:
                played.responses[seat.number] = choice.default if answer is None else answer.action
        return played

    def _as_they_come(
        self, turn: OpenTurn, away: list[tuple[Seat, float | None]], target: Callable[[OpenTurn, Seat], None]
    ) -> None:
        """Send seats that could not be sent, each as soon as its thread is home from an earlier question. The time of
        the question that is due runs meanwhile, for all of them at once; when it is up, the default is played for this
        question alone. A seat that is gone is not waited for."""
        bell = threading.Event()
        for seat, limit in away:
            seat.account.expect(seat.account.with_bank(limit))
            seat.place.call(bell)
        self._step_out()
        while away:
            bell.clear()
            left = [self._or_miss(turn, seat, limit, target) for seat, limit in away]
            away = [one for one, seconds in zip(away, left, strict=True) if seconds > 0]
            if away:
                bell.wait(min(seconds for seconds in left if seconds > 0))
        self._check()

    def _or_miss(
        self, turn: OpenTurn, seat: Seat, limit: float | None, target: Callable[[OpenTurn, Seat], None]
    ) -> float:
        """Send a seat if it is home, or give it up if its time is up; else the seconds for which it may still come."""
        if self._send(turn, seat, target, limit):
            return 0.0
        left = seat.account.due_left() if seat.place.leaving is None else 0.0
        if left > 0:
            return left
        seat.place.call(None)
        turn.excuses[seat.number] = seat.missed()
        return 0.0

    def _missing(self, number: int, choice: Choice) -> Answer:
        """The answer of a seat that wrote nothing: it could not be sent, or it is silent. `Responses.seal` calls it,
        under the lock of the sheet; `_seal` reads `absent`."""
        turn, seat = self._open, self._seats[number]
        assert turn is not None
        turn.absent.append(number)
        question = turn.question(seat)
        excuse = turn.excuses.get(number)
        return seat.silence(question, choice) if excuse is None else seat.unasked(question, choice, excuse)

    def _send(self, turn: OpenTurn, seat: Seat, target: Callable[[OpenTurn, Seat], None], limit: float | None) -> bool:
        if self._start(seat, seat.account.with_bank(limit), functools.partial(target, turn, seat), f"t{turn.number}"):
            turn.sent.append(seat.number)
            turn.excuses.pop(seat.number, None)  # it was away when the turn began, and has come home
            return True
        turn.excuses[seat.number] = Excuse(seat.excuse())
        return False

    def _probe(self, turn: OpenTurn, seat: Seat, choice: Choice, limit: float | None, end: int) -> None:
        """Put a question to a seat on autopilot and do not wait: it is LATE from the start."""
        turn.excuses[seat.number] = Excuse(seat.account.autopilot())
        task = functools.partial(probe_target, seat, turn.question(seat), choice, end)
        if choice.asks and self._start(seat, seat.account.with_bank(limit), task, f"t{turn.number}"):
            seat.place.move(State.LATE)

    def _start(self, seat: Seat, allowed: float | None, task: Task, label: str) -> bool:
        """Send a seat that is idle; False if it is not."""
        if not seat.begin(allowed):
            return False
        try:
            self._threads.send(seat, task, label)
        except BaseException:  # no thread could be started: it has never left
            seat.come_home()
            raise
        return True

    def _until_home(self, seat: Seat, sent: float) -> bool:
        """Wait until the seat is idle or its time is up; whether it is idle. The time runs from the moment at which the
        seat's own thread started, which may be later than it was sent. A thread that has not started in the time it
        would have had is not waited for. A prompt seat has done its task already, and an answer that came late is
        judged so."""
        if seat.prompt:
            return True
        left = seat.account.time_left(sent)
        if self._inside:
            if self._threads.wait(seat, BRIEF if left is None else min(left, BRIEF)):
                return True
            self._step_out()
            left = seat.account.time_left(sent)
        while not self._threads.wait(seat, left):
            left = seat.account.time_left(sent)
            if left is not None and left <= 0:
                # A remote player gives up by itself at this moment. Its next question may come right after.
                asked = seat.place.state is State.ASKED
                return seat.player.remote is not None and asked and self._threads.wait(seat, HOMEWARD)
        return True

    def finish(self) -> None:
        """Let every seat hear the end. A late seat gets one more limit to come home and hear it."""
        limits = [(seat, Deadline(seat.account.clock.longest)) for seat in self._seats]
        for seat, until in limits:
            if seat.place.state is State.LATE and until.left is not None:
                self._threads.wait(seat, until.left)
        self._let_hear([(seat, seat.account.with_bank(seat.account.clock.longest)) for seat in self._seats], "end")

    def _let_hear(self, limits: Sequence[tuple[Seat, float | None]], label: str) -> None:
        """Deliver all events to these seats at the same time; `limits` has the seconds of each."""
        end, sent = len(self._game.events), now()
        hearing = [
            seat
            for seat, limit in limits
            if seat.player.listens
            and seat.player.heard < end
            and self._start(seat, limit, functools.partial(hear_target, seat, end), label)
        ]
        for seat in hearing:
            if not self._until_home(seat, sent):
                seat.place.move(State.LATE)
        self._check()

    def close(self) -> tuple[str, ...]:
        return self._threads.close(patience=0.5)

    def _note(self, defect: BaseException) -> None:
        """Called in a seat's thread: a defect of ours occurred there, so the turn cannot go on."""
        self._defects.append(defect)
        if self._open is not None:
            self._open.event.spoil(defect)

    def _check(self) -> None:
        """Raise TableFault if a defect of ours occurred in any thread."""
        turn = self._open
        defect = self._defects[0] if self._defects else turn.event.defect if turn is not None else None
        if defect is not None:
            raise table_fault(self._table, 0 if turn is None else turn.number, defect) from defect
