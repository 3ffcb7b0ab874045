"""Cases of tests that are tables of texts: in tests/data/cases, in a file with the name of the module of the tests."""

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

CASES = Path(__file__).parents[1] / "data" / "cases"
Test = TypeVar("Test", bound=Callable[..., None])


@cache
def _tables(module: str) -> dict[str, list[Any]]:
    folder, _, name = module.removeprefix("tests.").replace(".", "/").rpartition("/")
    return tomllib.loads((CASES / folder / f"{name.removeprefix('test_')}.toml").read_text("utf-8"))


def cases(names: str, *more: Any) -> Callable[[Test], Test]:
    """Give a test the rows of the table that has its name, and `more` that only Python can write."""

    def given(test: Test) -> Test:
        rows = [*_tables(test.__module__)[test.__name__], *more]
        decorated: Test = pytest.mark.parametrize(names, rows)(test)
        return decorated

    return given
