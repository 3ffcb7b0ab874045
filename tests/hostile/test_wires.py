"""The table of wires and kinds of bad messages: no cell is empty, and what each refers to is there."""

from functools import cache
from pathlib import Path

import pytest

from scripts.attacks import attacks_of
from scripts.attacks.doors import Kind
from scripts.laws import page_with
from scripts.wires import COMMAND, MODELS, PAGE, cells, drawn

ROOT = Path(__file__).parents[2]


@cache
def _names(group: str) -> frozenset[str]:
    return frozenset(attack.name for attack in attacks_of(f"scripts.attacks.{group}"))


@pytest.mark.parametrize("wire", cells())
def test_every_kind_of_bad_message_on_a_wire_is_tried_somewhere(wire: str) -> None:
    row = cells()[wire]
    assert list(row) and set(row) == set(Kind)
    for kind, cell in row.items():
        assert cell.comes, kind
        if not cell.tried:
            assert cell.comes == "–", "only what cannot come is not tried"
            continue
        file, is_test, name = cell.tried.partition("::")
        if is_test:
            assert f"\ndef {name}(" in (ROOT / file).read_text("utf-8"), cell.tried
        else:
            group, _, name = cell.tried.partition(": ")
            assert name in _names(group), cell.tried


def test_there_are_eight_wires_and_one_room_that_is_always_there() -> None:
    assert len(cells()) == 8 and set(MODELS) == set(Kind)
    untried = [(wire, kind) for wire, row in cells().items() for kind, cell in row.items() if not cell.tried]
    assert {kind for _, kind in untried} == {Kind.FULL}


def test_the_page_on_trust_has_the_table_as_it_is() -> None:
    page = PAGE.read_text("utf-8")
    assert page == page_with(page, drawn(cells()), COMMAND)
