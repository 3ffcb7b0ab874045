"""What tests read of tests/data: texts, and the tables of their cases. A table stands in a file of tests/data/cases
that has the name of the module of the tests."""

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

DATA = Path(__file__).parents[1] / "data"
Test = TypeVar("Test", bound=Callable[..., None])


@cache
def _tables(module: str) -> dict[str, list[Any]]:
    folder, _, name = module.removeprefix("tests.").replace(".", "/").rpartition("/")
    return tomllib.loads((DATA / "cases" / folder / f"{name.removeprefix('test_')}.toml").read_text("utf-8"))


def cases(names: str, *rows: Any, ids: Any = None) -> Callable[[Test], Test]:
    """Run a test with each of these rows: `pytest.mark.parametrize`, without brackets."""

    def given(test: Test) -> Test:
        decorated: Test = pytest.mark.parametrize(names, rows, ids=ids)(test)
        return decorated

    return given


def kept_cases(names: str, *more: Any) -> Callable[[Test], Test]:
    """Run a test with the rows of the table that has its name, and `more` that only Python can write."""
    return lambda test: cases(names, *_tables(test.__module__)[test.__name__], *more)(test)


def text_of(name: str) -> str:
    """What a file of tests/data says."""
    return (DATA / name).read_text("utf-8")
