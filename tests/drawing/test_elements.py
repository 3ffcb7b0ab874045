"""HTML made in Python: what strangers wrote stays text, and players have faces that are told apart."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.drawing.elements import Markup, Part, framed, marked, section, sheet, table, verdict_and_facts
from jantaku.table.drawing.faces import COLOURS, SHAPES, FacedNames, colours_of, faces_of

EVIL = "<b>&\"'</style><script>"


def test_text_of_strangers_is_escaped_wherever_it_stands() -> None:
    made = (
        table(EVIL, [EVIL], [[EVIL, EVIL]])
        + section(Part(EVIL, Markup(""), EVIL))
        + verdict_and_facts([EVIL], {EVIL: EVIL})
        + marked("span", EVIL, title=EVIL)
    )
    assert "<b>" not in made and "<script" not in made and "</style" not in made


@pytest.mark.parametrize("name", ["colours", "results", "page"])
def test_a_style_sheet_comes_without_its_remarks_and_loads_nothing(name: str) -> None:
    text = sheet(name)
    assert text.strip() and "/*" not in text and not re.search(r"url\(|@import|http", text)


def test_a_negative_figure_has_a_minus_sign_and_a_name_stays_as_it_is() -> None:
    made = table("t", ["-1"], [["-2", "-3.5 ± 1", "-x", "+1", 4, -5]])
    assert re.findall("<t[hd](?: [^>]*)?>(.*?)</t[hd]>", made) == ["-1", "-2", "−3.5 ± 1", "-x", "+1", "4", "-5"]


def test_what_a_notebook_shows_has_its_styles_inside_its_own_box() -> None:
    text = framed(EVIL, [marked("p", "told")])
    (style,) = re.findall("<style>(.*?)</style>", text, re.DOTALL)
    assert text.startswith('<div class="jantaku">') and text.count("<p>told</p>") == 1
    assert ":root" not in style and style.startswith(".jantaku {") and style.count("{") == style.count("}")
    outside = re.sub(r"\{[^{}]*\}", "", style)
    while outside != (outside := re.sub(r"\{[^{}]*\}", "", outside)):
        pass
    assert all(".jantaku" in rule for rule in outside.split("\n") if rule.strip())


NAMES = st.lists(st.text(), unique=True, max_size=40)


@given(NAMES, st.randoms())
def test_faces_do_not_depend_on_the_order_of_the_names(names: list[str], chance: object) -> None:
    shuffled = list(names)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert faces_of(names) == faces_of(shuffled)


@given(NAMES)
def test_no_two_players_have_one_face_and_up_to_eight_have_colours_of_their_own(names: list[str]) -> None:
    faces = list(faces_of(names).values())
    assert len(set(faces)) == min(len(names), COLOURS * SHAPES)
    if len(names) <= COLOURS:
        assert len({face.colour for face in faces}) == len(names)


def test_a_version_of_a_bot_has_the_colour_of_the_bot() -> None:
    assert colours_of(["mine@2"]) == colours_of(["mine@1"]) == colours_of(["mine"])


def test_one_game_of_many_players_has_the_colours_of_all_of_them() -> None:
    names = [f"student{number:02}" for number in range(20)]
    assert colours_of(names[:4], names) == colours_of(names)[:4]


def test_a_table_of_many_against_each_other_has_numbers_for_heads() -> None:
    names = [f"student{number:02}" for number in range(9)]
    columns, rows = FacedNames(names).crossed(names)
    assert columns[8] == marked("span", 9, title="student08")
    assert ">9. <" in rows[8] and "student08" in rows[8]
    few, sides = FacedNames(names).crossed(names[:8])
    assert "student07" in few[7] and few == sides
