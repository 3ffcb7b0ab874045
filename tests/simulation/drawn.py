"""Scripts and schedules by a number: the same number is the same script and schedule, today and tomorrow."""

import random
from collections.abc import Sequence
from dataclasses import replace

from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from tests.simulation.laws import outcomes
from tests.simulation.moments import Undecided
from tests.simulation.schedules import Priorities, Schedule, Shuffled
from tests.simulation.scripted import GRAIN, MOMENTS, PROMPT, Part, Script, Step

PLAIN = ("default", "option", "option", "option")
WRONG = ("illegal", "malformed", "incomparable", "raises", "leaves", "never")


def script_of(number: int, game: str = "toy") -> Script:
    """The script of that number, one of which the model can tell all that may come of it: of a toy game, of one in
    which seats have `clocks` of their own, or of a riichi kyoku."""
    chance = random.Random(f"{game} {number}")
    while True:
        script = _script(chance, game)
        try:
            outcomes(script)
        except Undecided:
            continue
        return script


def schedule_of(number: int) -> Schedule:
    kind, rest = number % 4, number // 4
    if kind < 2:
        return Shuffled(rest, stay=0.5 if kind else 0.9)
    return Priorities(rest, changes=1 + rest % 5, length=300 if kind == 2 else (1500, 6000, 24_000)[rest % 3])


def _script(chance: random.Random, game: str) -> Script:
    mode = chance.choice((Mode.INLINE, Mode.PER_TURN, Mode.PER_TURN, Mode.RESIDENT, Mode.RESIDENT))
    clock = _clock(chance) if mode is not Mode.INLINE and chance.random() < 0.95 else Clock()
    faults = [one for one in OnFault if game == "riichi" or one is not OnFault.CHOMBO]
    on_fault = chance.choice((OnFault.DEFAULT, OnFault.DEFAULT, *faults))
    seats = chance.choice((3, 4))
    parts = tuple(_part(chance, seat, game, timed=clock.runs) for seat in range(seats))
    if game == "clocks" and clock.runs:
        parts = tuple(replace(part, clock=_clock(chance)) if chance.random() < 0.7 else part for part in parts)
    size = chance.randint(2, 6) if game != "riichi" else chance.randrange(1000)
    prompt = mode is Mode.RESIDENT and chance.random() < 0.5
    return Script("toy" if game == "clocks" else game, size, mode, clock, parts, on_fault, prompt)


def _clock(chance: random.Random) -> Clock:
    return Clock(
        turn=chance.choice((0.25, 0.5, 1.0, 2.0)),
        reaction=chance.choice((0.25, 0.5, 1.0, 2.0)),
        bank=chance.choice((0.0, 0.0, 0.25, 1.0)),
        bank_per=chance.choice(("game", "round")),
        increment=chance.choice((0.0, 0.0, 0.125)),
        margin=chance.choice((0.0, 0.0625, 0.125)),
        max_faults=chance.choice((0, 1, 2, 3)),
    )


def _part(chance: random.Random, seat: int, game: str, *, timed: bool) -> Part:
    if chance.random() < 0.3:
        return Part(tuple(_plain(chance) for _ in range(chance.randint(1, 4))))
    trouble = chance.choice((0.1, 0.3, 0.6)) / (4 if game == "riichi" else 1)
    steps = range(chance.randint(1, 5) if game != "riichi" else chance.randint(4, 24))
    answers = tuple(_troubled(chance, seat, timed) if chance.random() < trouble else _plain(chance) for _ in steps)
    hears: tuple[tuple[int, Step], ...] = ()
    if chance.random() < 0.15:
        ending = chance.choice(("default", "default", "default", "raises", "leaves"))
        hears = ((chance.randrange(1, 20), Step(_pauses(chance, seat, timed=False), ending)),)
    return Part(answers, hears)


def _plain(chance: random.Random) -> Step:
    ending = chance.choice(PLAIN)
    return Step((), ending, chance.randrange(4)) if ending == "option" else PROMPT


def _troubled(chance: random.Random, seat: int, timed: bool) -> Step:
    pauses = _pauses(chance, seat, timed=timed) if chance.random() < 0.75 else ()
    if pauses and chance.random() < 0.7:
        return Step(pauses, "option", chance.randrange(4))
    ending = chance.choice(WRONG)
    return Step(pauses, "raises" if ending == "never" and not timed else ending)


def _pauses(chance: random.Random, seat: int, *, timed: bool) -> tuple[tuple[str, float | str], ...]:
    word = chance.choice(("thinks", "thinks", "stands", *(("moment", "moment", "late", "late") if timed else ())))
    if word == "thinks":
        return (("thinks", _ticks(chance, seat, (0.0625, 0.25, 0.5, 1.0, 2.0))),)
    if word == "late":
        return (("late", _ticks(chance, seat, (0.0, 0.25, 1.0, 4.0))),)
    if word == "moment":
        return ((chance.choice(("before", "after", "before", "after", "at")), chance.choice(MOMENTS)),)
    first = ("thinks", _ticks(chance, seat, (0.0625, 0.125, 0.5)))
    stands = (chance.choice(("freezes", "computes")), _ticks(chance, seat, (0.03125, 0.09375, 0.1875, 0.5, 2.0)))
    return first, stands, *((("thinks", _ticks(chance, seat, (0.0625, 0.25))),) if chance.random() < 0.5 else ())


def _ticks(chance: random.Random, seat: int, about: Sequence[float]) -> float:
    """Seconds of about that length. Seats have ticks of their own, so that two rarely come back in the same one."""
    return chance.choice(about) + GRAIN * (8 * chance.randint(0, 5) + seat + 1)
