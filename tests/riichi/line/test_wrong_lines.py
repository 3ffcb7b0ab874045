"""Lines that cannot be read, and lines that no kyoku comes to: each is refused with the column, the field and what is
allowed."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.line import line_of, read_line
from jantaku.table.riichi.pieces.seats import WINDS
from tests.kit.position import table
from tests.riichi.line import CLAIM, OWN, THREE

START = (
    "jtk1 tenhou E1 honba=0 sticks=0 left=69 indicators=z7 E25000 S25000 W25000 N25000 hand=m123p456s789z1155+z5 "
    "ask=E/draw"
)
KAN = (
    "jtk1 tenhou E1 honba=0 sticks=0 left=68 indicators=z7m1 E25000//z1111 S25000 W25000 N25000 "
    "hand=m123p456s789z2+z5 ask=E/rinshan"
)


def refusal(line: str) -> str:
    with pytest.raises(BadInput) as refused:
        read_line(line)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_the_lines_that_are_changed_here_are_right() -> None:
    for line in (START, KAN, OWN, CLAIM, THREE):
        assert read_line(line).line == line


@pytest.mark.parametrize(
    ("line", "old", "new", "place", "said"),
    [
        # another form
        (START, "jtk1", "jtk2", "", "“jtk2 tenhou E1 honba=0 sticks=0 left=69 ” is not a position line; one begins"),
        (START, " ask=E/draw", "", "", "it has 12 fields; allowed are 13 where 4 play: version, rules, round,"),
        (THREE, " W35000/z7.z6z2S", "", "", "it has 11 fields; allowed are 12 where 3 play: version, rules, round,"),
        (START, "tenhou", "tenho", "6 (rules)", 'there is no preset "tenho"; did you mean tenhou? the presets are'),
        (START, "tenhou", "tenhou;game.players=3", "6 (rules)", "rules: game.uma has 4 values; game.players = 3"),
        (START, "tenhou", "tenhou;ron.max=2", "6 (rules)", "there is no key ron.max; the keys of [ron] are"),
        (START, "tenhou", "tenhou;ron.max_winners", "6 (rules)", "'ron.max_winners' is not of the form KEY=VALUE,"),
        (START, "tenhou", "tenhou;dora.ura=false", "6 (rules)", "dora.kan_ura = true needs dora.ura = true"),
        (START, "E1 ", "E5 ", "13 (round)", "“E5” cannot be read; allowed: E1 to N4"),
        (THREE, "E1 ", "E4 ", "34 (round)", "“E4” cannot be read; allowed: E1 to N3"),
        (START, "honba=0", "honba=-1", "16 (honba)", "“honba=-1” cannot be read; allowed: honba= and a number from 0"),
        (START, "indicators=z7", "indicators=", "41 (indicators)", "“indicators=” cannot be read; allowed:"),
        (START, "indicators=z7", "indicators=z8", "52 (indicators)", "“z8” is not a tile: allowed are m0-m9, p0-p9,"),
        (START, "S25000", "W25000", "62 (S)", "“W25000” cannot be read; allowed: SPOINTS, SPOINTS/RIVER or"),
        (OWN, "z3Wp7z4", "z3Xp7z4", "125 (S)", "“Xp7z4s6p” is not a discard; they look like m1, p0. (tsumogiri), z7R,"),
        (OWN, "p23-4", "p23-5", "151 (S)", "“p23-5” is not a meld: they look like m12-3, p505=, z1111, s999+9"),
        (START, "+z5", "+z5z5", "106 (hand)", "“z5z5” is not a tile: allowed are m0-m9, p0-p9, s0-s9 and z1-z7"),
        (START, "hand=m123", "hand=m1x3", "88 (hand)", "“m1x3p456s789z1155” is not a hand: tiles look like"),
        (START, "E/draw", "E/claim", "109 (ask)", "“ask=E/claim” cannot be read; allowed: ask=SEAT/WHAT or, for a"),
        (START, "E/draw", "E/draw mised", "120 (missed)", "“mised” cannot be read; allowed: missed, or nothing"),
        # tiles
        (START, "m123p456s789z1155", "m11111p456s78z115", "83 (hand)", "m1 is on the line 5 times; by these rules"),
        (START, "p456s789z1155", "p400s789z1155", "83 (hand)", "p0 is on the line 2 times; by these rules there"),
        (THREE, "p130", "p1m55", "131 (hand)", "m5 is on the line 2 times; by these rules there are 0"),
        (START, "z1155+", "z115+", "83 (hand)", "it has 12 tiles before the +; with 0 melds they are 13"),
        (START, "+z5", "", "83 (hand)", "the tile just drawn stands behind a +, and there is no +"),
        (CLAIM, "z1 ask", "+z1 ask", "199 (hand)", "the tile just drawn stands behind a +, and none is drawn"),
        # rivers and melds
        (START, "E25000", "E25000/z7z7z7z7", "55 (E)", "after discard 1 its turn does not come again; turns go"),
        (CLAIM, "z2m0z2s6", "z2m0z2", "105 (S)", "after discard 8 its turn does not come again; turns go round, and"),
        (CLAIM, "m1Ep3", "m1p3", "73 (E)", "0 discards in the rivers have its letter behind them, as called by it,"),
        (CLAIM, "p123-", "p123-,m123-", "107 (S)", "1 discards in the rivers have its letter behind them, as called"),
        (CLAIM, "p123-", "p12-3", "73 (E)", "p3 (discard 3): S called it, but the next of its melds is p12-3"),
        (CLAIM, "/m1-23", "/m111=", "169 (N)", "m1 (discard 4): E called it, but the next of its melds is m111="),
        (CLAIM, "m1Ep3", "m1Np3", "73 (E)", "0 discards in the rivers have its letter behind them, as called by it,"),
        (CLAIM, "z1m1Ep3m7s6R", "z1m1Ep3m7s6RI", "169 (N)", "s6 (discard 7): a call or an own discard has ended the"),
        (CLAIM, "s6Rp5.m9.", "s6Rp5m9.", "169 (N)", "in riichi each later discard is just drawn, with a dot"),
        (CLAIM, "s6Rp5.m9.", "s6Rp5.m9.R", "195 (N)", "it declares riichi twice; allowed is one R or D"),
        (CLAIM, "N17000/z7z6", "N17000/z7Dz6", "190 (N)", "it declares riichi twice; allowed is one R or D"),
        (OWN, "m7RI", "m7R", "73 (E)", "m7 (discard 12): nothing has ended its ippatsu; write I"),
        (OWN, "m7RI", "m7DI", "73 (E)", "m7 (discard 12): D is riichi with the first discard, before any call and"),
        (OWN, "z4z2z5z6.p8", "z4Rz2.z5.z6.p8.", "111 (E)", "it declares riichi twice; allowed is one R or D"),
        (OWN, "/z333-", "/z333-,n1", "157 (W)", "by these rules no north is set aside"),
        (THREE, "/z222+", "/z22-34", "109 (S)", "“z22-34” is not a meld: they look like m12-3, p505=, z1111, s999+9"),
        (THREE, "s1/z222+", "s1/s12-3", "93 (S)", "it has a chi, but with three players there is no chi"),
        (THREE, "/n1", "/n1,m1111", "90 (E)", "“n1” is not a meld: they look like m12-3, p505=, z1111, s999+9"),
        # the question
        (START, "E/draw", "S/draw", "109 (ask)", "that does not follow from rivers and melds; allowed: E/draw"),
        (START, "E/draw", "E/call", "109 (ask)", "that does not follow from rivers and melds; allowed: E/draw"),
        (START, "E/draw", "E/rinshan", "109 (ask)", "that does not follow from rivers and melds; allowed: E/draw"),
        (START, "E/draw", "S/discard/E/m1", "109 (ask)", "that does not follow from rivers and melds; allowed:"),
        (START, "E/draw", "S/tenpai", "109 (ask)", "that does not follow from rivers and melds; allowed: E/draw"),
        (CLAIM, "E/discard/N/m9", "N/discard/N/m9", "219 (ask)", "that does not follow from rivers and melds;"),
        (CLAIM, "E/discard/N/m9", "E/discard/N/m8", "219 (ask)", "that does not follow from rivers and melds;"),
        (THREE, "S/call", "S/draw", "151 (ask)", "that does not follow from rivers and melds; allowed: S/call"),
        (KAN, "E/rinshan", "E/draw", "115 (ask)", "that does not follow from rivers and melds; allowed: E/rinshan,"),
        # counters
        (START, "left=69", "left=70", "33 (left)", "rivers and melds leave 69 tiles to draw"),
        (CLAIM, "sticks=1", "sticks=0", "42 (sticks)", "1 seats have placed one, so at"),
        (KAN, "indicators=z7m1", "indicators=z7m1p1", "41 (indicators)", "after 1"),
        (CLAIM, "indicators=p9", "indicators=p9p9", "59 (indicators)", "after 0 kans"),
        (START, "E/draw", "E/draw missed", "120 (missed)", "this hand has passed up nothing that it waits for;"),
        (CLAIM, "s6Rp5.m9.", "s6Dp5.m9.", "169 (N)", "s6 (discard 7): D is riichi with the first discard, before any"),
        (THREE, "s1/z222+", "s1/z222=", "115 (W)", "z2 (discard 3): S called it, but the next of its melds is z222="),
        (OWN, "z4z2z5z6.p8s4p8.m9.p3Sp5.s5m7RI", "z4z2z5z6.p8s4p8.m9.p3S.p5.s5m7RI", "102 (E)", "“.p5.s5m7” is not a"),
        (KAN, "z1111 S", "z1111,m2222,m3333,p1111,p2222 S", "57 (E)", "it has more than four melds"),
    ],
)
def test_a_line_is_refused_with_its_place(line: str, old: str, new: str, place: str, said: str) -> None:
    """`place` is the column, from 1, and the field."""
    assert old in line
    told = refusal(line.replace(old, new, 1))
    assert told.startswith(f"position line, column {place}: {said}" if place else f"position line: {said}")


def after_a_chi(discard: str) -> str:
    """The line of 西, which has drawn after 南 called m1 with m23 and discarded."""
    t = table(["m1", "m2346p1199s1199z1", "z1"], rules="tenhou", draws="m1 z5").play("東m1 南m1-23 南z1")
    choice = t.choice("西")
    assert choice is not None
    return line_of(t.board, choice, seat=WINDS.index("西")).replace(" S25000/z1/", f" S25000/{discard}/")


@pytest.mark.parametrize(
    ("discard", "said"),
    [
        ("z1.", "z1 (discard 1): it follows m1-23, so it was not just drawn and has no dot"),
        ("m4", "m4 (discard 1): kuikae forbids it after m1-23"),
        ("m1", "m1 (discard 1): kuikae forbids it after m1-23"),
        ("z1RI", "it is in riichi with an open meld"),
    ],
)
def test_what_follows_a_call_is_a_discard_from_the_hand_that_kuikae_allows(discard: str, said: str) -> None:
    assert read_line(after_a_chi("z1")).line == after_a_chi("z1")
    assert said in refusal(after_a_chi(discard))


def test_a_call_that_leaves_nothing_to_discard_is_refused() -> None:
    line = (
        "jtk1 tenhou E1 honba=0 sticks=0 left=63 indicators=z7 E25000/z5Sz6Sm1S S25000/z1z4/z555-,z666-,m1-23 "
        "W25000/z2s1 N25000/z3s1 hand=m14444 ask=S/call"
    )
    assert read_line(line.replace("m14444", "m14445")).choice.options
    assert "(hand): kuikae leaves nothing to discard" in refusal(line)


EDITS = ("", "m", "z", "0", "5", ".", "R", "I", "N", "/", ",", "+", " ", "=")


def test_a_hand_in_riichi_waits_for_something() -> None:
    line = (
        "jtk1 tenhou E1 honba=0 sticks=1 left=65 indicators=z7 E24000/z7DI S25000/z1 W25000/s9. N25000/z2. "
        "hand=m234678p34s34588+m1 ask=E/draw"
    )
    assert read_line(line).line == line
    assert "(hand): it waits for nothing, and its seat is in riichi" in refusal(line.replace("p34s", "p29s"))


def test_at_the_end_of_the_wall_nothing_is_missed_any_more() -> None:
    t = table(["m234678s34588p34"], hidden="p25", settings={"draw.declare_tenpai": "true"}).pass_until(0).play(".")
    choice = t.act(f"{t.turn}noten").choice("東")
    assert choice is not None
    line = line_of(t.board, choice, seat=0, missed=True)
    assert read_line(line).line == line and not line.endswith("missed")
    assert "(missed): this hand has passed up nothing that it waits for; leave it out" in refusal(f"{line} missed")


@settings(derandomize=True, max_examples=300, database=None, deadline=None)
@given(
    st.sampled_from((START, KAN, OWN, CLAIM, THREE)),
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from(EDITS)), min_size=1, max_size=4),
)
def test_a_spoiled_line_is_refused_or_comes_back(line: str, edits: list[tuple[int, str]]) -> None:
    """A character is replaced, or taken out, in some places: no error but BadInput, and what is read has a line."""
    for place, new in edits:
        place %= len(line)
        line = line[:place] + new + line[place + 1 :]
    with contextlib.suppress(BadInput):
        read = read_line(line)
        assert read_line(read.line).line == read.line
