"""Broken players in whole games: in every way to seat them, at every moment."""

import os
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import pytest

from jantaku.players.adapters.environment import INHERIT
from jantaku.table.ground import log
from scripts.serving import MARK
from tests.broken.catalogue import VICES
from tests.hostile import broken
from tests.hostile.cases import Case, cases
from tests.kit.cases import text_of

FEW = text_of("cases/hostile/broken_few.txt").splitlines()
MANY = text_of("cases/hostile/broken_many.txt").splitlines()


def _each(found: Iterable[Any], daily: Collection[str], slow: Collection[str] = ()) -> list[Any]:
    """Make a test of each, with its own words as its name."""
    marks = [("daily", {*daily, *slow}), ("slow", slow)]
    return [
        pytest.param(one, id=str(one), marks=[getattr(pytest.mark, mark) for mark, of in marks if str(one) in of])
        for one in found
    ]


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stuck players are expected here; whatever they start inherits a mark."""
    monkeypatch.setenv(MARK, str(os.getpid()))
    monkeypatch.setenv(INHERIT, MARK)
    log.configure("error")
    yield
    log.configure()


@pytest.mark.long
@pytest.mark.hostile
@pytest.mark.parametrize("case", _each(cases(), FEW, MANY))
def test_a_broken_player_is_blamed_exactly_and_nobody_else_notices(case: Case, request: pytest.FixtureRequest) -> None:
    """Verdict, blame, nothing left running. That it is in time holds on an idle machine, where the whole suite runs."""
    report = broken.run(case)
    late = set() if "hostile" in request.config.option.markexpr else {"time"}
    assert set(report.wrong(case)) <= late, report


def test_every_vice_is_tried_on_every_transport_where_it_makes_sense() -> None:
    every = list(cases())
    names = {str(case) for case in every}
    assert {*FEW, *MANY} <= names and len(names) == len(every) > 400
    ours = {*VICES["program"], *VICES["client"]}
    assert {case.vice for case in every if case.transport.startswith(("exec", "ws"))} == ours
    assert {case.transport for case in every if case.moment == "between"} == {case.transport for case in every}


def test_a_row_says_what_is_wrong_with_it() -> None:
    (case,) = [case for case in cases() if str(case) == "exec majiang exits turn"]
    good = broken.Report("gone", (0,), 0, 0.1, 0.1, 1.0, True, 0)
    assert good.wrong(case) == []
    bad = broken.Report("silent", (0, 2), 0, 1.1, 0.1, 1.0, False, 3)
    assert bad.wrong(case) == ["verdict", "blame", "time", "others", "left running"]
    assert broken.Report("ok", (0,), 0, 0.1, 0.1, 1.0, True, 0).wrong(Case("ws", "none", "turn", ("ok",))) == ["blame"]
