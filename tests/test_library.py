"""What `import jantaku` promises: its names and how they are called stay until the next major version."""

import inspect
from enum import EnumMeta
from pathlib import Path

import jantaku
from tests.kit.command import Jantaku

PROMISED = Path(__file__).parent / "data" / "promised.txt"
"""A name a line, of callables with their parameters. New lines are added at a release, none is changed or taken out."""


UNTOLD = {"Comparison", "MatchResults", "Question"}
"""Made by jantaku alone: their parameters are no promise, and compiled, one does not tell them."""


def called(name: str) -> str:
    """A name as it is called: its parameters, with `=` where one may be left out."""
    thing = getattr(jantaku, name)
    if not callable(thing) or issubclass(type(thing), EnumMeta) or name in UNTOLD:
        return name
    parameters = inspect.signature(thing).parameters.values()
    return f"{name}({', '.join(each.name + '=' * (each.default is not each.empty) for each in parameters)})"


def test_every_promised_name_is_there_and_called_as_before() -> None:
    promised = PROMISED.read_text("utf-8").splitlines()
    assert {called(name) for name in jantaku.__all__} >= set(promised)
    assert {line.split("(")[0] for line in promised} <= set(jantaku.__all__)


def test_a_hand_is_shown_as_text_or_picture_and_refused_if_it_is_none(jantaku: Jantaku) -> None:
    for hand, said in (
        ("m123p406s2789z11 +s2", "m123p406s2789z11 +s2: tenpai\n  accepts s2×2 z1×2\n"),
        ("m123p406s278z11,z222=", "m123p406s278z1 +z1 z222=: tenpai\n  s2 leaves s6×4 s9×4\n"),
    ):
        assert said in jantaku("show", hand).out
    drawn = jantaku("show", "m123p406s27899z11 +m4", "--svg")
    assert drawn.code == 0 and drawn.out.startswith("<svg ") and drawn.out.rstrip().endswith("</svg>")
    for words, said in ((("m11111",), "there are 4 of each tile"), (("m1", "--turn", "1"), "--turn: not for a hand")):
        refused = jantaku("show", *words)
        assert (refused.code, refused.err.count("\n")) == (2, 1) and said in refused.err
