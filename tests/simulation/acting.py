"""A script played at a real table of a world: its players, its game, and all that came of it."""

import contextlib
import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec

from jantaku.table.ground.errors import PlayerGone
from jantaku.table.ground.game import Game, GameWrapper
from jantaku.table.ground.port import Action, Answer, Choice, Question, Turn
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Result
from jantaku.table.riichi.actions import DISCARDS, PASS
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from tests.kit.toy import ToyGame
from tests.simulation.replacements import fresh
from tests.simulation.schedules import Schedule
from tests.simulation.scripted import GRAIN, Part, Script, Step
from tests.simulation.world import World


class Raised(Exception):
    """What a player raises by its script."""


class Strange(str):
    """An action of the toy game by its kind, and nothing that could be compared."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise Raised("not to be compared")


def seconds_of(word: str, value: float | str, question: Question | None) -> float:
    if not isinstance(value, str):
        return value + (0.0 if word != "late" or question is None else question.seconds or 0.0)
    assert question is not None and question.limit is not None and question.allowed is not None
    moment = {"limit": question.limit, "bank": question.allowed, "margin": question.allowed + question.margin}[value]
    return max(0.0, moment + {"before": -GRAIN, "at": 0.0, "after": GRAIN}[word])


def said(step: Step, choice: Choice) -> object:
    """What a player says by its script, whatever that is worth."""
    if step.ending == "option":
        return choice.options[step.number % len(choice.options)]
    if step.ending == "illegal":
        return (
            next(one for one in ("keep", "claim") if one not in choice.options)
            if type(choice.default) is str
            else (DISCARDS[0] if PASS in choice.options else PASS)
        )
    return {"default": choice.default, "malformed": 17, "incomparable": Strange("keep")}[step.ending]


@dataclass
class Told:
    """What a player was asked and what it said, as it knows it."""

    question: int
    allowed: float | None
    bank: float
    at: float
    said: object = None
    """None until it answers."""


class Actor:
    def __init__(self, part: Part, world: World) -> None:
        self.asked: list[Told] = []
        self.heard: list[Any] = []
        self._part = part
        self._world = world
        self._inside = threading.Lock()

    def hear(self, event: Any) -> None:
        with self._alone():
            step = self._part.hear(len(self.heard))
            self.heard.append(event)
            if step is not None:
                self._do(step, None)

    def answer(self, question: Question) -> Action:
        with self._alone():
            step = self._part.answer(len(self.asked))
            told = Told(question.id, question.allowed, question.bank, self._world.time)
            self.asked.append(told)
            self._do(step, question)
            told.said = said(step, question.choice)
            return told.said

    def _do(self, step: Step, question: Question | None) -> None:
        for word, value in step.pauses:
            seconds = seconds_of(word, value, question)
            if word == "freezes":
                self._world.freeze(seconds)
            elif word == "computes":
                self._world.compute(seconds)
            elif seconds:
                self._world.sleep(seconds)
        if step.ending == "raises":
            raise Raised("by the script")
        if step.ending == "leaves":
            raise PlayerGone("by the script")
        if step.ending == "never":
            threading.Event().wait()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        assert self._inside.acquire(blocking=False), "one player was entered twice at once"
        try:
            yield
        finally:
            self._inside.release()


class Broken(AssertionError):
    """A law of the table is broken."""


class Guarded(GameWrapper[Game]):
    """Sees that the judge keeps the order of the game's calls. Each call is a point of the world, at its beginning and
    in its middle, so that another thread may come between."""

    def __init__(self, game: Game, world: World | None, most_rounds: int) -> None:
        super().__init__(game, penalty=game.penalty)
        self._world = world
        self._most = most_rounds
        self._open: bool | None = False
        """Whether the turn's action has happened and is not ruled on yet; None: just now one of the two happens."""

    def turn(self) -> Turn | None:
        """See `Game.turn`; a riichi game is over behind its first kyoku."""
        return None if self.game.rounds > self._most else self.game.turn()

    def act(self, action: Action) -> None:
        self._change(False, "the turn's action happens twice, or in the middle of a ruling")
        self.game.act(action)
        self._point()
        self._open = True

    def reaction(self, seat: int, action: Action) -> Choice | None:
        self._point()
        if self._open is not True:
            raise Broken("a reaction is asked for while there is nothing to react to")
        found = self.game.reaction(seat, action)
        self._point()
        if self._open is not True:
            raise Broken("the game changed while a reaction was asked for")
        return found

    def rule(self, responses: Sequence[Action | None]) -> None:
        self._change(True, "a turn is ruled on that has no action, or twice")
        self.game.rule(responses)
        self._point()
        self._open = False

    def _change(self, was: bool, why: str) -> None:
        if self._open is not was:
            raise Broken(why)
        self._open = None
        self._point()

    def _point(self) -> None:
        if self._world is not None:
            self._world.point("the game")


@cache
def rules(seats: int) -> Rules:
    return preset("tenhou" if seats == 4 else "tenhou-3p")


def game_of(script: Script, world: World | None) -> Guarded:
    if script.game == "toy":
        return Guarded(ToyGame(script.size, script.seats), world, script.size)
    names = ("東", "南", "西", "北")[: script.seats]
    kind = rules(script.seats)
    return Guarded(RiichiGame(kind, walls_from(str(script.size), 0, kind), names), world, 1)


class Record:
    def __init__(self) -> None:
        self.events_seen: list[Any] = []
        self.turns: list[tuple[int, tuple[Answer, ...]]] = []
        self.digest = hashlib.sha256()

    def events(self, new: Sequence[Any]) -> None:
        self.events_seen.extend(new)
        self.digest.update(repr(new).encode())

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        self.turns.append((turn, tuple(answers)))
        self.digest.update(repr((turn, [answer._parts()[:9] for answer in answers])).encode())


@dataclass
class Played:
    result: Result
    record: Record
    actors: list[Actor]
    game: Game
    banks: list[float]
    clock: float
    """Seconds that passed."""
    at_large: list[str] = field(default_factory=list)
    """Threads of the table that run on, once all of them have had their turn."""


def play(
    script: Script,
    schedule: Schedule,
    watching: Callable[[Any], Sequence[Any]] = lambda _: (),
    world: World | None = None,
) -> Played:
    """Play a script to its end under a schedule. `watching` makes further watches of the game."""
    world = world or World(schedule)

    def main() -> Played:
        fresh()
        return inside(script, world, watching)

    return world.run(main)


def inside(script: Script, world: World, watching: Callable[[Any], Sequence[Any]] = lambda _: ()) -> Played:
    """Play a script to its end inside a world."""
    actors = [Actor(part, world) for part in script.parts]
    game, record = game_of(script, world), Record()
    judge = Judge(
        game,
        actors,
        mode=script.mode,
        clock=script.clocks,
        on_fault=script.on_fault,
        watches=[record, *watching(game.game)],
        prompt=script.prompt_seats,
    )
    began = world.time
    result = judge.run()
    took = world.time - began
    banks = [seat.account.bank for seat in judge._seats]
    world.sleep(GRAIN / 8)  # all that could run has run
    large = [name for name in world.at_large if name.startswith("T")]
    return Played(result, record, actors, game, banks, took, large)


def digest(played: Played) -> str:
    whole = played.record.digest.copy()
    whole.update(msgspec.json.encode([repr(played.result), played.banks, played.clock]))
    return whole.hexdigest()
