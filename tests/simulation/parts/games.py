"""A whole turn or two: what the judge makes of answers just before, at and after the deadline, in every order."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from jantaku.table.ground.port import Action, Answer, Question, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock, Flag
from jantaku.table.judge.turn.turnstile import PLACES, TURNSTILE
from tests.kit.toy import ToyGame
from tests.simulation.acting import inside
from tests.simulation.laws import check
from tests.simulation.parts.exploring import Part
from tests.simulation.scripted import read
from tests.simulation.world import World

CLOCK = Clock(turn=1.0, reaction=1.0, margin=0.1, max_faults=2, start=None)
LIMIT = 1.1
FROZEN = 0.9
"""Seconds that a player thinks once the process goes on."""


Thoughts = dict[int, float | None]
"""By turn, the seconds that a seat thinks; below 0: for which the process stands still before that. Where there is none
it is away until the time of the question is up."""
Waits = dict[tuple[int, int], float]
"""By turn and seat, for how many seconds the question waits until the seat is home from an earlier one."""


class Thinker:
    """Thinks for so many seconds about its question of each turn, then takes the last option; None: it raises."""

    def __init__(self, world: World, thinks: Thoughts, seats: int = 2) -> None:
        self._world, self._thinks, self._seats = world, thinks, seats
        self.heard: list[Any] = []
        self.told: dict[int, float | None] = {}
        """By turn, the seconds that its question told."""
        self.inside = False

    def hear(self, event: Any) -> None:
        assert not self.inside
        self.heard.append(event)

    def answer(self, question: Question) -> Action:
        assert not self.inside, "asked twice at once"
        self.inside = True
        turn = question.id // self._seats
        self.told[turn] = question.seconds
        thinks = self._thinks[turn]
        if thinks and thinks < 0:
            self._world.freeze(-thinks)
            thinks = FROZEN
        if thinks:
            self._world.sleep(thinks)
        self.inside = False
        if thinks is None:
            raise ValueError("a bot's own")
        return question.options[-1]


class Kept:
    def __init__(self) -> None:
        self.answers_of: dict[tuple[int, int], Answer] = {}
        self.happened: list[Any] = []

    def events(self, new: Sequence[Any]) -> None:
        self.happened += new

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        for answer in answers:
            assert (turn, answer.seat) not in self.answers_of, "an answer is taken twice"
            self.answers_of[turn, answer.seat] = answer


def allowed(thinks: float | None) -> set[Verdict]:
    if thinks is None:
        return {Verdict.GONE}
    if thinks < 1.0:
        return {Verdict.OK}
    if thinks < LIMIT:
        return {Verdict.OK, Verdict.OK_MARGIN} if thinks == 1.0 else {Verdict.OK_MARGIN}
    return {Verdict.OK_MARGIN, Verdict.LATE, Verdict.SILENT} if thinks == LIMIT else {Verdict.LATE, Verdict.SILENT}


def turns(world: World, mode: str, count: int, waits: Waits, *thinks: Thoughts) -> None:
    """Two seats of the toy game: in odd turns 0 offers, in even ones 1."""
    players, kept = [Thinker(world, one) for one in thinks], Kept()
    game = ToyGame(count, 2, lambda turn: ("keep", "offer"))
    judge = Judge(game, players, mode=mode, clock=CLOCK, watches=[kept])
    began, still = world.time, sum(-told for one in thinks for told in one.values() if told is not None and told < 0)
    result = judge.run()
    assert result.turns == count and world.time - began < count * 2.4 + 1.7 + still
    for (turn, seat), seconds in waits.items():
        told = players[seat].told.get(turn, LIMIT - seconds)
        assert told is not None and abs(told - (LIMIT - seconds)) < 0.001, "a question tells what is left of its time"
    acts = [event for event in kept.happened if event[0] == "act"]
    for turn, (_, mover, action) in enumerate(acts, 1):
        verdicts(kept.answers_of[turn, mover], thinks[mover], turn, waits, "offer", "keep")
        assert action == kept.answers_of[turn, mover].action
        other = kept.answers_of.get((turn, 1 - mover))
        assert (other is not None) == (action == "offer")
        if other is not None:
            verdicts(other, thinks[other.seat], turn, waits, "shout", "pass")
    for seat, player in enumerate(players):
        report = result.seats[seat]
        assert report.state in ("idle", "gone" if None in thinks[seat].values() else "late")
        if not result.left_behind:
            taken = [one if one is None else one + waits.get((at, seat), 0.0) for at, one in thinks[seat].items()]
            late = sum(one is not None and one > LIMIT for one in taken)
            if LIMIT not in taken and LIMIT not in waits.values():
                assert late == report.stale + report.verdicts.get(Verdict.LATE, 0)
            assert [one[0] for one in player.heard] == [one[0] for one in game.events], "a seat hears all, once"
        assert sum(report.verdicts.values()) == sum(number == seat for _, number in kept.answers_of)
    world.sleep(9.0)
    assert not world.at_large, "each thread ends"
    assert TURNSTILE._free.qsize() == PLACES, "each place is free"


def verdicts(answer: Answer, thoughts: Thoughts, turn: int, waits: Waits, said: str, default: str) -> None:
    """Whether an answer is what can come of so long a thought."""
    assert answer.action == (said if answer.verdict.good else default), answer
    waited = waits.get((turn, answer.seat), 0.0)
    if turn not in thoughts or (waited == LIMIT and answer.verdict is Verdict.NOT_ASKED):
        assert answer.verdict is Verdict.NOT_ASKED and "still busy" in answer.reason, answer
        assert abs(answer.used - LIMIT) < 0.001, "its time runs, and is up"
        return
    thinks = thoughts[turn]
    if waited:
        assert thinks is not None and thinks > 0
        thinks += waited
    assert answer.verdict in allowed(thinks), (answer, thinks)
    if thinks is not None and thinks < 0:
        assert FROZEN - 0.2 < answer.used < FROZEN + 0.2, "nobody pays for a stall"
    elif answer.verdict.good or answer.verdict is Verdict.LATE:
        assert thinks is not None and abs(answer.used - thinks) < 0.001, "each second is its own"
    if answer.verdict is Verdict.SILENT:
        assert LIMIT - 0.001 <= answer.used < LIMIT + 0.1, "it has had its time, and no more"


SCRIPTS: dict[str, tuple[int, Waits, Thoughts, Thoughts]] = {
    "in time": (1, {}, {1: 0.5}, {1: 0.5}),
    "at the limit": (1, {}, {1: 1.0}, {1: 1.05}),
    "the turn seat at the deadline": (1, {}, {1: LIMIT}, {1: 0.5}),
    "the other at the deadline": (1, {}, {1: 0.5}, {1: LIMIT}),
    "too late": (1, {}, {1: 1.3}, {1: 0.5}),
    "the other too late": (1, {}, {1: 0.5}, {1: 1.3}),
    "in a frozen process": (1, {}, {1: -3.0}, {1: -2.0}),
    "raising": (1, {}, {1: None}, {1: 0.3}),
    "late into the next turn": (2, {(2, 0): 0.6}, {1: 2.0, 2: 0.3}, {2: 0.3}),
    "late beyond the next turn": (2, {}, {1: 3.0}, {2: 0.3}),
    "home as the next question's time is up": (2, {(2, 0): LIMIT}, {1: 2.5, 2: 0.25}, {2: 0.3}),
    "home as the next question comes due": (2, {}, {1: 1.4, 2: 0.3}, {2: 0.3}),
    "home again in the next turn": (3, {(3, 1): 0.6}, {1: 1.3, 3: 0.3}, {2: 2.0, 3: 0.2}),
    "the turn seat away as its turn comes": (2, {(2, 1): 0.4}, {1: 0.5, 2: 0.2}, {1: 1.5, 2: 0.3}),
}


def _turns(world: World, mode: str, script: tuple[int, Waits, Thoughts, Thoughts]) -> None:
    turns(world, mode, *script)


def two_away(world: World, mode: str) -> None:
    """Two seats of four are away as a question is due to both: each is waited for until its own time is up, both at
    once."""
    thoughts: list[Thoughts] = [{1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0}, {1: 9.0}, {1: 9.0}]
    limits = (1.0, 1.0, 1.0, 2.0)
    clocks = [Clock(turn=limit, reaction=limit, margin=0.1, max_faults=0, start=None) for limit in limits]
    kept, game = Kept(), ToyGame(2, 4, lambda turn: ("keep", "show"))
    players = [Thinker(world, one, seats=4) for one in thoughts]
    result = Judge(game, players, mode=mode, clock=clocks, watches=[kept]).run()
    for seat, limit in enumerate(limits):
        answer = kept.answers_of[2, seat]
        assert answer.verdict is (Verdict.OK if seat < 2 else Verdict.NOT_ASKED), answer
        assert answer.verdict.good or abs(answer.used - limit - 0.1) < 0.001, answer
        assert result.seats[seat].total < 2.2, "the time of a question that was not put is nobody's thought"
    world.sleep(9.0)


def over_at(world: World, mode: str, thinks: Thoughts, flag: Flag, seconds: float) -> None:
    """Seat 0 slips in turn 1, and seat 1 offers in turn 2 after a quarter of a second. The answers of both turns are
    there after so many seconds."""
    clock = Clock(turn=1.0, reaction=1.0, margin=0.125, start=None, flag=flag)
    ended = Ended(world)
    players = [Thinker(world, thinks), Thinker(world, {2: 0.25})]
    Judge(ToyGame(2, 2, lambda turn: ("keep", "offer")), players, mode=mode, clock=clock, watches=[ended]).run()
    assert abs(ended.at - seconds) < 0.01, "nobody is waited for longer than he may come"
    world.sleep(9.0)


class Ended:
    def __init__(self, world: World) -> None:
        self._world, self._began = world, world.time
        self.at = 0.0

    def events(self, new: Sequence[Any]) -> None: ...

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        self.at = self._world.time - self._began


def stalled(world: World, mode: str) -> None:
    """A whole game by a script comes out as the model says."""
    script = read(STALLED.format(mode=mode))
    check(script, inside(script, world))


OVER: dict[str, tuple[Thoughts, Flag, float]] = {
    "its answer ends the wait": ({1: 2.0, 2: 0.125}, Flag.DEFAULT, 2.125),
    "home as the next question comes due, it is asked at once": ({1: 1.375, 2: 0.125}, Flag.DEFAULT, 1.5),
    "what is left of its time is all it has": ({1: 2.0, 2: 0.875}, Flag.DEFAULT, 2.5),
    "a seat that has forfeited is not waited for": ({1: 9.0}, Flag.FORFEIT, 1.375),
}
STALLED = (
    "toy:2 seats=3 mode={mode} turn=2 reaction=2 margin=0.125 "
    "| late:1.5 option:1, default | option:2 | thinks:0.0146484375 freezes:1 thinks:0.25"
)
"""All stands still while seat 0 is away, right after its question has come due."""


MAINS: list[tuple[str, str, Callable[..., object], int]] = [
    *(
        (f"turn {{}}, {name}", "the verdict is by the time alone, all is heard", partial(_turns, script=script), 2)
        for name, script in SCRIPTS.items()
    ),
    ("turn {}, two seats away at once", "each is waited for until its own time is up, both at once", two_away, 1),
    *(
        (
            f"turn {{}}, {name}",
            "the table waits as long as it must",
            partial(over_at, thinks=thinks, flag=flag, seconds=at),
            1,
        )
        for name, (thinks, flag, at) in OVER.items()
    ),
    ("game {}, a process frozen while a seat is away", "no seat pays for it, none gets time as a gift", stalled, 1),
]
PARTS = [
    Part(f"a {name.format(mode)}", promise, partial(main, mode=mode), 1, whole, delays=True)
    for mode in ("per-turn", "resident")
    for name, promise, main, whole in MAINS
]
