"""Bells wake threads, whatever they are made of, and take nothing with them when they are closed."""

import os
from pathlib import Path

import pytest

from jantaku.table.judge.turn.bells import TABLES, Bells, LockBell, PipeBell

OPEN = Path("/proc/self/fd")


def test_only_so_many_tables_have_pipes() -> None:
    tables = [Bells(1) for _ in range(TABLES)]
    other = Bells(1)
    assert isinstance(tables[0].bells[0], PipeBell)
    assert isinstance(other.bells[0], LockBell)
    _end(tables[0])
    following = Bells(1)
    assert isinstance(following.bells[0], PipeBell)
    for one in (*tables[1:], other, following):
        _end(one)


def test_a_table_that_gets_no_pipes_has_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> tuple[int, int]:
        raise OSError("too many open files")

    monkeypatch.setattr(os, "pipe", refuse)
    bells = Bells(2)
    assert [type(bell) for bell in bells.bells] == [LockBell, LockBell]
    _end(bells)


@pytest.mark.skipif(not OPEN.exists(), reason="the system does not list open files")
def test_closed_bells_leave_no_files_open() -> None:
    before = len(list(OPEN.iterdir()))
    bells = Bells(4)
    assert len(list(OPEN.iterdir())) > before
    _end(bells)
    assert len(list(OPEN.iterdir())) == before


def _end(bells: Bells) -> None:
    bells.close()
    assert not any(bell.wait() for bell in bells.bells)
