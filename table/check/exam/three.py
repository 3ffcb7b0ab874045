"""The scripted kyoku of the exam for three players: no chi, no 2m to 8m.

The scenes about norths set aside (抜きドラ), and about the payments of two players for a tsumo, come first. The others
follow from the scenes of four players in `items.py`: characters become circles, and a seat is left out.
"""

import re
from functools import partial
from typing import Any

import msgspec

from jantaku.table.check.exam import items
from jantaku.table.check.exam.items import Scene

ITTSUU = "p123456789m11s78"
"""Waits for s6 and s9, with a yaku."""
APART = "m19p2589s2589z567"
"""Far from any win; it can call nothing."""
NUKI_RULES = {"sanma.north": "nuki"}

_nuki = partial(Scene, settings=NUKI_RULES)

NUKI = (
    _nuki(
        about="a north of the hand may be set aside", seat="東", hands=("z4",), draws="z1", offered="setaside z1_ z4"
    ),
    _nuki(
        about="after a north: a rinshan tile, and another north",
        seat="東",
        hands=("z4",),
        draws="z4",
        rinshan="z1",
        script="東setaside",
        offered="setaside z1_",
    ),
    _nuki(
        about="the rinshan tile after a north wins",
        seat="東",
        hands=(ITTSUU,),
        draws="z4",
        rinshan="s9",
        script="東setaside",
        offered="tsumo s9_",
    ),
    _nuki(
        about="no north is set aside right after a pon",
        seat="南",
        hands=("", "p1239s4569z45566"),
        draws="z5",
        script="南z555-",
        offered="z4",
        withheld="setaside",
    ),
    _nuki(
        about="another seat sets norths aside",
        seat="南",
        hands=("z44", APART),
        draws="z1 m1",
        rinshan="z2 z3",
        script="東setaside 東setaside",
        offered="m1_",
    ),
    _nuki(
        about="in riichi the north just drawn may be set aside",
        seat="東",
        hands=(ITTSUU,),
        draws="z1 z2 z3 z4",
        hidden="s69",
        script="東z1_*",
        offered="setaside z4_",
    ),
    _nuki(
        about="in riichi a north of the hand stays there",
        seat="東",
        hands=("p123456789m11z44",),
        draws="z1 z2 z3 m1",
        hidden="m1z4",
        script="東z1_*",
        offered="tsumo m1_",
        withheld="setaside z4",
    ),
    Scene(
        about="where north is a guest wind, it cannot be set aside",
        seat="東",
        hands=("z4",),
        draws="z1",
        settings={"sanma.north": "guest"},
        offered="z4 z1_",
        withheld="setaside",
    ),
)

_FOR_NORTH = "p123456789s567z4"


def _ronned(about: str, seat: str, script: str, hands: tuple[str, ...] = ("z4", _FOR_NORTH), **more: str) -> Scene:
    """A scene in which 東 sets aside a north that 南 waits for."""
    return Scene(
        about=about, seat=seat, hands=hands, draws="z1", settings=NUKI_RULES, script=f"東setaside {script}", **more
    )


RONNED_NUKI = (
    _ronned("a north that is set aside may be won on", "南", "", offered="ron pass"),
    _ronned("the own north is won on: no rinshan tile", "東", "南ron"),
    _ronned("another seat wins on a third one's north", "西", "南ron"),
    _ronned("two win on the own north", "東", "南ron 西ron", ("z4", _FOR_NORTH, "s123456789p567z4")),
    _ronned(
        "furiten, a north was passed: no ron on the next",
        "南",
        "南pass",
        ("z4", "p123456789m11z44"),
        rinshan="z4",
        hidden="m1",
        offered="z444- pass",
        withheld="ron",
    ),
)


def _drawn(about: str, seat: str, loss: str) -> Scene:
    """A scene in which 東 sets a north aside and wins with the replacement tile."""
    return Scene(
        about=about,
        seat=seat,
        hands=(ITTSUU,),
        draws="z4",
        rinshan="s9",
        settings={**NUKI_RULES, "sanma.tsumo_loss": loss},
        script="東setaside 東tsumo",
    )


TSUMO = (
    _drawn("of an own draw the share of a fourth player is lost", "東", "lost"),
    _drawn("another seat's tsumo: two pay, and a share is lost", "西", "lost"),
    _drawn("another seat's tsumo: two pay all of it", "南", "split"),
)

_OTHER_SUIT = str.maketrans("mp", "pm")
_TILED = ("draws", "last", "rinshan", "dora", "hidden", "offered", "withheld", "script")


def _other_suit(text: str) -> str:
    return re.sub(r"[mp](?=[0-9])", lambda suit: suit[0].translate(_OTHER_SUIT), text)


def _as_of_four(scene: Scene, **changes: Any) -> Scene:
    """A scene of four players at a table of three, where circles have the run of nine that characters lack; `changes`
    are for the missing seat."""
    hands = tuple(map(_other_suit, scene.hands))
    tiles = {name: _other_suit(getattr(scene, name)) for name in _TILED}
    return msgspec.structs.replace(scene, **{"hands": hands, **tiles, **changes})


SHANPON = "p123456789m11s99"
"""Waits for m1 and s9, with a yaku; it can pon either."""

RIICHI = (
    _as_of_four(items.RIICHI[0]),
    _as_of_four(items.RIICHI[1]),
    _as_of_four(items.RIICHI[2], draws="z1 z2 z3 s6"),
    _as_of_four(items.RIICHI[3], draws="z1 z2 z3 z5"),
    _as_of_four(items.RIICHI[4], hands=(ITTSUU, "p123456789s567z1")),
)

KAN = (
    _as_of_four(items.KAN[0]),
    _as_of_four(items.KAN[1]),
    _as_of_four(items.KAN[3], draws="z5 z1 z2 z5"),
    _as_of_four(items.KAN[4], about="a daiminkan of the seat after is offered", offered="z5555+ z555+ pass"),
    _as_of_four(items.KAN[6], hands=("z555666", "m19p2589s2589z123"), draws="z5 m1", offered="m1_"),
    _as_of_four(items.KAN[7]),
)

_TO_THE_KAN = "東. 南. 西.*2 南pass 東p111- 東. 南. 東p111-1 "


def _robbed(scene: Scene, seat: str, words: str = "") -> Scene:
    return _as_of_four(
        scene,
        seat=seat,
        hands=("p11", "s123456789m11p23", APART),
        draws="z1 z2 p1 z3 z2 p1",
        hidden="p4",
        script=f"{_TO_THE_KAN}{words}",
    )


ROBBED_KAN = (
    _robbed(items.ROBBED_KAN[0], "南"),
    _robbed(items.ROBBED_KAN[1], "東", "南ron"),
    _robbed(items.ROBBED_KAN[2], "西", "南ron"),
)

_TWO_WAIT = ("", ITTSUU, "p123456789m99s78")

DOUBLE_RON = (
    _as_of_four(items.DOUBLE_RON[0], hands=_TWO_WAIT, settings={"ron.max_winners": "2"}),
    _as_of_four(items.DOUBLE_RON[1], hands=_TWO_WAIT, settings={"ron.max_winners": "2"}),
)

LAST_TILE = (
    Scene(
        about="with the last tile there is no kan, no riichi, and no north is set aside",
        seat="東",
        hands=("m111p111z1122334",),
        last="m1",
        hidden="p1z1234",
        settings=NUKI_RULES,
        script="東.*18",
        offered="m1_",
        withheld="m1111 m1_* m1* setaside",
    ),
    _as_of_four(items.LAST_TILE[1], seat="東", hands=(ITTSUU,), script="東.*18"),
    _as_of_four(items.LAST_TILE[2], seat="南", hands=("", SHANPON), script="南.*18"),
)


def _furiten(scene: Scene, draws: str, offered: str) -> Scene:
    return _as_of_four(scene, hands=("", SHANPON), draws=draws, hidden="m1s9", offered=offered)


FURITEN = (
    _furiten(items.FURITEN[0], "z1 s9 z2 m1", "m111- pass"),
    _furiten(items.FURITEN[1], "z1 z1 s9 m1", "m111- pass"),
    _furiten(items.FURITEN[2], "z1 z1 s9 z3 z5 m1", "ron pass"),
    _as_of_four(items.FURITEN[3], draws="z1 z1 s9 z2 s6"),
)

KUIKAE = (
    _as_of_four(
        items.KUIKAE[2],
        about="after a pon the fourth tile of the kind may not be discarded",
        hands=("", "", "p123789s1122z555"),
        script="西z555+",
        offered="p1 s1",
    ),
)

_TEN_KINDS = "m19p19s19z1234p258"

_kyuushu = partial(Scene, settings={**items.WITH_KYUUSHU, **NUKI_RULES})

KYUUSHU = (
    _as_of_four(items.KYUUSHU[1]),
    _as_of_four(items.KYUUSHU[2], hands=("", "p123456s789z5566", _TEN_KINDS)),
    _kyuushu(
        about="nine kinds after the own north was set aside: no abort",
        seat="東",
        hands=(_TEN_KINDS,),
        draws="z4",
        rinshan="p5",
        script="東setaside",
        offered="p5_ setaside",
        withheld="kyuushu",
    ),
    _kyuushu(
        about="nine kinds after another seat's north: no abort",
        seat="南",
        hands=("z4", _TEN_KINDS),
        draws="z5 p5",
        rinshan="z5",
        script="東setaside",
        offered="p5_",
        withheld="kyuushu",
    ),
    _as_of_four(items.KYUUSHU[5]),
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
    "nuki": NUKI,
    "ronned-nuki": RONNED_NUKI,
    "tsumo": TSUMO,
}
"""The scripted items by name."""
