"""The record that is looked at here, the short game of the tests on records, and a browser to look at it with."""

from collections.abc import Iterator

import pytest

from tests.kit.chromium import PROGRAM, Browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    assert PROGRAM is not None, "no Chromium is on the PATH"
    with Browser(PROGRAM, tmp_path_factory.mktemp("profile")) as opened:
        yield opened
        assert opened.errors == []
