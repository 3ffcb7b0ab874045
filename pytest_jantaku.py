"""The pytest plugin `jantaku`, under a name that nobody's folder has; what it does stands in `table.testing.plugin`.

`python -m pytest` puts the working folder first on `sys.path`, before plugins are loaded: a `table.py` or `players`
there must not be taken for jantaku's own, so these are imported here, from where this file is.
"""

import sys
from pathlib import Path

import pytest

_ROOT = str(Path(__file__).parent)
sys.path.insert(0, _ROOT)
try:
    import players as players
    from table import installation
    from table.testing.plugin import jantaku_table as jantaku_table
    from table.testing.plugin import pytest_runtest_teardown as pytest_runtest_teardown
finally:
    sys.path.remove(_ROOT)


def pytest_configure(config: pytest.Config) -> None:
    """Say what is hidden by jantaku's own packages where the tests are run, once for all of pytest-xdist's workers."""
    names = installation.hidden(str(config.invocation_params.dir))
    if names and not hasattr(config, "workerinput"):
        print(f"jantaku: {installation.hint(names)}", file=sys.stderr)
