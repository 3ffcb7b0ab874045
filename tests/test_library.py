"""What `import jantaku` promises: its names and how they are called stay until the next major version."""

import inspect
from enum import EnumMeta
from pathlib import Path

import jantaku
from jantaku.table.cli import main
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


def test_draw_prints_a_picture_and_refuses_what_is_no_hand(jantaku: Jantaku) -> None:
    assert "draw" in main.COMMANDS
    drawn = jantaku("draw", "m123p406s27899z11 +m4")
    assert drawn.code == 0 and drawn.out.startswith("<svg ") and drawn.out.rstrip().endswith("</svg>")
    refused = jantaku("draw", "m11111")
    assert (refused.code, refused.err.count("\n")) == (2, 1) and "there are 4 of each tile" in refused.err
