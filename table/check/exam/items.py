"""The scripted kyoku of the exam, item by item.

An item passes if the player answers every question with a legal option in time, handles every event, and is paid for
each win that it claims. Which option it takes does not matter. A scene's text says what else it checks: which options
are offered, and which are not although the tiles fit.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from jantaku.table.ground.errors import TableFault
from jantaku.table.ground.port import Player
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi.game import Names, RiichiGame
from jantaku.table.riichi.pieces.seats import SEATS, THREE, WINDS
from jantaku.table.riichi.position import begin, stack
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import with_settings
from jantaku.table.riichi.words import word_of
from jantaku.table.testing.examined import Examined
from jantaku.table.testing.scripts import Actor, scripts
from jantaku.table.testing.sitting import Sat, Sitting

Maker = Callable[[int], Player]
"""Creates the player under examination for one game from a seed."""


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A position, and the words that lead to the question; from there on the player decides by itself. The player sits
    in the seat `seat`. The others say their words and then discard what they draw. The first question after the script
    must offer all of `offered` and none of `withheld`, or the scene itself is wrong. The game ends at the player's
    first question in the next kyoku, so that it has heard the result. `settings` are the rules that the scene needs.
    The position is described as in `jantaku.table.riichi.position`."""

    about: str
    seat: str
    hands: tuple[str, ...] = ()
    script: str = ""
    offered: str = ""
    withheld: str = ""
    settings: Mapping[str, str] = {}
    draws: str = ""
    last: str = ""
    rinshan: str = ""
    dora: str = ""
    hidden: str = ""

    @property
    def place(self) -> int:
        return WINDS.index(self.seat)

    def laid(self, rules: Rules, settings: Mapping[str, str] | None = None) -> RiichiGame:
        """Return the game at its beginning, with the scene's rules and `settings`."""
        law = with_settings(rules, {**self.settings, **(settings or {})}, "scene")
        wall = stack(
            law, self.hands, draws=self.draws, last=self.last, rinshan=self.rinshan, dora=self.dora, hidden=self.hidden
        )
        return begin(law, wall, names=_names(self.place, law.game.players))

    def play(self, make: Maker, rules: Rules, clock: Clock, seed: int, threads: Mode = Mode.RESIDENT) -> Sat:
        place, game, words = self.place, self.laid(rules), scripts(self.script)
        others: dict[int, Player] = {seat: Actor(words[seat]) for seat in range(game.seats) if seat != place}
        player, script, enough = make(seed), words[place], _is_in_the_next_kyoku
        sitting = Sitting(game, place, player, others, clock, threads=threads, script=script, enough=enough)
        sat = sitting.play()
        if sat.failure is None:
            self._check(sitting.bot)
        return sat

    def _check(self, bot: Examined) -> None:
        """Raise TableFault if the question of the scene was not put, or has other options."""
        offered = set() if bot.opening is None else set(map(word_of, bot.opening.options))
        missing, wrong = set(self.offered.split()) - offered, set(self.withheld.split()) & offered
        if bot.opening is None or missing or wrong:
            raise TableFault(f"exam: “{self.about}” came to the question {sorted(offered)}")


def _is_in_the_next_kyoku(bot: Examined) -> bool:
    return bot.rounds > 1


def _names(place: int, seats: int) -> Names:
    return tuple(["examinee" if seat == place else f"actor {WINDS[seat]}" for seat in range(seats)])


def _scenes(file: str) -> Mapping[str, tuple[Scene, ...]]:
    content = Path(__file__).with_name(file).read_bytes()
    return msgspec.toml.decode(content, type=dict[str, tuple[Scene, ...]])


SCENES = {SEATS: _scenes("of-four.toml"), THREE: _scenes("of-three.toml")}
"""The scripted items by name, by the number of seats."""
