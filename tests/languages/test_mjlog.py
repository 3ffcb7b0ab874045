"""The packed numbers and the tags of Tenhou's logs."""

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.mjlog import is_north, numbered, tags_of, unpack
from jantaku.table.riichi.pieces.melds import MeldKind, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.tiles import RED_M, TILE

CHI_OF_RED = (3 * 3 + 1) << 10 | 0x4 | 3
"""4-5-6 of m, every copy the first, the five called."""


def test_melds_are_unpacked() -> None:
    """One of each kind, taken from logs; 16 is the red 5m."""
    assert unpack(50251, numbered) == pon(TILE["z6"], 3, TILE["z6"], TILE["z6"])
    assert unpack(17408, numbered) == ankan(*[TILE["p9"]] * 4)
    assert unpack(8265, numbered).kind == MeldKind.PON
    assert unpack(CHI_OF_RED, numbered) == chi(RED_M, TILE["m4"], TILE["m6"])
    assert unpack(16 << 8 | 1, numbered) == daiminkan(RED_M, 1, *[TILE["m5"]] * 3)
    added = (4 * 3) << 9 | 0x10 | 2  # the first copy was added, the second one called
    assert unpack(added, numbered) == kakan(pon(TILE["m5"], 2, TILE["m5"], TILE["m5"]), RED_M)


@pytest.mark.parametrize(
    "packed",
    [
        0x20 | 120 << 8,  # a north set aside
        CHI_OF_RED & ~3 | 1,  # a chi from 下家
        (21 * 3) << 10 | 0x4 | 3,  # a chi of honours
        0x8,  # a pon from nobody
        (34 * 3) << 9 | 0x8 | 1,  # a pon of no kind
        34 * 4 << 8,  # an ankan of no kind
        1 << 16 | CHI_OF_RED,
        -1,
    ],
)
def test_a_number_that_is_no_meld_is_refused(packed: int) -> None:
    with pytest.raises(BadInput, match=r"is not a (meld|tile)"):
        unpack(packed, numbered)


def test_a_north_that_three_players_set_aside_is_no_meld() -> None:
    assert is_north(0x20 | 120 << 8)
    assert not is_north(CHI_OF_RED)


def test_tags_carry_names_numbers_and_attributes() -> None:
    found = tags_of(b'<mjloggm ver="2.3"><T71/><AGARI ba="0,2" who="3" /></mjloggm>')
    _, draw, end = found.all
    assert (draw.name, draw.number) == ("T", 71)
    assert (end.name, end.number, end.ints("ba"), end.ints("hai")) == ("AGARI", None, [0, 2], [])
    assert not found.broken


def test_a_broken_file_is_read_as_far_as_it_goes() -> None:
    found = tags_of(b"<mjloggm><T71/><D71/><U3")
    assert [tag.name for tag in found.all] == ["mjloggm", "T", "D"]
    assert found.broken


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'<!DOCTYPE a [<!ENTITY b "bbbb">]><mjloggm>&b;</mjloggm>', "it has <!DOCTYPE"),
        (b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><mjloggm/>', "it has <!DOCTYPE"),
        ('<?xml version="1.0" encoding="utf-16"?><!DOCTYPE a><mjloggm/>'.encode("utf-16"), "not UTF-8"),
        (b"<mjloggm>&b;</mjloggm>", "not XML .undefined entity"),
        (b"<mjloggm><T1></D1></mjloggm>", "not XML .mismatched tag"),
        (b"<mjloggm>" + b"<T1/>" * 100_000 + b"</mjloggm>", "more than 100000 tags"),
    ],
)
def test_what_no_log_has_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        tags_of(content)


@pytest.mark.parametrize(("text", "problem"), [("1,x", "“x” is not a number"), ("9" * 30, "is not a number")])
def test_an_attribute_that_is_no_number_is_named(text: str, problem: str) -> None:
    tag = tags_of(f'<a><N m="{text}"/></a>'.encode()).all[1]
    with pytest.raises(BadInput, match=f"<N> m: .*{problem}"):
        tag.ints("m")
    with pytest.raises(BadInput, match="<N> who: nothing; a number from 0 to 3 is expected"):
        tag.one("who", 4)
