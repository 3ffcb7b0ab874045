"""A seat's place and its account, and the detector of stalls."""

import contextlib
import threading
from collections.abc import Sequence
from functools import partial
from unittest import mock

from jantaku.table.ground import clock
from jantaku.table.ground.port import Answer, Verdict
from jantaku.table.judge import account as accounts
from jantaku.table.judge import player as places
from jantaku.table.judge import stalls
from jantaku.table.judge.account import Account
from jantaku.table.judge.faults import Cause, Fault
from jantaku.table.judge.heartbeat import SIZE, SLACK, Heartbeat
from jantaku.table.judge.player import SeatPlace, State
from jantaku.table.judge.stalls import BEAT, STALL, STALLS, StallDetector
from jantaku.table.judge.timing import Clock
from tests.simulation.parts.exploring import Part, Together
from tests.simulation.world import World


def left_twice(world: World) -> None:
    place = SeatPlace()
    faults = [Fault(Cause.LEFT, "its connection has ended"), Fault(Cause.FORFEITED, "forfeited")]
    left = [False, False]
    assert place.set_out() and not place.set_out()

    def player() -> None:
        left[0] = place.leave(faults[0])
        assert place.state is State.GONE and place.leaving is not None and not place.set_out()

    threads = Together(world, place.come_home, player)
    place.move(State.LATE)
    again = place.set_out()
    left[1] = place.leave(faults[1])
    threads.join()
    assert sorted(left) == [False, True] and place.leaving is faults[left.index(True)], "the first reason is kept"
    assert place.state is State.GONE and place.busy == again
    place.come_home()
    assert (place.busy, place.state) == (False, State.GONE) and not place.leave(faults[0])


def gone_at_home(world: World) -> None:
    """It goes in the moment in which it is sent."""
    place = SeatPlace()
    threads = Together(world, lambda: place.leave(Fault(Cause.LEFT, "its connection has ended")))
    sent = place.set_out()
    threads.join()
    assert (place.state, place.busy) == (State.GONE, sent), "gone is gone"


def given_up(world: World) -> None:
    place = SeatPlace()
    assert place.set_out()
    threads = Together(world, place.come_home)
    late = place.move(State.LATE)
    assert place.state in (State.LATE, State.IDLE)
    again = place.set_out()
    assert not again or str(place.state) == State.ASKED
    threads.join()
    assert (place.busy, place.state) == ((True, State.ASKED) if again else (False, State.IDLE))
    assert late or again, "who was home in time may be sent again"


class Sat:
    def __init__(self, clock: Clock, allowed: float | None) -> None:
        self.account = Account(0, clock)
        self.send(allowed)

    def send(self, allowed: float | None) -> None:
        self.busy, self.used, self._away = True, -1.0, threading.Lock()
        self._away.acquire()
        self.account.send(allowed)
        self._sent = clock.now()

    def come_home(self) -> None:
        self.used = self.account.used()
        self.busy = False
        self._away.release()

    def beat(self, since: float, until: float, stalled: bool, computed: float) -> None:
        if self.busy:
            self.account.beat(since, until, stalled, computed)

    def is_home(self) -> bool:
        """The judge: whether it came home before it was given up."""
        left = self.account.time_left(self._sent)
        while not self._away.acquire(timeout=left or 0.0):
            if not (left := self.account.time_left(self._sent)):
                return False
        return True


def stood_still(
    world: World, thinks: float, stands: float, after: float = 0.0, *, here: bool = False
) -> tuple[float, float]:
    """The process stands still for so long, in another thread's turn or `here`, in the judge's; the seconds that its
    seat is charged with, and when its thread began."""
    sat = Sat(Clock(turn=0.5, margin=0.1), 0.5)
    STALLS.join([sat], 1.0)
    began: list[float] = []

    def seat() -> None:
        sat.account.open()
        began.append(world.time)
        world.sleep(thinks)
        sat.come_home()

    def signal() -> None:
        if after:
            world.sleep(after)
        world.freeze(stands)

    threads = Together(world, *((seat,) if here else (seat, signal) if after else (signal, seat)))
    if here:
        signal()
    assert sat.is_home(), "an innocent seat was given up"
    threads.join()
    STALLS.leave([sat], 1.0)
    return sat.used, began[0]


def frozen(world: World) -> None:
    """The process stands still while the player thinks."""
    used, _ = stood_still(world, 0.3, 3.0, after=0.2)
    assert 0.2 - BEAT - 0.001 <= used <= 0.3 + STALL, "0.2 s passed before it stood still"


def frozen_at_its_answer(world: World) -> None:
    """The process stands still as the answer comes: after the clock was read, perhaps, and before that is charged."""
    used, _ = stood_still(world, 0.33, 3.0, after=0.33, here=True)
    assert 0.33 - BEAT - 0.001 <= used <= 0.33 + STALL, "no answer has a negative time"


def frozen_at_its_beginning(world: World) -> None:
    """The process stands still after a seat was sent, and before its thread has begun."""
    used, began = stood_still(world, 0.33, 2.0)
    assert used <= 0.33 + STALL
    assert began < 1002.0 or used >= 0.33 - BEAT - 0.001, "what stood still before that is no gift"


def holding(world: World) -> None:
    """One player holds the interpreter while another thinks. The machine is busy: it computes half of that time."""
    one, other = Sat(Clock(turn=0.5, margin=0.1), 0.5), Sat(Clock(turn=0.5, margin=0.1), 0.5)
    STALLS.join([one, other], 1.0)

    def computes() -> None:
        one.account.open()
        world.compute(0.5)
        world.freeze(1.5)
        one.come_home()

    def thinks() -> None:
        other.account.open()
        world.sleep(0.3)
        other.come_home()

    threads = Together(world, computes, thinks)
    assert other.is_home(), "an innocent seat was given up"
    threads.join()
    STALLS.leave([one, other], 1.0)
    assert other.used <= 0.3 + STALL, "it was charged for the other"
    assert one.used >= 2.0, "who held the interpreter has its own time"


def banked(world: World) -> None:
    """Four questions of 1 s, a bank of 0.5 s, an increment of 0.1 s. In the second the process stands still for 2 s,
    the last two find no answer."""
    sat = Sat(Clock(turn=1.0, bank=0.5, increment=0.1, margin=0.1, max_faults=2), None)
    account, bank = sat.account, 0.5
    STALLS.join([sat], None)
    for number, (thinks, stands) in enumerate([(1.23, 0.0), (0.52, 2.0), (1.97, 0.0), (1.97, 0.0)]):
        allowed = account.with_bank(1.0)
        assert allowed is not None and abs(allowed - 1.0 - bank) < 1e-6 and not account.on_autopilot
        sat.send(allowed)

        def seat(thinks: float = thinks) -> None:
            account.open()
            world.sleep(thinks)
            sat.come_home()

        threads = Together(world, seat)
        if stands:
            world.freeze(stands)
        in_time = sat.is_home()
        used = sat.used if in_time else account.used()
        assert in_time == (number < 2) and (in_time or used >= allowed) and used <= thinks + STALL
        account.book(Answer(0, number, "keep", Verdict.OK if in_time else Verdict.SILENT, used, allowed))
        bank = max(0.0, bank - max(0.0, used - 1.0)) + 0.1
        assert abs(account.bank - bank) < 1e-6
        threads.join()
    assert account.on_autopilot
    account.recover()
    assert not account.on_autopilot
    STALLS.leave([sat], None)


class Table:
    def __init__(self) -> None:
        self.there = False
        self.beats: list[tuple[float, float]] = []

    def beat(self, since: float, until: float, stalled: bool, computed: float) -> None:
        assert self.there, "it has left"
        self.beats.append((since, until))

    def play(self, world: World, detector: StallDetector, longest: float, pauses: Sequence[float] = (1, 1, 1)) -> None:
        """A game of three beats, which ends in the moment of the third, or a little later."""
        self.there = True
        detector.join([self], longest)
        assert detector.heartbeat is not None and detector.heartbeat.numbers[1] >= (longest + SLACK) * 1000
        for beats in pauses:
            world.sleep(beats * BEAT)
        assert 2 <= len(self.beats) <= 4, "nobody, or more than one, detects stalls"
        detector.leave([self], longest)
        self.there = False
        assert all(before[1] == after[0] for before, after in zip(self.beats, self.beats[1:], strict=False)), "a gap"


def two_tables(world: World, wait: float = 3.5, waits: int = 1, pauses: Sequence[float] = (1, 1, 1)) -> None:
    """Another table begins while one plays, or as the detector looks whether there is any."""
    detector = StallDetector()
    detector.heartbeat = Heartbeat(memoryview(bytearray(SIZE)))
    one, other = Table(), Table()

    def second() -> None:
        for _ in range(waits):
            world.sleep(wait * BEAT)
        other.play(world, detector, 1.0, pauses)

    threads = Together(world, second)
    one.play(world, detector, 5.0, pauses)
    threads.join()
    world.sleep(2 * BEAT)
    assert detector.heartbeat.numbers[1] == 0 and detector._thread is None and not world.at_large


def no_thread(world: World) -> None:
    """The machine has no thread left as a table begins."""
    detector, table = StallDetector(), Table()
    detector.heartbeat = Heartbeat(memoryview(bytearray(SIZE)))
    with mock.patch.object(stalls, "start", side_effect=RuntimeError("can't start new thread")):
        with contextlib.suppress(RuntimeError):
            detector.join([table], 5.0)
        assert detector.heartbeat.numbers[1] == 0, "a table that could not join is not waited for"
    table.play(world, detector, 1.0)
    assert detector.heartbeat.numbers[1] == 0


def one_stall(world: World) -> None:
    """Two seats and the detector's thread look after the same stall: it is told once."""
    detector, table = StallDetector(), Table()
    table.there = True
    detector.join([table], 1.0)
    world.freeze(3.0)
    threads = Together(world, lambda: detector.check(clock.now()), lambda: detector.check(clock.now()))
    threads.join()
    assert sum(until - since for since, until in table.beats if until - since > STALL) == 3.0
    assert all(before[1] <= after[0] for before, after in zip(table.beats, table.beats[1:], strict=False))
    detector.leave([table], 1.0)


PARTS = [
    Part("a seat that goes", "one reason, the first; gone is gone; one task at a time", left_twice, 1, 2, (places,)),
    Part("a seat that goes as it is sent", "gone is gone", gone_at_home, 2, 4, (places,)),
    Part("a seat at its deadline", "home is idle; late comes home; never two tasks", given_up, 3, 6, (places,)),
    Part("a frozen process", "no seat pays for it, none gets time as a gift", frozen, 1, 2),
    Part("a process frozen at an answer", "the same, to the moment", frozen_at_its_answer, 1, 2, (accounts, stalls)),
    Part("a process frozen at a beginning", "the same, for a thread on its way", frozen_at_its_beginning, 1, 2),
    Part("a held interpreter", "the seat that held it pays, the other does not", holding, 1, 2),
    Part("the bank", "pays what is above the limit, gets its increment, once per question", banked, 1, 2),
    Part("the stall detector", "one thread for all tables, none after; no gap in beats", two_tables, 1, 2, (stalls,)),
    Part(
        "two tables, one after another",
        "the same",
        partial(two_tables, wait=1, waits=4, pauses=(3.5,)),
        1,
        1,
        (stalls,),
    ),
    Part("a machine without threads", "a table that could not join is not waited for", no_thread, 1, 3),
    Part("one stall", "told once, by the first thread that sees it", one_stall, 1, 2, (stalls,)),
]
