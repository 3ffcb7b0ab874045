"""The scripted kyoku of the exam, item by item.

An item passes if the player answers every question with a legal option in time, handles every event, and is paid for
each win that it claims. Which option it takes does not matter. A scene's text says what else it checks: which options
are offered, and which are not although the tiles fit.
"""

from collections.abc import Callable, Mapping
from functools import partial

import msgspec

from jantaku.table.ground.errors import TableFault
from jantaku.table.ground.port import Player
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi.game import Names, RiichiGame
from jantaku.table.riichi.pieces.seats import WINDS
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
    """A position, and the words that lead to the question; from there on the player decides by itself.

    The player sits in the seat `seat`. The others say their words and then discard what they draw. The first question
    after the script must offer all of `offered` and none of `withheld`, or the scene itself is wrong. The game ends at
    the player's first question in the next kyoku, so that it has heard the result. `settings` are the rules that the
    scene needs. The position is described as in `jantaku.table.riichi.position`.
    """

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
        """The place of the player under examination."""
        return WINDS.index(self.seat)

    def laid(self, rules: Rules, settings: Mapping[str, str] | None = None) -> RiichiGame:
        """Return the game at its beginning, with the scene's rules and `settings`."""
        law = with_settings(rules, {**self.settings, **(settings or {})}, "scene")
        wall = stack(
            law,
            self.hands,
            draws=self.draws,
            last=self.last,
            rinshan=self.rinshan,
            dora=self.dora,
            hidden=self.hidden,
        )
        return begin(law, wall, names=_names(self.place, law.game.players))

    def play(self, make: Maker, rules: Rules, clock: Clock, seed: int, threads: Mode = Mode.RESIDENT) -> Sat:
        """Play the scene with a player."""
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


ITTSUU = "m123456789p11s78"
"""Waits for s6 and s9, with a yaku on s9 only, or in riichi."""
TANKI = "m234p234s234567z1"
"""Waits for z1, with a yaku."""

RIICHI = (
    Scene(about="riichi is offered", seat="東", hands=(ITTSUU,), draws="z1", offered="z1_*"),
    Scene(
        about="in riichi a win on a discard is offered",
        seat="南",
        hands=("", ITTSUU),
        draws="z1 z1 z2 s9",
        hidden="s69",
        script="南z1_*",
        offered="ron pass",
    ),
    Scene(
        about="in riichi only the drawn tile may be discarded",
        seat="東",
        hands=(ITTSUU,),
        draws="z1 z2 z3 z4 s6",
        hidden="s69",
        script="東z1_*",
        offered="tsumo s6_",
        withheld="m1 p1 s7",
    ),
    Scene(
        about="in riichi an ankan that leaves the waits alone is offered",
        seat="東",
        hands=("m123456p11s78z555",),
        draws="z1 z2 z3 z4 z5",
        hidden="s69",
        settings={"riichi.ankan": "waits"},
        script="東z1_*",
        offered="z5555 z5_",
        withheld="p1 s7 z5",
    ),
    Scene(
        about="a riichi does not count if its discard is won on",
        seat="東",
        hands=(ITTSUU, TANKI),
        draws="z1",
        script="東z1_* 南ron",
    ),
)

_ankan = partial(Scene, seat="東", hands=("m123456p11s78z555",), hidden="s69", draws="z5")

_kakan = partial(Scene, seat="南", hands=("", "m123456p11s78z556"), hidden="s69", draws="z5 z1 z2 z3 z5")

_daiminkan = partial(Scene, seat="西", hands=("", "", "m123456p11s78z555"), hidden="s69", draws="z5")

KAN = (
    _ankan(about="an ankan is offered", offered="z5555"),
    _ankan(
        about="after an ankan: its indicator, a rinshan tile, a discard",
        rinshan="z6",
        settings={"dora.ankan_opens": "at-once"},
        script="東z5555",
        offered="z6_",
    ),
    _kakan(about="a kakan is offered", script="南z555- 南z6", offered="z555-5"),
    _kakan(
        about="after a kakan: a rinshan tile, a discard, its indicator",
        rinshan="z6",
        settings={"dora.minkan_opens": "after-discard"},
        script="南z555- 南z6 南z555-5",
        offered="z6_",
    ),
    _daiminkan(about="a daiminkan is offered", offered="z5555= z555= pass"),
    _daiminkan(
        about="after a daiminkan: a rinshan tile, a discard, its indicator",
        rinshan="z6",
        settings={"dora.minkan_opens": "after-discard"},
        script="西z5555=",
        offered="z6_",
    ),
    Scene(
        about="another seat makes two kans",
        seat="南",
        hands=("z555666", "m258p258s2589z12"),
        draws="z5 m1",
        rinshan="z6 z7",
        script="東z5555 東z6666",
        offered="m1_",
    ),
    Scene(
        about="four kans in one hand",
        seat="東",
        hands=("z555666777m111p1",),
        draws="z5",
        rinshan="z6 z7 m1 p1",
        script="東z5555 東z6666 東z7777 東m1111",
        offered="tsumo p1_",
    ),
)

_TO_THE_KAN = "東. 南. 南pass 東p111= 東. 南. 北. 東p111=1"


def _robbed(about: str, seat: str, script: str = "", offered: str = "") -> Scene:
    """A scene in which 東 adds the fourth tile to a pon, and 南 waits for it."""
    return Scene(
        about=about,
        seat=seat,
        hands=("p11", "m123456789s11p23", "", "m258p258s2589z66"),
        draws="z1 z2 p1 z3 z4 z4 p1",
        hidden="p4",
        script=f"{_TO_THE_KAN} {script}",
        offered=offered,
    )


ROBBED_KAN = (
    _robbed("a kakan may be robbed", "南", offered="ron pass"),
    _robbed("the own kakan is robbed: it does not count, and there is no rinshan tile", "東", "南ron"),
    _robbed("another seat robs a third one's kakan", "北", "南ron"),
)

_TWO_WAIT = ("", ITTSUU, "p123456789m11s78", "m258p258s25z12666")
_TWO_WIN = {"ron.max_winners": "2", "ron.sanchahou": "true"}

_several_ron = partial(Scene, hands=_TWO_WAIT, draws="s9", settings=_TWO_WIN)

DOUBLE_RON = (
    _several_ron(
        about="two win on one discard, and this is one of them", seat="南", script="西ron", offered="ron pass"
    ),
    _several_ron(about="two win on the own discard", seat="東", script="東. 南ron 西ron"),
    _several_ron(about="two others win", seat="北", script="南ron 西ron"),
    Scene(
        about="three claim one discard: the kyoku is aborted",
        seat="東",
        hands=("", ITTSUU, "p123456789m11s78", "m123p123s12378m99"),
        draws="s9",
        settings=_TWO_WIN,
        script="東. 南ron 西ron 北ron",
    ),
)

LAST_TILE = (
    Scene(
        about="with the last tile there is no kan and no riichi",
        seat="南",
        hands=("", "m111p111z1122333"),
        last="m1",
        hidden="p1z123",
        settings={"riichi.min_tiles": "4"},
        script="南.*17",
        offered="m1_",
        withheld="m1111 m1_* m1*",
    ),
    Scene(
        about="a win with the last tile is offered",
        seat="南",
        hands=("", ITTSUU),
        last="s9",
        hidden="s69",
        script="南.*17",
        offered="tsumo s9_",
    ),
    Scene(
        about="the last discard may be won on, and not called",
        seat="西",
        hands=("", "", "m123456789p11s99"),
        last="s9",
        hidden="p1s9",
        script="西.*17",
        offered="ron pass",
        withheld="s999-",
    ),
)

_dama = partial(Scene, seat="南", hands=("", "m234p234s23478p88"), hidden="s69")

FURITEN = (
    Scene(
        about="furiten, a wait in the own river: no ron",
        seat="南",
        hands=("", ITTSUU),
        draws="z1 s9 z2 z3 s6",
        hidden="s69",
        script="南.",
        offered="s6-78 pass",
        withheld="ron",
    ),
    _dama(
        about="furiten, a winning tile was passed: no ron until the next own discard",
        draws="z1 z1 s9 z3 s6",
        script="南. 南pass",
        offered="s6-78 pass",
        withheld="ron",
    ),
    _dama(
        about="after the next own discard ron is allowed again",
        draws="z1 z1 s9 z3 z3 z4 s6",
        script="南. 南pass 南.",
        offered="ron pass",
    ),
    Scene(
        about="furiten, a winning tile was passed in riichi: only tsumo wins",
        seat="南",
        hands=("", ITTSUU),
        draws="z1 z1 s9 z2 z3 s6",
        hidden="s69",
        script="南z1_* 南pass",
        offered="tsumo s6_",
    ),
)

_NO_KUIKAE = {"call.kuikae": "forbidden"}

_chi = partial(Scene, seat="南", settings=_NO_KUIKAE, offered="z1 z2 p1")

KUIKAE = (
    _chi(
        about="after a chi neither the called kind nor the other end may be discarded",
        hands=("", "m3456p123s123z112"),
        draws="m3",
        script="南m3-45",
        withheld="m3 m6",
    ),
    _chi(
        about="after a chi into the middle the called kind may not be discarded",
        hands=("", "m345p123s123z1122"),
        draws="m4",
        script="南m34-5",
        withheld="m4",
    ),
    Scene(
        about="after a pon the third tile of the kind may not be discarded",
        seat="西",
        hands=("", "", "m123p1122s123z555"),
        draws="z5",
        settings=_NO_KUIKAE,
        script="西z555=",
        offered="m1 p1 s1",
        withheld="z5",
    ),
)

_TEN_KINDS = "m19p19s19z1234m258"
WITH_KYUUSHU = {"abort.kyuushu": "true"}

_kyuushu = partial(Scene, settings=WITH_KYUUSHU)

KYUUSHU = (
    _kyuushu(about="nine kinds in the first draw", seat="東", hands=(_TEN_KINDS,), draws="m5", offered="kyuushu m5_"),
    _kyuushu(
        about="nine kinds in a later seat's first draw",
        seat="西",
        hands=("", "", _TEN_KINDS),
        draws="s5 s5 m5",
        offered="kyuushu m5_",
    ),
    _kyuushu(
        about="nine kinds after a call: no abort",
        seat="西",
        hands=("", "m123p456s789z5566", _TEN_KINDS),
        draws="z5 m5",
        script="南z555- 南z6",
        offered="m5_",
        withheld="kyuushu",
    ),
    _kyuushu(
        about="nine kinds in the second draw: no abort",
        seat="東",
        hands=(_TEN_KINDS,),
        draws="m5 z5 z5 z6 m6",
        script="東.",
        offered="m6_",
        withheld="kyuushu",
    ),
    _kyuushu(
        about="eight kinds: no abort",
        seat="東",
        hands=("m19p19s19z12m25p25s2",),
        draws="m5",
        offered="m5_",
        withheld="kyuushu",
    ),
    _kyuushu(about="another seat aborts the kyoku", seat="南", hands=(_TEN_KINDS,), draws="m5", script="東kyuushu"),
)

SCENES = {
    "riichi": RIICHI,
    "kan": KAN,
    "robbed-kan": ROBBED_KAN,
    "double-ron": DOUBLE_RON,
    "last-tile": LAST_TILE,
    "furiten": FURITEN,
    "kuikae": KUIKAE,
    "kyuushu": KYUUSHU,
}
"""The scripted items by name."""
