"""The scripted kyoku of the exam for three players: no chi, no 2m to 8m.

The scenes about norths set aside (抜きドラ), and about the payments of two players for a tsumo, come first.

Items that games of four have, too, bear the same names, see `items.py`.
"""

from jantaku.table.check.exam.items import Scene

ITTSUU = "p123456789m11s78"
"""Waits for s6 and s9, with a yaku."""
APART = "m19p2589s2589z567"
"""Far from any win; it can call nothing."""
NUKI_RULES = {"sanma.north": "nuki"}

NUKI = (
    Scene(
        about="a north of the hand may be set aside",
        seat="東",
        hands=("z4",),
        draws="z1",
        settings=NUKI_RULES,
        offered="setaside z1_ z4",
    ),
    Scene(
        about="after a north: a rinshan tile, and another north",
        seat="東",
        hands=("z4",),
        draws="z4",
        rinshan="z1",
        settings=NUKI_RULES,
        script="東setaside",
        offered="setaside z1_",
    ),
    Scene(
        about="the rinshan tile after a north wins",
        seat="東",
        hands=(ITTSUU,),
        draws="z4",
        rinshan="s9",
        settings=NUKI_RULES,
        script="東setaside",
        offered="tsumo s9_",
    ),
    Scene(
        about="not right after a pon",
        seat="南",
        hands=("", "p1239s4569z45566"),
        draws="z5",
        settings=NUKI_RULES,
        script="南z555-",
        offered="z4",
        withheld="setaside",
    ),
    Scene(
        about="somebody else sets norths aside",
        seat="南",
        hands=("z44", APART),
        draws="z1 m1",
        rinshan="z2 z3",
        settings=NUKI_RULES,
        script="東setaside 東setaside",
        offered="m1_",
    ),
    Scene(
        about="in riichi the north just drawn may be set aside",
        seat="東",
        hands=(ITTSUU,),
        draws="z1 z2 z3 z4",
        hidden="s69",
        settings=NUKI_RULES,
        script="東z1_*",
        offered="setaside z4_",
    ),
    Scene(
        about="in riichi a north of the hand stays there",
        seat="東",
        hands=("p123456789m11z44",),
        draws="z1 z2 z3 m1",
        hidden="m1z4",
        settings=NUKI_RULES,
        script="東z1_*",
        offered="tsumo m1_",
        withheld="setaside z4",
    ),
    Scene(
        about="where north is a wind that nobody has it stays in the hand",
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
    _ronned("somebody wins on somebody's north", "西", "南ron"),
    _ronned("two win on the own north", "東", "南ron 西ron", ("z4", _FOR_NORTH, "s123456789p567z4")),
    _ronned(
        "a north was let go: no ron on the next",
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
    _drawn("two pay for somebody's draw, and a share is lost", "西", "lost"),
    _drawn("two pay for somebody's draw, all of it", "南", "split"),
)


SHANPON = "p123456789m11s99"
"""Waits for m1 and s9, with a yaku; it can pon either."""
TANKI = "p123456789s567z1"
"""Waits for z1, with a yaku."""
TRIPLET = "p123456m11s78z555"
"""Waits for s6 and s9; an ankan of z5 leaves the waits alone."""

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
        about="in riichi no tile but the drawn one may go",
        seat="東",
        hands=(ITTSUU,),
        draws="z1 z2 z3 s6",
        hidden="s69",
        script="東z1_*",
        offered="tsumo s6_",
        withheld="m1 p1 s7",
    ),
    Scene(
        about="in riichi an ankan that leaves the waits alone is offered",
        seat="東",
        hands=(TRIPLET,),
        draws="z1 z2 z3 z5",
        hidden="s69",
        settings={"riichi.ankan": "waits"},
        script="東z1_*",
        offered="z5555 z5_",
        withheld="p1 s7 z5",
    ),
    Scene(
        about="a riichi whose discard is won on does not stand",
        seat="東",
        hands=(ITTSUU, TANKI),
        draws="z1",
        script="東z1_* 南ron",
    ),
)

KAN = (
    Scene(about="an ankan is offered", seat="東", hands=(TRIPLET,), hidden="s69", draws="z5", offered="z5555"),
    Scene(
        about="after an ankan: its indicator, a rinshan tile, a discard",
        seat="東",
        hands=(TRIPLET,),
        hidden="s69",
        draws="z5",
        rinshan="z6",
        settings={"dora.ankan_opens": "at-once"},
        script="東z5555",
        offered="z6_",
    ),
    Scene(
        about="after a kakan: a rinshan tile, a discard, its indicator",
        seat="南",
        hands=("", "p123456m11s78z556"),
        hidden="s69",
        draws="z5 z1 z2 z5",
        rinshan="z6",
        settings={"dora.minkan_opens": "after-discard"},
        script="南z555- 南z6 南z555-5",
        offered="z6_",
    ),
    Scene(
        about="a daiminkan of the seat after is offered",
        seat="西",
        hands=("", "", TRIPLET),
        hidden="s69",
        draws="z5",
        offered="z5555+ z555+ pass",
    ),
    Scene(
        about="somebody else makes two kans",
        seat="南",
        hands=("z555666", "m19p2589s2589z123"),
        draws="z5 m1",
        rinshan="z6 z7",
        script="東z5555 東z6666",
        offered="m1_",
    ),
    Scene(
        about="four kans by one hand",
        seat="東",
        hands=("z555666777p111m1",),
        draws="z5",
        rinshan="z6 z7 p1 m1",
        script="東z5555 東z6666 東z7777 東p1111",
        offered="tsumo m1_",
    ),
)


def _robbed(about: str, seat: str, script: str = "", offered: str = "") -> Scene:
    """A scene in which 東 adds the fourth tile to a pon, and 南 waits for it."""
    return Scene(
        about=about,
        seat=seat,
        hands=("p11", "s123456789m11p23", APART),
        draws="z1 z2 p1 z3 z2 p1",
        hidden="p4",
        script=f"東. 南. 西.*2 南pass 東p111- 東. 南. 東p111-1 {script}",
        offered=offered,
    )


ROBBED_KAN = (
    _robbed("a kakan may be robbed", "南", offered="ron pass"),
    _robbed("the own kakan is robbed: it does not stand, and there is no rinshan tile", "東", "南ron"),
    _robbed("somebody robs somebody's kakan", "西", "南ron"),
)

_TWO_WAIT = ("", ITTSUU, "p123456789m99s78")
_TWO_WIN = {"ron.max_winners": "2"}

DOUBLE_RON = (
    Scene(
        about="two win on one discard, and this is one of them",
        seat="南",
        hands=_TWO_WAIT,
        draws="s9",
        settings=_TWO_WIN,
        script="西ron",
        offered="ron pass",
    ),
    Scene(
        about="two win on the own discard",
        seat="東",
        hands=_TWO_WAIT,
        draws="s9",
        settings=_TWO_WIN,
        script="東. 南ron 西ron",
    ),
)

LAST_TILE = (
    Scene(
        about="with the last tile there is no kan, no riichi, and no north goes aside",
        seat="東",
        hands=("m111p111z1122334",),
        last="m1",
        hidden="p1z1234",
        settings=NUKI_RULES,
        script="東.*18",
        offered="m1_",
        withheld="m1111 m1_* m1* setaside",
    ),
    Scene(
        about="the last tile may be won with",
        seat="東",
        hands=(ITTSUU,),
        last="s9",
        hidden="s69",
        script="東.*18",
        offered="tsumo s9_",
    ),
    Scene(
        about="the last discard may be won on, and not called",
        seat="南",
        hands=("", SHANPON),
        last="s9",
        hidden="m1s9",
        script="南.*18",
        offered="ron pass",
        withheld="s999-",
    ),
)

FURITEN = (
    Scene(
        about="a wait in the own river: no ron",
        seat="南",
        hands=("", SHANPON),
        draws="z1 s9 z2 m1",
        hidden="m1s9",
        script="南.",
        offered="m111- pass",
        withheld="ron",
    ),
    Scene(
        about="a winning tile was let go: no ron until the own next discard",
        seat="南",
        hands=("", SHANPON),
        draws="z1 z1 s9 m1",
        hidden="m1s9",
        script="南. 南pass",
        offered="m111- pass",
        withheld="ron",
    ),
    Scene(
        about="with the own next discard that is forgotten",
        seat="南",
        hands=("", SHANPON),
        draws="z1 z1 s9 z3 z5 m1",
        hidden="m1s9",
        script="南. 南pass 南.",
        offered="ron pass",
    ),
    Scene(
        about="a winning tile was let go in riichi: only the own draw wins",
        seat="南",
        hands=("", ITTSUU),
        draws="z1 z1 s9 z2 s6",
        hidden="s69",
        script="南z1_* 南pass",
        offered="tsumo s6_",
    ),
)

KUIKAE = (
    Scene(
        about="after a pon the fourth tile of the kind may not go",
        seat="西",
        hands=("", "", "p123789s1122z555"),
        draws="z5",
        settings={"call.kuikae": "forbidden"},
        script="西z555+",
        offered="p1 s1",
        withheld="z5",
    ),
)

_TEN_KINDS = "m19p19s19z1234p258"
_KYUUSHU = {"abort.kyuushu": "true"}

KYUUSHU = (
    Scene(
        about="nine kinds in a later seat's first draw",
        seat="西",
        hands=("", "", _TEN_KINDS),
        draws="s5 s5 p5",
        settings=_KYUUSHU,
        offered="kyuushu p5_",
    ),
    Scene(
        about="not after a call",
        seat="西",
        hands=("", "p123456s789z5566", _TEN_KINDS),
        draws="z5 p5",
        settings=_KYUUSHU,
        script="南z555- 南z6",
        offered="p5_",
        withheld="kyuushu",
    ),
    Scene(
        about="not after the own north was set aside",
        seat="東",
        hands=(_TEN_KINDS,),
        draws="z4",
        rinshan="p5",
        settings={**_KYUUSHU, **NUKI_RULES},
        script="東setaside",
        offered="p5_ setaside",
        withheld="kyuushu",
    ),
    Scene(
        about="not after somebody else's north",
        seat="南",
        hands=("z4", _TEN_KINDS),
        draws="z5 p5",
        rinshan="z5",
        settings={**_KYUUSHU, **NUKI_RULES},
        script="東setaside",
        offered="p5_",
        withheld="kyuushu",
    ),
    Scene(
        about="somebody else aborts the kyoku",
        seat="南",
        hands=(_TEN_KINDS,),
        draws="p5",
        settings=_KYUUSHU,
        script="東kyuushu",
    ),
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
