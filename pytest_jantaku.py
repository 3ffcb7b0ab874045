"""The pytest plugin `jantaku`, in a module whose name no user's folder has; the plugin itself is
`table.testing.plugin`.

`python -m pytest` puts the working folder first on `sys.path`, before plugins are loaded: a `table.py` or `players`
there must not be imported in place of jantaku's own, so these are imported here, from where this file is.
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
    """Warn once, for all of pytest-xdist's workers, of modules hidden by jantaku's own packages where the tests run."""
    names = installation.hidden(str(config.invocation_params.dir))
    if names and not hasattr(config, "workerinput"):
        print(f"jantaku: {installation.hint(names)}", file=sys.stderr)
