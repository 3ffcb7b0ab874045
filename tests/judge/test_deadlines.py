"""One absolute deadline per question: limit + bank + margin, and nothing extends it (S-38, S-39); limits per seat,
banks per round, increments, and what else the clock may do."""

import threading
from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.port import Question, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from tests.judge.players import Writer, always, join_table_threads, play
from tests.kit.cases import cases
from tests.kit.pace import THREADED, UNIT
from tests.kit.simulated import about, compute, now, sleep
from tests.kit.toy import ToyGame

pytestmark = pytest.mark.simulated


def slow(seconds: float, wish: str, *, only: int | None = None) -> Writer:
    """Sleeps before it answers `wish`; with `only`, at that question alone."""

    def does(question: Question) -> Any:
        if only is None or question.id == only:
            sleep(seconds)
        return wish if wish in question.options else question.default

    return Writer(does)


@pytest.mark.parametrize("mode", THREADED)
def test_a_slow_turn_seat_is_cut_off_and_the_default_is_played(mode: str) -> None:
    """S-39. The table goes on. The next question waits for the player, which answers it in what is left of its time."""
    game, began = ToyGame(turns=5), now()
    players = [slow(5 * UNIT, "show", only=4), Writer(), Writer(), Writer()]
    clock = Clock(turn=2 * UNIT, reaction=2 * UNIT, margin=UNIT)
    _, log = play(game, players, mode=mode, clock=clock)
    first = log.of(0)[0]
    assert (first.verdict, first.action) == (Verdict.SILENT, "keep")
    assert first.allowed == 2 * UNIT and first.used == about(3 * UNIT)
    assert [event for event in game.events if event[:2] == ("act", 0)] == [("act", 0, "keep"), ("act", 0, "show")]
    assert [(answer.verdict, answer.used) for answer in log.of(0)[1:]] == [(Verdict.OK, about(2 * UNIT))]
    assert now() - began == about(5 * UNIT)
    join_table_threads()


@pytest.mark.parametrize("mode", THREADED)
def test_a_slow_reactor_has_passed_and_the_others_are_heard(mode: str) -> None:
    """S-38: an expired player counts as no declaration."""
    game = ToyGame(turns=1)
    players = [always("show"), slow(6 * UNIT, "claim"), always("claim"), always("pass")]
    _, log = play(game, players, mode=mode, clock=Clock(turn=2 * UNIT, reaction=2 * UNIT, margin=UNIT))
    assert game.ruled == [(None, "pass", "claim", "pass")]
    assert [answer.verdict for answer in log.every] == [Verdict.OK, Verdict.SILENT, Verdict.OK, Verdict.OK]
    assert log.of(1)[0].reason.startswith("nothing after 0.")
    assert all(answer.used == about(0) for answer in log.every if answer.seat != 1)
    join_table_threads()


@pytest.mark.parametrize("mode", THREADED)
def test_slow_reactors_take_the_time_of_the_slowest_and_not_the_sum(mode: str) -> None:
    began = now()
    players = [always("show"), *(slow(3 * UNIT, "claim") for _ in range(3))]
    result, _ = play(ToyGame(turns=1), players, mode=mode, clock=Clock(turn=10 * UNIT, reaction=10 * UNIT))
    assert now() - began == about(3 * UNIT)
    assert all(report.verdicts == {Verdict.OK: 1} for report in result.seats)


@pytest.mark.parametrize("mode", THREADED)
def test_an_answer_within_the_margin_is_played_and_says_so(mode: str) -> None:
    players = [slow(2 * UNIT, "offer"), slow(2 * UNIT, "claim"), Writer(), Writer()]
    game = ToyGame(turns=1)
    _, log = play(game, players, mode=mode, clock=Clock(turn=UNIT, reaction=UNIT, margin=4 * UNIT))
    assert [answer.verdict for answer in log.every] == [Verdict.OK_MARGIN] * 2
    assert game.ruled == [(None, "claim", None, None)]


@pytest.mark.parametrize("mode", THREADED)
def test_an_answer_after_the_deadline_but_before_the_ruling_is_late(mode: str) -> None:
    """The turn seat is cut off; while a reactor still thinks, its answer comes: too late for this question."""
    came = threading.Event()

    def mover(question: Question) -> Any:
        sleep(3 * UNIT)
        came.set()
        return "show"

    def reactor(question: Question) -> Any:
        assert came.wait(50 * UNIT)
        sleep(UNIT)
        return "claim"

    game = ToyGame(turns=1, moves=lambda turn: ("offer", "show"))
    clock = Clock(turn=UNIT, reaction=20 * UNIT, margin=UNIT)
    _, log = play(game, [Writer(mover), Writer(reactor), Writer(), Writer()], mode=mode, clock=clock)
    late, reaction = log.every
    assert (late.verdict, late.action) == (Verdict.LATE, "offer")
    assert late.used == about(3 * UNIT) and late.reason.startswith("answered after 0.")
    assert reaction.verdict is Verdict.OK and game.ruled == [(None, "claim", None, None)]
    join_table_threads()


@pytest.mark.parametrize("mode", THREADED)
def test_the_time_of_hearing_counts(mode: str) -> None:
    class Dreamer(Writer):
        def hear(self, event: Any) -> None:
            super().hear(event)
            if event[0] == "draw":
                sleep(5 * UNIT)

    dreamer = Dreamer()
    players = [dreamer, Writer(), Writer(), Writer()]
    clock = Clock(turn=UNIT, reaction=UNIT, margin=UNIT)
    _, log = play(ToyGame(turns=1), players, mode=mode, clock=clock)
    assert log.of(0)[0].verdict is Verdict.SILENT and log.of(0)[0].used == about(2 * UNIT)
    join_table_threads()
    assert dreamer.asked == []  # there was no use in asking any more


def test_without_a_limit_for_the_turn_only_reactions_are_cut_off() -> None:
    players = [slow(3 * UNIT, "offer"), slow(4 * UNIT, "claim"), Writer(), Writer()]
    _, log = play(ToyGame(turns=1), players, mode="per-turn", clock=Clock(reaction=UNIT, margin=UNIT))
    assert [(answer.verdict, answer.allowed) for answer in log.every] == [(Verdict.OK, None), (Verdict.SILENT, UNIT)]
    join_table_threads()


@pytest.mark.parametrize("mode", THREADED)
def test_a_busy_player_in_python_does_not_make_the_others_late(mode: str) -> None:
    """Each seat's time is taken in its own thread, so a busy neighbour costs it the margin at most."""

    def burn(question: Question) -> Any:
        compute(2 * UNIT)
        return question.default

    players = [always("show"), Writer(burn), always("claim"), Writer()]
    result, _ = play(ToyGame(turns=1), players, mode=mode, clock=Clock(turn=5 * UNIT, reaction=5 * UNIT))
    assert all(report.verdicts == {Verdict.OK: 1} for report in result.seats)


def slowly(seconds: float) -> Writer:
    def does(question: Question) -> Any:
        sleep(seconds)
        return question.default

    return Writer(does)


def raising(fault: Exception) -> Writer:
    def does(question: Question) -> Any:
        raise fault

    return Writer(does)


@pytest.mark.parametrize("mode", THREADED)
def test_every_seat_has_its_own_limits(mode: str) -> None:
    short, long = Clock(turn=UNIT, margin=0.0), Clock(turn=10 * UNIT)
    players = [slowly(3 * UNIT), slowly(3 * UNIT), Writer(), Writer()]
    _, log = play(ToyGame(turns=2), players, mode=mode, clock=[short, long, short, short])
    assert [(answer.seat, answer.verdict) for answer in log.every] == [(0, Verdict.SILENT), (1, Verdict.OK)]
    assert [answer.allowed for answer in log.every] == [UNIT, 10 * UNIT]
    join_table_threads()


def test_clocks_are_one_for_all_or_one_for_each() -> None:
    with pytest.raises(BadInput, match="clock: 3 given for the 4 seats"):
        Judge(ToyGame(), [Writer() for _ in range(4)], clock=[Clock()] * 3)


def test_inline_refuses_a_clock_of_a_single_seat() -> None:
    with pytest.raises(BadInput, match="inline cannot keep a clock"):
        Judge(ToyGame(), [Writer() for _ in range(4)], mode="inline", clock=[Clock()] * 3 + [Clock(turn=1.0)])


@pytest.mark.parametrize("mode", [*THREADED, "inline"])
@cases(
    "fault, verdict", (PlayerSilent("nothing came"), Verdict.SILENT), (PlayerUnreadable("not JSON"), Verdict.MALFORMED)
)
def test_what_a_player_elsewhere_reports_is_its_verdict(mode: str, fault: Exception, verdict: Verdict) -> None:
    """And it is asked again."""
    _, log = play(ToyGame(turns=5), [raising(fault), Writer(), Writer(), Writer()], mode=mode)
    assert [answer.verdict for answer in log.of(0)] == [verdict] * 2
    assert all(str(fault) in answer.reason for answer in log.of(0))


@pytest.mark.parametrize("mode", THREADED)
def test_the_autopilot_costs_no_time(mode: str) -> None:
    clock = Clock(turn=2 * UNIT, reaction=2 * UNIT, margin=0.0, max_faults=1)
    began = now()
    _, log = play(ToyGame(turns=40), [slowly(4 * UNIT), always("show"), Writer(), Writer()], mode=mode, clock=clock)
    assert now() - began == about(4 * UNIT)  # one deadline, and one more limit to come home at the end
    assert {answer.verdict for answer in log.of(0)} <= {Verdict.SILENT, Verdict.LATE, Verdict.NOT_ASKED}
    assert len(log.of(0)) == 20
    assert {answer.verdict for answer in log.every if answer.seat != 0} == {Verdict.OK}
    join_table_threads()
