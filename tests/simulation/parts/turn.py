"""What the threads of one turn share: its event and its sheet."""

from typing import Any

from jantaku.table.ground.port import Action, Answer, Choice, Turn, Verdict
from jantaku.table.judge import responses
from jantaku.table.judge.responses import Responses, question_id
from jantaku.table.judge.turn import settling
from jantaku.table.judge.turn.discard import DiscardEvent
from tests.simulation.parts.exploring import Part, Together
from tests.simulation.world import World

ANSWER = Answer(0, 4, "offer", Verdict.OK)


def settled_once(world: World) -> None:
    happened: list[tuple[Action, Answer | None]] = []
    event = DiscardEvent(1, lambda action, answer: happened.append((action, answer)))
    seen: list[tuple[Any, ...]] = []
    won: list[tuple[str, bool]] = []

    def waiter() -> None:
        event.wait()
        seen.append((event.action, event.answer, event.defect, *happened))

    def seat() -> None:
        won.append(("seat", event.settle("offer", ANSWER)))
        assert event.is_set() and event.action is not None

    threads = Together(world, waiter, seat)
    won.append(("judge", event.settle("keep")))
    assert event.action == happened[0][0], "the judge goes on by what has happened"
    threads.join()
    expected = ("offer", ANSWER) if ("seat", True) in won else ("keep", None)
    assert sorted(done for _, done in won) == [False, True] and happened == [expected]
    assert seen == [(*expected, None, expected)] and (event.action, event.answer) == expected


def spoilt(world: World) -> None:
    happened: list[Action] = []
    event = DiscardEvent(1, lambda action, answer: happened.append(action))
    defects = [RuntimeError("first"), RuntimeError("second")]
    seen: list[BaseException | None] = []
    won: list[bool] = []

    def defect() -> None:
        event.spoil(defects[1])
        event.wait()
        seen.append(event.defect)

    threads = Together(world, lambda: won.append(event.settle("offer", ANSWER)), defect)
    event.spoil(defects[0])
    first = event.defect
    assert not event.settle("keep"), "nothing is settled behind a defect"
    threads.join()
    assert event.defect is first and first in defects and set(seen) <= {None, first}
    assert len(happened) == sum(won) == (event.action is not None)


def given_up(world: World) -> None:
    """A defect of ours in the judge's thread: nobody settles that turn any more."""
    event = DiscardEvent(1, lambda action, answer: None)
    threads = Together(world, event.wait)
    event.spoil(RuntimeError("ours"))
    threads.join()
    assert event.action is None


def failing(world: World) -> None:
    calls: list[Action] = []

    def act(action: Action, answer: Answer | None) -> None:
        calls.append(action)
        raise ValueError(action)

    def waiter() -> None:
        event.wait()
        assert event.action is None and isinstance(event.defect, ValueError)

    event = DiscardEvent(1, act)
    won: list[bool] = []
    threads = Together(world, waiter, lambda: won.append(event.settle("offer", ANSWER)))
    won.append(event.settle("keep"))
    threads.join()
    assert len(calls) == 1 and sorted(won) == [False, True] and str(event.defect) == calls[0]


class Sheet:
    """A sheet of the fifth turn of four seats, and the game that it asks: 1 and 2 may react, 3 may not."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.goes_on = False
        """The judge has ruled: who asks the game now sees it change."""
        turn = Turn(0, Choice(("keep", "offer"), "keep"))
        self.sheet = Responses(5, 4, turn, self._reaction, lambda: [1, 2])
        self.missing: list[int] = []
        self.written: dict[int, bool] = {}

    def _reaction(self, seat: int, action: Action) -> Choice | None:
        assert not self.goes_on, "the game is asked while it changes"
        self.asked.append(seat)
        return None if seat == 3 else Choice(("pass", "claim"), "pass")

    def seat(self, seat: int) -> None:
        choice = self.sheet.choice(seat, "offer")
        if choice is None:
            assert seat == 3 or self.sealed, "only a sealed sheet tells nothing"
            self.sheet.note(seat, 0.5)
        else:
            assert not self.sheet.write(Answer(seat, question_id(4, seat, 4), "claim", Verdict.OK)), "of the last turn"
            self.written[seat] = self.sheet.write(Answer(seat, question_id(5, seat, 4), "claim", Verdict.OK))

    sealed = False

    def seal(self) -> None:
        mover = Answer(0, question_id(5, 0, 4), "offer", Verdict.OK)
        assert self.sheet.write(mover)
        self.sealed = True  # from here on it may be
        choices, answers = self.sheet.seal("offer", self._missing)
        self.goes_on = True
        self.then = list(choices), list(answers), self.sheet.lines()
        self.now = choices, answers

    def _missing(self, seat: int, choice: Choice) -> Answer:
        self.missing.append(seat)
        return Answer(seat, question_id(5, seat, 4), choice.default, Verdict.SILENT)

    def judge_by(self) -> None:
        """Whether what was sealed is what was written, and has stayed so."""
        choices, answers, lines = self.then
        assert (list(self.now[0]), list(self.now[1]), self.sheet.lines()) == (choices, answers, lines), (
            "sealed is sealed"
        )
        assert sorted(self.asked) in ([1, 2], [1, 2, 3]), "the game is asked once for each seat"
        for seat in (1, 2):
            answer, in_time = answers[seat], self.written.get(seat, False)
            assert answer is not None and (answer.verdict is Verdict.OK) == in_time == (seat not in self.missing)
            assert (lines[seat].by, lines[seat].action) == (("seat", "claim") if in_time else ("judge", "pass"))
        assert (choices[3], answers[3], lines[3].action) == (None, None, None)


def sheet(world: World) -> None:
    one = Sheet()

    def late(seat: int) -> None:
        world.sleep(0.1)
        one.seat(seat)

    threads = Together(world, lambda: late(1), lambda: late(3))
    world.sleep(0.1)  # any of them may be first
    one.seal()
    threads.join()
    one.judge_by()


def full_sheet(world: World) -> None:
    one = Sheet()
    threads = Together(world, lambda: one.seat(1), lambda: one.seat(2), lambda: one.seat(3))
    one.seal()
    threads.join()
    one.judge_by()


PARTS = [
    Part(
        "the settled event", "one action, once, and every waiting thread sees it whole", settled_once, 1, 2, (settling,)
    ),
    Part("a spoilt event", "the first defect counts, nothing is settled behind it", spoilt, 1, 2, (settling,)),
    Part("a turn that is given up", "nobody waits on", given_up, 2, 3, (settling,)),
    Part("an action that fails", "tried once, the defect is kept, nobody waits on", failing, 1, 2, (settling,)),
    Part("the sheet", "written in time is sealed, the rest refused, sealed is sealed", sheet, 1, 2, (responses,)),
    Part("the sheet of three seats", "the same", full_sheet, 1, 2),
]
