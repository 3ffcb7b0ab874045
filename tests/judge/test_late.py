"""A seat whose thread has not come home: the question that is due waits for it until its time is up (S-39, S-40)."""

import threading
from typing import Any

import pytest

from jantaku.table.ground import log as table_log
from jantaku.table.ground.clock import DAY
from jantaku.table.ground.errors import PlayerSilent
from jantaku.table.ground.port import Action, Answer, Question, Turn, Verdict
from jantaku.table.judge.faults import Cause, Fault
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.responses import Responses
from jantaku.table.judge.seat import Seat
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.discard import DiscardEvent
from jantaku.table.judge.turn.threaded import OpenTurn, turn_target
from jantaku.table.judge.turn.threads import PerTurn, Resident
from tests.judge.players import Log, Writer, always, join_table_threads, play, table_threads
from tests.judge.test_starting import Elsewhere
from tests.kit.pace import SOON, THREADED, UNIT
from tests.kit.simulated import sleep
from tests.kit.toy import ToyGame

pytestmark = pytest.mark.simulated
CLOCK = Clock(turn=UNIT, reaction=UNIT, margin=UNIT)
RELAXED = Clock(turn=3 * UNIT, reaction=3 * UNIT, margin=UNIT)


class Gated(Writer):
    """Stays in its question `stuck` until it is let go, then answers `wish`."""

    def __init__(self, stuck: int, wish: str) -> None:
        super().__init__(self._stay)
        self.inside, self.gate = threading.Event(), threading.Event()
        self._stuck, self._wish = stuck, wish

    def _stay(self, question: Question) -> Any:
        if question.id == self._stuck:
            self.inside.set()
            assert self.gate.wait(100 * UNIT)
            return self._wish
        return "keep" if "keep" in question.options else question.default


@pytest.mark.parametrize("mode", THREADED)
def test_a_seat_that_is_late_at_the_end_may_come_home_and_hear_it(mode: str) -> None:
    late = Gated(4, "keep")

    class AtTheEnd(Log):
        def events(self, new: Any) -> None:
            if ("end",) in new:
                late.gate.set()

    game = ToyGame(turns=1)
    Judge(game, [late, Writer(), Writer(), Writer()], mode=mode, clock=RELAXED, watches=[AtTheEnd()]).run()
    assert late.heard == [game.masked(n, 0) for n in range(len(game.events))] and table_threads() == []


@pytest.mark.parametrize("mode", THREADED)
def test_a_limit_of_a_day_can_be_waited_for_at_the_end(mode: str) -> None:
    late = Gated(5, "claim")

    class AtTheEnd(Log):
        def events(self, new: Any) -> None:
            if ("end",) in new:
                late.gate.set()

    clock = Clock(turn=DAY, reaction=UNIT, margin=UNIT)
    players = [always("show"), late, Writer(), Writer()]
    Judge(ToyGame(turns=1), players, mode=mode, clock=clock, watches=[AtTheEnd()]).run()
    assert table_threads() == []


@pytest.mark.parametrize("mode", THREADED)
@pytest.mark.parametrize("clock", [Clock(turn=UNIT, margin=UNIT), Clock(reaction=UNIT, margin=UNIT)])
def test_who_never_comes_home_from_hearing_of_a_new_round_does_not_stop_the_table(mode: str, clock: Clock) -> None:
    """One limit is enough, whichever it is."""
    gate = threading.Event()

    class Deaf(Writer):
        def hear(self, event: Any) -> None:
            super().hear(event)
            if len(self.heard) > 12:  # the fourth turn, the last of the round
                gate.wait()

    deaf = Deaf()
    judge = Judge(ToyGame(turns=8), [Writer(), Writer(), Writer(), deaf], mode=mode, clock=clock)
    judge.start()
    try:
        assert judge.join(SOON).left_behind
    finally:
        gate.set()
    join_table_threads()


def _open_turn(turn: Turn, game: ToyGame) -> OpenTurn:
    sheet = Responses(1, game.seats, turn, game.reaction, game.reacting)

    def act(action: Action, answer: Answer | None) -> None:
        game.act(action)
        if answer is not None:
            sheet.write(answer)

    return OpenTurn(1, turn, game, sheet, DiscardEvent(1, act))


def test_an_answer_that_is_beaten_by_the_judge_is_late_though_it_was_in_time() -> None:
    """Nobody can tell the game two actions: whoever settles first has settled it."""
    game = ToyGame(turns=1)
    asked = game.turn()
    assert asked is not None
    turn = _open_turn(asked, game)
    player = Writer(lambda question: turn.event.settle("keep") and "show")
    seat = Seat(0, player, game, CLOCK, table=1)
    seat.begin(CLOCK.turn)
    turn_target(turn, seat)
    written = turn.sheet.lines()[0].answer
    assert written is not None and (written.verdict, written.action) == (Verdict.LATE, "keep")
    assert turn.event.action == "keep" and turn.event.answer is None


def test_a_thread_that_begins_when_the_judge_has_settled_does_not_enter_the_player() -> None:
    game, player = ToyGame(turns=1), Writer()
    asked = game.turn()
    assert asked is not None
    turn = _open_turn(asked, game)
    turn.event.settle("keep")
    turn_target(turn, Seat(0, player, game, CLOCK, table=1))
    assert player.diary == []


@pytest.mark.parametrize("mode", THREADED)
def test_a_seat_that_answered_in_time_may_end_its_thread_slowly(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left to run there is ours, and no player pays for it."""
    come_home, slow = Seat.come_home, iter([True])

    def slowly(seat: Seat) -> None:
        if seat.number == 0 and next(slow, False):
            sleep(4 * UNIT)
        come_home(seat)

    monkeypatch.setattr(Seat, "come_home", slowly)
    _, log = play(ToyGame(turns=2), [always("show"), always("show"), Writer(), Writer()], mode=mode, clock=CLOCK)
    assert [answer.verdict for answer in log.of(0)] == [Verdict.OK, Verdict.OK]


def test_a_stale_answer_is_logged_with_table_and_seat(capsys: pytest.CaptureFixture[str]) -> None:
    table_log.configure("info", json=True)
    try:
        late = Gated(4, "show")
        judge = Judge(ToyGame(turns=1), [late, Writer(), Writer(), Writer()], clock=CLOCK, table=3)
        judge.run()
        late.gate.set()
        join_table_threads(3)
    finally:
        table_log.configure()
    lines = [line for line in capsys.readouterr().err.splitlines() if '"stale"' in line]
    assert len(lines) == 1 and '"table":3' in lines[0] and '"seat":0' in lines[0] and '"question":4' in lines[0]


@pytest.mark.parametrize("mode", THREADED)
def test_a_player_elsewhere_that_gives_up_at_its_deadline_is_asked_the_very_next_question(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It keeps its promise, and is at home a moment after the judge has looked at the clock."""
    homeward = 123.0
    waited_for = threading.Event()

    class GivesUp(Elsewhere):
        def answer(self, question: Question) -> Any:
            self.diary.append(("asked", question.id))
            if question.id == 4:
                waited_for.wait(SOON)  # a judge that does not wait has asked again long before that
                raise PlayerSilent("no answer in time")
            return question.default

    for crew in (PerTurn, Resident):

        def spy(crew: Any, seat: Seat, timeout: float | None, wait: Any = crew.wait) -> bool:
            if timeout == homeward:
                waited_for.set()
            home: bool = wait(crew, seat, timeout)
            return home

        monkeypatch.setattr(crew, "wait", spy)
    monkeypatch.setattr("jantaku.table.judge.turn.threaded.HOMEWARD", homeward)
    players = [GivesUp(), always("show"), Writer(), Writer()]
    _, log = play(ToyGame(turns=2), players, mode=mode, clock=CLOCK)
    assert [answer.verdict for answer in log.of(0)] == [Verdict.SILENT, Verdict.OK]
    assert players[0].asked == [4, 8] and table_threads() == []


def test_a_seat_is_given_up_once_and_for_the_first_reason(capsys: pytest.CaptureFixture[str]) -> None:
    seat = Seat(0, Writer(), ToyGame(), CLOCK, table=1)
    for fault in (Fault(Cause.FORFEITED, "the judge's"), Fault(Cause.LEFT, "the player's")):
        seat.player.leave(fault)
    assert seat.place.leaving == Fault(Cause.FORFEITED, "the judge's")
    assert capsys.readouterr().err.count("seat is not asked any more") == 1
