"""How a seat's thread is sent and comes home: a resident one, woken by both kinds of bells, or one of a turn."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from jantaku.table.judge.player import State
from jantaku.table.judge.seat import Seat
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn import bells, threads
from jantaku.table.judge.turn.bells import Bell, Bells, LockBell, PipeBell
from jantaku.table.judge.turn.threads import PerTurn, Resident, SeatThreads
from jantaku.table.judge.turn.turnstile import Turnstile
from tests.judge.players import Writer
from tests.kit.toy import ToyGame
from tests.simulation.parts.exploring import Part, Together
from tests.simulation.world import World

Kind = Callable[[int, Sequence[Seat], Callable[[BaseException], None]], SeatThreads]


def rung(world: World, kind: type[LockBell] | type[PipeBell]) -> None:
    bell: Bell = kind()
    heard: list[bool] = []

    def resident() -> None:
        heard.append(bell.wait())
        heard.append(bell.wait())

    alone = Together(world, resident)
    bell.ring()
    while not heard:  # its thread was heard of otherwise, too
        world.sleep(0.1)
    bell.close()
    alone.join()
    assert heard == [True, False]


def closed(world: World, kind: type[LockBell] | type[PipeBell]) -> None:
    bell: Bell = kind()
    alone = Together(world, bell.wait)
    bell.close()
    alone.join()


class Sent:
    """A seat that is sent twice; its first task takes as long as the judge waits for it."""

    def __init__(self, world: World, kind: Kind) -> None:
        self.done: list[int] = []
        self.defects: list[BaseException] = []
        self.seat = Seat(0, Writer(), ToyGame(), Clock(turn=1.0), table=1)
        self.threads = kind(1, [self.seat], self.defects.append)
        self._world, self._inside = world, False

    def send(self, number: int, seconds: float) -> bool:
        """Send it, unless it is away."""
        if not self.seat.begin(1.0):
            return False
        self.threads.send(self.seat, lambda: self._task(number, seconds), f"t{number}")
        return True

    def _task(self, number: int, seconds: float) -> None:
        assert not self._inside, "two tasks of one seat at once"
        self._inside = True
        self._world.sleep(seconds)
        self._inside = False
        self.done.append(number)
        if number == 3:
            raise ValueError("a defect of ours")

    def is_home(self, timeout: float | None) -> bool:
        if not self.threads.wait(self.seat, timeout):
            return False
        assert not self.seat.place.busy and not self._inside
        assert self.threads.wait(self.seat, 1.0), "home is home, however often one looks"
        return True

    def close(self) -> tuple[str, ...]:
        left = self.threads.close(0.5)
        self._world.sleep(9.0)
        assert not self._world.at_large, "each thread ends when it comes home"
        assert not self.seat.place.busy and not self._inside
        return left


def sent_twice(world: World, kind: Kind) -> None:
    one = Sent(world, kind)
    assert one.send(1, 1.0)
    in_time = one.is_home(1.0)
    if in_time:
        assert one.done == [1]
    else:
        one.seat.place.move(State.LATE)
    again = one.send(3, 0.0)
    assert again or not in_time
    if again:
        assert one.is_home(None) and one.done == [1, 3]
    left = one.close()
    assert one.done == ([1, 3] if again else [1]) and [str(one) for one in one.defects] == ["a defect of ours"] * again
    assert one.seat.place.state is State.IDLE and not (left and again)


def ended(world: World, kind: Kind) -> None:
    """The game ends while one is away, for longer than anybody waits."""
    one = Sent(world, kind)
    assert one.send(1, 2.0) and not one.is_home(1.0)
    one.seat.place.move(State.LATE)
    began = world.time
    assert len(one.close()) == 1 and one.done == [1]
    assert world.time - began < 9.1, "who is late has had its time"


def ended_at_once(world: World, kind: Kind) -> None:
    """A task that was sent is run, whenever the game ends."""
    one = Sent(world, kind)
    assert one.send(1, 0.0)
    assert one.close() == () and one.done == [1]


def with_locks(*arguments: Any) -> SeatThreads:
    """Resident threads where all pipes are taken."""
    taken = [Bells(0) for _ in range(bells.TABLES)]
    try:
        return Resident(*arguments)
    finally:
        for one in taken:
            one.close()


def admitted(world: World) -> None:
    """Three tables and one place."""
    turnstile, inside, most = Turnstile(1), [0], [0]

    def table() -> None:
        for _ in range(2):
            turnstile.enter()
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            world.sleep(0.1)
            inside[0] -= 1
            turnstile.leave()

    Together(world, table, table, table).join()
    assert most == [1] and world.time >= 1000.6


KINDS: dict[str, Kind] = {"resident, pipes": Resident, "resident, locks": with_locks, "per turn": PerTurn}
PARTS = [
    *(
        Part(f"a bell of {name}", "each ring wakes once, the end ends", partial(rung, kind=kind), 3, 6)
        for name, kind in (("locks", LockBell), ("pipes", PipeBell))
    ),
    *(
        Part(f"a bell of {name} that is only closed", "the thread ends", partial(closed, kind=kind), 3, 6)
        for name, kind in (("locks", LockBell), ("pipes", PipeBell))
    ),
    *(
        Part(f"{what} ({name})", promise, partial(main, kind=kind), 1, 2, lines)
        for what, promise, main, lines in (
            ("hand-off", "each task once, home is home, none at once", sent_twice, (threads,)),
            ("left behind", "named, and waited for half a second", ended, ()),
            ("sent and closed", "a task that was sent is run", ended_at_once, (threads,)),
        )
        for name, kind in KINDS.items()
    ),
    Part("the turnstile", "never more inside than there are places, no table is forgotten", admitted, 2, 3),
]
