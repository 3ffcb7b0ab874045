"""One random game under random rules, played by the judge in one thread, with checks of every law."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import Meta

from jantaku.table.ground import settings as settings
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Result
from jantaku.table.languages.majiang.paifu import paifu_of
from jantaku.table.records.journal.read import paifu_from
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.events import ChomboDraw, Ryukyoku, Win
from jantaku.table.riichi.game import walls_from
from jantaku.table.riichi.pieces.seats import SEATS, THREE
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import from_table
from tests.walks.laws import Remembered, Violation, Witness, require
from tests.walks.seats import Doubter

# --- random rules: every key, with any allowed value

LIKELY: Mapping[str, tuple[Any, ...]] = {
    "game.start_points": (1000, 5000, 20000, 25000, 30000),
    "game.return_points": (0, 25000, 30000),
    "game.extension_points": (0, 25000, 30000, 40000),
    "game.agari_yame_points": (0, 25000, 30000),
    "riichi.min_points": (0, 1000),
    "riichi.min_tiles": (0, 1, 4, 18),
    "draw.noten_penalty": (0, 600, 3000, 12000),
    "chombo.penalty": (0, 1000, 20000),
}
"""Values to choose from, for keys whose range is mostly uninteresting."""
FOR_THREE: Mapping[str, tuple[Any, ...]] = {
    "game.start_points": (1000, 5000, 25000, 35000),
    "game.return_points": (0, 35000, 40000),
    "game.extension_points": (0, 35000, 40000),
    "draw.noten_penalty": (0, 600, 2000, 12000),
    "tiles.red_m": (0,),
}
"""The same for three players."""


def random_rules(chance: random.Random, players: int = SEATS) -> Rules:
    likely = {**LIKELY, **(FOR_THREE if players == THREE else {}), "game.players": (players,)}
    while True:
        nested: dict[str, dict[str, Any]] = {}
        for name, key in settings.keys(Rules).items():
            section, _, last = name.partition(".")
            nested.setdefault(section, {})[last] = _value(name, key.annotation, chance, likely, players)
        try:
            return from_table(nested, "random rules").rules
        except BadInput:
            continue  # two keys exclude each other: draw again


def _value(name: str, annotation: Any, chance: random.Random, likely: Mapping[str, Any], players: int) -> Any:
    if name in likely:
        return chance.choice(likely[name])
    bare = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
    limits = next((extra for extra in get_args(annotation)[1:] if isinstance(extra, Meta)), Meta())
    origin, inner = get_origin(bare), get_args(bare)
    if origin is Literal:
        return chance.choice(inner)
    if origin is tuple and limits.max_length is not None:
        return [float(chance.randint(-50, 50)) for _ in range(players)]
    if origin is tuple:
        names = get_args(inner[0])
        return chance.sample(names, chance.randint(0, len(names)))
    if bare is bool:
        return chance.random() < 0.5
    assert bare is int and limits.ge is not None and limits.le is not None, f"{name} has no limits to draw from"
    return chance.randint(int(limits.ge), int(limits.le))


# --- the game

MOST_KYOKU = 40
"""A game is stopped after this many kyoku, because some rules never end one."""


class FuzzedGame(msgspec.Struct, frozen=True):
    """Counts of one game: kyoku, events, wins, draws and how many of these are chombo, questions, refused answers,
    verified records."""

    kyoku: int = 0
    events: int = 0
    wins: int = 0
    draws: int = 0
    chombos: int = 0
    questions: int = 0
    refused: int = 0
    verified: int = 0

    def __add__(self, other: "FuzzedGame") -> "FuzzedGame":
        ours, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return FuzzedGame(*(a + b for a, b in zip(ours, theirs, strict=True)))


class Stopper:
    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self.judge: Judge | None = None

    def events(self, new: Any) -> None:
        if self.judge is not None and self._witness.kyoku > MOST_KYOKU:
            self.judge.stop()

    def answers(self, turn: int, answers: Any) -> None: ...


def rules_of(seed: str, players: int = SEATS) -> Rules:
    return random_rules(random.Random(f"rules {seed}"), players)


def play(
    seed: str, *, players: int = SEATS, tries: float = 0.01, cheats: float = 0.005, verified: float = 0.3
) -> FuzzedGame:
    """Play the game of this seed. Violation, naming seed and rules, if a law is broken.

    `tries`, `cheats` and `verified` are shares: of questions whose options are tried on a copy; of answers that are
    illegal, and as many that are malformed; of games that are replayed from their record.
    """
    chance = random.Random(f"game {seed}")
    rules = rules_of(seed, players)
    names = ("a", "b", "c", "d")[: rules.game.players]
    game = Remembered(rules, walls_from(seed, 0, rules), names, chance.randrange(len(names)))
    seated = [Doubter(game, player, chance, tries=tries, cheats=cheats) for player in range(len(names))]
    witness = Witness(game)
    stopper = Stopper(witness)
    on_fault = random.Random(f"on fault {seed}").choice(("default", "chombo"))
    stopper.judge = judge = Judge(game, seated, mode="inline", watches=[witness, stopper], on_fault=on_fault)
    try:
        _check_verdicts(judge.run(), seated)
        check = chance.random() < verified
        if check:
            _check_record(game, seed)
    except Exception as problem:
        near = "tenhou" if players == SEATS else "tenhou-3p"
        changed = [f"{name}={value}" for name, _, value in ruleset.difference(ruleset.preset(near), rules)]
        raise Violation(f"seed {seed!r}: {_root(problem)!r}\nrules: {near} with {' '.join(changed)}") from problem
    return FuzzedGame(
        kyoku=witness.kyoku,
        events=witness.events_seen,
        wins=sum(isinstance(event, Win) for event in game.events),
        draws=sum(isinstance(event, Ryukyoku) for event in game.events),
        chombos=sum(isinstance(event, ChomboDraw) for event in game.events),
        questions=sum(player.asked for player in seated),
        refused=sum(player.illegal + player.malformed for player in seated),
        verified=int(check),
    )


def _root(problem: BaseException) -> BaseException:
    """Return the cause: a law broken inside the judge arrives as a defect of the table."""
    while problem.__cause__ is not None:
        problem = problem.__cause__
    return problem


def _check_verdicts(result: Result, players: list[Doubter]) -> None:
    """Check that every unoffered action was refused, and nothing else."""
    for player, report in zip(players, result.seats, strict=True):
        if player.broken is not None:
            raise player.broken
        found = {verdict: count for verdict, count in report.verdicts.items() if count}
        wanted = {Verdict.ILLEGAL: player.illegal, Verdict.MALFORMED: player.malformed}
        wanted[Verdict.OK] = player.asked - player.illegal - player.malformed
        require(found == {verdict: count for verdict, count in wanted.items() if count}, "verdicts are exact", found)


def _check_record(game: Remembered, seed: str) -> None:
    """Check that the game's own 牌譜 drives the engine to the same game."""
    paifu = paifu_of(game.events, game.rules, f"fuzz {seed}")
    done = verify(paifu_from(Path("fuzz"), paifu), game.rules)
    require(done.difference is None, "a record drives the engine to the same game", done.difference)
