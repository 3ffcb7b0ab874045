"""The marks of tests that need a browser."""

import os

import pytest

from tests.kit.chromium import PROGRAM

IN_A_BROWSER = [
    pytest.mark.browser,
    # Where everything has to run, its absence is a failure.
    pytest.mark.skipif(PROGRAM is None and os.environ.get("CI") != "true", reason="no Chromium is on the PATH"),
]
