"""Every test here may make worlds."""

from collections.abc import Iterator

import pytest

from tests.simulation.replacements import simulation


@pytest.fixture(scope="package", autouse=True)
def _simulation() -> Iterator[None]:
    with simulation():
        yield
