"""HTML made in Python: what strangers wrote stays text, and a notebook's styles stay in their box."""

import re

import pytest

from jantaku.table.drawing.elements import Markup, Part, framed, marked, section, sheet, table, verdict_and_facts

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
