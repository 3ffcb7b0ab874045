"""The scripted kyoku of the exam about norths set aside (抜きドラ), and about the payments of two players for a
tsumo."""

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
