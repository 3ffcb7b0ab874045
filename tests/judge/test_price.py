"""What an answer that comes too late costs: as many answers as fit into its time, by every door and in every mode."""

import math
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jantaku.table.ground.errors import PlayerSilent
from jantaku.table.ground.port import Answer, Question, Verdict
from jantaku.table.judge.faults import OUT_OF_TIME
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock, Flag
from tests.judge.players import Log, Writer, always, join_table_threads, play
from tests.kit.cases import cases
from tests.kit.pace import THREADED
from tests.kit.simulated import freeze, now, sleep
from tests.kit.toy import ToyGame

pytestmark = pytest.mark.simulated(schedules=2)
LIMIT, MARGIN = 1.0, 0.125
WHOLE = LIMIT + MARGIN
CLOCK = Clock(turn=LIMIT, reaction=LIMIT, margin=MARGIN, max_faults=0)
GRAIN = 1 / 1024


class Program:
    """A bot elsewhere: its answers come from a thread that takes one question after another, as a process does. What
    answers another question than the open one is stale."""

    def __init__(self, does: Callable[[Question], Any]) -> None:
        self.stale = 0
        self._does = does
        self._asked, self._told = list[Question | None](), list[tuple[int, Any]]()
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._live, daemon=True)

    def start(self, seconds: float | None) -> None:
        self._thread.start()

    def hear(self, event: Any) -> None:
        pass

    def answer(self, question: Question) -> Any:
        assert question.seconds is not None
        until = now() + question.seconds
        with self._changed:
            self._put(question)
            while (left := until - now()) > 0:
                while self._told:
                    number, said = self._told.pop(0)
                    if number == question.id:
                        return said
                    self.stale += 1
                self._changed.wait(left)
        raise PlayerSilent("nothing in time")

    def close(self) -> None:
        with self._changed:
            self._put(None)
        self._thread.join()

    def _put(self, question: Question | None) -> None:
        self._asked.append(question)
        self._changed.notify_all()

    def _live(self) -> None:
        while True:
            with self._changed:
                while not self._asked:
                    self._changed.wait()
                question = self._asked.pop(0)
            if question is None:
                return
            said = self._does(question)
            with self._changed:
                self._told.append((question.id, said))
                self._changed.notify_all()


def slipping(*seconds: float) -> Callable[[Question], Any]:
    """Takes so long for its first questions, and then no time at all; it never says the default."""
    thoughts = list(seconds)

    def does(question: Question) -> Any:
        if thoughts:
            sleep(thoughts.pop(0))
        return next(option for option in question.options if option != question.default)

    return does


DOORS: dict[str, Callable[[Callable[[Question], Any]], Any]] = {"in the table": Writer, "elsewhere": Program}


def game(door: str, mode: str, *seconds: float, clock: Clock = CLOCK, turns: int = 40) -> tuple[list[Answer], Log, Any]:
    """The answers of a seat that takes so long for its first questions; nobody else takes any time."""
    player, log = DOORS[door](slipping(*seconds)), Log()
    players = [player, Writer(), Writer(), Writer()]
    judge = Judge(ToyGame(turns), players, mode=mode, clock=clock, watches=[log], must_start=True)
    result = judge.run()
    if door == "elsewhere":
        player.close()
    join_table_threads()
    return log.of(0), log, result


def lost(answers: Sequence[Answer]) -> int:
    return sum(answer.verdict in OUT_OF_TIME for answer in answers)


@pytest.mark.parametrize("mode", THREADED)
@pytest.mark.parametrize("door", DOORS)
@cases(
    "seconds, price",
    (WHOLE - GRAIN, 0),
    (WHOLE + GRAIN, 1),
    (2 * WHOLE - GRAIN, 1),
    (2 * WHOLE + GRAIN, 2),
    (5 * WHOLE - GRAIN, 4),
    (7.5 * WHOLE, 7),
)
def test_a_slip_costs_the_answers_due_before_it_is_over(seconds: float, price: int, door: str, mode: str) -> None:
    """At most ⌈t / (limit + margin)⌉; all that the player says afterwards is played (docs/verdicts.md)."""
    answers, log, _ = game(door, mode, seconds)
    assert lost(answers) == price <= math.ceil(seconds / WHOLE)
    assert all(answer.verdict.good for answer in answers[price:]) and len(answers) == 10
    assert [answer.action for answer in answers[price:]] == ["offer"] * (10 - price)
    assert {answer.verdict for answer in log.every if answer.seat != 0} == {Verdict.OK}


@pytest.mark.parametrize("mode", THREADED)
def test_a_question_that_was_not_put_is_told_apart_from_one_without_an_answer(mode: str) -> None:
    answers, _, result = game("in the table", mode, 2.5 * WHOLE)
    assert [answer.verdict for answer in answers[:3]] == [Verdict.SILENT, Verdict.NOT_ASKED, Verdict.OK]
    assert [answer.asked for answer in answers[:3]] == [True, False, True]
    assert result.seats[0].verdicts == {Verdict.OK: 8, Verdict.SILENT: 1, Verdict.NOT_ASKED: 1}
    assert result.seats[0].longest < WHOLE + GRAIN, "the time of a question that was not put is nobody's thought"


@pytest.mark.parametrize("mode", THREADED)
def test_a_bot_that_slips_at_each_second_question_is_asked_all_others(mode: str) -> None:
    answers, _, _ = game("in the table", mode, *[1.5 * WHOLE, 0.0] * 5)
    assert [answer.verdict for answer in answers] == [Verdict.SILENT, Verdict.OK] * 5


@pytest.mark.parametrize("mode", THREADED)
@pytest.mark.parametrize("door", DOORS)
def test_a_slip_beyond_the_faults_in_a_row_ends_in_the_autopilot_until_it_is_over(door: str, mode: str) -> None:
    """`max_faults` bound what a stuck bot costs the others: three deadlines here, then defaults at once."""
    clock = Clock(turn=LIMIT, reaction=LIMIT, margin=MARGIN, max_faults=3)
    began = now()
    answers, _, _ = game(door, mode, 8 * WHOLE, clock=clock)
    assert lost(answers) == 10 and now() - began > 3 * WHOLE
    assert [answer.used > 0 for answer in answers] == [True] * 3 + [False] * 7
    assert {answer.verdict for answer in answers[3:]} == {Verdict.NOT_ASKED}


@pytest.mark.parametrize("mode", THREADED)
@pytest.mark.parametrize("door", DOORS)
@settings(max_examples=10, deadline=None, database=None)
@given(ticks=st.lists(st.integers(0, 4000), min_size=1, max_size=6), bank=st.sampled_from([0.0, 0.5]))
def test_whatever_the_delays_no_door_costs_more_than_those(door: str, mode: str, ticks: list[int], bank: float) -> None:
    delays = [tick * GRAIN for tick in ticks]
    clock = Clock(turn=LIMIT, reaction=LIMIT, margin=MARGIN, max_faults=0, bank=bank)
    answers, log, _ = game(door, mode, *delays, clock=clock, turns=24)
    assert lost(answers) <= sum(math.ceil(delay / WHOLE) for delay in delays)
    assert {answer.verdict for answer in log.every if answer.seat != 0} == {Verdict.OK}


@pytest.mark.parametrize("door", DOORS)
def test_the_price_is_the_same_in_both_modes_and_by_both_doors(door: str) -> None:
    """And so is the game: what the others are told of it."""
    for seconds in (0.5, 1.5 * WHOLE, 3.25 * WHOLE):
        seen = [game(which, mode, seconds)[1].seen for which in (door, "in the table") for mode in THREADED]
        assert all(events == seen[0] for events in seen)


@pytest.mark.parametrize("mode", THREADED)
def test_nobody_pays_for_a_process_that_stands_still_while_a_seat_is_away(mode: str) -> None:
    """A stop by a signal, or a laptop that sleeps."""

    def slips(question: Question) -> Any:
        if question.id == 4:
            sleep(1.5 * WHOLE)
            freeze(60.0)
        return "offer" if "offer" in question.options else question.default

    log = Log()
    Judge(ToyGame(24), [Writer(slips), Writer(), Writer(), Writer()], mode=mode, clock=CLOCK, watches=[log]).run()
    join_table_threads()
    assert [answer.verdict for answer in log.of(0)] == [Verdict.SILENT] + [Verdict.OK] * 5
    assert {answer.verdict for answer in log.every if answer.seat != 0} == {Verdict.OK}


@pytest.mark.parametrize("mode", THREADED)
def test_two_seats_that_are_away_are_waited_for_at_the_same_time(mode: str) -> None:
    """S-38: in one turn the judge waits no longer than for one deadline, and asks each as soon as it is home."""
    players = [always("show"), always("show"), Writer(slipping(1.75 * WHOLE)), Writer(slipping(1.25 * WHOLE))]
    began = now()
    _, log = play(ToyGame(2), players, mode=mode, clock=CLOCK)
    assert now() - began < 2 * WHOLE
    second = {answer.seat: answer for turn, answers in log.told if turn == 2 for answer in answers}
    assert {answer.verdict for answer in second.values()} == {Verdict.OK}
    assert [second[seat].used for seat in (2, 3)] == pytest.approx([0.75 * WHOLE, 0.25 * WHOLE])
    assert (second[2].action, second[3].action) == ("claim", "claim")


@pytest.mark.parametrize("mode", THREADED)
@cases("flag, verdicts", (Flag.FORFEIT, [Verdict.SILENT, *[Verdict.GONE] * 9]), (Flag.VOID, [Verdict.SILENT]))
def test_a_fallen_flag_costs_what_the_clock_says(mode: str, flag: Flag, verdicts: list[Verdict]) -> None:
    clock = Clock(turn=LIMIT, reaction=LIMIT, margin=MARGIN, flag=flag)
    answers, _, result = game("in the table", mode, 1.5 * WHOLE, clock=clock)
    assert [answer.verdict for answer in answers] == verdicts
    assert str(result.ending) == ("void" if flag is Flag.VOID else "over")


def test_a_flag_is_no_matter_of_other_faults() -> None:
    clock = Clock(turn=LIMIT, reaction=LIMIT, margin=MARGIN, flag=Flag.FORFEIT)
    _, log = play(ToyGame(9), [Writer(lambda question: 17), Writer(), Writer(), Writer()], clock=clock)
    assert {answer.verdict for answer in log.of(0)} == {Verdict.MALFORMED}


class Deaf(Writer):
    def hear(self, event: Any) -> None:
        super().hear(event)
        if len(self.heard) == 2:
            sleep(1.5 * WHOLE)


def _raises(question: Question) -> Any:
    raise ValueError("no")


VICES: dict[str, tuple[Callable[[], Any], list[Verdict]]] = {
    "slow at each question": (
        lambda: Writer(slipping(*[1.3 * WHOLE] * 10)),
        [*[Verdict.SILENT] * 4, Verdict.NOT_ASKED, *[Verdict.SILENT] * 3, Verdict.NOT_ASKED, Verdict.SILENT],
    ),
    "slow at the first two": (
        lambda: Writer(slipping(1.5 * WHOLE, 0.75 * WHOLE)),
        [Verdict.SILENT, Verdict.SILENT, *[Verdict.OK] * 8],
    ),
    "slow to hear": (lambda: Deaf(slipping()), [Verdict.SILENT, *[Verdict.OK] * 9]),
    "raises": (lambda: Writer(_raises), [Verdict.GONE] * 10),
    "silent by itself": (lambda: Writer(_says_nothing), [Verdict.SILENT] * 10),
}


def _says_nothing(question: Question) -> Any:
    raise PlayerSilent("nothing")


@pytest.mark.parametrize("mode", THREADED)
@pytest.mark.parametrize("vice", VICES)
def test_every_vice_costs_what_the_table_says(vice: str, mode: str) -> None:
    """docs/verdicts.md: what is lost, and to which verdict; the others lose nothing."""
    makes, verdicts = VICES[vice]
    clock = Clock(turn=LIMIT, reaction=LIMIT, margin=MARGIN, max_faults=0)
    _, log = play(ToyGame(40), [makes(), Writer(), Writer(), Writer()], mode=mode, clock=clock)
    join_table_threads()
    assert [answer.verdict for answer in log.of(0)] == verdicts
    assert {answer.verdict for answer in log.every if answer.seat != 0} == {Verdict.OK}


@pytest.mark.parametrize("mode", THREADED)
def test_the_others_have_the_same_result_whether_a_seat_slips_or_says_the_default(mode: str) -> None:
    def slips(question: Question) -> Any:
        if question.id == 4:
            sleep(2.5 * WHOLE)
        return question.default

    others = [always("offer", "claim") for _ in range(3)]
    games = [play(ToyGame(40), [Writer(does), *others], mode=mode, clock=CLOCK)[1] for does in (slips, None)]
    join_table_threads()
    assert games[0].seen == games[1].seen
    told = [[(one.question, one.action, one.verdict) for one in log.every if one.seat != 0] for log in games]
    assert told[0] == told[1]
