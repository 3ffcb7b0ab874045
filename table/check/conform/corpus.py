"""Produces what is said at a table in one dialect, line by line: in the scripted kyoku of the exam and in some
hanchan."""

from collections.abc import Iterator, Mapping, Sequence

from jantaku.table.check.conform.netplay import NETPLAY, in_the_lobby, wired
from jantaku.table.check.conform.wired import SpokenLine, Trial, Wired
from jantaku.table.check.exam.items import SCENES, Scene
from jantaku.table.ground.port import Player
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.turn.way import Mode
from jantaku.table.play import seeds
from jantaku.table.play.roster import enlist
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.ruleset import preset, with_settings
from jantaku.table.testing.script import Actor, scripts

MINDS = ("shanten", "caller", "shanten", "dice")
"""The players of the hanchan; together they take every kind of action."""
HANCHAN = 1
ONE: Mapping[str, str] = {"game.length": "one"}
RULES = with_settings(preset("tenhou"), {"draw.declare_tenpai": "true"})
_NAMES = ("a", "b", "c", "d")


def said(dialect: str, trial: Trial | None = None) -> Iterator[list[SpokenLine]]:
    """Yield the conversations of single seats. `trial` is called in the scripted kyoku."""
    for scenes in SCENES.values():
        for scene in scenes:
            yield from _scene(dialect, scene, trial)
    for number in range(HANCHAN):
        game = RiichiGame(RULES, walls_from("card", number, RULES), _NAMES)
        minds = [one.make(seeds.of_bot("card", number, seat)) for seat, one in enumerate(enlist(MINDS))]
        hanchan = list(_played(game, [wired(dialect, mind, clocked=True) for mind in minds]))
        yield from hanchan
    if dialect == NETPLAY:
        first, last = (line.data for line in (_of_table(hanchan[0])[0], _of_table(hanchan[0])[-1]))
        yield from in_the_lobby(first, last)


def _of_table(lines: Sequence[SpokenLine]) -> list[SpokenLine]:
    return [line for line in lines if line.by_table]


def _scene(dialect: str, scene: Scene, trial: Trial | None) -> Iterator[list[SpokenLine]]:
    """Play a scene in which the examined seat, and every seat with words of its own, speaks the dialect."""
    said = {one[0] for one in scene.script.split()} | {scene.seat}
    actors = [Actor(words) for words in scripts(scene.script)]
    return _played(
        scene.laid(RULES, ONE),
        [
            wired(dialect, actor, trial=trial) if wind in said else actor
            for wind, actor in zip(WINDS, actors, strict=True)
        ],
    )


def _played(game: RiichiGame, seats: Sequence[Player]) -> Iterator[list[SpokenLine]]:
    Judge(game, seats, mode=Mode.INLINE).run()
    for seat in seats:
        if isinstance(seat, Wired):
            seat.close()
            yield seat.lines
